public import EventCoding

/// How far the chain of an origin goes. The digest vouches for all of it, on any device.
public struct LogHead: Hashable, Sendable {
    /// The device, or imported source, that numbers these commits.
    public let origin: OriginID
    /// How many commits it has; they are numbered from 1.
    public let commits: UInt64
    /// How many events they hold.
    public let events: UInt64
    /// The digest of the last one.
    public let digest: SHA256Digest

    /// A head of those parts.
    public init(origin: OriginID, commits: UInt64, events: UInt64, digest: SHA256Digest) {
        (self.origin, self.commits, self.events, self.digest) = (origin, commits, events, digest)
    }
}

/// A commit as it is stored, on its way from one log to another. Its bytes prove themselves after the commit before.
public struct LogCommit: Hashable, Sendable {
    /// The device, or imported source, that wrote it.
    public let origin: OriginID
    /// Its number in the origin, from 1.
    public let number: UInt64
    /// Its bytes, never to be changed.
    public let bytes: [UInt8]

    /// A commit of those parts; what they claim is proved by whoever takes the bytes in.
    public init(origin: OriginID, number: UInt64, bytes: [UInt8]) {
        (self.origin, self.number, self.bytes) = (origin, number, bytes)
    }
}

/// Somewhere that commits come from: another store, a folder, a peer. ``StudyStore/merge(from:named:at:)`` takes them in.
///
/// Nothing that a source says is believed: each commit is proved, and a source that leaves some out brings nothing of what follows on them.
public protocol CommitSource {
    /// How far each origin goes there, in any order; none where that isn't known before reading.
    func heads() throws -> [LogHead]

    /// Hands over commits until `body` says false: of each origin those that follow on number `known[origin]`, or on nothing, in the
    /// order of their numbers. One that gives more than was asked for costs time alone.
    func forEachCommit(after known: [OriginID: UInt64], _ body: (LogCommit) throws -> Bool) throws
}

/// Somewhere that commits go: a folder, a stick, a peer. ``StudyStore/send(to:)`` sends what it lacks.
public protocol CommitSink {
    /// How far each origin goes there, in any order.
    mutating func heads() throws -> [LogHead]

    /// Takes the next commit: the one after the head of its origin.
    mutating func append(_ commit: LogCommit) throws
}
