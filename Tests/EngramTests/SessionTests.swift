import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct SessionTests {
    /// A store with a deck and cards of which some were reviewed, so that due days and boxes differ.
    private func filled(_ folder: TemporaryFolder, cards: Int) throws -> (store: StudyStore, deck: UniqueID, cards: [UniqueID]) {
        let store = try folder.create()
        let deck = try store.deck()
        return (store, deck, try (0..<cards).map { try store.card("card \($0)", in: deck) })
    }

    @Test("The order is due day, then box, then a shuffle that the seed alone decides")
    func order() throws {
        let folder = try TemporaryFolder()
        let (store, deck, cards) = try filled(folder, cards: 12)
        // Due earlier, and in a higher box on the same day as others.
        for (card, level, due) in [(cards[7], 0, 19_780), (cards[3], 8, 19_783), (cards[5], 4, 19_783)] {
            let placed = CardPlaced(
                levelHalfSteps: UInt64(level), intervalDays: 0, dueDay: Int64(due), passed: 0, failed: 0, source: "elsewhere")
            try store.perform(.placeCard(card, placed), at: moment())
        }
        func shown(seed: UInt64) throws -> [UniqueID] {
            var session = try store.startSession(decks: [deck], seed: seed, at: moment(5))
            var order: [UniqueID] = []
            while let card = try session.next(at: moment(6)) {
                order.append(card.card.id)
                _ = try session.answer(.good, at: moment(6))
            }
            #expect(try session.end(at: moment(7)).endReason == .finished)
            for _ in order { try store.undo(at: moment(8)) }
            return order
        }
        let first = try shown(seed: 1)
        #expect(first.count == 12 && first[0] == cards[7] && first[10] == cards[5] && first[11] == cards[3])
        while try store.due(at: moment(9)).cards.count < 12 { try store.undo(at: moment(9)) }
        #expect(try shown(seed: 1) == first)
        while try store.due(at: moment(9)).cards.count < 12 { try store.undo(at: moment(9)) }
        let other = try shown(seed: 2)
        #expect(other != first && other.sorted() == first.sorted() && other[0] == cards[7])
    }

    @Test("Failed cards and those of box 0 come back after the others, the one that waited longest first, until nothing is due")
    func comingBack() throws {
        let folder = try TemporaryFolder()
        let (store, _, _) = try filled(folder, cards: 4)
        var session = try store.startSession(seed: 3, at: moment())
        var order: [UniqueID] = []
        for (number, grade) in [Grade.again, .hard, .good, .good, .again, .good, .easy].enumerated() {
            let card = try #require(try session.next(at: moment(number)))
            #expect(card.isRepeated == (number >= 4) && card.remaining == [3, 3, 3, 2, 1, 1, 0][number], "\(number)")
            order.append(card.card.id)
            _ = try session.answer(grade, took: 100, at: moment(number))
        }
        #expect(try session.next(at: moment(9)) == nil)
        #expect(order[4] == order[0] && order[5] == order[1] && order[6] == order[0])
        let summary = try session.end(at: moment(10))
        #expect(summary.grades == [2, 1, 3, 1] && summary.cards == 4 && summary.milliseconds == 700 && summary.passed == 5)
        #expect(try store.openSession() == nil)
        #expect(try store.disagreement() == nil)
    }

    @Test("Each button tells the interval that it would give, and gives it")
    func previews() throws {
        for grade in Grade.allCases {
            let folder = try TemporaryFolder()
            let (store, _, cards) = try filled(folder, cards: 1)
            try store.perform(.review(cards[0], .easy, took: nil), at: moment())
            var session = try store.startSession(at: moment(3 * day))
            let shown = try #require(try session.next(at: moment(3 * day)))
            #expect(shown.answers.map(\.intervalDays) == [0, 0, 7, 13] && shown.answers.map(\.box) == [0, 0, 2, 3])
            let preview = shown.answers[Int(grade.rawValue) - 1]
            _ = try session.answer(grade, at: moment(3 * day))
            let card = try store.card(cards[0])
            #expect(card.intervalDays == preview.intervalDays && card.due == preview.due && card.box == preview.box, "\(grade)")
        }
    }

    @Test("An interrupted session goes on where it was, in another process too; a new one ends it")
    func interruption() throws {
        let folder = try TemporaryFolder()
        let whole = try { () throws -> [UniqueID] in
            let (store, _, _) = try filled(folder, cards: 6)
            var session = try store.startSession(seed: 11, at: moment())
            var order: [UniqueID] = []
            for number in 0..<3 {
                order.append(try #require(try session.next(at: moment(number))).card.id)
                _ = try session.answer(number == 1 ? .again : .good, at: moment(number))
            }
            order.append(try #require(try session.next(at: moment(4))).card.id)
            return order
        }()
        let store = try folder.open()
        var session = try #require(try store.openSession())
        #expect(session.seed == 11 && session.answerCount == 3)
        var rest: [UniqueID] = []
        while let card = try session.next(at: moment(20)) {
            rest.append(card.card.id)
            _ = try session.answer(.good, at: moment(20 + rest.count))
        }
        #expect(rest.first == whole[3] && rest.last == whole[1] && rest.count == 4)
        // What was answered before the interruption can be taken back too.
        for _ in 0..<7 { #expect(try session.undo(at: moment(30)) != nil) }
        #expect(throws: StoreError.nothingToUndo) { try session.undo(at: moment(31)) }
        _ = try store.startSession(at: moment(40))
        #expect(try store.summary(ofSession: session.id).endReason == .left)
        #expect(try store.openSession()?.id != session.id)
    }

    @Test("Undo shows the card again as it was, and the whole session can be undone")
    func undo() throws {
        let folder = try TemporaryFolder()
        let (store, _, _) = try filled(folder, cards: 3)
        let before = try store.cards()
        var session = try store.startSession(seed: 1, at: moment())
        let first = try #require(try session.next(at: moment()))
        _ = try session.answer(.again, at: moment(1))
        _ = try session.next(at: moment(1))
        #expect(try session.undo(at: moment(2)) == first)
        _ = try session.answer(.good, at: moment(3))
        let second = try #require(try session.next(at: moment(4)))
        #expect(second.card.id != first.card.id)
        _ = try session.answer(.easy, at: moment(4))
        #expect(try session.undo(at: moment(5))?.card.id == second.card.id)
        #expect(try session.undo(at: moment(5))?.card.id == first.card.id)
        #expect(try session.next(at: moment(6))?.card.id == first.card.id)
        #expect(try store.cards() == before)
        // Also where the card that is shown is the one whose answer is taken back.
        let (alone, _, _) = try filled(TemporaryFolder(), cards: 1)
        session = try alone.startSession(at: moment())
        _ = try session.next(at: moment())
        _ = try session.answer(.again, at: moment(1))
        _ = try session.next(at: moment(1))
        #expect(try session.undo(at: moment(2))?.remaining == 0)
        _ = try session.answer(.good, at: moment(3))
        #expect(try session.next(at: moment(4)) == nil)
    }

    @Test("A card deleted, edited, moved away or answered elsewhere while it is shown isn't answered unseen")
    func meanwhile() throws {
        let folder = try TemporaryFolder()
        let (store, deck, _) = try filled(folder, cards: 5)
        let other = try store.deck("Other")
        let elsewhere = try folder.open()
        var session = try store.startSession(decks: [deck], seed: 1, at: moment())
        func shown() throws -> UniqueID { try #require(try session.next(at: moment(1))).card.id }

        let deleted = try shown()
        try elsewhere.perform(.deleteCard(deleted), at: moment(1))
        #expect(try session.answer(.good, at: moment(2)) == .deletedMeanwhile)
        let edited = try shown()
        #expect(edited != deleted)
        try elsewhere.perform(.editCard(edited, front: nil, back: "new"), at: moment(1))
        #expect(try session.answer(.good, at: moment(2)) == .changedMeanwhile)
        #expect(try session.next(at: moment(2))?.card.back == "new")
        guard case .recorded = try session.answer(.good, at: moment(2)) else { return #expect(Bool(false), "it is recorded now") }
        let reviewed = try shown()
        try elsewhere.perform(.review(reviewed, .good, took: nil), at: moment(3))
        #expect(try session.answer(.again, at: moment(4)) == .changedMeanwhile)
        let moved = try shown()
        #expect(moved != reviewed)
        try elsewhere.perform(.moveCard(moved, deck: other), at: moment(5))
        #expect(try session.answer(.good, at: moment(5)) == .changedMeanwhile)
        let last = try shown()
        #expect(last != moved)
        _ = try session.answer(.good, at: moment(6))
        // A card that was added meanwhile is met, too.
        let added = try elsewhere.card("added", in: deck)
        #expect(try shown() == added)
        _ = try session.answer(.easy, at: moment(7))
        #expect(try session.next(at: moment(8)) == nil)
        #expect(try store.card(reviewed).passed == 1 && store.card(moved).passed == 0)
    }

    @Test("Editing and the favourite keep the card where it is")
    func editing() throws {
        let folder = try TemporaryFolder()
        let (store, _, _) = try filled(folder, cards: 2)
        var session = try store.startSession(at: moment())
        #expect(throws: StoreError.self) { try session.edit(front: "x", back: nil, at: moment()) }
        #expect(throws: StoreError.self) { try session.answer(.good, at: moment()) }
        let card = try #require(try session.next(at: moment())).card
        try session.edit(front: "another", back: nil, at: moment(1))
        #expect(session.current?.card.id == card.id && session.current?.card.front == "another")
        #expect(try session.toggleFavourite(at: moment(2)) && session.current?.card.isFavourite == true)
        #expect(try !session.toggleFavourite(at: moment(3)))
        guard case .recorded = try session.answer(.good, at: moment(4)) else { return #expect(Bool(false), "it is recorded") }
        #expect(throws: StoreError.self) { try session.answer(.good, at: moment()) }
    }

    @Test("Free learn shows every card of the decks once and changes no figure of learning")
    func freeLearn() throws {
        let folder = try TemporaryFolder()
        let (store, deck, cards) = try filled(folder, cards: 5)
        try store.perform(.review(cards[2], .easy, took: nil), at: moment())
        _ = try store.card("not picked", in: store.deck("Other"))
        let before = try (store.cards(), store.statistics(at: moment()))
        var session = try store.startSession(.free, decks: [deck], seed: 9, at: moment(1))
        var order: [UniqueID] = []
        while let card = try session.next(at: moment(2)) {
            #expect(card.answers.isEmpty)
            order.append(card.card.id)
            _ = try session.answer(.again, took: 10, at: moment(2))
            if order.count == 3 { session = try #require(try store.openSession()) }
        }
        #expect(order.sorted() == cards.sorted())
        #expect(try session.end(at: moment(3)).grades == [5, 0, 0, 0])
        let after = try store.statistics(at: moment())
        #expect(after.practised == 5 && after.reviews == before.1.reviews && after.days == before.1.days)
        #expect(try store.cards() == before.0 && after.streak == before.1.streak && after.due == before.1.due)
    }

    @Test("The day's end during a session follows the rollover: what is due on the new day comes in its order")
    func rollover() throws {
        let folder = try TemporaryFolder()
        let (store, _, cards) = try filled(folder, cards: 2)
        let placed = CardPlaced(levelHalfSteps: 2, intervalDays: 1, dueDay: 19_784, passed: 1, failed: 0, source: "elsewhere")
        try store.perform(.placeCard(cards[0], placed), at: moment())
        var session = try store.startSession(at: moment())
        #expect(try session.next(at: moment())?.card.id == cards[1])
        _ = try session.answer(.good, at: moment(1))
        #expect(try session.next(at: moment(2)) == nil)
        #expect(try session.next(at: ZonedTime(iso: "2024-03-02T03:59:59Z")!) == nil)
        #expect(try session.next(at: ZonedTime(iso: "2024-03-02T04:00:00Z")!)?.card.id == cards[0])
    }

    @Test("A session of decks that aren't there is refused; its start is an action that can be undone")
    func starting() throws {
        let folder = try TemporaryFolder()
        let (store, deck, _) = try filled(folder, cards: 1)
        #expect(throws: StoreError.notFound(.deck, name: UniqueID(high: 1, low: 1).description)) {
            try store.startSession(decks: [UniqueID(high: 1, low: 1)], at: moment())
        }
        let session = try store.startSession(decks: [deck], at: moment())
        try store.undo(at: moment(1))
        #expect(try store.openSession() == nil)
        #expect(throws: StoreError.notFound(.session, name: session.id.description)) { try session.summary() }
        try store.undo(at: moment(2))
        #expect(try store.disagreement() == nil)
    }

    @Test("However often sessions begin and end, by several handles, a device has one open, over decks that are there")
    func oneOpenSession() throws {
        let folder = try TemporaryFolder()
        let (store, deck, _) = try filled(folder, cards: 1)
        let other = try folder.open()
        let gone = try store.deck("gone")
        try store.perform(.deleteDeck(gone), at: moment(1))
        #expect(throws: StoreError.deleted(.deck, id: gone)) { try other.startSession(decks: [deck, gone], at: moment(2)) }
        var first = try store.startSession(decks: [deck], at: moment(3))
        let second = try other.startSession(decks: [deck], at: moment(4))
        // Ended as left by the other start, and it stays so.
        #expect(try first.end(at: moment(5)).endReason == .left)
        #expect(try store.openSession()?.id == second.id)
        var told: [String] = []
        try store.events(types: ["session_started", "session_ended"]) {
            told.append("\($0.type) \($0.subject == first.id ? 1 : 2)")
            return true
        }
        #expect(told == ["session_started 1", "session_ended 1", "session_started 2"])
        #expect(try store.disagreement() == nil)
    }
}
