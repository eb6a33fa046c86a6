import Foundation
import Synchronization
import Testing

@testable import LMDB

@Suite struct EnvironmentTests {
    static let options = Environment.Options(folder: storeFolder, databases: ["rows"])

    /// A store is opened once a process, however its path is spelt: a second open would wipe the first one's locks.
    @Test func oneStoreIsOneEnvironment() throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        let environment = try Environment.open(path: store, options: Self.options)
        let link = folder.store("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
        for spelling in [store, store + "/", folder.path + "/./store", store + "/../store", link, link + "/."] {
            #expect(try Environment.open(path: spelling, options: Self.options) === environment, "\(spelling)")
        }
        #expect(throws: LMDBError.self) { try Environment.open(path: store, options: .init(folder: storeFolder, databases: ["others"])) }
        #expect(throws: LMDBError.self) { try environment.database("others") }
        let other = try Environment.open(path: folder.store("other"), options: Self.options)
        #expect(other.dataFileIdentity != environment.dataFileIdentity)
    }

    /// Many threads open, use and drop a store at once: it is never open twice, nor closed under a transaction.
    @Test func opensAndClosesMayRace() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        let environment = try Environment.open(path: store, options: Self.options)
                        let rows = try environment.database("rows")
                        try environment.write { transaction throws(LMDBError) in
                            try transaction.put(UInt64(try transaction.count(in: rows)), [1], in: rows, mode: .append)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let environment = try Environment.open(path: store, options: Self.options)
        let rows = try environment.database("rows")
        #expect(try environment.read { reader throws(LMDBError) in try reader.count(in: rows) } == 160)
        #expect(try environment.checkPages().findings == [])
    }

