import EventCoding
import Foundation
import Hashing
import LMDB
import Testing

@testable import EventLog

struct VerificationTests {
    private static let key = UniqueID(high: 8, low: 8)

    /// A store with a checkpoint, timelines and a key, in which nothing is wrong.
    private func soundStore(_ folder: TemporaryFolder) throws -> CommitLog {
        let log = try folder.log(UUID().uuidString)
        try log.act([toy("one"), toy("two", type: 1, about: 2)])
        try log.act([toy("three", about: 3)], origin: 2, key: Self.key)
        try log.act([toy("four"), toy("five"), toy("six", about: 2)])
        try log.act([toy("seven")])
        var tail = TimelineTail()
        try log.read { transaction throws(LogError) in
            try log.forEachEvent(inCommits: 1...2, transaction) { header, _, position in tail.append(position, of: header.subject) }
        }
        var heads = LogHeads()
        for (index, commit) in try log.allCommits().prefix(2).enumerated() {
            try log.advance(&heads, by: commit.rawSpan, sequence: UInt64(index + 1))
        }
        let covered = heads
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try log.write(tail, &transaction)
            try log.write(Checkpoint(heads: covered, blocks: [[1]]), &transaction)
        }
        return log
    }

    @Test("A sound store has no findings; unknown types are counted and vouched for, and survive a merge")
    func sound() throws {
        let folder = try TemporaryFolder()
        let log = try soundStore(folder)
        let result = try log.verified()
        #expect(result.findings.isEmpty && result.commits == 4 && result.events == 7 && result.unknownEvents == 7)
        #expect(try result.heads == log.currentHeads())
        let other = try folder.log("other")
        try other.take(log.allCommits())
        #expect(try other.verified().unknownEvents == 7 && other.allCommits() == log.allCommits())
    }

    @Test("Every flipped byte of a commit is found, and where it lies in an event, the event is named")
    func flips() throws {
        let folder = try TemporaryFolder()
        let log = try soundStore(folder)
        let commit = try log.allCommits()[2]
        let positions = try log.eventsInFoldOrder().filter { $0.position.sequence == 3 }
        for place in commit.indices {
            for mask in [1, 0x80] as [UInt8] {
                var bad = commit
                bad[place] ^= mask
                try log.overwrite(3, bad)
                let findings = try log.verified().findings
                #expect(findings.contains { $0.sequence == 3 }, "byte \(place)")
                // The next commit's digest is over another one; its events are as they should be.
                #expect(findings.allSatisfy { $0.sequence == 3 || $0.kind == .digestMismatch || place < 38 }, "byte \(place): \(findings)")
                guard let event = positions.last(where: { $0.position.offset <= place }) else { continue }
                #expect(findings.contains { $0.event == event.header.id }, "byte \(place) of \(event.header.id): \(findings)")
            }
        }
        try log.overwrite(3, commit)
        #expect(try log.verified().findings.isEmpty)
    }

    @Test("Each kind of damage is found for what it is")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let head = try digest(of: sealed([header(9, 1)], number: 1, after: .zero))
        func withCommit(_ headers: [EventHeader], number: UInt64 = 2, flagged: Bool? = nil) -> (CommitLog) throws -> Void {
            { log in
                try log.overwrite(5, try sealed([header(9, 1)], number: 1, after: .zero))
                try log.overwrite(6, try sealed(headers, number: number, after: head, flagged: flagged))
            }
        }
        func inDatabase(
            _ choose: @escaping (CommitLog) -> Database, _ key: [UInt8], _ value: [UInt8]?
        ) -> (CommitLog) throws -> Void {
            { log in
                try log.write { (transaction: inout WriteTransaction) throws(LogError) in
                    do throws(LMDBError) {
                        if let value {
                            try transaction.put(key, value, in: choose(log))
                        } else {
                            try transaction.delete(key, in: choose(log))
                        }
                    } catch { throw .storage(error) }
                }
            }
        }
        let noPosition = UniqueID(high: 0, low: 1).bytes + CommitLog.bigEndian(9)
        let cases: [(LogFinding.Kind, String, (CommitLog) throws -> Void)] = [
            (.sequenceGap, "a commit is gone", { try $0.overwrite(2, nil) }),
            (.malformedCommit, "a commit is noise", { try $0.overwrite(2, Array(repeating: 1, count: 200)) }),
            (.malformedCommit, "a commit is empty", { try $0.overwrite(2, []) }),
            (.malformedCommit, "bytes are left over", { try $0.overwrite(2, $0.allCommits()[1] + [0]) }),
            (.malformedEvent, "a commit is cut", { try $0.overwrite(2, $0.allCommits()[1].dropLast()) }),
            (.digestMismatch, "a commit is another's", { try $0.overwrite(3, sealed([header(1, 3)], number: 2, after: .zero)) }),
            (.numberGap, "a commit's number", withCommit([header(9, 2)], number: 3)),
            (.numberGap, "the largest number of a commit", withCommit([header(9, 2)], number: .max)),
            (.numberGap, "an event's number", withCommit([header(9, 3)])),
            (.numberGap, "the largest number of an event", withCommit([header(9, .max), header(9, 3)])),
            (.originMismatch, "an event of another origin", withCommit([header(9, 2), header(8, 3)])),
            (.logicalTimeFalls, "a time that falls", withCommit([header(9, 2, at: noon - 1)])),
            (.wallTimeOutOfRange, "a wall time to come", withCommit([header(9, 2, wall: noon + 1)])),
            (.flagsWrong, "a control event without a flag", withCommit([header(9, 2, type: 3)], flagged: false)),
            (.actionIndexWrong, "a key is gone", inDatabase({ $0.actions }, Self.key.bytes, nil)),
            (.actionIndexWrong, "a key leads elsewhere", inDatabase({ $0.actions }, Self.key.bytes, CommitLog.bigEndian(1))),
            (.actionIndexWrong, "a key nobody gave", inDatabase({ $0.actions }, [1, 2, 3], CommitLog.bigEndian(1))),
            (.timelineIndexWrong, "a timeline too many", inDatabase({ $0.timelines }, noPosition, [1, 1])),
            (.timelineIndexWrong, "a timeline of noise", inDatabase({ $0.timelines }, noPosition, [0xFF])),
            (.checkpointDamaged, "a checkpoint's block", inDatabase({ $0.checkpoints }, CommitLog.bigEndian(1), [1])),
        ]
        for (kind, what, damage) in cases {
            let log = try soundStore(folder)
            try damage(log)
            let found = try log.verified().findings.map(\.kind)
            #expect(found.contains(kind), "\(what): \(found)")
        }
        let log = try soundStore(folder)
        let result = try log.read { transaction throws(LogError) in
            try log.verify(
                transaction,
                payloadVerdict: { header, _ in header.subject.low == 3 ? .invalid(ByteError(.badText, offset: 2)) : .valid(texts: 0) })
        }
        #expect(result.findings.map(\.kind) == [.payloadInvalid] && result.unknownEvents == 0)
        #expect(result.findings.first?.event == EventID(origin: OriginID(rawValue: 2), number: 1))
    }
}
