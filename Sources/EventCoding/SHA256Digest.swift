/// A SHA-256 digest (FIPS 180-4): thirty-two bytes. Written as sixty-four lower-case hexadecimal digits.
///
/// This is the value alone; the Hashing room computes it.
public struct SHA256Digest: Hashable, Sendable {
    /// The bytes, eight a word, most significant first.
    fileprivate let words: (UInt64, UInt64, UInt64, UInt64)

    /// Thirty-two zeros: the digest before the first commit of an origin.
    public static let zero = SHA256Digest(words: (0, 0, 0, 0))

    /// How many bytes a digest has.
    public static let byteCount = 32

    fileprivate init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// The digest made of exactly thirty-two `bytes`; `nil` where there are more or fewer.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var words: [4 of UInt64] = [0, 0, 0, 0]
        var index = 0
        for byte in bytes {
            words[index >> 3] = words[index >> 3] << 8 | UInt64(byte)
            index += 1
        }
        self.init(words: (words[0], words[1], words[2], words[3]))
    }

    /// The thirty-two bytes.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Self.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) { result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        }
        return result
    }

    /// The first sixteen bytes.
    package var leadingWords: (UInt64, UInt64) { (words.0, words.1) }

    /// The bytes as four words in memory order.
    package var bigEndianWords: (UInt64, UInt64, UInt64, UInt64) {
        (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    }

    /// The digest that libcrypto wrote.
    package init(_ bytes: [32 of UInt8]) {
        let words = unsafe withUnsafeBytes(of: bytes) { bytes in
            // Thirty-two bytes hold four words.
            unsafe (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
        self.init(words: (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2), UInt64(bigEndian: words.3)))
    }

    /// Equal where all bytes are.
    public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool { left.words == right.words }

    /// Feeds all bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension SHA256Digest: Comparable {
    /// In the order of the bytes.
    public static func < (left: SHA256Digest, right: SHA256Digest) -> Bool { left.words < right.words }
}

extension SHA256Digest: LosslessStringConvertible {
    /// The digest that sixty-four hexadecimal digits, of either case, spell; `nil` where they spell none.
    public init?(_ description: String) {
        guard description.utf8.count == 2 * Self.byteCount, let bytes = EventCoding.bytes(hexadecimal: description) else { return nil }
        self.init(bytes: bytes)
    }

    /// The written form, which `init(_:)` reads.
    public var description: String { hexadecimal(bytes) }
}

extension ByteReader {
    /// The thirty-two bytes of a digest.
    @_lifetime(self: copy self)
    package mutating func readDigest() throws(ByteError) -> SHA256Digest {
        guard remaining >= SHA256Digest.byteCount else { throw ByteError(.truncated, offset: offset) }
        let first = try readUInt64().byteSwapped
        let second = try readUInt64().byteSwapped
        let third = try readUInt64().byteSwapped
        let fourth = try readUInt64().byteSwapped
        return SHA256Digest(words: (first, second, third, fourth))
    }
}

extension ByteWriter {
    /// The thirty-two bytes of a digest.
    package mutating func write(_ digest: SHA256Digest) {
        write(digest.words.0.byteSwapped)
        write(digest.words.1.byteSwapped)
        write(digest.words.2.byteSwapped)
        write(digest.words.3.byteSwapped)
    }
}
