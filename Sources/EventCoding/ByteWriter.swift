/// Writes values as bytes, little-endian: the other half of ``ByteReader``.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8]

    package init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func removeAll(keepingCapacity: Bool = true) { bytes.removeAll(keepingCapacity: keepingCapacity) }

    package mutating func write(_ value: UInt8) { bytes.append(value) }
    package mutating func write(_ value: UInt16) { unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) } }
    package mutating func write(_ value: UInt32) { unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) } }
    package mutating func write(_ value: UInt64) { unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) } }

    /// A 128-bit identity, its most significant byte first.
    package mutating func write(_ value: UniqueID) {
        unsafe withUnsafeBytes(of: value.high.bigEndian) { unsafe bytes.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: value.low.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// An unsigned integer of seven bits a byte, least significant first (LEB128), in its shortest form.
    package mutating func writeVariable(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A signed integer, zigzag coded in a variable-length unsigned one.
    package mutating func writeVariableSigned(_ value: Int64) {
        writeVariable(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    package mutating func write(bytes other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

    package mutating func write(span: RawSpan) {
        unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Bytes behind a variable-length count of them.
    package mutating func writeCounted(bytes other: some Collection<UInt8>) {
        writeVariable(UInt64(other.count))
        bytes.append(contentsOf: other)
    }

    /// UTF-8 text, exactly as given, behind a variable-length count of its bytes.
    package mutating func writeText(_ text: String) { writeCounted(bytes: text.utf8) }

    /// Overwrites the four bytes at `offset`, which must have been written.
    package mutating func overwrite(_ value: UInt32, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
}
