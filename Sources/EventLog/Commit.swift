package import EventCoding
package import Hashing

/// A commit as it is stored: one action of one origin, all of its events or none.
///
/// | offset | size | field |
/// |--|--|--|
/// | 0 | 32 | digest: SHA-256 over the digest of the origin's commit before (32 zero bytes for the first) and all that follows here |
/// | 32 | 2 | magic, `C7 43` |
/// | 34 | 1 | format, 2 |
/// | 35 | 1 | flags: bit 0, some event is a control event; bit 1, the action has a key; bit 2, some event has texts that may be erased; bit 3, it is withdrawn |
/// | 36 | 1–10 | number of the commit in its origin, from 1 up (LEB128) |
/// | … | 1–10 | number of events, at least 1 (LEB128) |
/// | … | 0 or 16 | key of the action, where flagged |
/// | … | 0 or 32 | where it is withdrawn: SHA-256 over the digest of the commit before and all of this commit's bytes but these |
/// | … | the rest | the events' frames, one after the other |
///
/// The bytes are never encoded anew: they travel between devices as they are, so a digest vouches for them for ever. Of an event
/// whose texts may be erased, the digest takes the frame as it would be without them (see ``sealed(_:with:)``), so that it stays
/// right when they are. In format 1, the one before, no text could be erased and the digest took every byte as it lies there.
///
/// Lists that were typed in were once written without marks of what may be erased. Where such a text is erased all the same, the commit
/// is *withdrawn*: its digest stands as it was written and can't be computed again, the chain goes on from it, and a second
/// digest vouches for what is left.
package enum Commit {
    package static let magic: UInt16 = 0x43C7
    package static let format: UInt8 = 2
    /// The oldest format that can be read; ``CommitUpgrade`` carries it over.
    package static let oldestFormat: UInt8 = 1
    static let fixedSize = 36
    /// No commit is larger, so that a frame's place in it takes 24 bits.
    package static let maximumSize = 15 << 20
    /// No commit has more events.
    package static let maximumEvents = 100_000

    /// What a commit says of itself, before its events.
    package struct Header: Hashable, Sendable {
        package let digest: SHA256Digest
        package let format: UInt8
        package let hasControlEvents: Bool
        /// Whether some event has texts that may be erased, or were.
        package let hasErasableEvents: Bool
        /// From 1 up in its origin, without gaps.
        package let number: UInt64
        package let eventCount: Int
        /// The key that the caller gave the action.
        package let actionKey: UniqueID?
        /// The digest of what is left, where texts without a mark were erased; `nil` in every other commit.
        package let withdrawal: SHA256Digest?
        /// Where the first frame begins.
        package let framesOffset: Int

        /// Whether the digest stands as it was written, and can't be computed again.
        package var isWithdrawn: Bool { withdrawal != nil }

        var traits: Traits {
            var traits = Traits()
            traits.hasControlEvents = hasControlEvents
            traits.hasErasableEvents = hasErasableEvents
            return traits
        }
    }

    /// The header of `commit`. Looks at no event. Complexity: constant.
    package static func header(of commit: RawSpan) throws(ByteError) -> Header {
        guard commit.byteCount >= fixedSize + 2 else { throw ByteError(.truncated, offset: commit.byteCount) }
        var reader = ByteReader(commit, at: 32)
        guard try reader.readUInt16() == magic else { throw ByteError(.badMagic, offset: 32) }
        let format = try reader.readUInt8()
        guard (oldestFormat...Self.format).contains(format) else { throw ByteError(.unknownFormat, offset: 34) }
        let flags = try reader.readUInt8()
        guard flags & ~Flag.all(in: format) == 0 else { throw ByteError(.unknownFormat, offset: 35) }
        let number = try reader.readVariable()
        let count = try reader.readVariable()
        guard number > 0, count > 0, count <= UInt64(maximumEvents) else { throw ByteError(.badValue, offset: fixedSize) }
        let key: UniqueID? = flags & Flag.key != 0 ? try reader.readUniqueID() : nil
        let withdrawal: SHA256Digest? = flags & Flag.withdrawn != 0 ? try reader.readDigest() : nil
        var start = ByteReader(commit)
        let digest = try start.readDigest()
        return Header(
            digest: digest, format: format, hasControlEvents: flags & Flag.control != 0,
            hasErasableEvents: flags & Flag.erasable != 0, number: number, eventCount: Int(count), actionKey: key,
            withdrawal: withdrawal, framesOffset: reader.offset)
    }

    /// The bits of the byte of flags.
    enum Flag {
        static let control: UInt8 = 1
        static let key: UInt8 = 2
        static let erasable: UInt8 = 4
        static let withdrawn: UInt8 = 8

        static func all(in format: UInt8) -> UInt8 { format == 1 ? control | key : control | key | erasable | withdrawn }
    }

    /// The cheap part of a header: where the frames begin, how many they are, and whether there are control events.
    static func outline(of commit: RawSpan) throws(ByteError) -> (framesOffset: Int, eventCount: Int, hasControlEvents: Bool) {
        guard commit.byteCount >= fixedSize + 2 else { throw ByteError(.truncated, offset: commit.byteCount) }
        // In bounds by the line above.
        let word = unsafe UInt32(littleEndian: commit.unsafeLoadUnaligned(fromUncheckedByteOffset: 32, as: UInt32.self))
        guard word & 0xFFFF == UInt32(magic) else { throw ByteError(.badMagic, offset: 32) }
        let flags = UInt8(truncatingIfNeeded: word >> 24)
        let found = UInt8(truncatingIfNeeded: word >> 16)
        guard found == format || found == oldestFormat, flags & ~Flag.all(in: found) == 0 else {
            throw ByteError(.unknownFormat, offset: 34)
        }
        var reader = ByteReader(commit, at: fixedSize)
        _ = try reader.readVariable()
        let count = try reader.readVariable()
        guard count > 0, count <= UInt64(maximumEvents) else { throw ByteError(.badValue, offset: fixedSize) }
        let offset = reader.offset + (flags & Flag.key != 0 ? 16 : 0) + (flags & Flag.withdrawn != 0 ? 32 : 0)
        guard offset <= commit.byteCount else { throw ByteError(.truncated, offset: commit.byteCount) }
        return (offset, Int(count), flags & Flag.control != 0)
    }

    /// The digest that `commit` must have after a commit of digest `previous`.
    ///
    /// Bytes that don't have the form of a commit are taken as they lie there, so that the digest isn't theirs. A withdrawn commit's is
    /// the recorded one as long as what is left is what was left. Complexity: O(bytes).
    package static func digest(of commit: RawSpan, after previous: SHA256Digest, with hasher: inout SHA256Hasher) -> SHA256Digest {
        if let header = try? header(of: commit), let withdrawal = header.withdrawal {
            let found = check(of: commit, framesOffset: header.framesOffset, after: previous, with: &hasher)
            return found == withdrawal ? header.digest : found
        }
        guard let header = try? header(of: commit), header.hasErasableEvents else {
            hasher.update(previous)
            hasher.update(commit.extracting(min(32, commit.byteCount)..<commit.byteCount))
            return hasher.finish()
        }
        return sealedDigest(
            of: commit, framesOffset: header.framesOffset, eventCount: header.eventCount, after: previous, with: &hasher)
    }

    /// The digest of a commit some of whose frames have texts that may be erased.
    static func sealedDigest(
        of commit: RawSpan, framesOffset: Int, eventCount: Int, after previous: SHA256Digest, with hasher: inout SHA256Hasher
    ) -> SHA256Digest {
        hasher.update(previous)
        var textHasher = SHA256Hasher()
        // Frames that go in as they are go in as one run.
        var done = 32
        var frames = Frames(of: commit, from: framesOffset, count: eventCount)
        while let frame = try? frames.next() {
            guard frame.isErasable, let sealed = try? sealed(frame.bytes, with: &textHasher) else { continue }
            hasher.update(commit.extracting(done..<frame.offset))
            hasher.update(sealed)
            done = frames.offset
        }
        hasher.update(commit.extracting(done..<commit.byteCount))
        return hasher.finish()
    }

    /// What a commit says of its events together.
    package struct Traits: Hashable, Sendable {
        package var hasControlEvents = false
        package var hasErasableEvents = false

        package init() {}

        /// Applies one more event.
        package mutating func apply(_ type: EventType, isErasable: Bool) {
            hasControlEvents = hasControlEvents || type.isControl
            hasErasableEvents = hasErasableEvents || isErasable
        }
    }

    /// The bytes of a commit whose events' frames are `frames`, one after the other.
    static func encode(
        number: UInt64, frames: [UInt8], eventCount: Int, traits: Traits, actionKey: UniqueID?, after previous: SHA256Digest,
        with hasher: inout SHA256Hasher
    ) -> (bytes: [UInt8], digest: SHA256Digest) {
        var bytes = assemble(
            digest: .zero, number: number, frames: frames, eventCount: eventCount, traits: traits, actionKey: actionKey)
        let digest = digest(of: bytes.rawSpan, after: previous, with: &hasher)
        bytes.replaceSubrange(0..<32, with: digest.bytes)
        return (bytes, digest)
    }

    /// The bytes of a commit that was made elsewhere and came in its open form, with the digest that it bears.
    ///
    /// Whether that is right is found by ``CommitLog/appendForeign(_:heads:hasher:_:)``.
    package static func assemble(
        digest: SHA256Digest, format: UInt8 = format, number: UInt64, frames: [UInt8], eventCount: Int, traits: Traits,
        actionKey: UniqueID?,
        withdrawal: SHA256Digest? = nil
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: frames.count + 96)
        writer.write(digest)
        writer.write(magic)
        writer.write(format)
        writer.write(
            (traits.hasControlEvents ? Flag.control : 0) | (actionKey == nil ? 0 : Flag.key)
                | (traits.hasErasableEvents ? Flag.erasable : 0) | (withdrawal == nil ? 0 : Flag.withdrawn))
        writer.writeVariable(number)
        writer.writeVariable(UInt64(eventCount))
        if let actionKey { writer.write(actionKey) }
        if let withdrawal { writer.write(withdrawal) }
        writer.write(bytes: frames)
        return writer.bytes
    }
}
