import EngramTesting
import EventCoding
import EventLog
import Foundation
import LMDB
import Scheduling
import StudyModel
import StudyProjections
import Testing

@testable import Engram

/// What a deep verification is worth: a store that other rules wrote, or whose figures were changed by somebody who made the
/// checksums right again, must not pass it.
struct MutationTests {
    /// A store with answers of every grade on twelve days, its checkpoint as these rules make it.
    private static func store(in folder: TemporaryFolder) throws -> StudyStore {
        let store = try folder.create()
        let deck = try store.deck()
        let cards = try (0..<6).map { try store.card("front \($0)", in: deck, at: $0) }
        var generator = SeededGenerator(seed: 11)
        for step in 0..<90 {
            let minutes = step * 190 + generator.below(60)
            let grade = Grade.allCases[generator.below(Grade.allCases.count)]
            try store.perform(.review(cards[step % 6], grade, took: Int64(1000 + step)), at: moment(minutes))
        }
        try store.perform(.practise(cards[0], .good, took: 700), at: moment(20 * day))
        try store.perform(.setFavourite(cards[1], kind: .card, on: true), at: moment(20 * day + 1))
        try store.perform(.deleteCard(cards[5]), at: moment(20 * day + 2))
        try store.checkpoint()
        try #require(try StudyStore.verify(at: store.path, level: .deep).isSound)
        return store
    }

    private static func write(_ blocks: [[UInt8]], in store: StudyStore) throws {
        try store.log.write { (transaction: inout WriteTransaction) throws(LogError) in
            guard let heads = try store.log.checkpoint(transaction.reader)?.heads else { return }
            try store.log.write(Checkpoint(heads: heads, blocks: blocks), &transaction)
        }
    }

    private static func blocks(of store: StudyStore) throws -> [[UInt8]] {
        try #require(
            try store.log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try store.log.checkpoint(transaction) }
        ).blocks
    }

    /// One constant of a fold changed, as a program with a mistake in it would have written the store.
    @Test(arguments: [
        "boxes:first=2", "boxes:first=4", "boxes:multiplier=2", "boxes:multiplier=42/20", "boxes:multiplier=206/100",
        "boxes:count=5,first=1,multiplier=3",
    ])
    func anotherConstantIsFound(specification: String) throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(in: folder)
        let scheduler = try ConfiguredScheduler(spec: specification)
        let state = try store.log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try Replay.fold(store.log, transaction, from: StudyState(), overriding: scheduler).state
        }
        try Self.write(state.checkpoint() + Self.blocks(of: store).suffix(1), in: store)
        let report = try StudyStore.verify(at: store.path, level: .deep)
        #expect(report.findings.contains { $0.kind == "projection_differs" }, "\(specification): \(report.findings)")
        #expect(try StudyStore.verify(at: store.path, level: .log).isSound, "the log knows nothing of constants")
    }

    /// Any byte of a checkpoint changed, and its checksum made right again.
    @Test func everyChangedByteIsFound() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(in: folder)
        let whole = try Self.blocks(of: store)
        /// The two bytes of the counts of unknown and of unreadable events, after the number of projections, that of cards and the last event's place in the order.
        func remarks(in block: [UInt8]) -> [Int] {
            let start = 4 + 1 + 1 + 8 + 8
            let end = start + (block[start...].firstIndex { $0 < 0x80 } ?? start) - start + 1
            return [end, end + 1]
        }
        var generator = SeededGenerator(seed: 23)
        var tried = 0
        for block in whole.indices {
            // Another version's checkpoint is thrown away and no fault; and how many events this program doesn't know is a remark.
            let passedOver = block == 0 ? Set([0, 1, 2, 3] + remarks(in: whole[0])) : []
            for _ in 0..<80 {
                var blocks = whole
                let place = generator.below(blocks[block].count)
                if passedOver.contains(place) { continue }
                blocks[block][place] ^= 1 << UInt8(generator.below(8))
                try Self.write(blocks, in: store)
                let report = try StudyStore.verify(at: store.path, level: .deep)
                #expect(!report.isSound, "byte \(place) of block \(block), \(whole[block].count) bytes long")
                tried += 1
            }
        }
        try Self.write(whole, in: store)
        #expect(try StudyStore.verify(at: store.path, level: .deep).isSound)
        #expect(tried > 100)
    }
}
