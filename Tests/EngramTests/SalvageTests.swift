import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

/// What is carried over from a damaged store says what it said: whoever numbers it now.
@Suite struct SalvageTests {
    private static let mark = "a deck that nobody needs"

    /// A store of two devices, in which the deck named ``mark`` was made before nearly everything else.
    private static func build(in folder: TemporaryFolder) throws -> (store: StudyStore, cards: [UniqueID]) {
        let store = try folder.create()
        let deck = try store.deck()
        let early = try store.card("early", in: deck, at: 1)
        _ = try store.deck(mark, at: 2)
        var cards = [early]
        var reviews: [EventID] = []
        for number in 0..<6 {
            cards.append(try store.card("card \(number)", in: deck, at: 10 + number))
            for grade in [Grade.good, .easy] {
                let result = try store.perform(.review(cards[number + 1], grade, took: 1000), at: moment(100 + number))
                reviews += result.events
            }
        }
        _ = try store.perform(.correct(reviews[2], .again), at: moment(200))
        let void = try store.perform(.void(reviews[4]), at: moment(201)).events[0]
        _ = try store.perform(.void(void), at: moment(202))
        _ = try store.perform(.void(reviews[6]), at: moment(203))
        // Another device takes back what the first one did, and its own taking back.
        let other = try folder.create("other")
        _ = try other.merge(with: store.path, at: moment(300))
        let there = try other.perform(.void(reviews[8]), at: moment(301)).events[0]
        _ = try other.perform(.correct(reviews[10], .hard), at: moment(302))
        _ = try other.perform(.void(try other.perform(.void(reviews[11]), at: moment(303)).events[0]), at: moment(304))
        _ = try store.merge(with: other.path, at: moment(400))
        _ = try store.perform(.void(there), at: moment(401))
        return (store, cards)
    }

    /// A copy of a store in which every byte of ``mark`` is another.
    private static func damage(_ store: StudyStore, in folder: TemporaryFolder) throws -> String {
        var data = try Data(contentsOf: URL(fileURLWithPath: store.path + "/data.mdb"))
        var from = data.startIndex
        while let range = data.range(of: Data(mark.utf8), in: from..<data.endIndex) {
            for index in range { data[index] ^= 0x20 }
            from = range.upperBound
        }
        let path = folder.path + "/damaged.mdb"
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// What people see of the cards, without identities of events.
    private static func seen(_ store: StudyStore, _ cards: [UniqueID]) throws -> [String] {
        try cards.map { id in
            let card = try store.card(id)
            return "\(card.front) \(card.level.text) \(card.due.text) \(card.passed) \(card.failed)"
        }
    }

    @Test func whatIsAboutACopyFindsIt() throws {
        let folder = try TemporaryFolder()
        let (store, cards) = try Self.build(in: folder)
        let damaged = try Self.damage(store, in: folder)
        let report = try StudyStore.salvage(from: damaged, to: folder.path + "/new")
        #expect(report.lost == 1)
        #expect(report.gaps.map(\.origin) == [try store.origin])
        #expect(report.gaps.map(\.numbers) == [3...3])
        #expect(report.findings.isEmpty)
        let new = try folder.open("new")
        #expect(try new.decks(at: moment(500)).map(\.title) == ["Words"])
        #expect(try Self.seen(new, cards) == (try Self.seen(store, cards)))
        #expect(try new.statistics(at: moment(500)).reviews == (try store.statistics(at: moment(500)).reviews))
        #expect(try new.disagreement() == nil)
    }

    @Test func aBackupFillsTheGap() throws {
        let folder = try TemporaryFolder()
        let (store, _) = try Self.build(in: folder)
        let damaged = try Self.damage(store, in: folder)
        // The other device knows the beginning, and nothing of the end.
        let report = try StudyStore.salvage(from: damaged, to: folder.path + "/new", with: [folder.path + "/other"])
        #expect(report.lost == 0 && report.rescues.isEmpty && report.gaps.isEmpty)
        #expect(report.digest == (try store.digest()))
    }

    @Test(arguments: [true, false]) func copiesStandBackWhenTheirOriginalsComeBack(intoTheNew: Bool) throws {
        let folder = try TemporaryFolder()
        let (store, cards) = try Self.build(in: folder)
        let damaged = try Self.damage(store, in: folder)
        _ = try StudyStore.salvage(from: damaged, to: folder.path + "/new")
        let new = try folder.open("new")
        // Meanwhile somebody goes on in both.
        _ = try store.perform(.review(cards[0], .good, took: nil), at: moment(600))
        _ = try new.perform(.review(cards[0], .easy, took: nil), at: moment(601))
        let (into, from) = intoTheNew ? (new, store) : (store, new)
        _ = try into.merge(with: from.path, at: moment(700))
        _ = try from.merge(with: into.path, at: moment(701))
        #expect(try into.digest() == (try from.digest()))
        #expect(try Self.seen(into, Array(cards.dropFirst())) == (try Self.seen(store, Array(cards.dropFirst()))))
        // Twelve answers, one of them taken back for good, and the two of afterwards.
        #expect(try into.statistics(at: moment(800)).reviews.total == 13)
        #expect(try into.disagreement() == nil)
        #expect(try from.disagreement() == nil)
        // Once more adds nothing.
        #expect(try into.merge(with: from.path, at: moment(702)).newEvents == 0)
    }

    @Test func whatIsWholeGoesOverAsItIs() throws {
        let folder = try TemporaryFolder()
        let (store, _) = try Self.build(in: folder)
        let report = try StudyStore.salvage(from: store.path, to: folder.path + "/new")
        #expect(report.lost == 0 && report.events == report.keptEvents)
        #expect(report.digest == (try store.digest()))
        #expect(try folder.open("new").origin != (try store.origin))
        let export = { (store: StudyStore) throws -> [[UInt8]] in
            var lines: [[UInt8]] = []
            try store.exportLog {
                lines.append($0)
                return true
            }
            return lines
        }
        #expect(try export(try folder.open("new")) == (try export(store)))
    }

    @Test func whatCantBeSalvagedIsSaid() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let noise = folder.path + "/noise"
        try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }).write(to: URL(fileURLWithPath: noise))
        #expect(throws: StoreError.self) { try StudyStore.salvage(from: noise, to: folder.path + "/new") }
        #expect(throws: StoreError.noStore(path: folder.path + "/nothing")) {
            try StudyStore.salvage(from: folder.path + "/nothing", to: folder.path + "/new")
        }
        #expect(throws: StoreError.storeExists(path: noise)) { try StudyStore.salvage(from: store.path, to: noise) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["noise", "store"])
        // A store in which nothing happened is whole.
        let report = try StudyStore.salvage(from: store.path, to: folder.path + "/new")
        #expect(report.events == 0 && report.lost == 0)
    }
}
