import Engram
import EngramTesting
import EventCoding
import Foundation
import SQLite
import StudyModel
import Testing

/// The store of a flashcards app, and later copies of it, on a store of our own.
struct CoreDataImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A file with one deck and the cards of those rows: failed, passed, box, created, reviewed, back, front, number.
    private func file(_ cards: [String], title: String = "Words") throws -> String {
        let maker = try SQLiteMaker()
        try maker.run(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Deck', 0, 1), (2, 'Card', 0, 9);
            CREATE TABLE ZDECK (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR, ZCOLOR VARCHAR, ZID BLOB);
            CREATE TABLE ZCARD (Z_PK INTEGER PRIMARY KEY, ZFAILEDCOUNT INTEGER, ZPASSEDCOUNT INTEGER, ZBOX FLOAT, ZCREATEDAT TIMESTAMP,
                ZLASTREVIEWED TIMESTAMP, ZBACK VARCHAR, ZFRONT VARCHAR, ZID BLOB, ZDECK INTEGER);
            INSERT INTO ZDECK VALUES (1, '\(title)', '#1e88e5', x'000000000000000000000000000000AA');
            """)
        for (index, card) in cards.enumerated() {
            try maker.run("INSERT INTO ZCARD VALUES (\(index + 1), \(card), x'0000000000000000000000000000000\(index + 1)', 1)")
        }
        let path = folder.path + "/Flashcards.sqlite"
        try Data(try maker.bytes()).write(to: URL(filePath: path))
        return path
    }

    private func take(_ cards: [String], title: String = "Words", _ store: StudyStore, at minutes: Int) throws -> String {
        let report = try store.importHistory(at: try file(cards, title: title), moment: moment(minutes))
        return "\(report.newCards) \(report.updatedCards) \(report.unchangedCards)"
    }

    /// 2024-02-01 12:00 UTC, 29 days before the moments of these tests.
    private static let then = 728_481_600

    private static func card(failed: Int = 1, passed: Int = 4, box: Double = 2.5, reviewed: Int = then, back: String = "dog") -> String {
        "\(failed), \(passed), \(box), \(then - 86_400), \(reviewed), '\(back)', 'Hund'"
    }

    @Test func cardsStandAsTheyStood() throws {
        let store = try folder.create()
        #expect(try take([Self.card(), "0, 0, 1, \(Self.then), NULL, 'cat', 'Katze'"], store, at: 0) == "2 0 0")
        let cards = try store.cards()
        #expect(
            cards.map { "\($0.id) \($0.front) \($0.back) \($0.level.text) \($0.intervalDays) \($0.due.text) \($0.passed) \($0.failed)" }
                == [
                    "00000000-0000-0000-0000-000000000001 Hund dog 2.5 7 2024-02-08 4 1",
                    "00000000-0000-0000-0000-000000000002 Katze cat 0.0 0 2024-02-01 0 0",
                ])
        #expect(cards[0].createdAt?.iso == "2024-01-31T12:00:00+00:00" && cards[0].lastReviewedAt?.iso == "2024-02-01T12:00:00+00:00")
        #expect(cards[1].lastReviewedAt == nil)
        let deck = try #require(try store.decks(at: moment()).first)
        #expect(deck.title == "Words" && deck.colour?.description == "#1e88e5" && deck.id.description.hasSuffix("aa"))
        #expect(try store.timeline(of: cards[0].id).map(\.type) == ["card_created", "card_placed"])
        #expect(try store.disagreement() == nil)
    }

    @Test func laterCopiesChangeWhatChanged() throws {
        let store = try folder.create()
        let other = "0, 0, 1, \(Self.then), NULL, 'cat', 'Katze'"
        _ = try take([Self.card(), other], store, at: 0)
        let digest = try store.digest()
        #expect(try take([Self.card(), other], store, at: 1) == "0 0 2")
        #expect(try store.digest() == digest)
        // Reviewed there, then edited there, back and forth.
        #expect(try take([Self.card(passed: 5, box: 3.5, reviewed: Self.then + 86_400), other], store, at: 2) == "0 1 1")
        #expect(try store.cards()[0].level == 3.5)
        for (minutes, back) in [(3, "hound"), (4, "dog"), (5, "hound")] {
            let again = Self.card(passed: 5, box: 3.5, reviewed: Self.then + 86_400, back: back)
            #expect(try take([again, other], title: "Tiere", store, at: minutes) == "0 1 1")
            #expect(try store.cards()[0].back == back)
        }
        #expect(try store.decks(at: moment()).map(\.title) == ["Tiere"])
        // An older copy tells nothing new of how a card stands.
        #expect(try take([Self.card(box: 1.0, back: "hound"), other], title: "Tiere", store, at: 6) == "0 0 2")
        #expect(try store.cards()[0].level == 3.5)
        #expect(try store.disagreement() == nil)
    }

    @Test func whatWasDoneHereSinceStays() throws {
        let store = try folder.create()
        _ = try take([Self.card()], store, at: 0)
        let id = try store.cards()[0].id
        try store.perform(.review(id, .again, took: nil), at: moment(1))
        try store.perform(.editCard(id, front: nil, back: "mine"), at: moment(2))
        _ = try take([Self.card()], store, at: 3)
        // Reviewed there before it was reviewed here: that comes first.
        _ = try take([Self.card(passed: 5, box: 3.5, reviewed: Self.then + 86_400)], store, at: 4)
        let card = try store.card(id)
        #expect(card.level == 0 && card.back == "mine" && card.passed == 5 && card.failed == 2)
        #expect(try store.disagreement() == nil)
    }

    @Test func twoDevicesComeToTheSame() throws {
        let stores = [try folder.create("one"), try folder.create("two")]
        let later = Self.card(passed: 5, box: 3.5, reviewed: Self.then + 86_400)
        _ = try take([Self.card()], stores[0], at: 0)
        _ = try take([later], stores[0], at: 1)
        _ = try take([later], stores[1], at: 2)
        for (index, store) in stores.enumerated() { _ = try store.merge(with: stores[1 - index].path, at: moment(9)) }
        #expect(try stores[0].digest() == stores[1].digest())
        #expect(try stores[1].cards().map { "\($0.level.text) \($0.passed)" } == ["3.5 5"])
    }
}
