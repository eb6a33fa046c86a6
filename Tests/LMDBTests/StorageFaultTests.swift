import Foundation
import Testing

@testable import LMDB

/// What storage that fails leaves behind. `Tests/Acceptance/faults.py` lets every call of every operation fail; here is what
/// that found.
@Suite struct StorageFaultTests {
    /// The meta page that LMDB leaves behind where writing it failed: the roots of the commit that failed, with the number
    /// and the last page of the commit that the page had been of. Half a write leaves the main tree's root old.
    static func takeBackLastCommit(of store: String, after before: Data, keepsMainTree: Bool) throws {
        let path = URL(filePath: StoreFiles.dataPath(in: store))
        var data = try Data(contentsOf: path)
        let newest = (0...1).max { number(data, $0) < number(data, $1) } ?? 0
        let start = newest * 4096
        let (other, kept) = ((1 - newest) * 4096, keepsMainTree ? 88..<152 : 136..<152)
        data.replaceSubrange(
            start + kept.lowerBound..<start + kept.upperBound, with: before[start + kept.lowerBound..<start + kept.upperBound])
        // The page of the commit before, which the failed one didn't touch.
        data.replaceSubrange(other..<other + 4096, with: before[other..<other + 4096])
        try data.write(to: path)
    }

    private static func number(_ data: Data, _ page: Int) -> UInt64 {
        data[page * 4096 + 144..<page * 4096 + 152].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test(arguments: [false, true]) func aCommitThatFailedAtItsLastStepIsNoDamage(_ keepsMainTree: Bool) throws {
        let folder = TemporaryFolder()
        for commits in 1...8 {
            let store = folder.store("store\(commits)")
            try StoreFixture.make(store, .init(seed: UInt64(commits), commits: commits, eventsPerCommit: 30))
            let content = try StoreFixture.content(store)
            let before = try Data(contentsOf: URL(filePath: StoreFiles.dataPath(in: store)))
            try Self.put(40, in: store)
            try Self.takeBackLastCommit(of: store, after: before, keepsMainTree: keepsMainTree)
            try StoreCheck.quickCheck(store)
            let check = try PageCheck.run(storePath: store)
            #expect(check.findings == [], "after commit \(commits)")
            #expect(try StoreFixture.content(store) == content)
            try Self.put(1, in: store)
            #expect(try PageCheck.run(storePath: store).snapshots.count == 2, "the next commit writes the page")
        }
    }

    /// An older meta page whose root the newest state has in use, or freed itself, is damage like any other.
    @Test func anOlderStateThatIsDamagedIsFound() throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        try StoreFixture.make(store, .init(seed: 3, commits: 9, eventsPerCommit: 30))
        let path = URL(filePath: StoreFiles.dataPath(in: store))
        var data = try Data(contentsOf: path)
        let newest = (0...1).max { Self.number(data, $0) < Self.number(data, $1) } ?? 0
        let (mine, other) = (newest * 4096, (1 - newest) * 4096)
        data.replaceSubrange(other + 128..<other + 136, with: data[mine + 128..<mine + 136])
        try data.write(to: path)
        #expect(try PageCheck.run(storePath: store).findings != [])
    }

    private static func put(_ rows: UInt64, in store: String) throws {
        let environment = try Environment.open(path: store, options: .init(folder: storeFolder, databases: StoreFixture.databases))
        let rowsDatabase = try environment.database("rows")
        try environment.write { transaction throws(LMDBError) in
            for row in 0..<rows { try transaction.put(1_000_000 + row, [UInt8](repeating: 7, count: 500), in: rowsDatabase) }
        }
    }

    /// A power cut in the making of a store leaves any part of its first pages. It is made anew where somebody makes it, and
    /// only if nobody was ever told that it was there.
    @Test(arguments: [1, 100, 4096, 6144, 8192, 12288]) func aTornMakingIsMadeAnew(_ length: Int) throws {
        let folder = TemporaryFolder()
        for (guardText, mayMake) in [("", true), ("", false), ("made\n", true)] {
            let store = folder.store("store-\(length)-\(guardText.isEmpty)-\(mayMake)")
            try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
            try Data(guardText.utf8).write(to: URL(filePath: store + "/kitchen.lock"))
            try Data(count: length).write(to: URL(filePath: store + "/data.mdb"))
            let opened = Result {
                try Environment.open(path: store, options: .init(folder: storeFolder, databases: ["rows"], createIfMissing: mayMake))
            }
            let isMade = (try? opened.get()) != nil
            #expect(isMade == (guardText.isEmpty && mayMake))
            #expect(try isMade || Data(contentsOf: URL(filePath: store + "/data.mdb")) == Data(count: length), "not touched")
        }
    }

    /// A store of which only the data file was kept is damaged, not half made.
    @Test func aDamagedStoreWithoutItsGuardIsNotTakenForATornMaking() throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        try StoreFixture.make(store, .init(seed: 1, commits: 2, eventsPerCommit: 1))
        let path = URL(filePath: StoreFiles.dataPath(in: store))
        for damage in [12288, 16384] {
            let whole = try Data(contentsOf: path)
            let spoilt = whole.prefix(damage)
            try spoilt.write(to: path)
            try Data().write(to: URL(filePath: store + "/kitchen.lock"))
            #expect(throws: LMDBError.self) {
                try Environment.open(path: store, options: .init(folder: storeFolder, databases: StoreFixture.databases))
            }
            #expect(try Data(contentsOf: path) == spoilt)
            try whole.write(to: path)
        }
    }

    /// That the system can't say whether a store is there is no absence of one.
    @Test func aPathThatCannotBeLookedAtIsAFailureOfStorage() throws {
        let folder = TemporaryFolder()
        let loop = folder.store("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        do throws(LMDBError) {
            _ = try Environment.open(path: loop, options: .init(folder: storeFolder, databases: ["rows"], createIfMissing: false))
            Issue.record("a loop was opened")
        } catch {
            #expect(error.code?.rawValue == ELOOP)
        }
    }
}
