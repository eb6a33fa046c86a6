internal import EventCoding
internal import Hashing
internal import LMDB
internal import TextFolding

/// The words of a source on their way into the databases, which take them fastest in the order of their keys.
struct WordBatch: ~Copyable {
    private let source: UniqueID
    private let number: UInt32
    /// How often each headword has come so far.
    private var ordinals: [[UInt8]: UInt64] = [:]
    private var words = SortedRecords()
    private var keys = SortedRecords()
    private var isTaken: Set<UniqueID> = []
    private(set) var entryCount = 0
    private var seed: ByteWriter
    private var hasher = SHA256Hasher()

    var count: Int { words.count }

    init(source: UniqueID, number: UInt32) {
        self.source = source
        self.number = number
        seed = ByteWriter(reserving: 128)
    }

    /// Takes an entry's words; false where it has none that can be looked for.
    mutating func add(_ entry: WordEntry) -> Bool {
        guard entryCount < Int(UInt32.max) else { return false }
        let place = EntryPlace(source: number, entry: UInt32(entryCount))
        var seen: [[UInt8]] = []
        for headword in entry.headwords {
            let text = composedText(headword)
            guard !text.isEmpty, headword.utf8.count <= WordEntry.headwordLimit, !seen.contains(text) else { continue }
            guard let id = identity(of: text, given: seen.isEmpty ? entry.id : nil) else { continue }
            seen.append(text)
            var value = ByteWriter(reserving: headword.utf8.count + 16)
            place.write(to: &value)
            value.writeText(headword)
            words.append(key: id.bytes, value: value.bytes)
            addKey(of: headword, id, at: place)
        }
        guard !seen.isEmpty else { return false }
        entryCount += 1
        return true
    }

    mutating func addKey(of headword: String, _ id: UniqueID, at place: EntryPlace) {
        var value = ByteWriter(reserving: 8)
        place.write(to: &value)
        keys.append(key: WordKey.make(headword, id), value: value.bytes)
    }

    /// The word's own identity, or the one that follows from what it says; `nil` where it is taken.
    private mutating func identity(of text: [UInt8], given: UniqueID?) -> UniqueID? {
        let ordinal = ordinals[text, default: 0]
        ordinals[text] = ordinal + 1
        if let given { return isTaken.insert(given).inserted ? given : nil }
        // The same bytes as uniqueID(namespace: "word", …) hashes, without a string and a hasher for each.
        seed.removeAll()
        seed.writeText("word")
        seed.writeText(source.description)
        seed.writeCounted(bytes: text)
        seed.writeText(String(ordinal))
        hasher.update(seed.bytes)
        let id = hasher.finish().uniqueID
        return isTaken.insert(id).inserted ? id : nil
    }

    mutating func writeWords(
        to wordDatabase: Database, _ keyDatabase: Database, _ transaction: inout WriteTransaction
    ) throws(LMDBError) {
        try words.write(to: wordDatabase, &transaction)
        try keys.write(to: keyDatabase, &transaction)
    }

    mutating func writeKeys(to database: Database, _ transaction: inout WriteTransaction) throws(LMDBError) {
        try keys.write(to: database, &transaction)
    }
}

/// Records that are written in the order of their keys. All bytes lie in one array, since there are many and they are short.
struct SortedRecords {
    private struct Record {
        /// The first eight bytes of the key, which decide nearly always.
        let beginning: UInt64
        let start: Int
        let keyCount: Int
        let valueCount: Int
    }

    private var bytes: [UInt8] = []
    private var records: [Record] = []

    var count: Int { records.count }

    mutating func append(key: [UInt8], value: [UInt8]) {
        var beginning: UInt64 = 0
        for index in 0..<8 { beginning = beginning << 8 | UInt64(index < key.count ? key[index] : 0) }
        records.append(Record(beginning: beginning, start: bytes.count, keyCount: key.count, valueCount: value.count))
        bytes += key
        bytes += value
    }

    mutating func write(to database: Database, _ transaction: inout WriteTransaction) throws(LMDBError) {
        let bytes = bytes
        records.sort { first, second in
            if first.beginning != second.beginning { return first.beginning < second.beginning }
            let left = bytes[first.start..<first.start + first.keyCount]
            return left.lexicographicallyPrecedes(bytes[second.start..<second.start + second.keyCount])
        }
        // Appending packs pages full; it needs keys beyond all that are there.
        let mode: WriteTransaction.PutMode = try transaction.count(in: database) == 0 ? .append : .upsert
        let span = bytes.rawSpan
        for record in records {
            let value = record.start + record.keyCount
            try transaction.put(
                span.extracting(record.start..<value), span.extracting(value..<value + record.valueCount), in: database, mode: mode)
        }
    }
}
