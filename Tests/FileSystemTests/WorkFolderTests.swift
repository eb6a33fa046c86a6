import Foundation
import Testing

@testable import FileSystem

/// A folder that goes with the value.
private final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "engram-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func write(_ name: String, _ text: String) { _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(text.utf8)) }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }
}

@Suite struct WorkFolderTests {
    static let kind = WorkFolder.Kind("test", files: ["file"], folders: ["store"], innerFiles: ["data", "lock"])
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make() throws -> WorkFolder {
        let work = try WorkFolder.make(Self.kind, in: folder.path)
        try work.makeFile("file").write(Array("made".utf8), at: 0)
        let inner = try work.makeFolder("store")
        _ = FileManager.default.createFile(atPath: inner + "/data", contents: Data("store".utf8))
        return work
    }

    @Test func nothingStaysOfWhatIsNotPlaced() throws {
        do {
            let work = try make()
            let name = try #require(try folder.names().first)
            #expect(name.hasPrefix(".engram-test-") && name.count == 13 + 32)
            #expect(work.path == folder.path + "/" + name)
        }
        #expect(try folder.names() == [])
    }

    @Test func namesDiffer() throws {
        let works = try (0..<20).map { _ in try make() }
        #expect(Set(works.map(\.path)).count == 20)
        #expect(try folder.names().count == 20)
    }

    @Test func whatIsPlacedStays() throws {
        try make().put("file", as: "a")
        try make().put("store", as: "b")
        #expect(try folder.names() == ["a", "b"])
        #expect(folder.text("a") == "made" && folder.text("b/data") == "store")
    }

