import EventCoding
import Foundation
import LMDB
import Testing

@testable import ContentStore

struct ContentShelfTests {
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

        func write(_ body: (inout WriteTransaction) throws(LMDBError) -> Void) throws {
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in try body(&transaction) }
        }

        func records() throws -> [UniqueID] {
            var ids: [UniqueID] = []
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try shelf.forEachRecord(in: .none...UniqueID(high: .max, low: .max), transaction) { id, _ in ids.append(id) }
            }
            return ids
        }

        func pack(_ id: UniqueID) throws -> PackRecord? {
            try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in try shelf.pack(id, transaction) }
        }
    }

    private static func id(_ number: UInt64) -> UniqueID { UniqueID(high: 7, low: number) }

    private static func pack(_ digest: UInt8, words: [UInt64], questions: [UInt64]) -> PackRecord {
        PackRecord(
            id: id(1), digest: SHA256Digest(bytes: [UInt8](repeating: digest, count: 32)) ?? .zero, reading: .zero,
            words: words.map { id($0) },
            questions: questions.map { (id($0), id($0 + 100)) },
            types: [
                .init(id: "a", title: "A", explanation: "", questions: Array(questions.indices), refusal: nil),
                .init(id: "b", title: "B", explanation: "why", questions: [], refusal: "it takes too long"),
            ])
    }

    private static func word(_ number: UInt64) -> (id: UniqueID, record: ContentRecord) {
        (id(number), .word(.init(pack: id(1), word: "word \(number)", entry: "é")))
    }

    private static func question(_ number: UInt64) -> (id: UniqueID, record: ContentRecord) {
        (id(number), .question(.init(pack: id(1), item: id(number + 100), prompt: "?", options: ["a", "b", "c"], right: 2)))
    }

    @Test("What is put is what is read; another version replaces all of it, and what goes leaves nothing")
    func replacing() throws {
        let store = try Store()
        let first = Self.pack(1, words: [10, 11], questions: [20, 21])
        try store.write { transaction throws(LMDBError) in
            try store.shelf.put(first, [Self.word(11), Self.word(10), Self.question(20), Self.question(21)], &transaction)
        }
        #expect(try store.pack(Self.id(1)) == first && store.records() == [10, 11, 20, 21].map { Self.id($0) })
        let second = Self.pack(2, words: [10], questions: [21, 22])
        try store.write { transaction throws(LMDBError) in
            try store.shelf.put(second, [Self.word(10), Self.question(21), Self.question(22)], &transaction)
        }
        #expect(try store.pack(Self.id(1)) == second && store.records() == [10, 21, 22].map { Self.id($0) })
        let read = try store.environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            [try store.shelf.record(Self.id(10), transaction), try store.shelf.record(Self.id(21), transaction)]
        }
        #expect(read == [Self.word(10).record, Self.question(21).record])
        let found = try store.environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var ids: [UniqueID] = []
            for spelling in ["word 10", "word 1", "", "?"] {
                try store.shelf.forEachWord(spelled: spelling, transaction) { id, _ in ids.append(id) }
            }
            try store.shelf.forEachRecord(in: Self.id(11)...Self.id(21), transaction) { id, _ in ids.append(id) }
            return ids
        }
        #expect(found == [Self.id(10), Self.id(21)])
        try store.write { transaction throws(LMDBError) in try store.shelf.remove(Self.id(1), &transaction) }
        #expect(try store.pack(Self.id(1)) == nil && store.records().isEmpty)
    }

    @Test("A record that is cut or changed anywhere is none, and never a crash")
    func damage() throws {
        let decoders: [(bytes: [UInt8], decode: ([UInt8]) throws(ByteError) -> Void)] = [
            (Self.word(1).record.encoded, { bytes throws(ByteError) in _ = try ContentRecord(decoding: bytes.rawSpan) }),
            (Self.question(2).record.encoded, { bytes throws(ByteError) in _ = try ContentRecord(decoding: bytes.rawSpan) }),
            (
                Self.pack(3, words: [1], questions: [2]).encoded,
                { bytes throws(ByteError) in _ = try PackRecord(id: .none, decoding: bytes.rawSpan) }
            ),
        ]
        for (whole, decode) in decoders {
            for count in whole.indices {
                #expect(throws: ByteError.self) { try decode(Array(whole.prefix(count))) }
                for bit in 0..<8 {
                    var changed = whole
                    changed[count] ^= 1 << UInt8(bit)
                    try? decode(changed)
                }
            }
            #expect(throws: ByteError.self) { try decode(whole + [0]) }
        }
    }
}
