import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct UndoTests {
    @Test("Undo goes back action by action to the empty store, through every kind of action, after opening again too")
    func toTheBeginning() throws {
        let folder = try TemporaryFolder()
        var store = try folder.create(checkpointInterval: 5)
        var digests = [try store.digest()]
        func act(_ action: Action, at minutes: Int) throws -> UniqueID {
            let result = try store.perform(action, at: moment(minutes))
            digests.append(try store.digest())
            return result.subject
        }
        let deck = try act(.createDeck(title: "Words", colour: nil), at: 0)
        let other = try act(.createDeck(title: "Verbs", colour: Colour("blue")), at: 1)
        let card = try act(.createCard(deck: deck, front: "a", back: "b"), at: 2)
        let last = try store.perform(.review(card, .good, took: 5), at: moment(3)).events[0]
        digests.append(try store.digest())
        let actions: [Action] = [
            .review(card, .easy, took: nil), .correct(last, .again), .practise(card, .hard, took: nil), .configureDay(rolloverHour: 0),
            .configureScheduler(try ConfiguredScheduler(spec: "boxes:count=3,multiplier=2")), .review(card, .good, took: nil),
            .setFavourite(card, kind: .card, on: true), .setFavourite(card, kind: .card, on: false), .editCard(card, front: "c", back: nil),
            .moveCard(card, deck: other), .deleteCard(card), .restoreCard(card), .resetCard(card), .renameDeck(other, title: "V"),
            .recolourDeck(other, colour: nil), .deleteDeck(other),
        ]
        for (number, action) in actions.enumerated() { _ = try act(action, at: 10 + number) }
        var minutes = 100
        while digests.count > 1 {
            digests.removeLast()
            try store.undo(at: moment(minutes))
            #expect(try store.digest() == digests[digests.count - 1], "\(digests.count - 1) actions left")
            minutes += 1
            if digests.count % 4 == 0 { store = try folder.open() }
        }
        #expect(throws: StoreError.nothingToUndo) { try store.undo(at: moment(minutes)) }
        #expect(try store.disagreement() == nil)
    }

    @Test("A void of a void restores, to any depth, by name and from another device")
    func depths() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let card = try store.card(in: store.deck())
        let review = try store.perform(.review(card, .easy, took: nil), at: moment(1)).events[0]
        let with = try store.digest()
        var target = review
        for depth in 1...9 {
            target = try store.perform(.void(target), at: moment(1 + depth)).events[0]
            #expect(try (store.digest() == with) == (depth % 2 == 0) && store.card(card).passed == 1 - depth % 2, "depth \(depth)")
        }
        let other = try folder.create("other")
        _ = try other.merge(with: store.path, at: moment(20))
        #expect(try other.digest() == store.digest())
        _ = try other.perform(.void(target), at: moment(21))
        _ = try store.merge(with: other.path, at: moment(22))
        #expect(try store.digest() == with && store.disagreement() == nil && other.disagreement() == nil)
        // What another device did isn't this one's to undo.
        #expect(try store.undo(at: moment(23)).targets == [review])
        #expect(throws: StoreError.nothingToUndo) { try other.undo(at: moment(24)) }
    }

    @Test("An event of a clock years ahead is held back everywhere, can be released, and can't be voided in vain")
    func ahead() throws {
        let folder = try TemporaryFolder()
        let wrong = try folder.create("wrong clock")
        let right = try folder.create("right clock")
        let deck = try right.deck()
        let card = try right.card(in: deck)
        _ = try wrong.merge(with: right.path, at: moment(1))
        let future = try wrong.perform(.review(card, .easy, took: nil), at: moment(4000 * day)).events[0]
        #expect(try right.merge(with: wrong.path, at: moment(2)).quarantined == 1)
        _ = try wrong.merge(with: right.path, at: moment(3))
        for store in [right, wrong] { #expect(try store.card(card).passed == 0 && store.disagreement() == nil) }
        #expect(try right.digest() == wrong.digest())
        // A setting after it in the order must not touch it, and one before it must.
        try right.perform(.configureScheduler(ConfiguredScheduler(spec: "boxes:first=10")), at: moment(4))
        try right.perform(.release(future), at: moment(5))
        #expect(try right.card(card).intervalDays == 10 && right.disagreement() == nil)
        let before = try right.digest()
        do {
            try right.perform(.void(future), at: moment(6))
            #expect(try right.digest() != before, "a void that was taken must do something")
        } catch {
            guard case .notCorrectable = error else { throw error }
            #expect(try right.digest() == before)
        }
        _ = try wrong.merge(with: right.path, at: moment(7))
        #expect(try right.digest() == wrong.digest() && wrong.disagreement() == nil)
    }
}
