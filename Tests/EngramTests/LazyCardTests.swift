import EngramTesting
import EventCoding
import EventLog
import Foundation
import LMDB
import StudyModel
import StudyProjections
import Synchronization
import Testing

@testable import Engram

/// A store reads its cards when they are asked for, and nobody sees a wrong one or misses one because of it.
struct LazyCardTests {
    /// A store with so many cards that they fill several blocks of its checkpoint, and their identities in order.
    private static func filled(_ folder: TemporaryFolder, cards: Int = 1300) throws -> (store: StudyStore, cards: [UniqueID]) {
        let store = try folder.create()
        let list = folder.path + "/list.csv"
        try (0..<cards).map { "front \($0),back \($0)\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
        _ = try store.importHistory(at: list, format: .list, moment: moment())
        try store.checkpoint()
        return (store, try store.cards().map(\.id).sorted())
    }

    private static func touched(_ store: StudyStore) -> Int { store.projection.withLock { $0.state.touchedCardCount } }

    private static func isWhole(_ store: StudyStore) -> Bool { store.projection.withLock { $0.state.hasAllCards } }

    /// Changes a byte of a stored block and makes its seal right, as nothing but a mistake elsewhere could.
    private static func damage(block: Int, of store: StudyStore) throws {
        try store.log.write { (transaction: inout WriteTransaction) throws(LogError) in
            guard let checkpoint = try store.log.checkpoint(transaction.reader) else { return }
            var blocks = checkpoint.blocks
            blocks[block][100] ^= 0x10
            try store.log.write(Checkpoint(heads: checkpoint.heads, blocks: blocks), &transaction)
        }
    }

    @Test("Opening and asking for a card or two reads their blocks alone; a name's start finds its card")
    func opening() throws {
        let folder = try TemporaryFolder()
        let (_, cards) = try Self.filled(folder)
        let store = try folder.open()
        #expect(try store.card(cards[700]).isLive && store.card(named: String(cards[3].description.prefix(13))) == cards[3])
        #expect(!Self.isWhole(store) && Self.touched(store) == 0)
        try store.perform(.review(cards[700], .good, took: nil), at: moment(1))
        #expect(try store.card(cards[700]).passed == 1 && Self.touched(store) == 1 && !Self.isWhole(store))
        for name in ["", "abc", "zzzz", "----", String(repeating: "0", count: 40), cards[1].description + "0"] {
            #expect(throws: StoreError.notFound(.card, name: name)) { try store.card(named: name) }
        }
        let all = try store.cards().map(\.id).sorted()
        #expect(all == cards)
        #expect(try store.disagreement() == nil)
    }

    @Test("A block that is damaged after the opening costs time: reads and writes go on with right cards", arguments: 1...3)
    func damagedLater(block: Int) throws {
        let folder = try TemporaryFolder()
        let (first, cards) = try Self.filled(folder)
        try first.perform(.review(cards[900], .again, took: nil), at: moment(1))
        let expected = try cards.map { try first.card($0) }
        let (asking, acting, exporting) = (try folder.open(), try folder.open(), try folder.open())
        #expect(!Self.isWhole(asking) && !Self.isWhole(acting))
        try Self.damage(block: block, of: first)
        for place in [0, 600, 1299, 700, 1, 1298] { #expect(try asking.card(cards[place]) == expected[place]) }
        #expect(try cards.map { try asking.card($0) } == expected)
        var pieces: [UInt8] = []
        _ = try exporting.export(.csv, at: moment(1)) { piece in
            pieces += piece
            return true
        }
        #expect(pieces.count { $0 == UInt8(ascii: "\n") } == cards.count + 1)
        for place in [0, 600, 1299] { try acting.perform(.review(cards[place], .good, took: nil), at: moment(2 + place)) }
        for store in [first, asking, acting, exporting] {
            #expect(try [0, 600, 1299].map { try store.card(cards[$0]).passed } == [1, 1, 1])
        }
        try acting.checkpoint()
        #expect(try acting.disagreement() == nil && folder.open().disagreement() == nil)
    }

    @Test("Where another writes a checkpoint while a snapshot is held, the answer is of one state all the same")
    func replacedMeanwhile() throws {
        let folder = try TemporaryFolder()
        let (_, cards) = try Self.filled(folder)
        let (asking, other) = (try folder.open(), try folder.open())
        var runs = 0
        let (seen, reviews) = try asking.reading { (_, projection) throws(LogError) in
            runs += 1
            if runs == 1 {
                do {
                    for place in [0, 600, 1299] { try other.perform(.review(cards[place], .good, took: nil), at: moment(place)) }
                    try other.checkpoint()
                } catch { Issue.record(error) }
            }
            return (cards.map { projection.state.card($0)?.passed }, projection.state.tallies.reviewedDays.reduce(0) { $0 + $1.passed })
        }
        #expect(runs == 2 && reviews == 3)
        #expect(seen.allSatisfy { $0 != nil } && seen.reduce(0) { $0 + ($1 ?? 0) } == 3)
        // Between two questions it is found without a second try, and nothing but the tail is read again.
        let later = try folder.open()
        try other.perform(.review(cards[5], .good, took: nil), at: moment(9000))
        try other.checkpoint()
        #expect(try later.card(cards[5]).passed == 1 && !Self.isWhole(later))
    }

    @Test("Beside a held snapshot a write copies the cards that changed since the checkpoint, not all of them")
    func copies() throws {
        let folder = try TemporaryFolder()
        let (store, cards) = try Self.filled(folder)
        #expect(Self.touched(store) == 0, "a state goes on from the checkpoint that it has written")
        try store.reading { (_, projection) throws(LogError) in
            for place in 0..<3 {
                do { try store.perform(.review(cards[place], .good, took: nil), at: moment(place)) } catch { Issue.record(error) }
            }
            #expect(projection.state.card(cards[0])?.passed == 0 && projection.state.touchedCardCount == 0)
        }
        #expect(try Self.touched(store) == 3 && store.card(cards[0]).passed == 1)
    }
}
