import Foundation
import LMDB
import Testing

@testable import EventLog

struct MissingDatabaseTests {
    /// One changed letter in the name of a database hides it. It must not be made anew, and the store not be taken for empty.
    @Test(arguments: ["commits", "checkpoints", "timelines", "actions", "records"], [false, true])
    func aHiddenDatabaseIsDamage(name: String, readOnly: Bool) throws {
        let folder = try TemporaryFolder()
        do { try folder.log().act([toy()]) }
        let path = folder.path + "/store/data.mdb"
        var data = try Data(contentsOf: URL(filePath: path))
        var found = data.range(of: Data(name.utf8))
        while let range = found {
            // The last letter, so that the order of the names stays.
            data[range.upperBound - 1] ^= 1
            found = data.range(of: Data(name.utf8))
        }
        try data.write(to: URL(filePath: path))
        do throws(LogError) {
            _ = try CommitLog.open(path: folder.path + "/store", readOnly: readOnly)
            Issue.record("it was opened without \(name)")
        } catch {
            guard case .storage(let error) = error, case .unusable = error.fault else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == data, "nothing was written")
    }

    /// These names are on disks: a store of another program's version is to be found, locked and guarded by them.
    @Test(arguments: ["data.mdb", "lock.mdb", "engram.lock", "writer.lock", "verified", "events.ndjson"])
    func aLinkUnderAStoresOwnNameIsRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        do { try folder.log().act([toy()]) }
        try? FileManager.default.removeItem(atPath: store + "/" + name)
        try FileManager.default.createSymbolicLink(atPath: store + "/" + name, withDestinationPath: folder.path + "/target")
        let error = #expect(throws: LogError.self) { _ = try CommitLog.open(path: store) }
        guard case .storage(let error) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(error.fault == .unusable(.notARegularFile(path: store + "/" + name)))
    }
}
