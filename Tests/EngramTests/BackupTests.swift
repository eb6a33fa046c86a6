import Engram
import EventCoding
import Foundation
import Testing

/// A backup is the store; compacting changes nothing but the file.
@Suite struct BackupTests {
    private static func fill(_ store: StudyStore) throws -> UniqueID {
        let deck = try store.deck()
        for number in 0..<40 {
            let card = try store.card("card \(number)", in: deck, at: number)
            try store.perform(.review(card, .good, took: 900), at: moment(100 + number))
        }
        return deck
    }

    @Test func aBackupHoldsWhatTheStoreHolds() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try Self.fill(store)
        let report = try store.backup(to: folder.path + "/copy/", ndjson: true, drill: true)
        #expect(report.events == 81)
        #expect(report.digest == (try store.digest()))
        #expect(report.drill == report.digest)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["store", "copy"])
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/copy")) == ["data.mdb", "events.ndjson"])
        // What happens here later isn't in it, and what is recorded in it gets an origin of its own.
        _ = try store.card("later", in: deck, at: 300)
        let copy = try folder.open("copy")
        #expect(try copy.digest() == report.digest)
        let own = try store.origin
        _ = try copy.card("there", in: deck, at: 301)
        #expect(try copy.origin != own)
        _ = try store.merge(with: copy.path, at: moment(400))
        #expect(try store.cards(in: deck).count == 42)
        #expect(try store.disagreement() == nil)
    }

    @Test func aBackupReplacesNothing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try Self.fill(store)
        let taken = folder.path + "/taken"
        _ = FileManager.default.createFile(atPath: taken, contents: Data("mine".utf8))
        #expect(throws: StoreError.storeExists(path: taken)) { try store.backup(to: taken) }
        #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
        // Somebody's store that happens to be named like this stays.
        try FileManager.default.createDirectory(atPath: folder.path + "/copy.partial", withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder.path + "/copy.partial/data.mdb", contents: Data(count: 100))
        _ = try store.backup(to: folder.path + "/copy")
        #expect(FileManager.default.contents(atPath: folder.path + "/copy.partial/data.mdb") == Data(count: 100))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["copy", "copy.partial", "store", "taken"])
    }

    @Test func compactingKeepsEverythingAndTheOrigin() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store"
        var digest: SHA256Digest?
        var origin: OriginID?
        var deck = UniqueID.none
        do {
            let store = try folder.create(checkpointInterval: 8)
            deck = try Self.fill(store)
            digest = try store.digest()
            origin = try store.origin
            #expect(throws: StoreError.inUse(path: path)) { try StudyStore.compact(at: path) }
        }
        let report = try StudyStore.compact(at: path)
        #expect(report.isChanged && report.events == 81)
        #expect(report.bytesAfter < report.bytesBefore)
        let store = try folder.open()
        #expect(try store.digest() == digest)
        _ = try store.card("later", in: deck, at: 300)
        #expect(try store.origin == origin)
        #expect(try store.disagreement() == nil)
    }
}
