import Engram
import EngramTesting
import EventCoding
import Foundation
import StudyModel
import Testing

/// Exports of a store, held against the store itself and against their own import.
struct ExportTests {
    private let folder: TemporaryFolder
    private let store: StudyStore

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.create()
    }

    private func text(_ format: ExportFormat) throws -> String {
        var bytes: [UInt8] = []
        _ = try store.export(format, at: moment()) {
            bytes += $0; return true
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decks, cards and answers of every kind, of which some don't count.
    private func fill() throws {
        let deck = try store.deck("A::B")
        let cards = try ["one", "two", "three, 3", "gone"].map { try store.card($0, in: deck) }
        var last = EventID(origin: OriginID(rawValue: 0), number: 0)
        for (minutes, card, grade) in [(1, 0, Grade.good), (2, 1, .easy), (day, 0, .again), (day + 1, 3, .good), (day + 2, 2, .hard)] {
            last = try #require(try store.perform(.review(cards[card], grade, took: 1200), at: moment(minutes)).events.first)
        }
        try store.perform(.correct(last, .easy), at: moment(day + 3))
        try store.perform(.review(cards[0], .good, took: nil), at: moment(day + 4))
        try store.undo(at: moment(day + 5))
        try store.perform(.practise(cards[1], .again, took: nil), at: moment(day + 6))
        try store.perform(.resetCard(cards[1]), at: moment(day + 7))
        try store.perform(.setFavourite(cards[2], kind: .card, on: true), at: moment(day + 8))
        try store.perform(.deleteCard(cards[3]), at: moment(day + 9))
    }

    @Test func aTableHasTheCardsThatAreThere() throws {
        try fill()
        let lines = try text(.csv).components(separatedBy: "\r\n")
        #expect(lines.count == 5 && lines.last == "")
        let cards = try store.cards()
        for card in cards {
            let front = card.front.contains(",") ? "\"\(card.front)\"" : card.front
            let half = card.level ?? -1
            let level = half == half.rounded() ? "\(Int(half))" : "\(half)"
            let line =
                "A::B,\(front),back,\(card.id),\(card.createdAt?.iso ?? ""),\(card.lastReviewedAt?.iso ?? ""),\(level),\(card.box.text),"
                + "\(card.intervalDays),\(card.due.text),\(card.passed),\(card.failed),\(card.isFavourite)"
            #expect(lines.contains(line), "\(line)")
        }
        #expect(try text(.tsv).split(separator: "\n").count == 4)
    }

    @Test(arguments: [ExportFormat.csv, .tsv]) func aTableReadAgainIsTheSameCards(format: ExportFormat) throws {
        try fill()
        let path = folder.path + "/table"
        #expect(try store.export(format, toFile: path, at: moment()).cards == 3)
        let digest = try store.digest()
        let here = try store.importHistory(at: path, moment: moment(2 * day))
        #expect(here.unchangedCards == 3 && here.newCards == 0 && here.updatedCards == 0)
        #expect(try store.digest() == digest)
        let other = try folder.create("other")
        #expect(try other.importHistory(at: path, moment: moment(2 * day)).newCards == 3)
        func texts(_ store: StudyStore) throws -> [String] { try store.cards().map { "\($0.id) \($0.front) \($0.back)" }.sorted() }
        #expect(try texts(other) == texts(store))
        #expect(try other.decks(at: moment()).map(\.title) == ["A::B"])
        // A table that was edited gives each card its new texts.
        let edited = try String(contentsOfFile: path, encoding: .utf8).replacing("two", with: "zwei")
        try Data(edited.utf8).write(to: URL(filePath: path))
        #expect(try store.importHistory(at: path, moment: moment(3 * day)).updatedCards == 1)
        #expect(try store.cards().map(\.front).sorted() == ["one", "three, 3", "zwei"])
    }

    @Test func aPackageHasTheReviewsThatCount() throws {
        try fill()
        let path = folder.path + "/cards.apkg"
        let report = try store.export(.apkg, toFile: path, at: moment(2 * day))
        #expect(report.cards == 3 && report.reviews == 4 && report.practised == 1 && report.resets == 1)
        let other = try folder.create("other")
        let taken = try other.importHistory(at: path, moment: moment(2 * day))
        #expect(taken.newCards == 3 && taken.newReviews == 4 && taken.newPractice == 1)
        // All but the review of the deleted card, which a package leaves out.
        let (there, here) = (try other.statistics(at: moment(2 * day)).reviews, try store.statistics(at: moment(2 * day)).reviews)
        #expect(there.again == here.again && there.hard == here.hard && there.good == here.good - 1 && there.easy == here.easy)
        let levels = { (store: StudyStore) in
            try store.cards().map { "\($0.front) \($0.level.text) \($0.due.text) \($0.passed) \($0.failed)" }.sorted()
        }
        #expect(try levels(other) == levels(store))
    }

    @Test func aFileThatIsThereStays() throws {
        try fill()
        let path = folder.path + "/cards.csv"
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: StoreError.fileExists(path: path)) { try store.export(.csv, toFile: path, at: moment()) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(try store.export(.csv, toFile: path, overwriting: true, at: moment()).cards == 3)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("deck,front,back"))
        for place in [folder.path, "/dev/null", folder.path + "/none/cards.csv", ""] {
            #expect(throws: StoreError.self, "\(place)") { try store.export(.csv, toFile: place, overwriting: true, at: moment()) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["cards.csv", "store"])
    }

    @Test func noLinkIsFollowed() throws {
        let path = folder.path + "/real.csv"
        try Data().write(to: URL(filePath: path))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link.csv", withDestinationPath: path)
        for overwriting in [true, false] {
            let error = #expect(throws: StoreError.self) {
                try store.export(.csv, toFile: folder.path + "/link.csv", overwriting: overwriting, at: moment())
            }
            #expect(error?.code == .badInput)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link.csv") == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
    }

    @Test func anEmptyStoreIsATableWithoutCards() throws {
        #expect(try text(.csv) == text(.tsv).replacing("\t", with: ",").replacing("\n", with: "\r\n"))
        #expect(try store.export(.apkg, toFile: folder.path + "/empty.apkg", at: moment()).cards == 0)
    }
}
