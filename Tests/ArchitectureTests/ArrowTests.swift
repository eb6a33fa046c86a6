import Foundation
import Testing

/// The rooms and who may import whom. Arrows only go down.
@Suite struct ArrowTests {
    /// Every room with the rooms and C libraries that it may import, lowest first.
    static let arrows: [(room: String, mayImport: Set<String>)] = [
        ("FileSystem", ["CFiles"]),
        ("EventCoding", ["CXXHash", "CPrefetch"]),
        ("Hashing", ["EventCoding", "CCrypto"]),
        ("JSONText", ["CJansson"]),
        ("TextFolding", ["CUTF8Proc"]),
        ("LMDB", ["FileSystem", "CLMDB", "CPrefetch", "CXXHash"]),
        ("SQLite", ["FileSystem", "CSQLite"]),
        ("Archive", ["CZip", "CZstd", "CZlib"]),
        ("EventLog", ["FileSystem", "EventCoding", "Hashing", "LMDB"]),
        ("Words", ["EventCoding", "Hashing", "TextFolding", "LMDB"]),
        ("StudyModel", ["EventCoding", "JSONText"]),
        ("Scheduling", ["StudyModel"]),
        ("StudyProjections", ["EventCoding", "StudyModel", "Scheduling"]),
        ("Exchange", ["FileSystem", "EventCoding", "Hashing", "JSONText", "TextFolding", "StudyModel", "Scheduling", "SQLite", "Archive"]),
        ("Packs", ["FileSystem", "EventCoding", "Hashing", "JSONText", "StudyModel", "SQLite"]),
        ("ContentStore", ["EventCoding", "LMDB"]),
        (
            "Engram",
            [
                "FileSystem", "EventCoding", "Hashing", "JSONText", "LMDB", "EventLog", "Words", "StudyModel", "Scheduling",
                "StudyProjections", "Exchange", "Packs", "ContentStore",
            ]
        ),
        ("EngramTesting", ["EventCoding", "StudyModel", "Scheduling", "StudyProjections", "EventLog"]),
        ("CommandLineFrame", []),
        ("EngramCLI", ["FileSystem", "CommandLineFrame", "Engram"]),
    ]

    /// C libraries of the system: a module map and a header each, and no Swift.
    static let libraries: Set<String> = [
        "CLMDB", "CSQLite", "CCrypto", "CZip", "CZstd", "CXXHash", "CJansson", "CUTF8Proc", "CZlib", "CPrefetch", "CFiles",
    ]

    /// What comes with Swift and may be used anywhere.
    static let always: Set<String> = ["Synchronization"]
    static let platforms: Set<String> = ["Glibc", "Musl", "Darwin"]

    /// The files that may use more of the system: the seams through which a room opens a file, asks a terminal, starts a thread.
    static let seams: [String: Set<String>] = [
        "Sources/CommandLineFrame/System.swift": platforms,
        "Sources/Engram/LineReader.swift": platforms,
        "Sources/EngramCLI/main.swift": platforms,
        "Sources/Exchange/ForeignFile.swift": platforms,
        "Sources/FileSystem/FileStatus.swift": platforms,
        "Sources/FileSystem/Files.swift": platforms,
        "Sources/FileSystem/Folder.swift": platforms,
        "Sources/FileSystem/OwnedFile.swift": platforms,
        "Sources/FileSystem/Shortage.swift": platforms,
        "Sources/FileSystem/SystemCode.swift": platforms,
        "Sources/FileSystem/WorkPlace.swift": platforms,
        "Sources/LMDB/System.swift": platforms,
        "Sources/LMDB/Threads.swift": platforms,
        "Sources/Packs/PackFile.swift": platforms,
        "Sources/SQLite/PrivateCopy.swift": platforms,
        "Sources/SQLite/SQLiteDatabase+Opening.swift": platforms,
    ]

    static let sources = SourceTree.files(under: "Sources", withExtension: "swift")

    @Test func theManifestDrawsTheSameArrows() {
        let manifest = SourceTree.text("Package.swift")
        var drawn: [String: Set<String>] = [:]
        let rooms = manifest.matches(of: /\broom\(\s*"(\w+)",\s*\[([^\]]*)\]/).map { ($0.1, $0.2) }
        let program = manifest.matches(of: /executableTarget\(name: "(EngramCLI)", dependencies: \[([^\]]*)\]/).map { ($0.1, $0.2) }
        for (name, list) in rooms + program { drawn[String(name)] = Set(list.matches(of: /"(\w+)"/).map { String($0.1) }) }
        #expect(drawn == Dictionary(Self.arrows.map { ($0.room, $0.mayImport) }) { first, _ in first })
        #expect(SourceTree.entries("Sources") == (Self.arrows.map(\.room) + Self.libraries).sorted(), "Sources holds rooms alone")
    }

    @Test func arrowsOnlyGoDown() {
        var below: Set<String> = Self.libraries
        for (room, mayImport) in Self.arrows {
            let up = mayImport.subtracting(below).sorted()
            #expect(up.isEmpty, "\(room) may not import \(up), which stand above it")
            below.insert(room)
        }
    }

    @Test func everyFileKeepsToTheArrowsOfItsRoom() {
        let arrows = Dictionary(Self.arrows.map { ($0.room, $0.mayImport) }) { first, _ in first }
        #expect(Self.sources.count > 20)
        for file in Self.sources {
            let ours = file.imports.intersection(Set(arrows.keys).union(Self.libraries))
            let strange = ours.subtracting(arrows[file.room] ?? []).sorted()
            #expect(strange.isEmpty, "\(file.path) imports \(strange)")
            let strangers = file.imports.subtracting(ours).subtracting(Self.always).subtracting(Self.seams[file.path] ?? []).sorted()
            #expect(strangers.isEmpty, "\(file.path) imports \(strangers)")
        }
        for (seam, modules) in Self.seams {
            let used = Self.sources.first { $0.path == seam }?.imports ?? []
            #expect(!used.isDisjoint(with: modules), "\(seam) needs no exception any more")
        }
    }

    @Test func librariesHoldNoSwift() {
        for library in Self.libraries.sorted() { #expect(SourceTree.entries("Sources/\(library)") == ["module.modulemap", "shim.h"]) }
    }

    @Test func everyRoomHasTests() {
        for (room, _) in Self.arrows {
            #expect(!SourceTree.files(under: "Tests/\(room)Tests", withExtension: "swift").isEmpty, "\(room) has no tests of its own")
        }
    }
}
