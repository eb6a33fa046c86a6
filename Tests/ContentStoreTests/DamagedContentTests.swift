import EventCoding
import Foundation
import LMDB
import Testing

@testable import ContentStore

private func id(_ number: UInt64) -> UniqueID { UniqueID(high: 7, low: number) }

private let pack = PackRecord(
    id: id(1), digest: .zero, reading: .zero, words: [id(10)], questions: [(id(20), id(10))],
    types: [.init(id: "a", title: "A", explanation: "", questions: [0], refusal: nil)])
private let word = ContentRecord.word(.init(pack: id(1), word: "word", entry: "é"))
private let question = ContentRecord.question(.init(pack: id(1), item: id(10), prompt: "?", options: ["a", "b", "c"], right: 2))

struct DamagedContentTests {
    /// A shelf in a folder that goes with it.
    private final class Store {
        let path = FileManager.default.temporaryDirectory.appending(path: "engram-content-\(UUID().uuidString)").path
        let environment: Environment
        let shelf: PackStore

        init() throws {
            environment = try Environment.open(
                path: path, options: .init(folder: StoreFolder(guardFile: "packs.lock"), databases: PackStore.databases, mapSize: 1 << 24))
            shelf = try PackStore(environment)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func install() throws {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try shelf.put(pack, [(id(10), word), (id(20), question)], &transaction)
            }
        }

        func put(_ key: [UInt8], _ value: [UInt8]?, _ database: Database) throws {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                if let value { try transaction.put(key, value, in: database) } else { try transaction.delete(key, in: database) }
            }
        }

        func findings() throws -> [ContentFinding] {
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in try shelf.check(transaction) }
        }

        func records(_ database: Database) throws -> [(key: [UInt8], value: [UInt8])] {
            var found: [(key: [UInt8], value: [UInt8])] = []
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var cursor = try transaction.cursor(in: database)
                var isThere = try cursor.first()
                while isThere {
                    found.append((cursor.key.copied(), cursor.value.copied()))
                    isThere = try cursor.next()
                }
            }
            return found
        }

        /// Whether each answer is that of the pack which was installed.
        func isRight() throws -> Bool {
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var words: [UniqueID] = []
                try shelf.forEachWord(spelled: "word", transaction) { found, _ in words.append(found) }
                let (found, first) = (try shelf.pack(id(1), transaction), try shelf.record(id(10), transaction))
                let second = try shelf.record(id(20), transaction)
                return found == pack && first == word && second == question && words == [id(10)]
            }
        }
    }

    @Test("Every changed byte of content is found, misleads nobody, and is cured by installing again")
    func changed() throws {
        let store = try Store()
        try store.install()
        #expect(try store.findings().isEmpty && store.isRight())
        for database in [store.shelf.packs, store.shelf.content] {
            for (key, value) in try store.records(database) {
                for place in value.indices {
                    var other = value
                    other[place] ^= 1 << UInt8(place % 8)
                    try store.put(key, other, database)
                    #expect(try !store.findings().isEmpty, "\(database.name), byte \(place)")
                    #expect((try? store.isRight()) != false, "\(database.name), byte \(place): another answer")
                    guard place % 8 == 0 else {
                        try store.put(key, value, database)
                        continue
                    }
                    try store.install()
                    #expect(try store.findings().isEmpty, "\(database.name), byte \(place): not cured")
                }
                try store.put(key, nil, database)
                #expect(try !store.findings().isEmpty, "a record of \(database.name) is gone")
                try store.install()
                #expect(try store.findings().isEmpty && store.isRight())
            }
        }
    }

    @Test("Another intact record in a record's place, and one of an older version, are found too")
    func outOfOrder() throws {
        let store = try Store()
        try store.install()
        let key = id(10).bytes
        let older = ContentRecord.word(.init(pack: id(1), word: "an older word", entry: "")).encoded
        try store.put(key, PackStore.contentSeal.sealed(older, under: key), store.shelf.content)
        #expect(try store.findings().map(\.pack) == [id(1)])
        try store.put(key, PackStore.contentSeal.sealed(word.encoded, under: id(11).bytes), store.shelf.content)
        #expect(try !store.findings().isEmpty && (try? store.isRight()) != false)
    }
}
