import Engram
import EngramTesting
import EventCoding
import Foundation
import StudyModel
import Testing

/// Lists of cards on a store.
struct ListImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String, _ name: String = "words.csv") throws -> String {
        let path = folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Imports a list and tells what it did: new, updated, unchanged, then each row's outcome.
    private func take(
        _ text: String, _ store: StudyStore, deck: String? = nil, at minutes: Int = 0, isDryRun: Bool = false
    ) throws -> String {
        let report = try store.importHistory(
            at: try file(text), format: .list, deckTitle: deck, isDryRun: isDryRun, moment: moment(minutes))
        return "\(report.newCards) \(report.updatedCards) \(report.unchangedCards): "
            + report.rows.map { "\($0.line)\($0.outcome.rawValue.prefix(3))" }.joined(separator: " ")
    }

    private func sides(_ store: StudyStore) throws -> [String] {
        let titles = Dictionary(uniqueKeysWithValues: try store.decks(at: moment()).map { ($0.id, $0.title) })
        return try store.cards().map { "\(titles[$0.deck] ?? "?"): \($0.front)|\($0.back)" }.sorted()
    }

    /// Lists that come one after the other, what each did, and the cards that result.
    static let stories: [(what: String, steps: [(list: String, told: String)], cards: [String])] = [
        ("again", [("a,b\nc,d", "2 0 0: 1new 2new"), ("a,b\nc,d", "0 0 2: 1unc 2unc")], ["words: a|b", "words: c|d"]),
        (
            "another back", [("a,b", "1 0 0: 1new"), ("a,x\nc,d", "1 1 0: 1upd 2new"), ("a,b", "0 1 0: 1upd")],
            ["words: a|b", "words: c|d"]
        ),
        ("twice in a list", [("a,b\na,b\n a ,c", "1 0 0: 1new 2dup 3dup"), ("a,b\na,b\n a ,c", "0 0 1: 1unc 2dup 3dup")], ["words: a|c"]),
        (
            "case and another back", [("Weg,path\nweg,away", "2 0 0: 1new 2new"), ("weg,gone", "0 1 0: 1upd")],
            ["words: Weg|path", "words: weg|gone"]
        ),
        ("case alone", [("La Casa,House", "1 0 0: 1new"), ("la casa,house", "0 0 1: 1unc")], ["words: La Casa|House"]),
        ("case of the back", [("a,berlin", "1 0 0: 1new"), ("a,Berlin", "0 1 0: 1upd")], ["words: a|Berlin"]),
        ("forms", [("e\u{301}te\u{301}  deux,b", "1 0 0: 1new"), ("été deux,b", "0 0 1: 1unc")], ["words: été  deux|b"]),
        ("keep current", [("a,b", "1 0 0: 1new"), ("#if matches:keep current\na,x\na,y", "0 0 1: 2unc 3dup")], ["words: a|b"]),
        (
            "keep both",
            [
                ("a,b", "1 0 0: 1new"), ("#if matches:keep both\na,x\na,b\na,x\nc,d", "2 0 1: 2new 3unc 4dup 5new"),
                ("#if matches:keep both\na,x\na,b\na,x\nc,d", "0 0 3: 2unc 3unc 4dup 5unc"), ("a,x\na,b", "0 0 2: 1unc 2unc"),
            ], ["words: a|b", "words: a|x", "words: c|d"]
        ),
        ("decks of a column", [("deck,front,back\nOne,a,b\n,a,c\none,a,d", "2 0 0: 2new 3new 4dup")], ["One: a|d", "words: a|c"]),
        ("the deck of a header", [("#deck:Two\ndeck,front,back\nOne,a,b", "1 0 0: 3new")], ["Two: a|b"]),
        (
            "identities", [("#guid column:1\nx,a,b\ny,a,c", "2 0 0: 2new 3new"), ("#guid column:1\nx,A,b\ny,a,c", "0 1 1: 2upd 3unc")],
            ["words: A|b", "words: a|c"]
        ),
        ("rows that are none", [("a,b\n,c\nd", "1 0 0: 1new 2ski 3ski")], ["words: a|b"]), ("nothing", [("front,back", "0 0 0: ")], []),
    ]

    @Test(arguments: stories.indices) func listsAreTakenIn(_ index: Int) throws {
        let (what, steps, cards) = Self.stories[index]
        let store = try folder.create()
        for (number, step) in steps.enumerated() {
            #expect(try take(step.list, store, at: number, isDryRun: true) == step.told, "\(what), dry")
            #expect(try take(step.list, store, at: number) == step.told, "\(what)")
        }
        #expect(try sides(store).map { Array($0.utf8) }.count == cards.count)
        #expect(try sides(store) == cards, "\(what)")
        #expect(try store.disagreement() == nil)
    }

    @Test func anImportAgainWritesNothing() throws {
        let store = try folder.create()
        _ = try take("a,b\na,c\nA,c\nd,e", store)
        let digest = try store.digest()
        var before = 0
        try store.events { _ in
            before += 1; return true
        }
        _ = try take("a,b\na,c\nA,c\nd,e", store, at: 5)
        var after = 0
        try store.events { _ in
            after += 1; return true
        }
        #expect(before == after)
        #expect(try store.digest() == digest)
    }

