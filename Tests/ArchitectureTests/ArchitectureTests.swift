import Foundation
import Testing

/// The house as its rules say: arrows that only go down, no traps, one idea a file.
@Suite struct ArchitectureTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Which rooms each room may import, beside the standard library.
    static let arrows: [String: Set<String>] = [
        "EventCoding": ["CXXHash"],
        "Hashing": ["EventCoding", "CCrypto"],
        "JSONText": ["CJansson"],
        "LMDB": ["CLMDB"],
        "SQLite": ["CSQLite"],
        "Archive": ["CZip", "CZstd"],
        "EventLog": ["EventCoding", "Hashing", "LMDB"],
        "StudyModel": ["EventCoding", "JSONText"],
        "Scheduling": ["StudyModel"],
        "StudyProjections": ["EventCoding", "StudyModel", "Scheduling"],
        "Exchange": ["EventCoding", "Hashing", "JSONText", "StudyModel", "SQLite", "Archive"],
        "Engram": [
            "EventCoding", "Hashing", "JSONText", "LMDB", "EventLog", "StudyModel", "Scheduling", "StudyProjections", "Exchange",
        ],
        "EngramTesting": ["EventCoding", "Hashing", "StudyModel", "Scheduling", "StudyProjections", "EventLog"],
        "CommandLineFrame": [],
        "EngramCLI": ["CommandLineFrame", "Engram"],
    ]

    /// Modules of the toolchain that any room may import.
    static let toolchain: Set<String> = ["Synchronization", "Dispatch"]
    /// The system's C library, for files that keep it behind a seam.
    static let platform: Set<String> = ["Glibc", "Musl", "Darwin"]
    static let platformFiles: Set<String> = [
        "LMDB/System.swift", "SQLite/SQLiteDatabase+Opening.swift", "CommandLineFrame/System.swift", "EngramCLI/main.swift",
        "Engram/LineReader.swift",
        "Exchange/ForeignFile.swift",
        "SQLite/PrivateCopy.swift",
    ]

    struct Source {
        let room: String
        /// Relative to `Sources`.
        let path: String
        let lines: [String]
    }

    static let sources: [Source] = {
        let folder = root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var result: [Source] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let path = String(file.path.dropFirst(folder.path.count + 1))
            result.append(
                Source(
                    room: String(path.prefix { $0 != "/" }), path: path,
                    lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)))
        }
        return result.sorted { $0.path < $1.path }
    }()

    @Test func arrowsOnlyGoDown() throws {
        #expect(Self.sources.count > 100)
        for source in Self.sources {
            let allowed = try #require(Self.arrows[source.room], "the room \(source.room) isn't in the table")
            for line in source.lines {
                let words = line.split(separator: " ").map(String.init)
                guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                    words[..<place].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0) })
                else { continue }
                let module = words[place + 1]
                let isPlatform = Self.platform.contains(module) && Self.platformFiles.contains(source.path)
                #expect(
                    allowed.contains(module) || Self.toolchain.contains(module) || isPlatform, "\(source.path) imports \(module)")
            }
        }
    }

    @Test func noRoomTrapsOnWhatAFileOrAPersonCanCause() {
        let traps = ["try!", "as!", "fatalError(", "TODO", "FIXME"]
        for source in Self.sources {
            for (index, line) in source.lines.enumerated() {
                let code = line.components(separatedBy: "//").first ?? ""
                for trap in traps where code.contains(trap) { Issue.record("\(source.path):\(index + 1): \(trap)") }
                if code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)") {
                    let before = source.lines[max(0, index - 6)..<index].contains { $0.contains("//") }
                    #expect(before, "\(source.path):\(index + 1): an unchecked promise without its reason")
                }
            }
        }
    }

    @Test func aFileHoldsOneIdea() {
        for source in Self.sources where !source.path.contains("/Generated/") {
            #expect(source.lines.count <= 500, "\(source.path) has \(source.lines.count) lines")
        }
    }

    @Test func noTypeHasItsModulesName() {
        for source in Self.sources {
            for (index, line) in source.lines.enumerated() {
                for keyword in ["struct", "class", "enum", "protocol", "actor"] {
                    let isSo = line.contains("\(keyword) \(source.room) ") || line.contains("\(keyword) \(source.room):")
                    #expect(!isSo, "\(source.path):\(index + 1)")
                }
            }
        }
    }

    @Test func theTopLevelIsWhatTheManifestSays() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.path).filter { !$0.hasPrefix(".") }
        let allowed: Set<String> = [
            "Package.swift", "Sources", "Tests", "Schemas", "tools", "README.md", "LICENSE", "ARCHITECTURE.md", "CHANGELOG.md", "docs",
        ]
        #expect(Set(names).subtracting(allowed).isEmpty, "\(Set(names).subtracting(allowed))")
        #expect(allowed.isSubset(of: names))
    }

    @Test func decisionsAreNumberedWithoutGaps() throws {
        let folder = Self.root.appendingPathComponent("docs/decisions").path
        let numbers = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0.prefix(4)) }.sorted()
        #expect(numbers == Array(1...max(1, numbers.count)))
    }
}
