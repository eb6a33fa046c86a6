package import EventCoding
internal import Hashing

/// What bytes that may be a commit say of themselves, as far as they can be read: also of a form that this program doesn't know.
///
/// Nothing of it is proved.
package struct CommitClaim: Sendable {
    package let digest: SHA256Digest
    let format: UInt8
    let flags: UInt8
    /// 0 where it can't be read.
    package let number: UInt64
    /// 0 where it can't be read.
    let eventCount: UInt64
    /// Whose the first frame says that it is; `nil` where there is none.
    package let origin: OriginID?
    let framesOffset: Int

    /// Throws where the bytes don't begin as a commit does.
    package init(_ commit: RawSpan) throws(ByteError) {
        guard commit.byteCount >= Commit.fixedSize + 2 else { throw ByteError(.truncated, offset: commit.byteCount) }
        var reader = ByteReader(commit)
        digest = try reader.readDigest()
        guard try reader.readUInt16() == Commit.magic else { throw ByteError(.badMagic, offset: 32) }
        format = try reader.readUInt8()
        flags = try reader.readUInt8()
        number = (try? reader.readVariable()) ?? 0
        eventCount = (try? reader.readVariable()) ?? 0
        framesOffset = reader.offset + (flags & Commit.Flag.key == 0 ? 0 : 16) + (flags & Commit.Flag.withdrawn == 0 ? 0 : 32)
        var frame = ByteReader(commit, at: framesOffset + 16)
        origin = (try? frame.readUInt64()).map { OriginID(rawValue: $0) }
    }

    /// Whether the format is one that this program reads.
    var hasKnownFormat: Bool { (Commit.oldestFormat...Commit.format).contains(format) }
    /// Whether a flag is set that this program doesn't know.
    var hasUnknownFlags: Bool { hasKnownFormat && flags & ~Commit.Flag.all(in: format) != 0 }

    /// Whether `commit`, of which this is the claim, proves itself after a commit of digest `previous`.
    func isProved(_ commit: RawSpan, after previous: SHA256Digest, with hasher: inout SHA256Hasher) -> Bool {
        if Commit.digest(of: commit, after: previous, with: &hasher) == digest { return true }
        // The rule of the digest is the format's, whatever flags a commit of it has besides.
        guard hasUnknownFlags, flags & Commit.Flag.erasable != 0, eventCount <= UInt64(Commit.maximumEvents) else { return false }
        return Commit.sealedDigest(
            of: commit, framesOffset: framesOffset, eventCount: Int(eventCount), after: previous, with: &hasher) == digest
    }

    /// Whether `commit`, which says that it is of a format which this program doesn't know, is one of a known format with a changed byte.
    func isChanged(_ commit: RawSpan, after previous: SHA256Digest, with hasher: inout SHA256Hasher) -> Bool {
        guard !hasKnownFormat else { return false }
        var bytes = commit.copied()
        return (Commit.oldestFormat...Commit.format).contains { known in
            bytes[34] = known
            return Commit.digest(of: bytes.rawSpan, after: previous, with: &hasher) == digest
        }
    }

    /// Where the first frame begins whose checksum isn't that of its bytes; 0 where none is found.
    func firstDamage(in commit: RawSpan) -> Int {
        var frames = Commit.Frames(of: commit, from: framesOffset, count: Int(min(eventCount, UInt64(Commit.maximumEvents))))
        do throws(ByteError) {
            while let frame = try frames.next() {
                guard frame.isIntact else { return frame.offset }
            }
        } catch { return frames.offset }
        return 0
    }
}
