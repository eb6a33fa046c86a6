import EventCoding
import Foundation
import Hashing
import LMDB

@testable import EventLog

/// A folder under the system's temporary one that goes with the value.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "engram-log-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func log(_ name: String = "store", origin: UInt64 = 1) throws -> CommitLog {
        try CommitLog.create(path: path + "/" + name, origin: OriginID(rawValue: origin))
    }
}

let noon: Int64 = 1_709_294_400_000

/// An event of a type that nobody knows, which is all that a log needs.
func toy(
    _ text: String = "", type: UInt16 = 600, about subject: UInt64 = 1, at wall: Int64 = noon, time: LogicalTime? = nil
) -> NewEvent {
    NewEvent(
        type: EventType(rawValue: type), version: 1, subject: UniqueID(high: 0, low: subject), wallMilliseconds: wall, zoneMinutes: 60,
        logicalTime: time, payload: Array(text.utf8))
}

extension CommitLog {
    /// Appends one action, as a store does it.
    @discardableResult
    func act(_ events: [NewEvent], origin: UInt64 = 1, key: UniqueID? = nil) throws -> [EventID] {
        try write { (transaction: inout WriteTransaction) throws(LogError) in
            var heads = try self.heads(transaction.reader)
            return try append(events, origin: OriginID(rawValue: origin), key: key, heads: &heads, marking: { _ in nil }, &transaction)
        }
    }

    /// Takes commits that were made elsewhere: which of them were new.
    @discardableResult
    func take(_ commits: [[UInt8]]) throws -> [Bool] {
        try write { (transaction: inout WriteTransaction) throws(LogError) in
            var heads = try self.heads(transaction.reader)
            var hasher = SHA256Hasher()
            var result: [Bool] = []
            for commit in commits {
                result.append(try appendForeign(commit.rawSpan, heads: &heads, hasher: &hasher, &transaction))
            }
            return result
        }
    }

    func heads(_ transaction: borrowing ReadTransaction) throws(LogError) -> LogHeads {
        var heads = LogHeads()
        try forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            try advance(&heads, by: commit, sequence: sequence)
            return true
        }
        return heads
    }

    func currentHeads() throws -> LogHeads { try read { transaction throws(LogError) in try heads(transaction) } }

    func allCommits() throws -> [[UInt8]] {
        var result: [[UInt8]] = []
        try read { transaction throws(LogError) in
            try forEachCommit(transaction) { (_, commit) throws(LogError) in
                result.append(commit.copied())
                return true
            }
        }
        return result
    }

    /// Writes whatever bytes where a commit lies, as a broken disk or another program would.
    func overwrite(_ sequence: UInt64, _ bytes: [UInt8]?) throws {
        try write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) {
                if let bytes { try transaction.put(sequence, bytes, in: commits) } else { try transaction.delete(sequence, in: commits) }
            } catch { throw .storage(error) }
        }
    }

    func verified() throws -> LogVerification {
        try read { transaction throws(LogError) in try verify(transaction, payloadVerdict: { _, _ in .unknown }) }
    }

    func found(_ id: EventID) throws -> RecordedEvent? {
        try read { transaction throws(LogError) in try event(id, transaction) }
    }

    func found(at position: EventPosition) throws -> RecordedEvent {
        try read { transaction throws(LogError) in try event(at: position, transaction) }
    }

    func storedPositions(of subject: UniqueID) throws -> [EventPosition] {
        try read { transaction throws(LogError) in try positions(of: subject, transaction) }
    }

    /// How many records the timelines have.
    func storedTimelineCount() throws -> Int {
        try environment.read { transaction throws(LMDBError) in try transaction.count(in: timelines) }
    }

    func storedCheckpoint() throws -> Checkpoint? {
        try read { transaction throws(LogError) in try checkpoint(transaction) }
    }

    func storedOrigin() throws -> LocalOrigin? {
        try read { transaction throws(LogError) in try localOrigin(transaction) }
    }

    func eventsInFoldOrder(of partition: Partition = .all) throws -> [RecordedEvent] {
        var result: [RecordedEvent] = []
        try read { transaction throws(LogError) in
            let outline = try outline(transaction, partitions: partition.count)
            try forEachBatchInFoldOrder(outline, of: partition, transaction) { (batch) throws(EventBatch.BatchError) in
                for index in 0..<batch.count {
                    let frame = batch.frame(index)
                    let position = batch.position(index)
                    do throws(ByteError) {
                        let (header, offset) = try EventFrame.parse(frame)
                        let payload = frame.extracting(offset..<frame.byteCount).copied()
                        result.append(RecordedEvent(header: header, payload: payload, position: position))
                    } catch { throw EventBatch.BatchError(position: position, fault: error) }
                }
            }
        }
        return result
    }
}

/// A commit with whatever headers, sealed as if it were right.
func sealed(
    _ headers: [EventHeader], number: UInt64, after previous: SHA256Digest, flagged: Bool? = nil, key: UniqueID? = nil,
    payload: [UInt8] = [], erasure: Erasure? = nil, format: UInt8 = Commit.format, trailing: [UInt8] = []
) throws -> [UInt8] {
    var frames = ByteWriter()
    var traits = Commit.Traits()
    for header in headers {
        try EventFrame.append(header, payload: payload, erasure: erasure, to: &frames)
        traits.apply(header.type, isErasable: erasure != nil)
    }
    frames.write(bytes: trailing)
    if let flagged { traits.hasControlEvents = flagged }
    var hasher = SHA256Hasher()
    var bytes = Commit.assemble(
        digest: .zero, format: format, number: number, frames: frames.bytes, eventCount: headers.count, traits: traits, actionKey: key)
    bytes.replaceSubrange(0..<32, with: Commit.digest(of: bytes.rawSpan, after: previous, with: &hasher).bytes)
    return bytes
}

func header(
    _ origin: UInt64 = 9, _ number: UInt64, at milliseconds: Int64 = noon, wall: Int64? = nil, type: UInt16 = 600
) -> EventHeader {
    EventHeader(
        type: EventType(rawValue: type), version: 1, zoneMinutes: 0, id: EventID(origin: OriginID(rawValue: origin), number: number),
        logicalTime: LogicalTime(rawValue: milliseconds << 16), wallMilliseconds: wall ?? milliseconds, subject: UniqueID(high: 0, low: 1))
}

func digest(of commit: [UInt8]) throws -> SHA256Digest { try Commit.header(of: commit.rawSpan).digest }

/// What is text in the events of these tests: the last six bytes of every payload of type 600, and none in others.
let toyTexts = TextRules { header, payload in
    header.type.rawValue == 600 ? min(6, payload.byteCount) : 0
} bearsTexts: { type in
    type.rawValue == 600
} isFree: { header, _ in
    header.type.rawValue != 600 || header.isErased
}
