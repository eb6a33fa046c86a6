import Testing

@testable import Archive

struct ZipMakerTests {
    @Test func whatIsPackedIsReadAgain() throws {
        let folder = try TemporaryFolder()
        let members: [(name: String, content: [UInt8])] = [
            ("collection.anki2", (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }), ("media", Array("{}".utf8)),
            ("empty", []),
            ("ß 🐕", [0]), ("zeros", [UInt8](repeating: 0, count: 300_000)),
        ]
        let bytes = try ZipMaker.bytes(of: members)
        let archive = try ZipArchive(path: try folder.write(bytes, "made.zip"))
        for (name, content) in members { #expect(try archive.read(name) == content, "\(name)") }
        #expect(try ZipMaker.bytes(of: members) == bytes, "the same members, the same bytes")
        #expect(bytes.count < 1_100_000)
    }

    @Test func aNameTwiceIsAnError() {
        #expect(throws: ArchiveError.self) { _ = try ZipMaker.bytes(of: [("a", [1]), ("a", [2])]) }
    }
}