    @Test func cardsGoToTheDeckThatIsNamed() throws {
        let store = try folder.create()
        let deck = try store.deck("Spanish")
        _ = try take("a,b", store, deck: "Spanish")
        _ = try take("c,d", store, deck: String(deck.description.prefix(8)))
        _ = try take("deck,front,back\nOther,e,f", store, deck: "Neu")
        _ = try take("g,h", store, deck: "spanish")
        #expect(try sides(store) == ["Neu: e|f", "Spanish: a|b", "Spanish: c|d", "Spanish: g|h"])
        _ = try store.perform(.deleteDeck(try store.deck(named: "Neu")), at: moment(9))
        _ = try take("e,f", store, deck: "Neu", at: 10)
        #expect(try sides(store).contains("Neu: e|f"))
    }

    @Test func whatWasDeletedOrChangedHereStays() throws {
        let store = try folder.create()
        _ = try take("a,b\nc,d", store)
        let cards = try store.cards().sorted { $0.front < $1.front }
        try store.perform(.deleteCard(cards[0].id), at: moment(1))
        try store.perform(.editCard(cards[1].id, front: "c, changed", back: nil), at: moment(1))
        #expect(try take("a,b\nc,d", store, at: 2) == "0 0 1: 1ski 2unc")
        #expect(try sides(store) == ["words: c, changed|d"])
        let report = try store.importHistory(at: try file("a,b"), format: .list, moment: moment(3))
        #expect(report.skipped.map(\.reason) == ["deleted_here"] && report.rows[0].reason == "deleted_here")
    }

    @Test func twoDevicesWithOneListHaveEachCardOnce() throws {
        let stores = [try folder.create("one"), try folder.create("two")]
        for (index, store) in stores.enumerated() {
            _ = try take("a,b\nc,d", store, at: index)
            try store.perform(.review(try store.cards()[0].id, .good, took: nil), at: moment(10 + index))
        }
        for (index, store) in stores.enumerated() { _ = try store.merge(with: stores[1 - index].path, at: moment(20)) }
        #expect(try stores[0].digest() == stores[1].digest())
        #expect(try sides(stores[0]) == ["words: a|b", "words: c|d"])
        #expect(try stores[0].statistics(at: moment(30)).reviews.total == 2)
        #expect(try take("a,b\nc,d", stores[0], at: 40) == "0 0 2: 1unc 2unc")
        #expect(try stores[0].disagreement() == nil)
    }

    @Test(arguments: [
        ("a,b\n\"c,d", 2, ""), ("a,b\nc,\u{0},d", 2, ""), ("#separator:tab\na\tb\n\n\"c\"d\te", 4, ""), ("back,deck\na,b", 1, "front"),
    ])
    func aFaultChangesNothing(text: String, line: Int, field: String) throws {
        let store = try folder.create()
        let digest = try store.digest()
        let path = try file(text)
        let error = #expect(throws: StoreError.self) { try store.importHistory(at: path, format: .list, moment: moment()) }
        guard case .badInput("\(path):\(line)", field, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try store.digest() == digest)
    }

    @Test func anyTextIsNoListUntilSomebodySaysSo() throws {
        let store = try folder.create()
        let path = try file("Dear reader\nthis is a letter\n", "letter.txt")
        let error = #expect(throws: StoreError.self) { try store.importHistory(at: path, moment: moment()) }
        #expect(error?.code == .badInput)
        let report = try store.importHistory(at: path, format: .list, moment: moment())
        #expect(report.newCards == 0 && report.skipped.map(\.count) == [2])
        #expect(try store.importHistory(at: try file("a\tb", "found.txt"), moment: moment()).newCards == 1)
    }

    @Test func severalCardsAtOnceAreOneAction() throws {
        let store = try folder.create()
        let deck = try store.deck("Spanish")
        let report = try store.addCards(fromList: Array("a\tb\nc\td\na\tb".utf8), named: "input", to: deck, at: moment(1))
        #expect(report.newCards == 2 && report.rows.map(\.outcome) == [.new, .new, .duplicate])
        #expect(try sides(store) == ["Spanish: a|b", "Spanish: c|d"])
        let undone = try store.undo(at: moment(2))
        #expect(undone.targets.count == 2)
        #expect(try store.cards().isEmpty)
        // Voided is not deleted: the list may be given again.
        #expect(try store.addCards(fromList: Array("a\tb".utf8), named: "input", to: deck, at: moment(3)).newCards == 1)
        #expect(try sides(store) == ["Spanish: a|b"])
        let nowhere = #expect(throws: StoreError.self) {
            try store.addCards(fromList: Array("a,b".utf8), named: "input", to: UniqueID(high: 1, low: 1), at: moment(4))
        }
        #expect(nowhere?.code == .notFound)
        let large = Array((0..<300).map { "\($0)," + String(repeating: "x", count: 60_000) }.joined(separator: "\n").utf8)
        #expect(throws: StoreError.self) { try store.addCards(fromList: large, named: "input", to: deck, at: moment(5)) }
        #expect(try store.cards().count == 1)
        #expect(try store.disagreement() == nil)
    }
}
