import EngramTesting
import Scheduling
import StudyModel
import Testing

@testable import Engram

/// Rules of one deck: they go before the store's, and a card obeys those of the deck in which it was, and remembers by those of the deck in
/// which it is.
@Suite struct DeckRulesTests {
    private static func review(_ store: StudyStore, _ card: UniqueID, _ grades: [Grade], from start: Int) throws {
        for (index, grade) in grades.enumerated() { try store.perform(.review(card, grade, took: nil), at: moment(start + index * day)) }
    }

    private static func spec(_ text: String) throws -> ConfiguredScheduler { try ConfiguredScheduler(spec: text) }

    @Test("A deck's setting is for its cards, whatever the store's is before or after; taken back, the store's holds again")
    func settings() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let (own, other) = (try store.deck(), try store.deck())
        let (first, second) = (try store.card(in: own), try store.card(in: other))
        try store.perform(.configureScheduler(Self.spec("fixed:days=2/9"), deck: own), at: moment(1))
        try store.perform(.configureScheduler(Self.spec("boxes:first=5")), at: moment(2))
        for card in [first, second] { try Self.review(store, card, [.good], from: 10) }
        #expect(try [first, second].map { try store.card($0).intervalDays } == [2, 5])
        #expect(try store.card(first).box == nil && store.card(second).box == 1)
        #expect(try store.deckSchedulers().map(\.scheduler.spec) == ["fixed:days=2/9"])
        #expect(try store.settings().scheduler.spec == "boxes:count=8,first=5,multiplier=41/20")
        let digest = try store.digest()
        try store.perform(.configureScheduler(Self.spec("fixed:days=4/4"), deck: own), at: moment(3 * day))
        #expect(try store.card(first).intervalDays == 2, "it stays due where its last answer put it")
        try store.undo(at: moment(3 * day + 1))
        #expect(try store.digest() == digest)
        #expect(try store.disagreement() == nil)
        let opened = try folder.open()
        #expect(try opened.card(first) == store.card(first) && opened.deckSchedulers().count == 1)
    }

    @Test("A card that is moved remembers by the rules of its new deck, stays due where it was, and moved back is what it was")
    func moving() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let (boxes, list) = (try store.deck(), try store.deck())
        let card = try store.card(in: boxes)
        try store.perform(.configureScheduler(Self.spec("fixed:days=2/9/30"), deck: list), at: moment(1))
        try Self.review(store, card, [.good, .good], from: 10)
        let before = try store.card(card)
        #expect(before.level == 2 && before.intervalDays == 7)
        try store.perform(.moveCard(card, deck: list), at: moment(2 * day))
        let moved = try store.card(card)
        #expect(moved.level == nil && moved.memory.figures.map(\.value) == [2] && moved.due == before.due)
        #expect(try store.disagreement() == nil)
        try Self.review(store, card, [.good], from: 8 * day)
        #expect(try store.card(card).intervalDays == 30)
        let lines = try store.timeline(of: card).filter { $0.grade != nil }
        #expect(lines.map(\.after.intervalDays) == [3, 7, 30])
        try store.perform(.moveCard(card, deck: boxes), at: moment(9 * day))
        #expect(try store.card(card).level == 3 && store.card(card).intervalDays == 30)
        #expect(try store.disagreement() == nil)
        #expect(try folder.open().card(card) == store.card(card))
    }

    @Test("Two devices that set and move come to one state")
    func merging() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try folder.create("one"), try folder.create("two"))
        let (boxes, list) = (try one.deck(), try one.deck())
        let card = try one.card(in: boxes)
        _ = try two.merge(with: one.path, at: moment(1))
        try one.perform(.configureScheduler(Self.spec("fixed:days=2/9/30"), deck: list), at: moment(2))
        try Self.review(two, card, [.good, .hard, .easy], from: 3)
        try two.perform(.moveCard(card, deck: list), at: moment(day + 30))
        _ = try one.merge(with: two.path, at: moment(9 * day))
        _ = try two.merge(with: one.path, at: moment(9 * day))
        #expect(try one.digest() == two.digest() && one.card(card) == two.card(card))
        #expect(try one.card(card).memory.figures.map(\.name) != ["level"])
        #expect(try one.disagreement() == nil && two.disagreement() == nil)
    }

    @Test("Rules of a deck that isn't there are refused, and a setting for the store is written as earlier programs read it")
    func writing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        #expect(throws: StoreError.self) { try store.perform(.configureScheduler(.standard, deck: store.newID()), at: moment(1)) }
        try store.perform(.configureScheduler(.standard), at: moment(1))
        try store.perform(.configureScheduler(.standard, deck: store.deck()), at: moment(2))
        var versions: [Int] = []
        try store.events(types: ["scheduler_configured"]) { event in
            versions.append(event.version)
            return true
        }
        #expect(versions == [1, 2])
    }
}
