import FileSystem
import Foundation
import Testing

@testable import LMDB

/// Another data file takes a store's place: all of it or nothing of it.
@Suite struct ReplacementTests {
    private static func make(_ path: String, _ value: UInt8) throws -> Environment {
        let environment = try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"]))
        let rows = try environment.database("rows")
        try environment.write { transaction throws(LMDBError) in try transaction.put(1, [value], in: rows) }
        return environment
    }

    private static func value(_ environment: Environment) throws -> UInt8? {
        let rows = try environment.database("rows")
        return try environment.read { transaction throws(LMDBError) in try transaction.value(for: 1, in: rows)?.array.first }
    }

    private static func value(at path: String) throws -> UInt8? {
        try value(try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"])))
    }

    private static func names(in path: String) throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }

    private static let atRest: Set = ["data.mdb", "lock.mdb", "kitchen.lock", "writer.lock", CommitNote.name]

    private enum Refusal: Error { case no }

    @Test func theNewFileTakesThePlaceAndTheOldEnvironmentKnows() throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        do {
            let old = try Self.make(path, 1)
            let outcome = try old.replaceData { folder in
                _ = try Self.make(folder, 2)
                return true
            }
            #expect(outcome == .done)
            #expect(throws: TransactionError<LMDBError>.self) { _ = try Self.value(old) }
            // As long as somebody holds it, nobody opens the new file beside it.
            let error = #expect(throws: LMDBError.self) {
                _ = try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"]))
            }
            #expect(error?.fault == .replaced)
        }
        #expect(try Self.value(at: path) == 2)
        #expect(try Self.names(in: path) == Self.atRest)
    }

    @Test func whatIsDeclinedOrFailsChangesNothing() throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        let old = try Self.make(path, 1)
        #expect(
            try old.replaceData { folder in
                _ = try Self.make(folder, 2)
                return false
            } == .declined)
        #expect(throws: TransactionError<Refusal>.self) { try old.replaceData { _ throws(Refusal) in throw .no } }
        // A file that isn't a sound store doesn't take the place of one.
        #expect(throws: TransactionError<LMDBError>.self) {
            try old.replaceData { folder throws(LMDBError) in
                _ = FileManager.default.createFile(atPath: folder + "/data.mdb", contents: Data(count: 8192))
                return true
            }
        }
        #expect(try Self.value(old) == 1)
        #expect(try Self.names(in: path) == Self.atRest)
    }

    @Test func whatABuilderStillHoldsOpenIsRefused() throws {
        let folder = TemporaryFolder()
        let old = try Self.make(folder.store(), 1)
        var held: Environment?
        #expect(throws: TransactionError<LMDBError>.self) {
            try old.replaceData { folder throws(LMDBError) in
                held = try? Self.make(folder, 2)
                return true
            }
        }
        #expect(held != nil)
        #expect(try Self.value(old) == 1)
    }

    /// What a killed replacement leaves: the work folder with its mark, which nobody holds locked any more.
    private static func leaveBehind(in path: String, token: String, kind: String = "replace", inode: UInt64? = nil) throws -> String {
        let folder = path + "/.engram-\(kind)-\(token)"
        try FileManager.default.createDirectory(atPath: folder + "/store", withIntermediateDirectories: true)
        let status = try Files.status(of: folder, followingLinks: false)
        let mark =
            "engram work folder\nkind \(kind)\ntoken \(token)\nfolder 1 \(inode ?? status.identity.inode)\nowner \(status.owner)\n"
        _ = FileManager.default.createFile(atPath: folder + "/mark", contents: Data(mark.utf8))
        for name in ["store/data.mdb", "store/lock.mdb", "previous"] {
            _ = FileManager.default.createFile(atPath: folder + "/" + name, contents: Data([1]))
        }
        return folder
    }

    @Test func leftoversOfACrashGoWithTheNextOpener() throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        _ = try Self.make(path, 1)
        let token = String(repeating: "0a", count: 16)
        _ = try Self.leaveBehind(in: path, token: token)
        let old = try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"]))
        old.clearLeftovers()
        #expect(try Self.names(in: path) == Self.atRest)
        #expect(try Self.value(old) == 1)
    }

    @Test func whatProvesNothingStays() throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        _ = try Self.make(path, 1)
        let other = try Self.make(folder.store("other"), 7)
        // Names that earlier versions used: somebody's store, a link to another, a file.
        _ = try Self.make(path + "/replacement", 9)
        _ = FileManager.default.createFile(atPath: path + "/data.mdb.previous", contents: Data([1]))
        let token = String(repeating: "0b", count: 16)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/.engram-replace-" + token, withDestinationPath: folder.store("other"))
        let copied = try Self.leaveBehind(in: path, token: String(repeating: "0c", count: 16), inode: 1)
        let foreign = try Self.leaveBehind(in: path, token: String(repeating: "0d", count: 16))
        _ = FileManager.default.createFile(atPath: foreign + "/letter.txt", contents: Data([1]))
        let before = try Self.names(in: path)
        let environment = try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"]))
        environment.clearLeftovers()
        _ = try environment.replaceData { folder throws(LMDBError) in
            do { _ = try Self.make(folder, 2) } catch { return false }
            return true
        }
        #expect(try Self.names(in: path) == before)
        #expect(FileManager.default.fileExists(atPath: copied + "/store/data.mdb"))
        #expect(FileManager.default.fileExists(atPath: foreign + "/store/data.mdb"))
        #expect(try Self.value(other) == 7)
    }

    @Test(arguments: ["data.mdb", "lock.mdb", "kitchen.lock", "writer.lock", "recipes.txt"], [true, false])
    func aLinkUnderAnOwnNameIsRefused(name: String, leadsSomewhere: Bool) throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        _ = try Self.make(path, 1)
        try? FileManager.default.removeItem(atPath: path + "/" + name)
        let target = folder.path + "/target"
        if leadsSomewhere { _ = FileManager.default.createFile(atPath: target, contents: Data("mine".utf8)) }
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
        for readOnly in [true, false] {
            let error = #expect(throws: LMDBError.self) {
                try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"], readOnly: readOnly))
            }
            #expect(error?.fault == .unusable(.notARegularFile(path: path + "/" + name)))
        }
        #expect(FileManager.default.contents(atPath: target) == (leadsSomewhere ? Data("mine".utf8) : nil))
    }

    @Test(arguments: ["letter.txt", "data.mdb", "recipes.txt", "lock.mdb"]) func aNewStoreWantsItsFolderForItself(name: String) throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data())
        var options = Environment.Options(folder: storeFolder, databases: ["rows"])
        options.mustBeNew = true
        let error = #expect(throws: LMDBError.self) { try Environment.open(path: path, options: options) }
        #expect(error?.code == .entryExists)
        #expect(try Self.names(in: path) == [name])
    }

    @Test func nothingIsPutBesideAnotherProgramsFile() throws {
        let folder = TemporaryFolder()
        _ = try Self.make(folder.store(), 1)
        for name in try Self.names(in: folder.store()) where name != "data.mdb" {
            try FileManager.default.removeItem(atPath: folder.store() + "/" + name)
        }
        let options = Environment.Options(folder: storeFolder, databases: ["others", "rows"], required: ["others"], createIfMissing: false)
        let error = #expect(throws: LMDBError.self) { try Environment.open(path: folder.store(), options: options) }
        let dataPath = folder.store() + "/data.mdb"
        #expect(error?.fault == .unusable(.missingDatabase(path: dataPath, name: "others")))
        #expect(try Self.names(in: folder.store()) == ["data.mdb"])
        #expect(throws: StoreFileError.missingDatabase(path: dataPath, name: "others")) {
            try StoreCheck.checkNames(["rows", "others"], in: folder.store())
        }
        try StoreCheck.checkNames(["rows"], in: folder.store())
    }

    @Test func aNewStoreIsMadeInNoOtherFile() throws {
        let folder = TemporaryFolder()
        // Another program's, beside a guard that an earlier version left there.
        _ = try Self.make(folder.store(), 1)
        let data = try #require(FileManager.default.contents(atPath: folder.store() + "/data.mdb"))
        for mark in ["", "made\n"] {
            _ = FileManager.default.createFile(atPath: folder.store() + "/kitchen.lock", contents: Data(mark.utf8))
            var options = Environment.Options(folder: storeFolder, databases: ["others", "rows"])
            options.mustBeNew = true
            let error = #expect(throws: LMDBError.self) { try Environment.open(path: folder.store(), options: options) }
            #expect(error?.code == .entryExists)
            #expect(FileManager.default.contents(atPath: folder.store() + "/data.mdb") == data)
        }
    }
}
