internal import CXXHash

/// What every event says of itself, whatever it states.
public struct EventHeader: Hashable, Sendable {
    /// What kind of fact it states.
    public var type: EventType
    /// Version of the type's schema that the payload follows.
    public var version: UInt8
    /// Minutes that the local clock was ahead of UTC, east positive.
    public var zoneMinutes: Int16
    /// Its identity.
    public var id: EventID
    /// Its hybrid logical time.
    public var logicalTime: LogicalTime
    /// Wall time, in milliseconds since 1970 UTC.
    public var wallMilliseconds: Int64
    /// The deck, card, word, question, session, quiz or pack that it is about; ``UniqueID/none`` for the whole store.
    public var subject: UniqueID
    /// What an imported row says, digested. Of several events with one key, folds count one.
    public var key: UniqueID?
    /// Whether the texts at the end of its payload were erased; the payload ends before them then.
    public var isErased: Bool

    /// The offsets from UTC that the open form of events can say: 24 hours either way.
    public static let zoneRange: ClosedRange<Int16> = -1440...1440

    /// A header of these parts.
    @inlinable
    public init(
        type: EventType, version: UInt8, zoneMinutes: Int16, id: EventID, logicalTime: LogicalTime,
        wallMilliseconds: Int64, subject: UniqueID, key: UniqueID? = nil, isErased: Bool = false
    ) {
        self.type = type
        self.version = version
        self.zoneMinutes = zoneMinutes
        self.id = id
        self.logicalTime = logicalTime
        self.wallMilliseconds = wallMilliseconds
        self.subject = subject
        self.key = key
        self.isErased = isErased
    }

    /// Its place in the order in which folds take events.
    @inlinable public var foldOrder: FoldOrder { FoldOrder(logicalTime: logicalTime, id: id) }
}

