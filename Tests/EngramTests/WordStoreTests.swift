import Engram
import EventCoding
import EventLog
import Foundation
import LMDB
import StudyModel
import Testing

/// Dictionaries in a store: imported, found, replaced, favoured, and nothing half done.
@Suite struct WordStoreTests {
    private static let lines = """
        # Version :: 1
        Haus {n} | Häuser {pl} :: house | houses
        ёж {м} :: Igel {m}; hedgehog
        Straße {f} :: street
        Bank {f} (Möbel) :: bench
        Bank {f} (Geld) :: bank
        """

    private static func file(_ folder: TemporaryFolder, _ text: String = lines, name: String = "words.txt") throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("An import is one event, and its words are found by any way of typing them, in every store that is open")
    func importing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try Self.file(folder)
        #expect(try store.words(prefix: "haus") == [])
        let report = try store.importWords(at: path, moment: moment())
        #expect(report.isNew && report.name == "words" && report.words == 13 && report.entries == 6 && report.skipped == [])
        for (typed, expected) in [
            ("hau", ["Haus", "Häuser"]), ("HÄUSER", ["Häuser"]), ("еж", ["ёж"]), ("strass", ["Straße"]),
            ("bank", ["bank", "Bank", "Bank"]),
            ("Bank", ["Bank", "Bank", "bank"]), ("xyz", []),
        ] { #expect(try store.words(prefix: typed).map(\.word) == expected, "\(typed)") }
        #expect(try store.words(prefix: "hau").first?.entry == "Haus {n} :: house")
        #expect(try store.words(prefix: "", limit: 3).count == 3)
        let other = try folder.open(readOnly: true)
        #expect(try other.words(prefix: "street").map(\.word) == ["street"])
        var types: [String] = []
        try store.events { event in
            types.append(event.type)
            return true
        }
        #expect(types == ["pack_installed"])
        #expect(try store.disagreement() == nil)
    }

