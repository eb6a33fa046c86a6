import EventCoding
import Hashing
import Testing

@Suite struct HashingTests {
    /// The examples that NIST publishes for SHA-256 (FIPS 180-4).
    static let published: [(text: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test func digestsAreThePublishedOnes() throws {
        var hasher = SHA256Hasher()
        for (text, expected) in Self.published {
            let bytes = Array(text.utf8)
            #expect(sha256(bytes).description == expected)
            // In pieces, and with a hasher that has been used before.
            for start in stride(from: 0, to: bytes.count, by: 1009) { hasher.update(Array(bytes[start..<min(start + 1009, bytes.count)])) }
            #expect(hasher.finish().description == expected)
        }
    }

    @Test func digestsSurviveTheirForms() throws {
        let digest = sha256([1, 2, 3])
        #expect(digest.bytes.count == 32)
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect(SHA256Digest(digest.description) == digest)
        #expect(SHA256Digest(digest.description.uppercased()) == digest)
        var writer = ByteWriter()
        writer.write(digest)
        #expect(writer.bytes == digest.bytes)
        var reader = ByteReader(unsafe writer.bytes.span.bytes)
        let read = try reader.readDigest()
        #expect(read == digest)
        #expect(reader.remaining == 0)
        #expect(SHA256Digest.zero.bytes == [UInt8](repeating: 0, count: 32))
        for (low, high) in [(0, 1), (7, 8), (31, 30)] {
            var less = [UInt8](repeating: 5, count: 32)
            var more = less
            less[low] = 4
            more[high] = 6
            let left = try #require(SHA256Digest(bytes: less))
            let right = try #require(SHA256Digest(bytes: more))
            #expect(left < right && !(right < left))
        }
        for wrong in ["", "00", String(repeating: "0", count: 63), String(repeating: "g", count: 64), String(repeating: "0", count: 66)] {
            #expect(SHA256Digest(wrong) == nil, "\(wrong)")
        }
        #expect(SHA256Digest(bytes: [UInt8](repeating: 0, count: 31)) == nil)
        #expect(SHA256Digest(bytes: [UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test func aShortRecordIsAFault() {
        let bytes = [UInt8](repeating: 1, count: 31)
        #expect(throws: ByteError(.truncated, offset: 0)) {
            var reader = ByteReader(unsafe bytes.span.bytes)
            _ = try reader.readDigest()
        }
    }

    @Test func identitiesTellListsOfPartsApart() {
        let lists: [(String, [String])] = [
            ("card", []), ("card", [""]), ("card", ["", ""]), ("card", ["ab", "c"]), ("card", ["a", "bc"]), ("card", ["abc"]),
            ("deck", ["abc"]), ("cardabc", []), ("", ["card", "abc"]),
        ]
        let ids = lists.map { uniqueID(namespace: $0.0, $0.1) }
        #expect(Set(ids).count == ids.count)
        for id in ids {
            #expect(id.high >> 12 & 0xF == 8)
            #expect(id.low >> 62 == 2)
        }
        // For ever the same: stores hold it.
        #expect(uniqueID(namespace: "card", ["deck", "front"]).description == "395d17bc-fc10-8ee1-9061-95c81d27cc96")
    }
}
