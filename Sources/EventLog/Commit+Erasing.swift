package import EventCoding
package import Hashing

/// What is left of a commit whose texts were erased.
package struct ErasedCommit: Sendable {
    /// Its bytes; `nil` where nothing had to be erased, or nothing could be.
    package let bytes: [UInt8]?
    /// Events that lost their texts.
    package let events: Int
    /// Events that keep them: they bear no mark, and others of the commit are of kinds that may not be withdrawn with them, or nothing
    /// says what of them is text.
    package let left: Int
}

extension Commit {
    /// `frame` as it is once its texts have been erased: their digest in their place. One that has none stays as it is.
    package static func sealed(_ frame: RawSpan, with hasher: inout SHA256Hasher) throws(ByteError) -> [UInt8] {
        guard case .possible(let count, let salt)? = try EventFrame.erasure(of: frame) else { return frame.copied() }
        hasher.update(salt.bytes)
        hasher.update(frame.extracting(frame.byteCount - count..<frame.byteCount))
        return try without(count, of: frame, for: hasher.finish())
    }

    private static func without(_ count: Int, of frame: RawSpan, for digest: SHA256Digest) throws(ByteError) -> [UInt8] {
        let event = try Frame(frame, at: 0).event()
        let rest = event.payload.byteCount - count
        guard rest >= 0 else { throw ByteError(.badLength, offset: frame.byteCount - event.payload.byteCount) }
        var writer = ByteWriter(reserving: 160)
        try EventFrame.append(event.header, payload: event.payload.extracting(0..<rest).copied(), erasure: .done(digest), to: &writer)
        return writer.bytes
    }

    /// `commit` without the texts of the events that `isErased` chooses.
    ///
    /// Its digest stays right as long as each of these events is marked. Where one isn't, the commit is *withdrawn*: its digest
    /// stands as it was written, and can't be computed again. Whichever device does this, and in however many steps, the bytes are
    /// the same.
    ///
    /// - Parameters:
    ///   - rules: say what is text; a mark alone doesn't.
    ///   - previous: digest of the origin's commit before.
    package static func erasing(
        _ commit: RawSpan, after previous: SHA256Digest, by rules: TextRules, where isErased: (borrowing EventHeader) -> Bool
    ) throws(ByteError) -> ErasedCommit {
        let header = try header(of: commit)
        var hasher = SHA256Hasher()
        var rest: [UInt8] = []
        var (marked, unmarked) = (0, 0)
        let mayWithdraw = try areAllOfTexts(commit, header, rules)
        var left = 0
        var frames = frames(of: commit, header)
        while let frame = try frames.next() {
            let event = try frame.event().header
            var standing = TextRules.Standing.none
            if isErased(event) { standing = try rules.standing(of: frame) }
            switch standing {
            case .marked:
                rest += try sealed(frame.bytes, with: &hasher)
                marked += 1
            case .unmarked(let count) where mayWithdraw:
                rest += try without(count, of: frame.bytes, for: standIn(of: event.id, in: header.digest, with: &hasher))
                unmarked += 1
            case .unmarked, .unclear:
                rest += frame.bytes.copied()
                left += 1
            case .none: rest += frame.bytes.copied()
            }
        }
        guard marked + unmarked > 0 else { return ErasedCommit(bytes: nil, events: 0, left: left) }
        guard header.isWithdrawn || unmarked > 0 else {
            let bytes =
                commit.extracting(0..<header.framesOffset).copied() + rest
                + commit.extracting(frames.offset..<commit.byteCount).copied()
            return ErasedCommit(bytes: bytes, events: marked, left: left)
        }
        let bytes = withdrawn(header, frames: rest, after: previous, with: &hasher)
        return ErasedCommit(bytes: bytes, events: marked + unmarked, left: left)
    }

    /// What stands where texts without a mark stood. It follows from the commit's digest alone and says nothing of the texts, so that
    /// nobody can try guesses of one of them on it.
    private static func standIn(of event: EventID, in digest: SHA256Digest, with hasher: inout SHA256Hasher) -> SHA256Digest {
        var writer = ByteWriter(reserving: 64)
        writer.write(bytes: Array("engram withdrawn".utf8))
        writer.write(digest)
        writer.write(event.number)
        hasher.update(writer.bytes)
        return hasher.finish()
    }

    private static func withdrawn(
        _ header: Header, frames: [UInt8], after previous: SHA256Digest, with hasher: inout SHA256Hasher
    ) -> [UInt8] {
        var traits = header.traits
        traits.hasErasableEvents = true
        func assembled(_ check: SHA256Digest) -> [UInt8] {
            assemble(
                digest: header.digest, format: header.format, number: header.number, frames: frames, eventCount: header.eventCount,
                traits: traits, actionKey: header.actionKey, withdrawal: check)
        }
        let blank = assembled(.zero)
        return assembled(check(of: blank.rawSpan, framesOffset: blank.count - frames.count, after: previous, with: &hasher))
    }

    /// The digest of what is left of a withdrawn commit: over the digest of the commit before and all of its bytes, its own digest
    /// among them, but those of this one.
    static func check(
        of commit: RawSpan, framesOffset: Int, after previous: SHA256Digest, with hasher: inout SHA256Hasher
    ) -> SHA256Digest {
        hasher.update(previous)
        hasher.update(commit.extracting(0..<framesOffset - 32))
        hasher.update(commit.extracting(framesOffset..<commit.byteCount))
        return hasher.finish()
    }

    /// Whether `commit` may stand by its recorded digest alone, if it does: every event of it is of a kind that is little but texts.
    package static func mayBeWithdrawn(_ commit: RawSpan, by rules: TextRules) throws(ByteError) -> Bool {
        try areAllOfTexts(commit, header(of: commit), rules)
    }

    private static func areAllOfTexts(_ commit: RawSpan, _ header: Header, _ rules: TextRules) throws(ByteError) -> Bool {
        var frames = frames(of: commit, header)
        while let frame = try frames.next() {
            guard rules.bearsTexts(frame.type) else { return false }
        }
        return true
    }
}
