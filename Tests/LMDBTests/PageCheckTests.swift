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

    @Test func aStoreIsCheckedWhileItIsWrittenTo() async throws {
        let folder = TemporaryFolder()
        try StoreFixture.make(folder.store(), StoreFixture.shapes[2])
        let environment = try Environment.open(path: folder.store(), options: .init(databases: StoreFixture.databases))
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
