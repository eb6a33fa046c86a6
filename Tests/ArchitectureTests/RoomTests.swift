import Foundation
import Testing

/// What the build doesn't hold the rooms to; which room imports which, it does: tools/test has it check every import against Package.swift.
@Suite struct RoomTests {
    static let sources = SourceTree.files(under: "Sources", withExtension: "swift")
    static let rooms = Set(sources.map(\.room)).sorted()
    /// C libraries of the system: a module map and a header each, and no Swift.
    static let libraries = SourceTree.entries("Sources").filter { !rooms.contains($0) }

    /// What comes with Swift and may be used anywhere.
    static let always: Set<String> = ["Synchronization"]
    static let platforms: Set<String> = ["Glibc", "Musl", "Darwin"]

    /// The files that may use more of the system: the seams through which a room opens a file, asks a terminal, starts a thread.
    static let seams: [String: Set<String>] = [
        "Sources/CommandLineKit/System.swift": platforms,
        "Sources/FileSystem/FileStatus.swift": platforms,
        "Sources/FileSystem/Files.swift": platforms,
        "Sources/EngramFoundation/StudyQuery.swift": ["Observation"],
        "Sources/EngramFoundation/StudyStore+Foundation.swift": ["Foundation"],
        "Sources/EngramFoundation/ZonedTime+Foundation.swift": ["Foundation"],
        "Sources/FileSystem/Folder.swift": platforms,
        "Sources/FileSystem/OwnedFile.swift": platforms,
        "Sources/FileSystem/Shortage.swift": platforms,
        "Sources/FileSystem/SystemCode.swift": platforms,
        "Sources/FileSystem/WorkPlace.swift": platforms,
        "Sources/LMDB/System.swift": platforms,
        "Sources/LMDB/Threads.swift": platforms,
    ]

    @Test func filesUseTheSystemThroughTheirSeamsAlone() {
        #expect(Self.sources.count > 20)
        let known = Self.always.union(Self.rooms).union(Self.libraries)
        for file in Self.sources {
            let strangers = file.imports.subtracting(known).subtracting(Self.seams[file.path] ?? []).sorted()
            #expect(strangers.isEmpty, "\(file.path) imports \(strangers)")
        }
        for (seam, modules) in Self.seams {
            let used = Self.sources.first { $0.path == seam }?.imports ?? []
            #expect(!used.isDisjoint(with: modules), "\(seam) needs no exception any more")
        }
    }

    @Test func librariesHoldNoSwift() {
        #expect(!Self.libraries.isEmpty)
        for library in Self.libraries { #expect(SourceTree.entries("Sources/\(library)") == ["module.modulemap", "shim.h"]) }
    }

    @Test func everyRoomHasTests() {
        for room in Self.rooms {
            #expect(!SourceTree.files(under: "Tests/\(room)Tests", withExtension: "swift").isEmpty, "\(room) has no tests of its own")
        }
    }
}
