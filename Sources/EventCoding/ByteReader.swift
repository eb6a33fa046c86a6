/// What is wrong with some bytes, and at which of them.
public struct ByteError: Error, Hashable, Sendable {
    /// The ways in which bytes can be wrong.
    public enum Kind: String, Hashable, Sendable {
        /// The bytes end before the value does.
        case truncated
        /// A variable-length integer that is too long, too large, or longer than it need be.
        case badVariableInteger = "bad_variable_integer"
        /// Text that is not UTF-8.
        case badText = "bad_text"
        /// A value that its field doesn't allow.
        case badValue = "bad_value"
        /// Bytes that are left over after the last field.
        case trailingBytes = "trailing_bytes"
        /// The magic number of the structure isn't there.
        case badMagic = "bad_magic"
        /// A length that is too small, too large, or not that of the content.
        case badLength = "bad_length"
        /// The checksum doesn't match the bytes.
        case badChecksum = "bad_checksum"
        /// A flag or format that this program doesn't know.
        case unknownFormat = "unknown_format"
    }

    /// What is wrong.
    public let kind: Kind
    /// Offset of the first byte of what is wrong, from the start of the record.
    public let offset: Int

    /// A fault of `kind` at `offset`.
    @inlinable
    public init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

/// Reads values from bytes that nobody vouches for: every read is checked against the end, little-endian.
///
/// Inlinable, like all that a fold does for each event: a call into another module for every byte would cost more than the
/// reading. The type must be usable from inline for that: of a type that is only `package`, the compiler inlines nothing.
@usableFromInline
package struct ByteReader: ~Escapable {
    /// All the bytes, read ones included.
    @usableFromInline package let span: RawSpan
    /// Offset of the next byte to read; never beyond the end.
    @usableFromInline package internal(set) var offset: Int

    @inlinable
    @_lifetime(copy span)
    package init(_ span: RawSpan, at offset: Int = 0) {
        self.span = span
        self.offset = min(max(0, offset), span.byteCount)
    }

    @inlinable package var remaining: Int { span.byteCount &- offset }

    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) throws(ByteError) -> Value {
        guard remaining >= MemoryLayout<Value>.size else { throw ByteError(.truncated, offset: offset) }
        // In bounds by the line above; every bit pattern of the integer types below is a value.
        let value = unsafe span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)
        offset &+= MemoryLayout<Value>.size
        return value
    }

    @inlinable
    @_lifetime(self: copy self)
    package mutating func readUInt8() throws(ByteError) -> UInt8 { try take(UInt8.self) }

    @inlinable
    @_lifetime(self: copy self)
    package mutating func readUInt16() throws(ByteError) -> UInt16 { UInt16(littleEndian: try take(UInt16.self)) }

    @inlinable
    @_lifetime(self: copy self)
    package mutating func readUInt32() throws(ByteError) -> UInt32 { UInt32(littleEndian: try take(UInt32.self)) }

    @inlinable
    @_lifetime(self: copy self)
    package mutating func readUInt64() throws(ByteError) -> UInt64 { UInt64(littleEndian: try take(UInt64.self)) }

    /// A 128-bit identity, its most significant byte first.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func readUniqueID() throws(ByteError) -> UniqueID {
        guard remaining >= 16 else { throw ByteError(.truncated, offset: offset) }
        let high = UInt64(bigEndian: try take(UInt64.self))
        let low = UInt64(bigEndian: try take(UInt64.self))
        return UniqueID(high: high, low: low)
    }

    /// An unsigned integer of seven bits a byte, least significant first (LEB128), in its shortest form only.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func readVariable() throws(ByteError) -> UInt64 {
        // Nearly all numbers have up to three bytes; every offset is checked before its byte is loaded.
        let count = span.byteCount
        if offset < count {
            let first = unsafe span.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
            if first < 0x80 {
                offset &+= 1
                return UInt64(first)
            }
            if offset &+ 1 < count {
                let second = unsafe span.unsafeLoad(fromUncheckedByteOffset: offset &+ 1, as: UInt8.self)
                let low = UInt64(first & 0x7F) | UInt64(second & 0x7F) &<< 7
                if second < 0x80, second != 0 {
                    offset &+= 2
                    return low
                }
                if second >= 0x80, offset &+ 2 < count {
                    let third = unsafe span.unsafeLoad(fromUncheckedByteOffset: offset &+ 2, as: UInt8.self)
                    if third < 0x80, third != 0 {
                        offset &+= 3
                        return low | UInt64(third) &<< 14
                    }
                }
            }
        }
        return try readLongVariable()
    }

    @usableFromInline
    @_lifetime(self: copy self)
    mutating func readLongVariable() throws(ByteError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try readUInt8()
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { throw ByteError(.badVariableInteger, offset: start) }
            value |= bits << shift
            if byte & 0x80 == 0 {
                guard bits != 0 || shift == 0 else { throw ByteError(.badVariableInteger, offset: start) }
                return value
            }
            shift += 7
            guard shift <= 63 else { throw ByteError(.badVariableInteger, offset: start) }
        }
    }

    /// A signed integer, zigzag coded in a variable-length unsigned one.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func readVariableSigned() throws(ByteError) -> Int64 {
        let coded = try readVariable()
        return Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
    }

    /// The next `count` bytes, in place.
    @inlinable
    @_lifetime(self: copy self)
    @_lifetime(copy self)
    package mutating func readBytes(_ count: Int) throws(ByteError) -> RawSpan {
        guard count >= 0, remaining >= count else { throw ByteError(.truncated, offset: offset) }
        let bytes = span.extracting(offset..<offset + count)
        offset += count
        return bytes
    }

    /// Bytes behind a variable-length count of them, at most `limit`.
    @inlinable
    @_lifetime(self: copy self)
    @_lifetime(copy self)
    package mutating func readCountedBytes(limit: Int) throws(ByteError) -> RawSpan {
        let start = offset
        let count = try readVariable()
        guard count <= UInt64(limit) else { throw ByteError(.badLength, offset: start) }
        return try readBytes(Int(count))
    }

    /// UTF-8 text behind a variable-length count of its bytes, at most `limit` of them.
    @_lifetime(self: copy self)
    package mutating func readText(limit: Int) throws(ByteError) -> String {
        let start = offset
        let bytes = try readCountedBytes(limit: limit)
        guard let text = bytes.text else { throw ByteError(.badText, offset: start) }
        return text
    }

    /// Passes over UTF-8 text behind a variable-length count of its bytes, at most `limit` of them, and gives the
    /// offsets of its bytes. Refuses what ``readText(limit:)`` refuses, and builds no string.
    @_lifetime(self: copy self)
    package mutating func skipText(limit: Int) throws(ByteError) -> Range<Int> {
        let start = offset
        let bytes = try readCountedBytes(limit: limit)
        guard bytes.isText else { throw ByteError(.badText, offset: start) }
        return offset - bytes.byteCount..<offset
    }

    /// Throws unless everything was read.
    @inlinable
    package func finish() throws(ByteError) {
        guard remaining == 0 else { throw ByteError(.trailingBytes, offset: offset) }
    }
}

extension RawSpan {
    /// The text that the bytes are in UTF-8; `nil` where they aren't.
    package var text: String? {
        // Not `String(validating:as:)`, which looks up generic metadata for every text.
        unsafe withUnsafeBytes { raw in
            do throws(UTF8.ValidationError) {
                return String(copying: try unsafe UTF8Span(validating: Span(_unsafeBytes: raw)))
            } catch {
                return nil
            }
        }
    }

    /// Whether the bytes are UTF-8.
    package var isText: Bool {
        unsafe withUnsafeBytes { raw in
            do throws(UTF8.ValidationError) {
                _ = try unsafe UTF8Span(validating: Span(_unsafeBytes: raw))
                return true
            } catch {
                return false
            }
        }
    }

    /// A copy that outlives what the span borrows from.
    package func copied() -> [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }
}
