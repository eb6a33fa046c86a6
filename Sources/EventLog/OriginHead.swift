package import EventCoding

/// How far an origin's log goes here. Its digest vouches for the origin's whole history.
package struct OriginHead: Hashable, Sendable {
    /// Number of its commits.
    package var commits: UInt64 = 0
    /// Number of its events.
    package var events: UInt64 = 0
    /// Logical time of its last event.
    package var logicalTime = LogicalTime.distantPast
    /// Digest of its last commit; zero before the first.
    package var digest = SHA256Digest.zero

    package init() {}
}

/// How far the log goes: the last sequence number, and the head of each origin.
package struct LogHeads: Hashable, Sendable {
    /// Sequence number of the last commit, in the order of arrival in this store; 0 before the first.
    package internal(set) var sequence: UInt64 = 0
    package internal(set) var origins: [OriginID: OriginHead] = [:]

    package init() {}

    package subscript(origin: OriginID) -> OriginHead { origins[origin] ?? OriginHead() }

    /// Origins with their heads, in the order of the origins.
    package var sorted: [(origin: OriginID, head: OriginHead)] {
        origins.map { (origin: $0.key, head: $0.value) }.sorted { $0.origin < $1.origin }
    }

    /// Number of events in the log.
    package var eventCount: UInt64 { origins.values.reduce(0) { $0 &+ $1.events } }

    /// Takes note of a commit that is the next of its origin.
    mutating func advance(sequence: UInt64, origin: OriginID, digest: SHA256Digest, events: Int, logicalTime: LogicalTime) {
        self.sequence = sequence
        var head = self[origin]
        head.commits += 1
        head.events += UInt64(events)
        head.logicalTime = max(head.logicalTime, logicalTime)
        head.digest = digest
        origins[origin] = head
    }

    /// The logical time that a new event of `origin` gets: at least `wallMilliseconds`, and after all that the origin
    /// wrote or saw.
    ///
    /// Whatever lies more than `tolerance` milliseconds ahead of the clock doesn't count as seen: one device with a clock
    /// years ahead must not drag all others along.
    package func nextLogicalTime(of origin: OriginID, wallMilliseconds: Int64, tolerance: Int64) -> LogicalTime? {
        var seen = self[origin].logicalTime
        let (limit, overflow) = wallMilliseconds.addingReportingOverflow(tolerance)
        for (_, head) in origins where overflow || head.logicalTime.milliseconds <= limit { seen = max(seen, head.logicalTime) }
        return LogicalTime.next(after: seen, wallMilliseconds: wallMilliseconds)
    }
}

extension ByteWriter {
    /// How many origins there are (LEB128), and of each: the origin, commits and events (LEB128), logical time, digest.
    mutating func write(origins heads: LogHeads) {
        writeVariable(UInt64(heads.origins.count))
        for (origin, head) in heads.sorted {
            write(origin.rawValue)
            writeVariable(head.commits)
            writeVariable(head.events)
            write(UInt64(bitPattern: head.logicalTime.rawValue))
            write(head.digest)
        }
    }
}

extension ByteReader {
    /// What ``ByteWriter/write(origins:)`` wrote.
    @_lifetime(self: copy self)
    mutating func readOrigins(into heads: inout LogHeads) throws(ByteError) {
        let count = try readVariable()
        guard count <= UInt64(remaining) else { throw ByteError(.badLength, offset: offset) }
        for _ in 0..<count {
            let origin = OriginID(rawValue: try readUInt64())
            var head = OriginHead()
            head.commits = try readVariable()
            head.events = try readVariable()
            head.logicalTime = LogicalTime(rawValue: Int64(bitPattern: try readUInt64()))
            head.digest = try readDigest()
            heads.origins[origin] = head
        }
    }
}
