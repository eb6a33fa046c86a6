internal import EventCoding
internal import Hashing

/// The chains of digests of a log's origins, as far as they were walked: proves each commit by all that came before it.
package struct CommitChains: ~Copyable {
    private var heads: [OriginID: (commits: UInt64, digest: SHA256Digest)] = [:]
    private var hasher = SHA256Hasher()

    package init() {}

    /// Takes the next commit in the order of arrival; an error where it isn't what was written.
    package mutating func prove(_ commit: RawSpan, sequence: UInt64) throws(LogError) {
        do throws(ByteError) {
            let header = try Commit.header(of: commit)
            let origin = try Commit.origin(of: commit)
            let head = heads[origin] ?? (0, .zero)
            guard header.number == head.commits &+ 1 else { throw ByteError(.badValue, offset: Commit.fixedSize) }
            guard Commit.digest(of: commit, after: head.digest, with: &hasher) == header.digest else {
                throw ByteError(.badChecksum, offset: 0)
            }
            heads[origin] = (header.number, header.digest)
        } catch { throw .malformed(sequence: sequence, error) }
    }
}
