import EventCoding
import EventLog
import Foundation
import Hashing
import LMDB
import Testing

/// The log with toy events: nothing here knows a card.
@Suite struct CommitLogTests {
    static let toy = EventType(rawValue: 60_000)

    /// A store in a folder of its own, gone when the body ends.
    static func withLog<Result>(_ body: (CommitLog, String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("engram-log-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(try CommitLog.create(path: path, origin: OriginID(rawValue: 7)), path)
    }

    static func event(_ number: Int, at milliseconds: Int64, logicalTime: LogicalTime? = nil) -> NewEvent {
        NewEvent(
            type: toy, version: 1, subject: UniqueID(high: 1, low: UInt64(number % 5)), wallMilliseconds: milliseconds, zoneMinutes: 60,
            logicalTime: logicalTime, payload: Array("toy \(number)".utf8))
    }

    static func append(_ events: [NewEvent], origin: UInt64 = 7, key: UniqueID? = nil, to log: CommitLog, _ heads: inout LogHeads) throws {
        var copy = heads
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            _ = try log.append(events, origin: OriginID(rawValue: origin), key: key, heads: &copy, &transaction)
        }
        heads = copy
    }

    static func verify(_ log: CommitLog) throws -> LogVerification {
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try log.verify(transaction, payloadVerdict: { _, _ in .unknown })
        }
    }

    @Test func whatIsAppendedIsThereInOrderAndVerifies() throws {
        try Self.withLog { log, _ in
            var heads = LogHeads()
            for number in 0..<20 { try Self.append([Self.event(number, at: Int64(number) * 1000)], to: log, &heads) }
            try Self.append((20..<25).map { Self.event($0, at: 5) }, to: log, &heads)
            let found = try Self.verify(log)
            #expect(found.findings.isEmpty && found.commits == 21 && found.events == 25 && found.unknownEvents == 25)
            #expect(found.heads == heads && heads[OriginID(rawValue: 7)].events == 25)
            var numbers: [UInt64] = []
            var last = LogicalTime.distantPast
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                try log.forEachEvent(inCommits: 1...21, transaction) { header, _, _ in
                    numbers.append(header.id.number)
                    // A clock that was set back doesn't take logical time with it.
                    #expect(header.logicalTime > last)
                    last = header.logicalTime
                }
            }
            #expect(numbers == Array(1...25))
        }
    }

    @Test func eventsOfOverlappingOriginsComeInFoldOrder() throws {
        try Self.withLog { log, _ in
            var heads = LogHeads()
            for run in 0..<6 {
                let origin = UInt64(1 + run % 3)
                for number in 0..<40 {
                    let at = Int64(number * 100 + run % 3 * 17 + run / 3 * 4100)
                    let time = LogicalTime(milliseconds: at, counter: 3)
                    try Self.append([Self.event(number, at: at, logicalTime: time)], origin: origin, to: log, &heads)
                }
            }
            var orders: [FoldOrder] = []
            var halves: [Int] = [0, 0]
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                let outline = try log.outline(transaction)
                try log.forEachEventInFoldOrder(outline, transaction) { header, _, _ in orders.append(header.foldOrder) }
                for half in 0..<2 {
                    try log.forEachEventInFoldOrder(outline, of: EntityShare(index: UInt8(half), count: 2), transaction) { header, _, _ in
                        halves[half] += Int(header.subject.low & 1) == half ? 1 : 1000
                    }
                }
            }
            #expect(orders.count == 240 && orders == orders.sorted() && halves.reduce(0, +) == 240)
        }
    }

    @Test func aChangedByteOfACommitIsFoundAndTheEventNamed() throws {
        try Self.withLog { log, _ in
            var heads = LogHeads()
            for number in 0..<3 { try Self.append([Self.event(number, at: Int64(number))], to: log, &heads) }
            let commits = try log.environment.database("commits")
            let whole = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try log.commit(2, transaction) } ?? []
            for index in whole.indices {
                var damaged = whole
                damaged[index] ^= 1 << UInt8(index % 8)
                try log.environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                    try transaction.put(2, damaged, in: commits)
                }
                let found = try Self.verify(log)
                #expect(!found.findings.isEmpty, "byte \(index)")
                let isInEvent = index >= Commit.fixedEnd(of: whole)
                if isInEvent {
                    let named = found.findings.contains { $0.sequence == 2 && ($0.event?.number == 2 || $0.kind == .malformedCommit) }
                    #expect(named, "byte \(index): \(found.findings)")
                }
            }
        }
    }

    @Test func foreignCommitsMustFollow() throws {
        try Self.withLog { source, _ in
            var heads = LogHeads()
            for number in 0..<4 { try Self.append([Self.event(number, at: Int64(number))], to: source, &heads) }
            let commits = try (1...4).map { number in
                try source.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                    try source.commit(UInt64(number), transaction)
                } ?? []
            }
            try Self.withLog { log, _ in
                func take(_ commit: [UInt8], _ heads: LogHeads) throws(LogError) -> (Bool, LogHeads) {
                    var copy = heads
                    var hasher = SHA256Hasher()
                    let isNew = try log.write { (transaction: inout WriteTransaction) throws(LogError) in
                        try log.appendForeign(commit.rawSpan, heads: &copy, hasher: &hasher, &transaction)
                    }
                    return (isNew, copy)
                }
                var own = LogHeads()
                var isNew = false
                (isNew, own) = try take(commits[0], own)
                #expect(isNew)
                (isNew, own) = try take(commits[0], own)
                #expect(!isNew && own.sequence == 1)
                // A gap, a changed digest, a changed event: refused, and nothing is written.
                #expect(throws: LogError.self) { try take(commits[2], own) }
                for index in [0, 40, commits[1].count - 1] {
                    var damaged = commits[1]
                    damaged[index] ^= 1
                    #expect(throws: LogError.self, "byte \(index)") { try take(damaged, own) }
                }
                (isNew, own) = try take(commits[1], own)
                #expect(isNew)
                #expect(try Self.verify(log).commits == 2)
            }
        }
    }

    @Test func theOriginOfACopyIsNotItsOwn() throws {
        try Self.withLog { log, path in
            var heads = LogHeads()
            try Self.append([Self.event(1, at: 1)], to: log, &heads)
            let copy = path + "-copy"
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: copy) }
            try FileManager.default.copyItem(atPath: path + "/data.mdb", toPath: copy + "/data.mdb")
            let other = try CommitLog.open(path: copy)
            let records = try [log, other].map { log in
                try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try log.localOrigin(transaction).map(log.isOwn)
                }
            }
            #expect(records == [true, false])
        }
    }
}

extension Commit {
    /// Where the first frame of `commit` begins.
    static func fixedEnd(of commit: [UInt8]) -> Int { (try? header(of: commit.rawSpan).framesOffset) ?? commit.count }
}
