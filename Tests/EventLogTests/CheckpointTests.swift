import EventCoding
import Foundation
import LMDB
import Testing

@testable import EventLog

struct CheckpointTests {
    private func write(_ checkpoint: Checkpoint, _ log: CommitLog) throws {
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in try log.write(checkpoint, &transaction) }
    }

    private func put(_ number: UInt64, _ bytes: [UInt8]?, _ log: CommitLog) throws {
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) {
                if let bytes {
                    try transaction.put(number, bytes, in: log.checkpoints)
                } else {
                    try transaction.delete(number, in: log.checkpoints)
                }
            } catch { throw .storage(error) }
        }
    }

    private func raw(_ number: UInt64, _ log: CommitLog) throws -> [UInt8] {
        try log.read { transaction throws(LogError) in
            do throws(LMDBError) { return try transaction.value(for: number, in: log.checkpoints)?.copied() ?? [] } catch {
                throw .storage(error)
            }
        }
    }

    @Test("A checkpoint is read back as it was written, replaced as a whole, and nothing of a larger one is left")
    func writing() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        #expect(try log.storedCheckpoint() == nil)
        for origin in 1...3 { try log.act([toy("\(origin)")], origin: UInt64(origin)) }
        let heads = try log.currentHeads()
        for blocks in [[], [[1, 2, 3]], [[], Array(repeating: 7, count: 10_000), [0]], [[9]]] as [[[UInt8]]] {
            try write(Checkpoint(heads: heads, blocks: blocks), log)
            let found = try log.storedCheckpoint()
            #expect(found?.blocks == blocks && found?.heads == heads)
            let count = try log.read { transaction throws(LogError) in try log.checkpointBlockCount(transaction) }
            #expect(count == blocks.count + 1)
        }
    }

    @Test("Whatever is wrong with a checkpoint, it reads as none, and a verification says so")
    func damage() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        try log.act([toy()])
        let whole = Checkpoint(heads: try log.currentHeads(), blocks: [[1, 2, 3], [4, 5]])
        try write(whole, log)
        let blocks = try (0...2).map { try raw(UInt64($0), log) }
        func expectNone(_ what: String) throws {
            #expect(try log.storedCheckpoint() == nil, "\(what)")
            #expect(try log.verified().findings.map(\.kind) == [.checkpointDamaged], "\(what)")
            try write(whole, log)
            #expect(try log.storedCheckpoint() != nil)
        }
        for (number, block) in blocks.enumerated() {
            for place in block.indices {
                var bad = block
                bad[place] ^= 0x10
                try put(UInt64(number), bad, log)
                #expect(try log.storedCheckpoint() == nil, "byte \(place) of block \(number)")
            }
            try expectNone("block \(number)")
            for short in [[], [1], Array(block.prefix(8)), Array(block.dropLast())] as [[UInt8]] {
                try put(UInt64(number), short, log)
                try expectNone("\(short.count) bytes of block \(number)")
            }
            try put(UInt64(number), nil, log)
            try expectNone("no block \(number)")
        }
        try log.act([toy()])
        try write(Checkpoint(heads: try log.currentHeads(), blocks: []), log)
        try log.overwrite(2, nil)
        #expect(throws: LogError.missingCommit(sequence: 2), "it stands for a commit that isn't there") { try log.storedCheckpoint() }
    }
}
