import Foundation
import Testing

@testable import LMDB

/// Another data file takes a store's place: all of it or nothing of it.
@Suite struct ReplacementTests {
    private static func make(_ path: String, _ value: UInt8) throws -> Environment {
        let environment = try Environment.open(path: path, options: .init(databases: ["rows"]))
        let rows = try environment.database("rows")
        try environment.write { transaction throws(LMDBError) in try transaction.put(1, [value], in: rows) }
        return environment
    }

    private static func value(_ environment: Environment) throws -> UInt8? {
        let rows = try environment.database("rows")
        return try environment.read { transaction throws(LMDBError) in try transaction.value(for: 1, in: rows)?.array.first }
    }

    private static func value(at path: String) throws -> UInt8? {
        try value(try Environment.open(path: path, options: .init(databases: ["rows"])))
    }

    private static func names(in path: String) throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }

    private static let atRest: Set = ["data.mdb", "lock.mdb", "engram.lock", "writer.lock", CommitNote.name]

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
            let error = #expect(throws: LMDBError.self) { _ = try Environment.open(path: path, options: .init(databases: ["rows"])) }
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

    @Test func leftoversOfACrashGoWithTheNextReplacement() throws {
        let folder = TemporaryFolder()
        let path = folder.store()
        _ = try Self.make(path, 1)
        _ = try Self.make(path + "/replacement", 9)
        _ = FileManager.default.createFile(atPath: path + "/data.mdb.previous", contents: Data([1]))
        let old = try Environment.open(path: path, options: .init(databases: ["rows"]))
        old.clearLeftovers()
        #expect(try Self.names(in: path) == Self.atRest)
        #expect(try Self.value(old) == 1)
    }
}