/// A stored event: self-describing bytes that can be recognised and proven anywhere, without any index.
///
/// | offset | size | field |
/// |--|--|--|
/// | 0 | 4 | checksum: the low half of XXH3-64 over all that follows |
/// | 4 | 2 | magic, `E7 4E` |
/// | 6 | 2 | type |
/// | 8 | 1 | version of the type's schema |
/// | 9 | 1 | flags: bit 0, a key is present; bit 1, the payload ends with texts that may be erased; bit 2, they were; the others 0 |
/// | 10 | 2 | zone offset, minutes east, signed |
/// | 12 | 4 | length of the whole frame |
/// | 16 | 8 | origin |
/// | 24 | 8 | logical time, signed |
/// | 32 | 16 | subject, most significant byte first |
/// | 48 | 1–10 | number in its origin (LEB128) |
/// | … | 1–10 | wall time less the logical time's milliseconds (zigzag LEB128) |
/// | … | 0 or 16 | key, where flagged |
/// | … | 1–10 | where bit 1 alone is set: how many bytes at the end of the payload may be erased (LEB128) |
/// | … | 16 | where bit 1 alone is set: the salt of their digest |
/// | … | 32 | where bits 1 and 2 are set: the digest of salt and erased bytes |
/// | … | the rest | payload; without its erasable end where that was erased |
///
/// All little-endian but the two identities.
@usableFromInline
package enum EventFrame {
    /// First two bytes of a frame after its checksum.
    @inlinable package static var magic: UInt16 { 0x4EE7 }
    /// Bytes before the first field of variable length.
    @inlinable package static var fixedSize: Int { 48 }
    /// The smallest frame: an event without key and payload.
    @inlinable package static var minimumSize: Int { fixedSize + 2 }
    /// No frame is larger: twice 64 KiB of text and everything else fit a hundred times over.
    @inlinable package static var maximumSize: Int { 8 << 20 }

    /// The bits of the byte of flags.
    @usableFromInline
    enum Flag {
        @usableFromInline static var key: UInt8 { 1 }
        @usableFromInline static var erasable: UInt8 { 2 }
        @usableFromInline static var erased: UInt8 { 4 }
        @usableFromInline static var all: UInt8 { 7 }
    }

    /// Appends the frame of an event to `writer`.
    ///
    /// - Parameter erasure: what of the payload may be erased, or was; the payload then ends before it.
    package static func append(
        _ header: EventHeader, payload: [UInt8], erasure: Erasure? = nil, to writer: inout ByteWriter
    ) throws(ByteError) {
        let start = writer.count
        writer.write(0 as UInt32)
        writer.write(magic)
        writer.write(header.type.rawValue)
        writer.write(header.version)
        writer.write((header.key == nil ? 0 : Flag.key) | (erasure?.flags ?? 0))
        writer.write(UInt16(bitPattern: header.zoneMinutes))
        writer.write(0 as UInt32)
        writer.write(header.id.origin.rawValue)
        writer.write(UInt64(bitPattern: header.logicalTime.rawValue))
        writer.write(header.subject)
        writer.writeVariable(header.id.number)
        writer.writeVariableSigned(header.wallMilliseconds &- header.logicalTime.milliseconds)
        if let key = header.key { writer.write(key) }
        switch erasure {
        case .possible(let count, let salt):
            guard count >= 0, count <= payload.count else { throw ByteError(.badLength, offset: fixedSize) }
            writer.writeVariable(UInt64(count))
            writer.write(salt)
        case .done(let digest): writer.write(digest)
        case nil: break
        }
        writer.write(bytes: payload)
        let length = writer.count - start
        guard length <= maximumSize else { throw ByteError(.badLength, offset: 12) }
        writer.overwrite(UInt32(length), at: start + 12)
        let sum = unsafe writer.bytes.withUnsafeBytes { bytes in
            unsafe checksum(UnsafeRawBufferPointer(rebasing: bytes[(start + 4)..<(start + length)]))
        }
        writer.overwrite(sum, at: start)
    }

    /// How many bytes the frame at the start of `span` says it has, if they begin a frame and lie within the span.
    @inlinable
    @inline(__always)
    package static func length(at offset: Int, of span: RawSpan) throws(ByteError) -> Int {
        guard offset >= 0, span.byteCount - offset >= minimumSize else { throw ByteError(.truncated, offset: offset) }
        // Both loads are in bounds by the line above.
        let foundMagic = unsafe UInt16(littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 4, as: UInt16.self))
        guard foundMagic == magic else { throw ByteError(.badMagic, offset: offset + 4) }
        let length = unsafe Int(UInt32(littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset + 12, as: UInt32.self)))
        guard length >= minimumSize, length <= maximumSize else { throw ByteError(.badLength, offset: offset + 12) }
        guard length <= span.byteCount - offset else { throw ByteError(.truncated, offset: offset) }
        return length
    }

    /// The last byte of the subject of the frame at `offset`, whose ``length(at:of:)`` was found to be right.
    @inlinable
    @inline(__always)
    package static func lastByteOfSubject(at offset: Int, of span: RawSpan) -> UInt8 {
        // A frame that has a right length has a fixed part.
        unsafe span.unsafeLoad(fromUncheckedByteOffset: offset + fixedSize - 1, as: UInt8.self)
    }

    /// The type of `frame`, which is one whole frame whose form was looked at.
    @inlinable
    @inline(__always)
    package static func type(of frame: RawSpan) -> EventType {
        unsafe EventType(rawValue: UInt16(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 6, as: UInt16.self)))
    }

    /// The origin of `frame`, which is one whole frame whose form was looked at.
    @inlinable
    @inline(__always)
    package static func origin(of frame: RawSpan) -> OriginID {
        unsafe OriginID(rawValue: UInt64(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 16, as: UInt64.self)))
    }

    /// The subject of `frame`, which is one whole frame whose form was looked at.
    @inlinable
    @inline(__always)
    package static func subject(of frame: RawSpan) -> UniqueID {
        let high = unsafe UInt64(bigEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 32, as: UInt64.self))
        let low = unsafe UInt64(bigEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 40, as: UInt64.self))
        return UniqueID(high: high, low: low)
    }

    /// Whether the checksum of `frame`, which is one whole frame, is that of its bytes.
    @usableFromInline
    package static func isIntact(_ frame: RawSpan) -> Bool {
        guard frame.byteCount >= minimumSize else { return false }
        let stored = unsafe UInt32(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt32.self))
        let actual = unsafe frame.withUnsafeBytes { unsafe checksum(UnsafeRawBufferPointer(rebasing: $0[4...])) }
        return stored == actual
    }

    /// What ``parse(_:)`` tells of a frame whose checksum is that of its bytes; any other is an error.
    @inlinable
    @inline(__always)
    package static func parseIntact(_ frame: RawSpan) throws(ByteError) -> (header: EventHeader, payloadOffset: Int) {
        guard isIntact(frame) else { throw ByteError(.badChecksum, offset: 0) }
        return try parse(frame)
    }

    /// The header of `frame`, which is one whole frame, and the offset of its payload.
    ///
    /// Does not look at the checksum. Complexity: constant.
    @inlinable
    @inline(__always)
    package static func parse(_ frame: RawSpan) throws(ByteError) -> (header: EventHeader, payloadOffset: Int) {
        guard frame.byteCount >= minimumSize else { throw ByteError(.truncated, offset: frame.byteCount) }
        // One bounds check for the fixed part; its loads can't leave the frame.
        let type = unsafe UInt16(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 6, as: UInt16.self))
        let version = unsafe frame.unsafeLoad(fromUncheckedByteOffset: 8, as: UInt8.self)
        let flags = unsafe frame.unsafeLoad(fromUncheckedByteOffset: 9, as: UInt8.self)
        let zone = unsafe Int16(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 10, as: Int16.self))
        let origin = unsafe UInt64(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 16, as: UInt64.self))
        let logical = unsafe Int64(littleEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 24, as: Int64.self))
        let high = unsafe UInt64(bigEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 32, as: UInt64.self))
        let low = unsafe UInt64(bigEndian: frame.unsafeLoadUnaligned(fromUncheckedByteOffset: 40, as: UInt64.self))
        guard flags <= Flag.all, flags & Flag.erased == 0 || flags & Flag.erasable != 0 else { throw ByteError(.unknownFormat, offset: 9) }
        var reader = ByteReader(frame, at: fixedSize)
        let number = try reader.readVariable()
        let lag = try reader.readVariableSigned()
        let key: UniqueID? = flags & Flag.key != 0 ? try reader.readUniqueID() : nil
        if flags & Flag.erasable != 0 {
            if flags & Flag.erased == 0 {
                let start = reader.offset
                let count = try reader.readVariable()
                // The salt.
                _ = try reader.readUniqueID()
                guard count <= UInt64(reader.remaining) else { throw ByteError(.badLength, offset: start) }
            } else {
                // The digest's two halves.
                _ = try reader.readUniqueID()
                _ = try reader.readUniqueID()
            }
        }
        let logicalTime = LogicalTime(rawValue: logical)
        let (wall, overflow) = logicalTime.milliseconds.addingReportingOverflow(lag)
        guard !overflow else { throw ByteError(.badValue, offset: fixedSize) }
        let header = EventHeader(
            type: EventType(rawValue: type), version: version, zoneMinutes: zone,
            id: EventID(origin: OriginID(rawValue: origin), number: number), logicalTime: logicalTime,
            wallMilliseconds: wall, subject: UniqueID(high: high, low: low), key: key, isErased: flags & Flag.erased != 0)
        return (header, reader.offset)
    }

    /// The low half of XXH3-64: a few nanoseconds for an event, and no two bit flips cancel out unnoticed but by
    /// a chance of one in four thousand million. The proof against intent is the commit's SHA-256.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe UInt32(truncatingIfNeeded: XXH3_64bits(base, bytes.count))
    }
}

/// XXH3-64 of `bytes`: a fast check against accidents, no proof against intent.
package func fastChecksum(_ bytes: RawSpan) -> UInt64 {
    unsafe bytes.withUnsafeBytes { raw in
        guard let base = raw.baseAddress else { return XXH3_64bits(nil, 0) }
        return unsafe XXH3_64bits(base, raw.count)
    }
}