    @Test("The same content again changes nothing; a newer edition takes its place, and words keep their identities")
    func again() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try Self.file(folder)
        let first = try store.importWords(at: path, moment: moment())
        let before = try store.words(prefix: "", limit: 100)
        let digest = try store.digest()
        let again = try store.importWords(at: path, moment: moment(1))
        #expect(!again.isNew && again.id == first.id && again.words == first.words && again.digest == first.digest)
        #expect(try store.digest() == digest && Self.eventCount(store) == 1)
        _ = try Self.file(folder, Self.lines + "\nAbend {m} :: evening\n")
        let newer = try store.importWords(at: path, moment: moment(2))
        #expect(newer.isNew && newer.id == first.id && newer.digest != first.digest && newer.words == first.words + 2)
        let after = try store.words(prefix: "", limit: 100)
        #expect(Set(before).isSubset(of: Set(after)) && after.count == before.count + 2)
        // Another dictionary stands beside it.
        let other = try store.importWords(at: path, name: "other", moment: moment(3))
        #expect(other.isNew && other.id != first.id)
        #expect(try store.wordCount() == 2 * after.count && Self.eventCount(store) == 3)
    }

    @Test("A dry run tells the same and writes nothing")
    func dryRun() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try Self.file(folder, Self.lines + "\nno separator\nx | y :: z\n")
        let preview = try store.importWords(at: path, isDryRun: true, moment: moment())
        #expect(try store.wordCount() == 0 && Self.eventCount(store) == 0)
        let report = try store.importWords(at: path, moment: moment())
        #expect(preview == report)
        #expect(report.skipped.map(\.reason) == ["bad_separator", "unequal_parts"] && report.faults.map(\.line) == [7, 8])
        #expect(try !store.importWords(at: path, isDryRun: true, moment: moment()).isNew)
    }

    @Test("What isn't right is an error with its place, and changes nothing")
    func wrong() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        for (text, name) in [("", "empty.txt"), ("no words", "words.txt"), ("a\tA\tB\n", "alone.index"), ("# a :: b", "comment.txt")] {
            let path = try Self.file(folder, text, name: name)
            let error = #expect(throws: StoreError.self) { _ = try store.importWords(at: path, moment: moment()) }
            #expect(error?.code == .badInput && "\(error.map { "\($0)" } ?? "")".contains(folder.path))
        }
        let path = try Self.file(folder)
        #expect(throws: StoreError.self) { _ = try store.importWords(at: path, name: "", moment: moment()) }
        #expect(throws: StoreError.self) {
            _ = try store.importWords(at: path, name: String(repeating: "x", count: 1 << 20), moment: moment())
        }
        #expect(throws: StoreError.self) {
            _ = try store.importWords(at: path, moment: ZonedTime(wallMilliseconds: .max, zoneMinutes: 0))
        }
        do { _ = try folder.create("still") }
        let still = try folder.open("still", readOnly: true)
        #expect(throws: StoreError.readOnly(path: still.path)) { try still.importWords(at: path, moment: moment()) }
        #expect(try store.wordCount() == 0 && Self.eventCount(store) == 0)
        #expect(try store.disagreement() == nil)
    }

    @Test("A word is a favourite by its identity, and stays one through a new edition and without its dictionary")
    func favourites() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try Self.file(folder)
        _ = try store.importWords(at: path, moment: moment())
        let word = try #require(try store.words(prefix: "ёж").first)
        #expect(!word.isFavourite)
        let named = try store.item(named: String(word.id.description.prefix(13)))
        #expect(named.id == word.id && named.kind == .word)
        try store.perform(.setFavourite(word.id, kind: .word, on: true), at: moment(1))
        #expect(try store.words(prefix: "еж").map(\.isFavourite) == [true])
        #expect(try store.word(word.id)?.isFavourite == true)
        #expect(try store.favourites().map(\.text) == ["ёж"])
        _ = try Self.file(folder, Self.lines + "\nAbend {m} :: evening\n")
        _ = try store.importWords(at: path, moment: moment(2))
        #expect(try store.words(prefix: "еж").map(\.isFavourite) == [true])
        // A device that has the history and not the dictionary still lists it.
        let other = try folder.create("other")
        _ = try other.merge(with: store.path, at: moment(3))
        #expect(try other.favourites().map(\.id) == [word.id] && other.favourites().map(\.text) == [""])
        #expect(try other.item(named: word.id.description).kind == .word)
        #expect(try other.word(word.id) == nil && other.words(prefix: "ёж") == [])
        #expect(throws: StoreError.notFound(.item, name: "zzzz")) { try store.item(named: "zzzz") }
    }

    @Test("An import that is undone takes its words away; undoing that, or importing again, brings them back")
    func undoing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try Self.file(folder)
        let first = try store.importWords(at: path, moment: moment())
        _ = try store.importWords(at: path, name: "other", moment: moment(1))
        #expect(try store.words(prefix: "haus").count == 4)
        let undone = try store.undo(at: moment(2))
        #expect(try store.words(prefix: "haus").map(\.word) == ["Haus", "Häuser"])
        try store.perform(.void(undone.result.events[0]), at: moment(3))
        #expect(try store.words(prefix: "haus").count == 4)
        try store.perform(.void(undone.targets[0]), at: moment(4))
        #expect(try store.words(prefix: "haus").count == 2)
        #expect(try store.importWords(at: path, name: "other", moment: moment(5)).isNew)
        #expect(try store.words(prefix: "haus").count == 4 && store.wordCount() == 2 * first.words)
        // The same through a checkpoint, and in another process's eyes.
        try store.rebuild()
        try store.undo(at: moment(6))
        #expect(try folder.open().words(prefix: "haus").count == 2)
        // A newer edition undone: the older one counts, and can be taken in again.
        _ = try Self.file(folder, "Hof :: yard\n")
        #expect(try store.importWords(at: path, moment: moment(7)).isNew)
        try store.undo(at: moment(8))
        _ = try Self.file(folder)
        #expect(try store.importWords(at: path, moment: moment(9)).isNew)
        #expect(try store.words(prefix: "h").map(\.word).contains("Haus"))
        #expect(try store.disagreement() == nil)
    }

    private static func eventCount(_ store: StudyStore) throws -> Int {
        var count = 0
        try store.events { _ in
            count += 1
            return true
        }
        return count
    }

    @Test("A store that was made before there were dictionaries opens, read-only too, and takes some in")
    func olderStore() throws {
        let folder = try TemporaryFolder()
        let path = try Self.olderStore(in: folder)
        do {
            let store = try StudyStore.open(at: path, readOnly: true)
            #expect(try store.words(prefix: "h") == [] && store.wordCount() == 0)
            #expect(try StudyStore.verify(at: path, level: .deep).isSound)
        }
        let store = try StudyStore.open(at: path)
        #expect(try store.words(prefix: "h") == [])
        _ = try store.importWords(at: try Self.file(folder), moment: moment())
        #expect(try store.words(prefix: "h").map(\.word) == ["Haus", "Häuser", "hedgehog", "house", "houses"])
        #expect(try store.disagreement() == nil)
    }

    /// A store with the databases that there were before dictionaries, and an event in it.
    private static func olderStore(in folder: TemporaryFolder) throws -> String {
        let databases = ["commits", "checkpoints", "timelines", "actions", "records"]
        let store = try folder.create("newer")
        _ = try store.deck()
        let source = try Environment.open(
            path: store.path, options: Environment.Options(folder: CommitLog.storeFolder, databases: databases))
        let target = try Environment.open(
            path: folder.path + "/older", options: Environment.Options(folder: CommitLog.storeFolder, databases: databases))
        for name in databases {
            var records: [(key: [UInt8], value: [UInt8])] = []
            let database = try source.database(name)
            try source.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var cursor = try transaction.cursor(in: database)
                while try cursor.next() { records.append((cursor.key.copied(), cursor.value.copied())) }
            }
            try target.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                for record in records { try transaction.put(record.key, record.value, in: target.database(name)) }
            }
        }
        return target.path
    }
}
