package import EventCoding

/// A SHA-256 digest (FIPS 180-4): thirty-two bytes. Written as sixty-four lower-case hexadecimal digits.
public struct SHA256Digest: Hashable, Sendable {
    /// The bytes, eight a word, most significant first.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Thirty-two zeros: the digest before the first commit of an origin.
    public static let zero = SHA256Digest(words: (0, 0, 0, 0))

    /// How many bytes a digest has.
    public static let byteCount = 32

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

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
    var leadingWords: (UInt64, UInt64) { (words.0, words.1) }

    /// The digest that libcrypto wrote.
    init(_ bytes: [32 of UInt8]) {
        var words: [4 of UInt64] = [0, 0, 0, 0]
        for index in 0..<32 { words[index >> 3] = words[index >> 3] << 8 | UInt64(bytes[index]) }
        self.init(words: (words[0], words[1], words[2], words[3]))
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

extension SHA256Digest {
    /// Reads a digest from a record.
    package init(reading reader: inout ByteReader) throws(ByteFault) {
        var words: [4 of UInt64] = [0, 0, 0, 0]
        guard reader.remaining >= Self.byteCount else { throw ByteFault(.truncated, offset: reader.offset) }
        for index in 0..<4 { words[index] = try reader.readUInt64().byteSwapped }
        self.init(words: (words[0], words[1], words[2], words[3]))
    }

    /// Writes the digest to a record.
    package func write(to writer: inout ByteWriter) {
        writer.write(words.0.byteSwapped)
        writer.write(words.1.byteSwapped)
        writer.write(words.2.byteSwapped)
        writer.write(words.3.byteSwapped)
    }
}
