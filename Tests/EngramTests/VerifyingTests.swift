import Engram
import EventCoding
import Foundation
import LMDB
import Synchronization
import Testing

@testable import EventLog

/// What a verification says, and what it doesn't.
@Suite struct VerifyingTests {
    /// A store of 61 commits.
    private static func make(_ folder: TemporaryFolder, checkpointed: Bool = true) throws -> String {
        let store = try folder.create()
        let deck = try store.deck()
        for number in 0..<60 { _ = try store.card("card \(number)", in: deck, at: number) }
        if checkpointed { try store.rebuild() }
        return store.path
    }

    /// Changes the last byte of commits, as a broken disk would, and leaves the pages sound.
    private static func damage(_ path: String, _ sequences: ClosedRange<UInt64>) throws {
        let log = try CommitLog.open(path: path, companions: StudyStore.companionDatabases)
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            for sequence in sequences {
                guard var bytes = try log.commit(sequence, transaction.reader) else { throw .missingCommit(sequence: sequence) }
                bytes[bytes.count - 1] ^= 1
                do throws(LMDBError) { try transaction.put(sequence, bytes, in: log.commits) } catch { throw .storage(error) }
            }
        }
    }

    /// Says that it is enough once it was asked so many times.
    private static func enough(after calls: Int) -> @Sendable () -> Bool {
        let counter = CallCounter()
        return { counter.next() >= calls }
    }

    private final class CallCounter: Sendable {
        private let calls = Mutex(0)
        func next() -> Int {
            calls.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test func aHeadThatWasNotedIsLookedFor() throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(folder)
        let early = try StudyStore.verify(at: path, level: .log).heads
        let store = try folder.open()
        _ = try store.backup(to: folder.path + "/cut")
        let deck = try store.decks(at: moment(500))[0].id
        for number in 0..<3 { _ = try store.card("later \(number)", in: deck, at: 100 + number) }
        let late = try StudyStore.verify(at: path, level: .log).heads
        for level in VerifyLevel.allCases {
            let report = try StudyStore.verify(at: path, level: level, expecting: early + late)
            #expect(report.isSound)
            #expect(report.knownHeads.map(\.commitsSince) == [3, 0])
            // A chain whose end is missing is whole as far as it goes; only the noted head tells.
            let cut = try StudyStore.verify(at: folder.path + "/cut", level: level, expecting: late)
            #expect(cut.findings.map(\.kind) == ["head_missing"])
            #expect(cut.path == folder.path + "/cut")
        }
        let stranger = OriginID(rawValue: 5)
        #expect(try StudyStore.verify(at: path, level: .log, expecting: [(stranger, early[0].digest)]).findingCount == 1)
    }

    @Test func aTimeLimitGoesOnWhereItEnded() throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(folder)
        func next(_ commits: Int) throws -> VerifyReport {
            try StudyStore.verify(at: path, level: .log, part: .until(Self.enough(after: commits)))
        }
        func part(_ report: VerifyReport) -> [UInt64] { report.part.map { [$0.first, $0.last, $0.total] } ?? [] }
        #expect(part(try next(20)) == [1, 20, 61])
        #expect(part(try next(20)) == [21, 40, 61])
        // What becomes damaged behind is found in its turn, and a part with findings isn't passed over.
        try Self.damage(path, 45...46)
        for _ in 0..<2 {
            let report = try next(10)
            #expect(part(report) == [41, 50, 61])
            #expect(report.findings.filter { $0.kind == "checksum_mismatch" }.map(\.place).count == 2)
        }
        try Self.damage(path, 45...46)
        #expect(try next(100).isSound)
        // All round: from the beginning again, and everything this time.
        let report = try next(100)
        #expect(report.part == nil && report.isSound && report.commits == 61)
        // Nothing is said of a part that isn't looked at; it is looked at in its turn.
        _ = try next(20)
        try Self.damage(path, 20...20)
        #expect(part(try next(100)) == [21, 61, 61])
        #expect(try !next(100).isSound)
        // A record that isn't one counts for nothing.
        try Data("whatever".utf8).write(to: URL(fileURLWithPath: path + "/verified"))
        #expect(try next(5).part?.first == 1)
    }

    @Test func aSampleSaysThatItIsOne() throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(folder)
        let sample = try StudyStore.verify(at: path, level: .log, part: .percent(25, seed: 1))
        #expect(sample.isSound && (5...30).contains(sample.commits))
        #expect(sample.part?.isContinuous == false)
        #expect((1...30).contains(try StudyStore.verify(at: path, level: .log, part: .commits(12, seed: 2)).commits))
        #expect(try StudyStore.verify(at: path, level: .log, part: .percent(100, seed: 1)).commits == 61)
        try Self.damage(path, 1...61)
        let found = try StudyStore.verify(at: path, level: .log, part: .percent(25, seed: 1))
        // Each of the chosen ones, and no other.
        #expect(found.findings.filter { $0.kind == "checksum_mismatch" }.count == sample.commits)
    }

    @Test func findingsAreCappedByKindAndCountedInAll() throws {
        let folder = try TemporaryFolder()
        let path: String
        do {
            let store = try folder.create()
            let deck = try store.deck()
            for number in 0..<150 { _ = try store.card("card \(number)", in: deck, at: number) }
            path = store.path
        }
        try Self.damage(path, 1...151)
        let report = try StudyStore.verify(at: path, level: .log)
        #expect(report.findings.count { $0.kind == "checksum_mismatch" } == 100)
        #expect(report.findingCount >= 300)
        #expect(report.findings.allSatisfy { !$0.place.isEmpty })
    }

    @Test func whatIsntStoredIsSaid() throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(folder, checkpointed: false)
        let report = try StudyStore.verify(at: path, level: .deep)
        #expect(report.isSound && report.projections == 0)
        #expect(report.remarks.contains { $0.contains("no projection is stored") })
    }

    @Test func theIndexOfTimelinesIsHeldAgainstTheLogBothWays() throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(folder)
        let card = try folder.open().cards()[7].id
        func change(_ body: (CommitLog, inout WriteTransaction) throws(LMDBError) -> Void) throws {
            let log = try CommitLog.open(path: path, companions: StudyStore.companionDatabases)
            try log.write { (transaction: inout WriteTransaction) throws(LogError) in
                do throws(LMDBError) { try body(log, &transaction) } catch { throw .storage(error) }
            }
        }
        let stranger = UniqueID(high: 1, low: 2)
        let ghost = stranger.bytes + CommitLog.bigEndian(9)
        try change { (log, transaction) throws(LMDBError) in
            try transaction.put(ghost, CommitLog.timelineSeal.sealed([1, 60], under: ghost), in: log.timelines)
        }
        let extra = try StudyStore.verify(at: path, level: .deep)
        #expect(extra.findings.map(\.kind) == ["timeline_index_wrong"])
        #expect(extra.findings.first?.message.contains("lists 1 events of \(stranger), where the log has 0") == true)
        try change { (log, transaction) throws(LMDBError) in try transaction.delete(ghost, in: log.timelines) }
        // And one that is missing.
        var key: [UInt8] = []
        try change { (log, transaction) throws(LMDBError) in
            do {
                var cursor = try transaction.cursor(in: log.timelines)
                if try cursor.seek(card.bytes.rawSpan) { key = cursor.key.copied() }
            }
            try transaction.delete(key, in: log.timelines)
        }
        let missing = try StudyStore.verify(at: path, level: .deep)
        #expect(missing.findings.contains { $0.message.contains("lists 0 events of \(card), where the log has 1") })
        try folder.open().rebuild()
        #expect(try StudyStore.verify(at: path, level: .deep).isSound)
    }

    @Test func leakedPagesAreFoundAndCompactingGivesThemBack() throws {
        let folder = try TemporaryFolder()
        let path = try Self.make(folder)
        let file = URL(fileURLWithPath: path + "/data.mdb")
        var data = try Data(contentsOf: file)
        func number(_ offset: Int) -> Int { (0..<8).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) } }
        // The first list of free pages loses its last entry.
        let meta = number(144) > number(4096 + 144) ? 0 : 4096
        let leaf = number(meta + 80) * 4096
        let list = leaf + (Int(data[leaf + 16]) | Int(data[leaf + 17]) << 8) + 16
        try #require(number(list) > 0)
        data[list] -= 1
        try data.write(to: file)
        let report = try StudyStore.verify(at: path, level: .deep)
        #expect(report.findings.map(\.kind).contains("leaked_pages"))
        #expect(report.findings.allSatisfy { $0.kind == "leaked_pages" })
        #expect(report.pageFigures.first?.leaked == 1)
        // The log is proved all the same.
        #expect(report.commits == 61)
        let digest = try folder.open().digest()
        let compacted = try StudyStore.compact(at: path)
        #expect(compacted.isChanged && compacted.events == 61)
        #expect(try StudyStore.verify(at: path, level: .deep).isSound)
        #expect(try folder.open().digest() == digest)
    }
}
