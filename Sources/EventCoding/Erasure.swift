/// What of an event's payload may be erased one day, or was: the texts at its end.
///
/// A commit's digest is taken over digests of such texts, so that a text may go and the proof of everything else stays. The salt
/// keeps a short text from being guessed by its digest; it goes with the text.
public enum Erasure: Hashable, Sendable {
    /// The last `count` bytes of the payload may be erased.
    case possible(count: Int, salt: UniqueID)
    /// They were erased; what is left is the SHA-256 of the salt and them.
    case done(SHA256Digest)

    var flags: UInt8 {
        switch self {
        case .possible: EventFrame.Flag.erasable
        case .done: EventFrame.Flag.erasable | EventFrame.Flag.erased
        }
    }
}

extension EventFrame {
    /// Whether the frame at `offset`, whose ``length(at:of:)`` was found to be right, has texts that may be erased, or were.
    package static func isErasable(at offset: Int, of span: RawSpan) -> Bool {
        // A frame that has a right length has a fixed part.
        unsafe span.unsafeLoad(fromUncheckedByteOffset: offset + 9, as: UInt8.self) & Flag.erasable != 0
    }

    /// What of `frame`, which is one whole frame, may be erased, or was; `nil` where nothing may.
    package static func erasure(of frame: RawSpan) throws(ByteError) -> Erasure? {
        let (header, payloadOffset) = try parse(frame)
        guard isErasable(at: 0, of: frame) else { return nil }
        if header.isErased {
            var reader = ByteReader(frame, at: payloadOffset - 32)
            return .done(try reader.readDigest())
        }
        var reader = ByteReader(frame, at: payloadOffset - 16)
        let salt = try reader.readUniqueID()
        var count = ByteReader(frame, at: fixedSize)
        _ = try count.readVariable()
        _ = try count.readVariableSigned()
        if header.key != nil { _ = try count.readUniqueID() }
        return .possible(count: Int(try count.readVariable()), salt: salt)
    }
}
