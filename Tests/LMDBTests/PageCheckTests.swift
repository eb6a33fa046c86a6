import EventCoding
import Testing

@testable import LMDB

@Suite struct PageCheckTests {
    @Test(arguments: StoreFixture.shapes) func aSoundStoreIsAccountedForPageByPage(_ shape: StoreFixture.Shape) throws {
        let folder = TemporaryFolder()
        try StoreFixture.make(folder.store(), shape)
        try StoreCheck.quickCheck(folder.store())
        let check = try PageCheck.run(storePath: folder.store())
        #expect(check.findings == [])
        #expect(check.snapshots.count == 2)
        for snapshot in check.snapshots {
            #expect(snapshot.usedPages + snapshot.freePages == snapshot.lastPage + 1)
            #expect(snapshot.leakedPages == 0)
        }
        let content = try StoreFixture.content(folder.store())
        let newest = try #require(check.snapshots.first)
        for tree in newest.trees {
            guard let name = tree.name else { continue }
            #expect(tree.entries * 2 == UInt64(content[String(decoding: name, as: UTF8.self)]?.count ?? -1))
        }
        #expect(newest.trees.compactMap(\.name).count == StoreFixture.databases.count)
        #expect(!shape.emptiesLargeDatabase || (newest.trees.last?.overflowPages ?? 0) > 0)
    }

    /// Random writes, deletions, aborted writes and reads that pin pages: never a false alarm, after any commit.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func noCommitLeavesAFinding(_ seed: UInt64) throws {
        let folder = TemporaryFolder()
        let environment = try Environment.open(path: folder.store(), options: .init(folder: storeFolder, databases: StoreFixture.databases))
        let databases = try StoreFixture.databases.map { name throws in try environment.database(name) }
        var random = SplitMix64(seed: seed)
        let keys = 1 + random.next() % 300
        let longestValue = [10, 300, 3000, 30_000][Int(random.next() % 4)]
        for commit in 0..<12 {
            let write = { () throws(TransactionError<LMDBError>) in
                try environment.write { transaction throws(LMDBError) in
                    for _ in 0..<random.next() % 60 {
                        let database = databases[Int(random.next() % 4)]
                        switch random.next() % 16 {
                        case 0..<9:
                            try transaction.put(
                                random.next() % keys, random.bytes(Int(random.next() & 0xFFFF) % longestValue), in: database)
                        case 9: try transaction.put(random.bytes(1 + Int(random.next() % 511)), [1], in: database)
                        case 10 where random.next() % 8 == 0: try transaction.deleteAll(in: database)
                        case 11 where random.next() % 30 == 0: throw transaction.handle.failure(.readOnly, "test")
                        default: try transaction.delete(random.next() % keys, in: database)
                        }
                    }
                }
            }
            // An aborted write is one of the things that happen.
            if random.next() % 3 == 0 {
                try environment.read { _ throws(Never) in
                    try? write()
                    try? write()
                }
            } else {
                try? write()
            }
            #expect(try environment.checkPages().findings == [], "seed \(seed), commit \(commit)")
            try StoreCheck.quickCheck(folder.store())
        }
    }

    @Test func aStoreIsCheckedWhileItIsWrittenTo() async throws {
        let folder = TemporaryFolder()
        try StoreFixture.make(folder.store(), StoreFixture.shapes[2])
        let environment = try Environment.open(path: folder.store(), options: .init(folder: storeFolder, databases: StoreFixture.databases))
        let rows = try environment.database("rows")
        async let writing: Void = {
            for round in 0..<200 as Range<UInt64> {
                try environment.write { transaction throws(LMDBError) in
                    for row in 0..<20 as Range<UInt64> {
                        try transaction.put((row &* 37 &+ round) % 500, [UInt8](repeating: 1, count: 900), in: rows)
                    }
                }
            }
        }()
        for _ in 0..<20 { #expect(try environment.checkPages().findings == []) }
        try await writing
        #expect(try environment.checkPages().findings == [])
    }
}
