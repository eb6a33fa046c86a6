package import EventCoding
internal import Hashing

/// Carries the commits of an older format over to the present one, origin by origin and in their order.
///
/// A pure function of the old commits, so that devices which carry the same history over, each by itself, come to the same
/// commits and digests, and can go on merging. Events keep their headers and payloads byte for byte. What is new in format 2 is that
/// texts may be erased: an event's salt is taken from the digest of its old commit, which nobody can know without its texts.
package struct CommitUpgrade: ~Copyable {
    private var heads: [OriginID: (old: OriginHead, new: SHA256Digest)] = [:]
    private var hasher = SHA256Hasher()
    private let erasableCount: (borrowing EventHeader, RawSpan) -> Int

    /// - Parameter erasableCount: of an event's payload, how many bytes at the end are texts that may be erased.
    package init(erasableCount: @escaping (borrowing EventHeader, RawSpan) -> Int) {
        self.erasableCount = erasableCount
    }

    /// The heads that the old commits had so far, by origin.
    var oldHeads: [FormerHead] {
        heads.map { FormerHead(origin: $0.key, commits: $0.value.old.commits, digest: $0.value.old.digest) }
            .sorted { $0.origin < $1.origin }
    }

    /// `commit` in the present format, if it has an older one; it must then be the next of its origin. `nil` if it has the present one.
    package mutating func takeIfOlder(_ commit: RawSpan, sequence: UInt64) throws(LogError) -> [UInt8]? {
        guard let header = try? Commit.header(of: commit), header.format < Commit.format else { return nil }
        return try take(commit, sequence: sequence)
    }

    /// `commit` in the present format. It must be the next one of its origin, and prove itself.
    package mutating func take(_ commit: RawSpan, sequence: UInt64) throws(LogError) -> [UInt8] {
        do throws(ByteError) {
            let header = try Commit.header(of: commit)
            let summary = try CommitSummary(checking: commit)
            var head = heads[summary.origin] ?? (old: OriginHead(), new: .zero)
            guard header.format == Commit.oldestFormat, header.number == head.old.commits + 1, summary.firstNumber == head.old.events + 1,
                Commit.digest(of: commit, after: head.old.digest, with: &hasher) == header.digest
            else {
                throw ByteError(.badChecksum, offset: 0)
            }
            let (bytes, digest) = try upgraded(commit, header, after: head.new)
            head.old.commits = header.number
            head.old.events += UInt64(header.eventCount)
            head.old.digest = header.digest
            head.new = digest
            heads[summary.origin] = head
            return bytes
        } catch { throw .malformed(sequence: sequence, error) }
    }

    private mutating func upgraded(
        _ commit: RawSpan, _ header: Commit.Header, after previous: SHA256Digest
    ) throws(ByteError) -> (bytes: [UInt8], digest: SHA256Digest) {
        var writer = ByteWriter(reserving: commit.byteCount + 32 * header.eventCount)
        var traits = Commit.Traits()
        var frames = Commit.frames(of: commit, header)
        while let frame = try frames.next() {
            let event = try frame.event()
            let count = erasableCount(event.header, event.payload)
            if count > 0 {
                let erasure = Erasure.possible(count: count, salt: salt(of: event.header, digest: header.digest))
                try EventFrame.append(event.header, payload: event.payload.copied(), erasure: erasure, to: &writer)
            } else {
                writer.write(span: frame.bytes)
            }
            traits.apply(event.header.type, isErasable: count > 0)
        }
        return Commit.encode(
            number: header.number, frames: writer.bytes, eventCount: header.eventCount, traits: traits, actionKey: header.actionKey,
            after: previous, with: &hasher)
    }

    private func salt(of event: borrowing EventHeader, digest: SHA256Digest) -> UniqueID {
        uniqueID(namespace: "salt of format 1", [digest.description, "\(event.id.number)"])
    }
}

/// The head that an origin had in an older format when its log was carried over.
package struct FormerHead: Hashable, Sendable {
    package let origin: OriginID
    /// Number of its commits, which is the same in every format.
    package let commits: UInt64
    package let digest: SHA256Digest
}
