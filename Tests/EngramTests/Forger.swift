import Engram
import EventCoding
import Hashing
import LMDB
import StudyModel

@testable import EventLog

/// A frame any field of which may lie; its length and checksum are right unless they are said otherwise.
struct ForgedEvent {
    var checksum: UInt32?
    var magic: UInt16 = EventFrame.magic
    var type: EventType
    var version: UInt8
    /// `nil`: what key and mark make of it.
    var flags: UInt8?
    var zone: Int16 = 0
    var length: UInt32?
    var origin: OriginID?
    var logicalTime: Int64?
    var subject: UniqueID
    /// What is added to the number that it should have.
    var skip: UInt64 = 0
    var wallLag: Int64 = 0
    var key: UniqueID?
    /// Which mark it bears: so many bytes, or the digest of erased texts.
    var mark: Erasure?
    var payload: [UInt8]

    init(_ event: StudyEvent, about subject: UniqueID) {
        type = event.type
        version = event.version
        self.subject = subject
        payload = event.encodedPayload()
        let texts = event.erasableByteCount(version: version)
        if texts > 0 { mark = .possible(count: texts, salt: UniqueID(high: 5, low: 5)) }
    }

    func bytes(origin: OriginID, number: UInt64, time: Int64) -> [UInt8] {
        var body = ByteWriter()
        body.writeVariable(number &+ skip)
        body.writeVariableSigned(wallLag)
        if let key { body.write(key) }
        switch mark {
        case .possible(let count, let salt)?:
            body.writeVariable(UInt64(count))
            body.write(salt)
        case .done(let digest)?: body.write(digest)
        case nil: break
        }
        body.write(bytes: payload)
        let marked: UInt8 =
            switch mark {
            case .possible?: 2
            case .done?: 6
            case nil: 0
            }
        var writer = ByteWriter()
        writer.write(0 as UInt32)
        writer.write(magic)
        writer.write(type.rawValue)
        writer.write(version)
        writer.write(flags ?? (marked | (key == nil ? 0 : 1)))
        writer.write(UInt16(bitPattern: zone))
        writer.write(length ?? UInt32(48 + body.count))
        writer.write((self.origin ?? origin).rawValue)
        writer.write(UInt64(bitPattern: logicalTime ?? time))
        writer.write(subject)
        writer.write(bytes: body.bytes)
        let rest = Array(writer.bytes[4...])
        writer.overwrite(checksum ?? UInt32(truncatingIfNeeded: fastChecksum(rest.rawSpan)), at: 0)
        return writer.bytes
    }
}

/// A commit any field of which may lie, sealed as if it were right.
struct ForgedCommit {
    var digest: SHA256Digest?
    var magic: UInt16 = Commit.magic
    var format: UInt8 = Commit.format
    /// `nil`: what its events make of it.
    var flags: UInt8?
    /// What is added to the number that it should have; wraps around.
    var skip: UInt64 = 0
    var eventCount: UInt64?
    var key: UniqueID?
    var events: [ForgedEvent]
    var trailing: [UInt8] = []

    init(_ events: [ForgedEvent]) { self.events = events }

    func bytes(origin: OriginID, number: UInt64, firstEvent: UInt64, time: Int64, after previous: SHA256Digest) -> [UInt8] {
        var right: UInt8 = key == nil ? 0 : 2
        for event in events {
            if event.type.isControl { right |= 1 }
            if event.mark != nil { right |= 4 }
        }
        var writer = ByteWriter()
        writer.write(SHA256Digest.zero)
        writer.write(magic)
        writer.write(format)
        writer.write(flags ?? right)
        writer.writeVariable(number &+ skip)
        writer.writeVariable(eventCount ?? UInt64(events.count))
        if let key { writer.write(key) }
        for (index, event) in events.enumerated() {
            writer.write(bytes: event.bytes(origin: origin, number: firstEvent + UInt64(index), time: time + Int64(index) << 16))
        }
        writer.write(bytes: trailing)
        var bytes = writer.bytes
        var hasher = SHA256Hasher()
        let sealed = digest ?? Commit.digest(of: bytes.rawSpan, after: previous, with: &hasher)
        bytes.replaceSubrange(0..<32, with: sealed.bytes)
        return bytes
    }
}

/// Another device, which writes what it likes under an origin of its own.
struct Forger {
    let log: CommitLog
    let origin: OriginID
    private var head = OriginHead()
    private var sequence: UInt64 = 0
    private(set) var commits: [[UInt8]] = []

    /// Makes its store; `after` goes on from the commits of another one.
    init(_ folder: TemporaryFolder, _ name: String, origin: UInt64 = 0xF0F0, after earlier: [[UInt8]] = []) throws {
        log = try CommitLog.create(
            path: folder.path + "/" + name, origin: OriginID(rawValue: origin), companions: StudyStore.companionDatabases)
        self.origin = OriginID(rawValue: origin)
        for commit in earlier { try put(commit) }
    }

    var path: String { log.path }

    mutating func write(_ commit: ForgedCommit) throws {
        let time = (moment(Int(head.commits) + 1).wallMilliseconds) << 16
        let bytes = commit.bytes(
            origin: origin, number: head.commits + 1, firstEvent: head.events + 1, time: time, after: head.digest)
        try put(bytes)
        commits.append(bytes)
        head.commits += 1
        head.events += UInt64(commit.events.count)
        head.digest = CommitClaim.digest(of: bytes)
    }

    mutating func put(_ bytes: [UInt8]) throws {
        sequence += 1
        let next = sequence
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) { try transaction.put(next, bytes, in: log.commits) } catch { throw .storage(error) }
        }
    }
}

extension CommitClaim {
    static func digest(of commit: [UInt8]) -> SHA256Digest {
        var reader = ByteReader(commit.rawSpan)
        return (try? reader.readDigest()) ?? .zero
    }
}

extension CommitLog {
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
}
