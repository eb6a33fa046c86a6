import Foundation
import Testing

@testable import LMDB

@Suite struct StoreCheckTests {
    /// A way to spoil a store's folder, and the fault that is found before anything is mapped.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var spoil: @Sendable (_ store: String, _ data: String) throws -> Void
        var fault: @Sendable (_ store: String, _ data: String) -> StoreFileError
    }

    static func patch(_ data: String, at offset: Int, _ bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: data))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    static let cases = [
        Case(
            testDescription: "no folder", spoil: { store, _ in try FileManager.default.removeItem(atPath: store) },
            fault: { _, data in .notAStore(path: data) }),
        Case(
            testDescription: "an empty folder", spoil: { _, data in try FileManager.default.removeItem(atPath: data) },
            fault: { _, data in .notAStore(path: data) }),
        Case(
            testDescription: "a folder in place of the file",
            spoil: { _, data in
                try FileManager.default.removeItem(atPath: data)
                try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
            }, fault: { _, data in .notARegularFile(path: data) }),
        Case(
            testDescription: "a link in place of the file",
            spoil: { store, data in
                try FileManager.default.moveItem(atPath: data, toPath: store + "/elsewhere")
                try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: store + "/elsewhere")
            }, fault: { _, data in .notARegularFile(path: data) }),
        Case(
            testDescription: "an empty file", spoil: { _, data in try Data().write(to: URL(filePath: data)) },
            fault: { _, data in .tooShort(path: data, length: 0, needed: 8192) }),
        Case(
            testDescription: "one page", spoil: { _, data in unsafe _ = truncate(data, 4096) },
            fault: { _, data in .tooShort(path: data, length: 4096, needed: 8192) }),
        Case(
            testDescription: "text",
            spoil: { _, data in try Data(repeating: 65, count: 9000).write(to: URL(filePath: data)) },
            fault: { _, data in .badMetaPage(path: data, page: 0) }),
        Case(
            testDescription: "a file of LMDB 1.0", spoil: { _, data in try patch(data, at: 20, [2, 0, 0, 0]) },
            fault: { _, data in .unsupportedVersion(path: data, version: 2) }),
        Case(
            testDescription: "a page size of nothing", spoil: { _, data in try patch(data, at: 40, [0, 0, 0, 0]) },
            fault: { _, data in .badPageSize(path: data, page: 0, size: 0) }),
        Case(
            testDescription: "a page size of 64 KiB", spoil: { _, data in try patch(data, at: 40, [0, 0, 1, 0]) },
            fault: { _, data in .badPageSize(path: data, page: 0, size: 65536) }),
        Case(
            testDescription: "page sizes that differ", spoil: { _, data in try patch(data, at: 4096 + 40, [0, 0x20, 0, 0]) },
            fault: { _, data in .badPageSize(path: data, page: 1, size: 8192) }),
        Case(
            testDescription: "no first meta page", spoil: { _, data in try patch(data, at: 0, [UInt8](repeating: 0, count: 4096)) },
            fault: { _, data in .badMetaPage(path: data, page: 0) }),
        Case(
            testDescription: "no second meta page",
            spoil: { _, data in try patch(data, at: 4096, [UInt8](repeating: 0, count: 4096)) },
            fault: { _, data in .badMetaPage(path: data, page: 1) }),
        Case(
            testDescription: "a root beyond the last page",
            spoil: { _, data in for page in 0..<2 { try patch(data, at: page * 4096 + 88 + 40, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0]) } },
            fault: { _, data in .badMetaField(path: data, page: 1, field: "main tree root", value: 0xFF_FFFF) }),
        Case(
            testDescription: "a tree too deep",
            spoil: { _, data in for page in 0..<2 { try patch(data, at: page * 4096 + 88 + 6, [33, 0]) } },
            fault: { _, data in .badMetaField(path: data, page: 1, field: "main tree depth", value: 33) }),
        Case(
            testDescription: "sorted duplicates in the main tree",
            spoil: { _, data in for page in 0..<2 { try patch(data, at: page * 4096 + 88 + 4, [4, 0]) } },
            fault: { _, data in .badMetaField(path: data, page: 1, field: "main tree flags", value: 4) }),
        Case(
            testDescription: "a fixed address",
            spoil: { _, data in for page in 0..<2 { try patch(data, at: page * 4096 + 24, [1]) } },
            fault: { _, data in .badMetaField(path: data, page: 1, field: "map address", value: 1) }),
    ]

    @Test(arguments: cases) func whatIsNoSoundStoreIsSaidToBeNone(_ test: Case) throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        // Three commits and the one that made the databases: the second meta page is the newest.
        try StoreFixture.make(store, .init(seed: 1, commits: 2, eventsPerCommit: 5))
        let data = store + "/data.mdb"
        try test.spoil(store, data)
        let expected = test.fault(store, data)
        #expect(throws: expected) { try StoreCheck.quickCheck(store) }
        var unusable: StoreFileError?
        do throws(LMDBError) {
            _ = try Environment.open(
                path: store, options: .init(folder: storeFolder, databases: StoreFixture.databases, createIfMissing: false))
        } catch {
            if case .unusable(let fault) = error.fault { unusable = fault }
            #expect(error.description.contains(store))
        }
        #expect(unusable != nil)
    }

    /// Pages at the end that are free need not be in the file; pages that are in use must.
    @Test func aCutFileIsSoundOnlyIfNothingInUseIsMissing() throws {
        let folder = TemporaryFolder()
        try StoreFixture.make(folder.store(), StoreFixture.shapes[4])
        let data = folder.store() + "/data.mdb"
        let whole = try Data(contentsOf: URL(filePath: data))
        let content = try StoreFixture.content(folder.store())
        var outcomes: Set<Bool> = []
        for pages in stride(from: whole.count / 4096, to: 1, by: -40) {
            try whole.prefix(pages * 4096).write(to: URL(filePath: data))
            let isSound = (try? StoreCheck.quickCheck(folder.store())) != nil
            outcomes.insert(isSound)
            if isSound { #expect(try StoreFixture.content(folder.store()) == content) }
        }
        #expect(outcomes == [true, false])
    }
}
