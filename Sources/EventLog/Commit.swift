package import EventCoding
package import Hashing

/// A commit as it is stored: one action of one origin, all of its events or none.
///
/// | offset | size | field |
/// |--|--|--|
/// | 0 | 32 | digest: SHA-256 over the digest of the origin's commit before (32 zero bytes for the first) and all that follows here |
/// | 32 | 2 | magic, `C7 43` |
/// | 34 | 1 | format, 1 |
/// | 35 | 1 | flags: bit 0, some event is a control event; bit 1, the action has a key; the others 0 |
/// | 36 | 1–10 | number of the commit in its origin, from 1 up (LEB128) |
/// | … | 1–10 | number of events, at least 1 (LEB128) |
/// | … | 0 or 16 | key of the action, where flagged |
/// | … | the rest | the events' frames, one after the other |
///
/// The bytes are never encoded anew: they travel between devices as they are, so a digest vouches for them for ever.
package enum Commit {
    package static let magic: UInt16 = 0x43C7
    package static let format: UInt8 = 1
    static let fixedSize = 36
    /// No commit is larger, so that a frame's place in it takes 24 bits.
    package static let maximumSize = 15 << 20
    /// No commit has more events.
    package static let maximumEvents = 100_000

    /// What a commit says of itself, before its events.
    package struct Header: Hashable, Sendable {
        package let digest: SHA256Digest
        package let hasControlEvents: Bool
        /// From 1 up in its origin, without gaps.
        package let number: UInt64
        package let eventCount: Int
        /// The key that the caller gave the action.
        package let actionKey: UniqueID?
        /// Where the first frame begins.
        package let framesOffset: Int
    }

    /// The header of `commit`. Looks at no event. Complexity: constant.
    package static func header(of commit: RawSpan) throws(ByteFault) -> Header {
        guard commit.byteCount >= fixedSize + 2 else { throw ByteFault(.truncated, offset: commit.byteCount) }
        var reader = ByteReader(commit, at: 32)
        guard try reader.readUInt16() == magic else { throw ByteFault(.badMagic, offset: 32) }
        guard try reader.readUInt8() == format else { throw ByteFault(.unknownFormat, offset: 34) }
        let flags = try reader.readUInt8()
        guard flags & ~3 == 0 else { throw ByteFault(.unknownFormat, offset: 35) }
        let number = try reader.readVariable()
        let count = try reader.readVariable()
        guard number > 0, count > 0, count <= UInt64(maximumEvents) else { throw ByteFault(.badValue, offset: fixedSize) }
        let key: UniqueID? = flags & 2 != 0 ? try reader.readUniqueID() : nil
        var start = ByteReader(commit)
        let digest = try start.readDigest()
        return Header(
            digest: digest, hasControlEvents: flags & 1 != 0, number: number, eventCount: Int(count), actionKey: key,
            framesOffset: reader.offset)
    }

    /// The cheap part of a header: where the frames begin, how many they are, and whether there are control events.
    static func outline(of commit: RawSpan) throws(ByteFault) -> (framesOffset: Int, eventCount: Int, hasControlEvents: Bool) {
        guard commit.byteCount >= fixedSize + 2 else { throw ByteFault(.truncated, offset: commit.byteCount) }
        // In bounds by the line above.
        let word = unsafe UInt32(littleEndian: commit.unsafeLoadUnaligned(fromUncheckedByteOffset: 32, as: UInt32.self))
        guard word & 0xFFFF == UInt32(magic) else { throw ByteFault(.badMagic, offset: 32) }
        let flags = UInt8(truncatingIfNeeded: word >> 24)
        guard UInt8(truncatingIfNeeded: word >> 16) == format, flags & ~3 == 0 else { throw ByteFault(.unknownFormat, offset: 34) }
        var reader = ByteReader(commit, at: fixedSize)
        _ = try reader.readVariable()
        let count = try reader.readVariable()
        guard count > 0, count <= UInt64(maximumEvents) else { throw ByteFault(.badValue, offset: fixedSize) }
        let offset = flags & 2 != 0 ? reader.offset + 16 : reader.offset
        guard offset <= commit.byteCount else { throw ByteFault(.truncated, offset: commit.byteCount) }
        return (offset, Int(count), flags & 1 != 0)
    }

    /// The digest that `commit` must have after a commit of digest `previous`.
    package static func digest(of commit: RawSpan, after previous: SHA256Digest, with hasher: inout SHA256Hasher) -> SHA256Digest {
        hasher.update(previous)
        hasher.update(commit.extracting(min(32, commit.byteCount)..<commit.byteCount))
        return hasher.finish()
    }

    /// The bytes of a commit whose events' frames are `frames`, one after the other.
    static func encode(
        number: UInt64, frames: ByteWriter, eventCount: Int, hasControlEvents: Bool, actionKey: UniqueID?, after previous: SHA256Digest,
        with hasher: inout SHA256Hasher
    ) -> (bytes: [UInt8], digest: SHA256Digest) {
        var bytes = assemble(
            digest: .zero, number: number, frames: frames.bytes, eventCount: eventCount, hasControlEvents: hasControlEvents,
            actionKey: actionKey)
        let digest = digest(of: bytes.rawSpan, after: previous, with: &hasher)
        bytes.replaceSubrange(0..<32, with: digest.bytes)
        return (bytes, digest)
    }

    /// The bytes of a commit that was made elsewhere and came in its open form, with the digest that it bears.
    ///
    /// Whether that is right is found by ``CommitLog/appendForeign(_:heads:hasher:_:)``.
    package static func assemble(
        digest: SHA256Digest, number: UInt64, frames: [UInt8], eventCount: Int, hasControlEvents: Bool, actionKey: UniqueID?
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: frames.count + 96)
        writer.write(digest)
        writer.write(magic)
        writer.write(format)
        writer.write(UInt8((hasControlEvents ? 1 : 0) | (actionKey == nil ? 0 : 2)))
        writer.writeVariable(number)
        writer.writeVariable(UInt64(eventCount))
        if let actionKey { writer.write(actionKey) }
        writer.write(bytes: frames)
        return writer.bytes
    }
}
