import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct ActionTests {
    @Test("What each action does to a card, a deck and the figures")
    func actions() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.perform(.createDeck(title: "Words", colour: Colour("red")), at: moment()).subject
        let other = try store.deck("Verbs")
        let card = try store.card(in: deck)
        #expect(try store.due(at: moment()).cards == [card] && store.card(card).due == StudyDay("2024-03-01"))
        // Grade, level after, box, interval, passed, failed.
        let answers: [(Grade, Double, Int, Int, Int, Int)] = [
            (.easy, 1.5, 1, 3, 1, 0), (.easy, 3, 3, 13, 2, 0), (.hard, 2, 2, 7, 3, 0), (.good, 3, 3, 13, 4, 0), (.again, 0, 0, 0, 4, 1),
            (.hard, 0, 0, 0, 5, 1),
        ]
        for (number, (grade, level, box, interval, passed, failed)) in answers.enumerated() {
            try store.perform(.review(card, grade, took: 1500), at: moment(number))
            let seen = try store.card(card)
            #expect(seen.level == level && seen.box == box && seen.intervalDays == interval, "\(grade)")
            #expect(seen.passed == passed && seen.failed == failed && seen.due?.days == 19_783 + Int32(interval), "\(grade)")
        }
        let before = try (store.statistics(at: moment()), store.card(card))
        try store.perform(.practise(card, .again, took: nil), at: moment(10))
        var after = try store.statistics(at: moment())
        #expect(after.practised == 1 && after.reviews == before.0.reviews && after.milliseconds == 9000)
        #expect(try store.card(card) == before.1)
        try store.perform(.editCard(card, front: nil, back: "new"), at: moment(11))
        try store.perform(.moveCard(card, deck: other), at: moment(12))
        let moved = try store.card(card)
        #expect(moved.deck == other && moved.front == "front" && moved.back == "new")
        #expect(try store.decks(at: moment()).map { [$0.cards, $0.due] } == [[1, 1], [0, 0]])
        let placed = CardPlaced(levelHalfSteps: 9, intervalDays: 30, dueDay: 19_800, passed: 4, failed: 2, source: "elsewhere")
        try store.perform(.placeCard(card, placed), at: moment(13))
        #expect(try store.card(card).level == 4.5 && store.card(card).due?.days == 19_800)
        try store.perform(.resetCard(card), at: moment(day))
        #expect(try store.card(card).level == 0 && store.card(card).due?.days == 19_784 && store.card(card).passed == 4)
        try store.perform(.deleteDeck(other), at: moment(day + 1))
        #expect(try store.cards().isEmpty && !store.card(card).isLive)
        after = try store.statistics(at: moment())
        #expect(after.reviews.total == 6 && after.cards.deleted == 1)
        #expect(try store.undo(at: moment(day + 2)).targets.count == 1 && store.cards().count == 1)
        #expect(try store.disagreement() == nil)
    }

    @Test("What isn't right is refused with its error, and not a byte of the log or the state changes")
    func errors() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let nobody = UniqueID(high: 1, low: 1)
        #expect(throws: StoreError.nothingToUndo) { try store.undo(at: moment()) }
        let deck = try store.deck()
        let gone = try store.deck("Gone")
        let card = try store.card(in: deck)
        let lost = try store.card("lost", in: gone)
        try store.perform(.deleteDeck(gone), at: moment(1))
        let review = try store.perform(.review(card, .good, took: nil), at: moment(2)).events[0]
        let void = try store.perform(.void(store.perform(.practise(card, .good, took: nil), at: moment(3)).events[0]), at: moment(4))
            .events[0]
        let origin = try store.origin
        let voided = EventID(origin: origin, number: void.number - 1)
        let missing = EventID(origin: origin, number: 999)
        let long = String(repeating: "é", count: 32_769)
        let tooLow = CardPlaced(levelHalfSteps: 1_000_001, intervalDays: 0, dueDay: 0, passed: 0, failed: 0, source: "")
        let wrong: [(String, Action)] = [
            ("an empty title", .createDeck(title: "", colour: nil)), ("a long title", .createDeck(title: long, colour: nil)),
            ("a title of white space", .createDeck(title: " \t\u{A0}\n", colour: nil)),
            ("a title that nobody sees", .renameDeck(deck, title: "\u{200B}\u{2060} \u{7}")),
            ("a front of white space", .createCard(deck: deck, front: "\u{3000}", back: "b")),
            ("no such deck", .renameDeck(nobody, title: "x")), ("a deleted deck", .renameDeck(gone, title: "x")),
            ("an empty name", .renameDeck(deck, title: "")), ("recolouring a deleted deck", .recolourDeck(gone, colour: nil)),
            ("deleting it again", .deleteDeck(gone)), ("a card in a deleted deck", .createCard(deck: gone, front: "a", back: "")),
            ("a card in no deck", .createCard(deck: nobody, front: "a", back: "")),
            ("an empty front", .createCard(deck: deck, front: "", back: "b")),
            ("a long back", .createCard(deck: deck, front: "a", back: long)), ("editing nothing", .editCard(card, front: nil, back: nil)),
            ("an empty front after", .editCard(card, front: "", back: nil)),
            ("editing a lost card", .editCard(lost, front: "a", back: nil)),
            ("moving to a deleted deck", .moveCard(card, deck: gone)), ("moving a lost card", .moveCard(lost, deck: deck)),
            ("deleting no card", .deleteCard(nobody)), ("restoring what is there", .restoreCard(card)),
            ("restoring nobody", .restoreCard(nobody)),
            ("a deck as a card", .review(deck, .good, took: nil)), ("reviewing a lost card", .review(lost, .good, took: nil)),
            ("a negative duration", .review(card, .good, took: -1)), ("a duration over a day", .practise(card, .good, took: 86_400_001)),
            ("turned before it was shown", .review(card, .good, took: nil, turned: -1)),
            ("turned after the answer", .review(card, .good, took: 1000, turned: 1001)),
            ("turned after a day", .review(card, .good, took: nil, turned: 86_400_001)),
            ("no favourite word", .setFavourite(nobody, kind: .word, on: true)),
            ("no favourite question", .setFavourite(nobody, kind: .question, on: true)),
            ("a card as a word", .setFavourite(card, kind: .word, on: true)),
            ("a level too high", .placeCard(card, tooLow)), ("no favourite card", .setFavourite(nobody, kind: .card, on: true)),
            ("no mistake", .dismissMistake(card, kind: .card)), ("voiding nothing", .void(missing)), ("voiding twice", .void(voided)),
            ("correcting a creation", .correct(EventID(origin: origin, number: 1), .good)), ("correcting a void", .correct(void, .good)),
            ("releasing what isn't held", .release(review)), ("hour 24", .configureDay(rolloverHour: 24)),
            ("hour -1", .configureDay(rolloverHour: -1)),
        ]
        let state = try store.digest()
        let lines = try log(of: store)
        for (what, action) in wrong {
            #expect(throws: StoreError.self, "\(what)") { try store.perform(action, at: moment(5), key: "refused") }
        }
        for milliseconds in [Int64.min, -62_135_596_800_001, 140_737_488_355_328, .max] {
            #expect(throws: StoreError.momentOutOfRange(milliseconds: milliseconds)) {
                try store.perform(.resetCard(card), at: ZonedTime(wallMilliseconds: milliseconds, zoneMinutes: 0))
            }
        }
        for zone: Int16 in [.min, -1441, 1441, .max] {
            let allowed = "at most 24 hours from UTC"
            #expect(throws: StoreError.badValue(field: "the zone", value: "\(zone) minutes", allowed: allowed)) {
                try store.perform(.resetCard(card), at: moment(zone: zone))
            }
        }
        #expect(throws: StoreError.self) { try store.startSession(seed: StudyStore.largestSessionSeed + 1, at: moment(5)) }
        #expect(try log(of: store) == lines && store.digest() == state && store.disagreement() == nil)
        // The key of what was refused is still free.
        let longest = StudyStore.longestAnswerMilliseconds
        #expect(try store.perform(.review(card, .good, took: longest, turned: longest), at: moment(6, zone: 1440), key: "refused").isNew)
        #expect(try store.startSession(seed: StudyStore.largestSessionSeed, at: moment(6)).seed == StudyStore.largestSessionSeed)
        #expect(throws: StoreError.self) { try store.perform(.dismissMistake(card, kind: .question), at: moment(6)) }
        #expect(throws: StoreError.readOnly(path: folder.path + "/copy")) {
            let copy = try folder.copy("store", to: "copy", readOnly: true)
            try copy.perform(.resetCard(card), at: moment(7))
        }
    }

    @Test("An import from a zone that none is, or at a time that none is, is refused before anything is written, in a dry run as well")
    func importedZones() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let (reviews, list) = (folder.path + "/reviews.csv", folder.path + "/list.csv")
        try "card_id,review_time,review_rating\n1,1700000000000,3\n".write(toFile: reviews, atomically: true, encoding: .utf8)
        try "front,back\na,b\n".write(toFile: list, atomically: true, encoding: .utf8)
        for isDryRun in [true, false] {
            for zone: Int16 in [-1441, 1441, .max] {
                #expect(throws: StoreError.self) {
                    try store.importHistory(at: reviews, zone: { _ in zone }, isDryRun: isDryRun, moment: moment())
                }
                for path in [reviews, list] {
                    #expect(throws: StoreError.self) { try store.importHistory(at: path, isDryRun: isDryRun, moment: moment(zone: zone)) }
                }
            }
        }
        #expect(try store.lastSequence() == 0)
        #expect(try store.importHistory(at: reviews, zone: { _ in 1440 }, moment: moment()).newReviews == 1)
    }

    @Test("What is asked for a moment that none is has an answer, and ends no process")
    func absurdMoments() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let card = try store.card(in: store.deck())
        try store.perform(.review(card, .good, took: nil), at: moment())
        for milliseconds in [Int64.min, -62_135_596_800_001, 0, 253_402_300_800_000, .max] {
            for zone: Int16 in [.min, 0, .max] {
                let at = ZonedTime(wallMilliseconds: milliseconds, zoneMinutes: zone)
                _ = try (
                    store.due(at: at), store.decks(at: at), store.statistics(at: at), store.studyDay(of: at), store.explain(.due, at: at)
                )
                _ = try store.replay(at: at, until: at)
            }
        }
        #expect(try store.words(prefix: "a", limit: -1).isEmpty)
    }

    @Test("A key does an action once, in whatever handle and however often")
    func keys() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        let first = try store.perform(.createCard(deck: deck, front: "a", back: ""), at: moment(), key: "one")
        let other = try folder.open()
        for handle in [store, other, try folder.open()] {
            let again = try handle.perform(.createDeck(title: "something else", colour: nil), at: moment(9), key: "one")
            #expect(again == ActionResult(events: first.events, subject: first.subject, isNew: false))
        }
        #expect(try other.perform(.createCard(deck: deck, front: "b", back: ""), at: moment(), key: "two").isNew)
        #expect(try store.cards().map(\.front).sorted() == ["a", "b"])
        let undone = try store.undo(at: moment(10), key: "undo")
        #expect(try store.undo(at: moment(11), key: "undo").result.events == undone.result.events && store.cards().count == 1)
    }

    @Test("A counter at the largest number stays there, and ends no process")
    func largestCounters() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let card = try store.card(in: store.deck())
        let most = UInt64(Int64.max)
        let placed = CardPlaced(
            levelHalfSteps: 1_000_000, intervalDays: 36_500, dueDay: 2_932_896, passed: most, failed: most, source: "elsewhere")
        try store.perform(.placeCard(card, placed), at: moment())
        for grade in Grade.allCases { try store.perform(.review(card, grade, took: nil), at: moment(1)) }
        #expect(try store.card(card).passed == Int(most) && store.card(card).failed == Int(most) && store.disagreement() == nil)
    }

    private func log(of store: StudyStore) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        try store.exportLog {
            lines.append($0)
            return true
        }
        return lines
    }
}

extension TemporaryFolder {
    /// Another store with the bytes of this one.
    func copy(_ name: String, to other: String, readOnly: Bool = false) throws -> StudyStore {
        try FileManager.default.createDirectory(atPath: path + "/" + other, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path + "/\(name)/data.mdb", toPath: path + "/\(other)/data.mdb")
        return try open(other, readOnly: readOnly)
    }
}
