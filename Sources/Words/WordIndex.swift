package import EventCoding
package import LMDB
internal import TextFolding

/// The words of all dictionaries and packs of a store, found by what they begin with.
///
/// Four databases beside the log. None of them holds history: they are content, and can be made again from the files that
/// they came from. Numbers in keys have their most significant byte first.
///
/// | database | key | value |
/// |--|--|--|
/// | `word_sources` | identity of the source | its number, digest, counts and name |
/// | `word_entries` | number of the source, number of the entry | text of the entry |
/// | `words` | identity of the word | number of the source, number of the entry, headword |
/// | `word_keys` | see ``WordKey`` | number of the source, number of the entry |
///
/// Each value ends with a checksum.
package struct WordIndex: Sendable {
    /// Names of the databases, for whoever opens the store.
    package static let databaseNames = ["word_sources", "word_entries", "words", "word_keys"]

    let sources: Database
    let entries: Database
    let words: Database
    let keys: Database
    private let path: String

    /// The index in a store that was opened with ``databaseNames``.
    package init(_ environment: Environment) throws(LMDBError) {
        sources = try environment.database("word_sources")
        entries = try environment.database("word_entries")
        words = try environment.database("words")
        keys = try environment.database("word_keys")
        path = environment.path
    }

    /// What is thrown where a record isn't what was written.
    func damage(_ database: Database) -> LMDBError {
        LMDBError(.badRecord(database: database.name), operation: "read a record of \(database.name)", path: path)
    }
}

// MARK: - Sources

extension WordIndex {
    /// Number of words of all sources, in constant time.
    package func count(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> Int { try transaction.count(in: words) }

    /// The dictionaries and packs whose words are here, by name and then identity.
    package func sources(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> [WordSource] {
        try sources(transaction, isSealed: try isSealed(transaction))
    }

    func sources(_ transaction: borrowing ReadTransaction, isSealed: Bool) throws(LMDBError) -> [WordSource] {
        var found: [WordSource] = []
        var cursor = try transaction.cursor(in: sources)
        var isThere = try cursor.first()
        while isThere {
            // A key of sixteen bytes is a source's; the others say by which rules the keys were made, and that records are sealed.
            if cursor.key.byteCount == 16 {
                let body = try body(cursor.value, under: cursor.key, in: sources, isSealed: isSealed)
                guard let source = try? WordSource(key: cursor.key, value: body) else { throw damage(sources) }
                found.append(source)
            }
            isThere = try cursor.next()
        }
        return found.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The source of that identity; `nil` where no words of it are here.
    package func source(_ id: UniqueID, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> WordSource? {
        let key = id.bytes
        guard let value = try transaction.value(for: key, in: sources) else { return nil }
        let body = try body(value, under: key.rawSpan, in: sources, isSealed: try isSealed(transaction))
        guard let source = try? WordSource(id: id, value: body) else { throw damage(sources) }
        return source
    }

    static let rulesKey: [UInt8] = Array("rules".utf8)

    /// Whether the stored keys were made by the rules that this program folds by.
    package func hasCurrentRules(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> Bool {
        try transaction.value(for: Self.rulesKey, in: sources)?.copied() ?? Self.currentRules == Self.currentRules
    }

    static var currentRules: [UInt8] { Array(SearchKey.rules.utf8) }
}

extension WordSource {
    init(key: RawSpan, value: RawSpan) throws(ByteError) {
        var reader = ByteReader(key)
        let id = try reader.readUniqueID()
        try self.init(id: id, value: value)
    }

    init(id: UniqueID, value: RawSpan) throws(ByteError) {
        var reader = ByteReader(value)
        self.id = id
        number = try reader.readUInt32()
        digest = try reader.readDigest()
        words = Int(clamping: try reader.readVariable())
        entries = Int(clamping: try reader.readVariable())
        name = try reader.readText(limit: 1 << 20)
        sum = reader.remaining > 0 ? try reader.readUInt64() : nil
        try reader.finish()
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(number)
        writer.write(digest)
        writer.writeVariable(UInt64(words))
        writer.writeVariable(UInt64(entries))
        writer.writeText(name)
        if let sum { writer.write(sum) }
        return writer.bytes
    }
}

/// Where a word's entry stands.
struct EntryPlace: Hashable, Sendable {
    let source: UInt32
    let entry: UInt32

    /// The key of the entry.
    var number: UInt64 { UInt64(source) << 32 | UInt64(entry) }

    init(source: UInt32, entry: UInt32) {
        self.source = source
        self.entry = entry
    }

    init(_ reader: inout ByteReader) throws(ByteError) {
        source = try reader.readUInt32()
        entry = try reader.readUInt32()
    }

    init(decoding span: RawSpan) throws(ByteError) {
        var reader = ByteReader(span)
        try self.init(&reader)
        try reader.finish()
    }

    func write(to writer: inout ByteWriter) {
        writer.write(source)
        writer.write(entry)
    }
}
