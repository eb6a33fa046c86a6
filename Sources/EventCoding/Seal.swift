internal import CXXHash

/// The checksum with which a record beside the log ends, so that whoever reads it notices that it isn't what was written.
///
/// It is XXH3-64 over the value, seeded by the key and by the name of the database: a record that is intact by itself and stands in
/// another's place is noticed too.
package struct Seal: Sendable {
    /// Bytes that it takes at the end of a value.
    package static let size = 8

    private let seed: UInt64

    /// The seal of the records of a database.
    package init(of database: String) {
        seed = fastChecksum(Array(database.utf8).rawSpan)
    }

    /// The checksum of a record.
    package func checksum(_ key: RawSpan, _ value: RawSpan) -> UInt64 {
        Self.hash(value, seed: Self.hash(key, seed: seed))
    }

    /// A value with its checksum behind it.
    package func sealed(_ value: [UInt8], under key: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: value.count + Self.size)
        writer.write(bytes: value)
        writer.write(checksum(key.rawSpan, value.rawSpan))
        return writer.bytes
    }

    /// The same for a key of eight bytes, the most significant first.
    package func sealed(_ value: [UInt8], under key: UInt64) -> [UInt8] { sealed(value, under: Self.bytes(of: key)) }

    /// Writes the checksum of the record whose key begins at `key` of what was written, and whose value goes from `value` to the end.
    package func seal(_ writer: inout ByteWriter, key: Int, value: Int) {
        let end = writer.count
        let sum = checksum(writer.bytes.rawSpan.extracting(key..<value), writer.bytes.rawSpan.extracting(value..<end))
        writer.write(sum)
    }

    /// The value that was sealed; `nil` where it isn't what was written, or never was sealed.
    @_lifetime(copy value)
    package func open(_ value: RawSpan, under key: RawSpan) -> RawSpan? {
        guard value.byteCount >= Self.size else { return nil }
        let end = value.byteCount - Self.size
        let body = value.extracting(0..<end)
        let sum = unsafe UInt64(littleEndian: value.unsafeLoadUnaligned(fromByteOffset: end, as: UInt64.self))
        return checksum(key, body) == sum ? body : nil
    }

    /// The same for a key of eight bytes, the most significant first.
    @_lifetime(copy value)
    package func open(_ value: RawSpan, under key: UInt64) -> RawSpan? {
        let bytes = Self.bytes(of: key)
        return open(value, under: bytes.rawSpan)
    }

    /// The same where records may not be sealed yet: then the value itself.
    @_lifetime(copy value)
    package func open(_ value: RawSpan, under key: RawSpan, isSealed: Bool) -> RawSpan? {
        guard isSealed else { return value }
        return open(value, under: key)
    }

    private static func bytes(of key: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: key >> UInt64(56 - 8 * $0)) } }

    private static func hash(_ bytes: RawSpan, seed: UInt64) -> UInt64 {
        unsafe bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return XXH3_64bits_withSeed(nil, 0, seed) }
            return unsafe XXH3_64bits_withSeed(base, raw.count, seed)
        }
    }
}
