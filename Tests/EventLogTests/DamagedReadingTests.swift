import EventCoding
import LMDB
import Testing

@testable import EventLog

/// Reading a damaged log is an error that says where, never another history: also where nobody verifies it first.
struct DamagedReadingTests {
    private static func log(_ folder: TemporaryFolder) throws -> CommitLog {
        let log = try folder.log()
        try log.act([toy("one"), toy("two", about: 2)])
        try log.act([toy("three", about: 3)], origin: 2)
        try log.act([toy("four"), toy("five", about: 2)])
        return log
    }

    @Test func everyFlippedByteOfAnEventIsAnErrorOfWhoeverReadsIt() throws {
        let folder = try TemporaryFolder()
        let log = try Self.log(folder)
        let commit = try log.allCommits()[2]
        let positions = try log.eventsInFoldOrder().map(\.position).filter { $0.sequence == 3 }
        let first = try #require(positions.map(\.offset).min())
        for place in first..<commit.count {
            var bad = commit
            bad[place] ^= 0x10
            try log.overwrite(3, bad)
            #expect(throws: LogError.self, "byte \(place), in fold order") { try log.eventsInFoldOrder() }
            #expect(throws: LogError.self, "byte \(place), one by one") {
                for position in positions { _ = try log.read { transaction throws(LogError) in try log.event(at: position, transaction) } }
            }
            #expect(throws: LogError.self, "byte \(place), commit by commit") {
                try log.read { transaction throws(LogError) in
                    try log.forEachCommit(transaction) { (sequence, commit) throws(LogError) in
                        try Commit.forEachEvent(of: commit, sequence: sequence) { _, _, _ in }
                        return true
                    }
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func aMissingCommitIsAnErrorOfWhoeverFolds(sequence: UInt64) throws {
        let folder = try TemporaryFolder()
        let log = try Self.log(folder)
        let heads = try log.currentHeads()
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try log.write(Checkpoint(heads: heads, blocks: [[1]]), &transaction)
            do throws(LMDBError) { _ = try transaction.delete(sequence, in: log.commits) } catch { throw .storage(error) }
        }
        // At the end it leaves no gap, but the checkpoint knows of it.
        if sequence < 3 {
            #expect(throws: LogError.missingCommit(sequence: sequence)) { try log.currentHeads() }
            #expect(throws: LogError.self) { try log.eventsInFoldOrder() }
        }
        #expect(throws: LogError.missingCommit(sequence: 3)) {
            try log.read { transaction throws(LogError) in try log.checkpoint(transaction) }
        }
        #expect(try log.verified().findings.contains { $0.kind == .sequenceGap })
    }
}
