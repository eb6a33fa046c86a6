internal import EventCoding

/// Where a text lies in the bytes that were read: what a skim gives instead of a string.
package struct TextPlace: Hashable, Sendable {
    /// Offset of its first byte from the start of the bytes that were read.
    package let offset: UInt32
    /// How many bytes of UTF-8 it has.
    package let byteCount: UInt32
}

extension ByteReader {
    /// Whether an optional field is there: one byte, 0 or 1.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func readFlag() throws(ByteError) -> Bool {
        let byte = try readUInt8()
        guard byte <= 1 else { throw ByteError(.badValue, offset: offset - 1) }
        return byte == 1
    }

    /// A choice by its number: one byte.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func readChoice<Choice: NamedChoice>(_ type: Choice.Type) throws(ByteError) -> Choice {
        guard let choice = Choice(rawValue: try readUInt8()) else { throw ByteError(.badValue, offset: offset - 1) }
        return choice
    }

    /// An unsigned number of at most `maximum`.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func readUnsigned(maximum: UInt64) throws(ByteError) -> UInt64 {
        let start = offset
        let number = try readVariable()
        guard number <= maximum else { throw ByteError(.badValue, offset: start) }
        return number
    }

    /// A signed number within `range`.
    @_lifetime(self: copy self)
    mutating func readSigned(in range: ClosedRange<Int64>) throws(ByteError) -> Int64 {
        let start = offset
        let number = try readVariableSigned()
        guard range.contains(number) else { throw ByteError(.badValue, offset: start) }
        return number
    }

    /// How many elements a list has. None takes less than a byte, so no more than the bytes that remain.
    @_lifetime(self: copy self)
    mutating func readCount(in range: ClosedRange<Int>) throws(ByteError) -> Int {
        let start = offset
        let number = try readVariable()
        guard number >= UInt64(range.lowerBound), number <= UInt64(range.upperBound) else { throw ByteError(.badLength, offset: start) }
        guard number <= UInt64(remaining) else { throw ByteError(.truncated, offset: offset) }
        return Int(number)
    }

    /// The index of one of `count` elements.
    @_lifetime(self: copy self)
    mutating func readIndex(below count: Int) throws(ByteError) -> UInt64 {
        let start = offset
        let index = try readVariable()
        guard index < UInt64(max(0, count)) else { throw ByteError(.badValue, offset: start) }
        return index
    }

    /// The identity of an event: eight bytes of its origin, then its number.
    @_lifetime(self: copy self)
    mutating func readEventID() throws(ByteError) -> EventID {
        let origin = OriginID(rawValue: try readUInt64())
        let start = offset
        let number = try readVariable()
        guard number >= 1, number <= FieldLimit.unsigned else { throw ByteError(.badValue, offset: start) }
        return EventID(origin: origin, number: number)
    }

    /// Bytes behind a variable-length count of them, at most `limit`.
    @_lifetime(self: copy self)
    mutating func readBlob(limit: Int) throws(ByteError) -> [UInt8] { try readCountedBytes(limit: limit).copied() }

    /// A text, in place of which comes where it lies.
    @_lifetime(self: copy self)
    mutating func skimText() throws(ByteError) -> TextPlace {
        let range = try skipText(limit: FieldLimit.textBytes)
        guard let offset = UInt32(exactly: range.lowerBound), let count = UInt32(exactly: range.count) else {
            throw ByteError(.badLength, offset: range.lowerBound)
        }
        return TextPlace(offset: offset, byteCount: count)
    }
}

extension ByteWriter {
    /// Whether an optional field is there, or a `bool` holds.
    mutating func writeFlag(_ flag: Bool) { write(flag ? 1 : 0 as UInt8) }

    /// The identity of an event.
    mutating func write(_ id: EventID) {
        write(id.origin.rawValue)
        writeVariable(id.number)
    }
}