    @Test(arguments: ["file", "store"], [true, false]) func aTakenNameIsRefused(made: String, asksSystem: Bool) throws {
        folder.write("taken file", "mine")
        try FileManager.default.createDirectory(atPath: folder.path + "/taken folder", withIntermediateDirectories: true)
        try folder.link("link to file", to: "taken file")
        try folder.link("link to folder", to: "taken folder")
        try folder.link("dangling", to: "nothing")
        let before = try folder.names()
        for name in before {
            let work = try make()
            let error = #expect(throws: SystemCode.self, "\(name)") {
                let (inner, parent) = try (Opened(work.path), Opened(folder.path))
                try inner.folder.moveToFreeName(made, to: parent.folder, as: name, asksSystem: asksSystem)
            }
            #expect(error == .entryExists, "\(name)")
        }
        #expect(try folder.names() == before && folder.text("taken file") == "mine")
    }

    /// A folder in a class, since a pair can't hold it.
    private final class Opened {
        let folder: Folder
        init(_ path: String) throws { folder = try Folder.open(path) }
    }

    @Test(arguments: ["file", "store"], [true, false]) func ofManyAtOnceOneSucceeds(made: String, asksSystem: Bool) async throws {
        for round in 0..<20 {
            let works = try (0..<4).map { _ in try make() }
            let name = "target \(round)"
            let path = folder.path
            let done = await withTaskGroup(of: Bool.self) { group in
                for work in works {
                    group.addTask {
                        do {
                            let (inner, parent) = try (Opened(work.path), Opened(path))
                            try inner.folder.moveToFreeName(made, to: parent.folder, as: name, asksSystem: asksSystem)
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(done == 1)
            #expect(folder.text(made == "file" ? name : name + "/data") == (made == "file" ? "made" : "store"))
        }
    }

    @Test func replacingTakesRegularFilesOnly() throws {
        folder.write("old", "mine")
        try make().put("file", replacing: "old")
        #expect(folder.text("old") == "made")
        try make().put("file", replacing: "new")
        folder.write("target", "mine")
        try folder.link("link", to: "target")
        try FileManager.default.createDirectory(atPath: folder.path + "/folder", withIntermediateDirectories: true)
        for name in ["link", "folder"] {
            let error = #expect(throws: FileError.self) { try make().put("file", replacing: name) }
            #expect(error?.code == .entryExists)
        }
        #expect(folder.text("target") == "mine")
        #expect(try folder.names() == ["folder", "link", "new", "old", "target"])
    }

    @Test func whatSomebodyElsePutThereStays() throws {
        let path: String
        do {
            let work = try make()
            path = work.path
            _ = FileManager.default.createFile(atPath: path + "/letter", contents: Data("mine".utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["letter", "mark"])
    }

    @Test func aFolderThatWasExchangedForALinkIsLeftAlone() throws {
        folder.write("file", "mine")
        let work = try make()
        try FileManager.default.moveItem(atPath: work.path, toPath: folder.path + "/moved")
        try folder.link(Files.name(of: work.path), to: folder.path)
        work.remove()
        #expect(folder.text("file") == "mine")
    }

    // MARK: What a killed run leaves

    private static let token = String(repeating: "5e", count: 16)

    /// A work folder as a killed run leaves one; each change makes it something else.
    private func leave(
        _ token: String = token, kind: String = "test", said: String? = nil, inode: UInt64? = nil, owner: UInt32? = nil, mark: String? = nil
    ) throws -> String {
        let path = folder.path + "/.engram-\(kind)-\(token)"
        try FileManager.default.createDirectory(atPath: path + "/store", withIntermediateDirectories: true)
        let status = try Files.status(of: path, followingLinks: false)
        let text =
            "engram work folder\nkind \(kind)\ntoken \(said ?? token)\nfolder 77 \(inode ?? status.identity.inode)\n"
            + "owner \(owner ?? status.owner)\n"
        for (name, text) in [("mark", mark ?? text), ("file", "half"), ("store/data", "half")] {
            _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(text.utf8))
        }
        return path
    }

    @Test func theNextRunOfTheSameKindRemovesIt() throws {
        _ = try leave()
        let other = try leave(kind: "other")
        let work = try make()
        #expect(try folder.names() == [Files.name(of: other), Files.name(of: work.path)].sorted())
    }

    @Test func killedBeforeItWasMarked() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/.engram-test-" + Self.token, withIntermediateDirectories: true)
        let marked = folder.path + "/.engram-test-" + String(repeating: "0", count: 32)
        try FileManager.default.createDirectory(atPath: marked, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: marked + "/mark", contents: Data())
        WorkFolder.clearLeftovers([Self.kind], in: folder.path)
        #expect(try folder.names() == [])
    }

    @Test func whatIsHeldStays() throws {
        let work = try make()
        WorkFolder.clearLeftovers([Self.kind], in: folder.path)
        #expect(FileManager.default.fileExists(atPath: work.path + "/store/data"))
    }

    @Test func whatProvesNothingStays() throws {
        let other = String(repeating: "0", count: 32)
        var kept = [
            try leave("short"), try leave(String(repeating: "G", count: 32)), try leave(Self.token, said: other),
            try leave(String(repeating: "1", count: 32), inode: 1), try leave(String(repeating: "2", count: 32), owner: 4_000_000),
            try leave(String(repeating: "3", count: 32), mark: "engram work folder\n"),
            try leave(String(repeating: "4", count: 32), mark: ""),
        ]
        for (digit, name) in [("5", "letter"), ("6", "store/letter")] {
            kept.append(try leave(String(repeating: digit, count: 32)))
            _ = FileManager.default.createFile(atPath: (kept.last ?? "") + "/" + name, contents: Data())
        }
        // A link where a file or folder belongs.
        for (digit, name) in [("7", "file"), ("8", "store/data"), ("9", "mark")] {
            kept.append(try leave(String(repeating: digit, count: 32)))
            let path = (kept.last ?? "") + "/" + name
            try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/moved \(digit)")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/moved \(digit)")
        }
        let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        _ = try make()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    }

    @Test func aLinkToSomebodysFolderStays() throws {
        let other = try TemporaryFolder()
        other.write("file", "mine")
        try folder.link(".engram-test-" + Self.token, to: other.path)
        _ = try make()
        #expect(try folder.names() == [".engram-test-" + Self.token] && other.names() == ["file"])
    }
}
