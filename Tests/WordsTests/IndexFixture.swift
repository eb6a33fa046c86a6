import EventCoding
import Foundation
import Hashing
import LMDB
import TextFolding

@testable import Words

/// An index in a store of its own, in a folder that goes with it.
final class IndexFixture {
    let path: String
    let environment: Environment
    let index: WordIndex

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "engram-words-\(UUID().uuidString)").path
        environment = try Environment.open(
            path: path, options: Environment.Options(folder: StoreFolder(guardFile: "words.lock"), databases: WordIndex.databaseNames))
        index = try WordIndex(environment)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func read<Result>(_ body: (borrowing ReadTransaction) throws(LMDBError) -> Result) throws -> Result { try environment.read(body) }

    func write<Result>(_ body: (inout WriteTransaction) throws(LMDBError) -> Result) throws -> Result { try environment.write(body) }

    @discardableResult
    func install(_ source: UInt64, _ entries: [WordEntry], name: String = "words") throws -> WordSource {
        try write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try self.index.install(
                source: UniqueID(high: 0, low: source), name: name, digest: sha256([UInt8(truncatingIfNeeded: source)]), entries: entries,
                &transaction)
        }
    }

    @discardableResult
    func remove(_ source: UInt64) throws -> Bool {
        try write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try self.index.remove(source: UniqueID(high: 0, low: source), &transaction)
        }
    }

    func words(_ prefix: String, limit: Int = 20) throws -> [FoundWord] {
        try read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            try index.words(prefix: prefix, limit: limit, transaction)
        }
    }

    func headwords(_ prefix: String, limit: Int = 20) throws -> [String] { try words(prefix, limit: limit).map(\.headword) }

    /// How many records each database has: entries, words and keys.
    func counts() throws -> [Int] {
        try read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            [try transaction.count(in: index.entries), try transaction.count(in: index.words), try transaction.count(in: index.keys)]
        }
    }
}

extension WordEntry {
    init(_ headword: String, _ text: String = "text") { self.init(headwords: [headword], text: text) }
}

/// Words by the rule as it is written: all of them looked at, filtered and sorted.
struct NaiveIndex {
    private struct Word {
        let found: FoundWord
        let key: SearchKey
        let cutKey: [UInt8]
        let text: [UInt8]
    }

    private let words: [Word]

    init(_ found: [FoundWord]) {
        words = found.map {
            let key = SearchKey($0.headword)
            // A key that was cut comes behind the one of the same bytes that wasn't.
            let cutKey = wholeScalars(key.bytes, upTo: 240) + (key.bytes.count > 240 ? [1] : [])
            return Word(found: $0, key: key, cutKey: cutKey, text: wholeScalars(composedText($0.headword), upTo: 240))
        }
    }

    func words(_ prefix: String, limit: Int) -> [FoundWord] {
        let query = SearchQuery(prefix)
        let typed = wholeScalars(query.typed, upTo: 240)
        func rank(_ word: Word) -> Int { word.key != query.key ? 2 : word.text == typed ? 0 : 1 }
        let matching = words.filter { query.matches($0.key) }
        let sorted = matching.sorted { first, second in
            let (left, right) = (rank(first), rank(second))
            if left != right { return left < right }
            if first.cutKey != second.cutKey { return first.cutKey.lexicographicallyPrecedes(second.cutKey) }
            if first.text != second.text { return first.text.lexicographicallyPrecedes(second.text) }
            return first.found.id < second.found.id
        }
        return sorted.prefix(limit).map(\.found)
    }
}