    @Test func aNewStoreIsItsOwnersAlone() throws {
        let folder = TemporaryFolder()
        let environment = try Environment.open(path: folder.store(), options: Self.options)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(environment.path) == 0o700)
        for name in ["data.mdb", "lock.mdb", "kitchen.lock", "writer.lock"] {
            #expect(try mode(environment.path + "/" + name) == 0o600, "\(name)")
        }
        let facts = try environment.facts()
        #expect(facts.mapSize <= Environment.Options.generousMapSize)
        #expect(facts.maxReaders == 256)
        #expect(!environment.isReadOnly)
    }

    /// The map takes as much address space as the system grants, and never less than the data need.
    @Test func theMapIsNeverSmallerThanTheData() throws {
        let folder = TemporaryFolder()
        try StoreFixture.make(folder.store(), StoreFixture.shapes[3])
        let environment = try Environment.open(
            path: folder.store(), options: .init(folder: storeFolder, databases: StoreFixture.databases, mapSize: 1))
        #expect(try environment.facts().mapSize > 1 << 20)
        #expect(try environment.checkPages().findings == [])
        let huge = try Environment.open(path: folder.store("huge"), options: .init(folder: storeFolder, databases: ["rows"], mapSize: .max))
        #expect(try huge.facts().mapSize >= 1 << 30)
    }

    @Test func aReadOnlyStoreIsReadAndNotWritten() throws {
        let folder = TemporaryFolder()
        let options = Environment.Options(folder: storeFolder, databases: ["rows", "added later"], readOnly: true)
        #expect(throws: LMDBError(.unusable(.notAStore(path: folder.store())), operation: "open", path: folder.store())) {
            try Environment.open(path: folder.store(), options: options)
        }
        do {
            let environment = try Environment.open(path: folder.store(), options: Self.options)
            let rows = try environment.database("rows")
            try environment.write { transaction throws(LMDBError) in try transaction.put(1, [1], in: rows) }
        }
        let environment = try Environment.open(path: folder.store(), options: options)
        #expect(environment.isReadOnly)
        let (rows, later) = (try environment.database("rows"), try environment.database("added later"))
        try environment.read { reader throws(TransactionError<Never>) in
            do throws(LMDBError) {
                #expect(try reader.value(for: 1, in: rows)?.array == [1])
                // A database that the store doesn't have reads as an empty one.
                #expect(try reader.value(for: 1, in: later)?.array == nil)
                #expect(try reader.count(in: later) == 0)
            } catch {
                throw .storage(error)
            }
            try reader.forEach(in: later) { _, _ in
                Issue.record("an entry where there is none")
                return false
            }
        }
        do throws(TransactionError<Never>) {
            try environment.write { _ in }
            Issue.record("a write to a read-only store")
        } catch {
            #expect(error.error.fault == .readOnly)
        }
        #expect(throws: LMDBError(.alreadyOpenReadOnly, operation: "mdb_env_open", path: folder.store())) {
            try Environment.open(path: folder.store(), options: Self.options)
        }
    }

    /// A process that dies while it makes a store leaves an empty file and nothing lost; the same file in a store that was
    /// once acknowledged is a loss.
    @Test func onlyAnUnfinishedStoreIsMadeAnew() throws {
        let folder = TemporaryFolder()
        for (guardText, isMade) in [("", true), ("made\n", false)] {
            let store = folder.store("store\(isMade)")
            try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
            try Data(guardText.utf8).write(to: URL(filePath: store + "/kitchen.lock"))
            try Data().write(to: URL(filePath: store + "/data.mdb"))
            let opened = Result { try Environment.open(path: store, options: Self.options) }
            switch opened {
            case .success: #expect(isMade)
            case .failure(let error):
                let data = store + "/data.mdb"
                #expect(!isMade)
                #expect(
                    error as? LMDBError
                        == LMDBError(.unusable(.tooShort(path: data, length: 0, needed: 8192)), operation: "open", path: store))
            }
        }
    }

    /// After a write that failed half-way the environment is of no use; when everybody has let it go, it opens again.
    @Test func anEnvironmentThatPanickedMustBeOpenedAgain() throws {
        let folder = TemporaryFolder()
        func use(_ environment: Environment) -> LMDBError.Reason? {
            do throws(TransactionError<Never>) { try environment.read { _ in } } catch { return error.error.fault }
            return nil
        }
        do {
            let environment = try Environment.open(path: folder.store(), options: Self.options)
            environment.gate.withLock { $0.isUnusable = true }
            #expect(use(environment) == .panicked)
            #expect(throws: LMDBError(.panicked, operation: "mdb_env_open", path: folder.store())) {
                try Environment.open(path: folder.store(), options: Self.options)
            }
        }
        #expect(use(try Environment.open(path: folder.store(), options: Self.options)) == nil)
    }

    @Test(arguments: [false, true]) func aCopyIsWholeAndNothingIsOverwritten(_ compacting: Bool) throws {
        let folder = TemporaryFolder()
        try StoreFixture.make(folder.store(), StoreFixture.shapes[4])
        let content = try StoreFixture.content(folder.store())
        let environment = try Environment.open(path: folder.store(), options: .init(folder: storeFolder, databases: StoreFixture.databases))
        let copy = folder.store("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try environment.copyData(to: copy + "/data.mdb", compacting: compacting)
        #expect(try PageCheck.run(storePath: copy).findings == [])
        #expect(try StoreFixture.content(copy) == content)
        do throws(LMDBError) {
            try environment.copyData(to: copy + "/data.mdb")
            Issue.record("a file was overwritten")
        } catch {
            #expect(error.code == .entryExists)
        }
    }

    @Test func errorsSayWhatToDo() {
        let faults: [(LMDBError.Reason, String)] = [
            (.failed(.keyExists), "Key/data pair already exists"), (.failed(.noSpace), "No space left"),
            (.commitOutcomeUnknown(.noSpace), "may or may not be on the disk"), (.mapFull(mapSize: 5), "5 bytes is full"),
            (.mapResized, "try again"), (.panicked, "open it again"), (.nestedWrite, "would wait for itself"),
            (.readOnly, "reading only"), (.forked, "fork"), (.unsupportedLibrary(version: "1.0.0"), "0.9 is needed"),
            (.alreadyOpenReadOnly, "close it first"), (.unknownDatabase("x"), "“x”"),
            (.valueNotFilled(expected: 3, written: 1), "1 were written"),
            (.unusable(.unsupportedVersion(path: "p", version: 2)), "format version 2"),
        ]
        for (fault, part) in faults {
            let text = LMDBError(fault, operation: "op", path: "/store").description
            #expect(text.hasPrefix("/store: op: "))
            #expect(text.contains(part), "\(text)")
        }
        #expect(LMDBCode(rawValue: -12345).description.contains("-12345"))
    }
}
