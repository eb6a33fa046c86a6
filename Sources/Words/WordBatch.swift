internal import EventCoding
internal import Hashing
internal import LMDB
internal import TextFolding

/// The words of a source on their way into the databases, which take them fastest in the order of their keys.
struct WordBatch: ~Copyable {
    private let number: UInt32
    /// How often each headword has come so far.
    private var ordinals: [[UInt8]: Int] = [:]
    private var words = SortedRecords()
    private var keys = SortedRecords()
    /// Identities that the source gave itself.
    private var given: Set<UniqueID> = []
    private(set) var entryCount = 0
    /// What the identities of all words of the source are hashed from first.
    private let seed: [UInt8]
    private var hashed = ByteWriter(reserving: 128)
    private var hasher = SHA256Hasher()

    var count: Int { words.count }

    init(source: UniqueID, number: UInt32, capacity: Int = 0) {
        self.number = number
        ordinals.reserveCapacity(capacity)
        var writer = ByteWriter()
        writer.writeText("word")
        writer.writeText(source.description)
        seed = writer.bytes
    }

    /// Takes an entry's words; false where it has none that can be looked for.
    mutating func add(_ entry: WordEntry) -> Bool {
        guard entryCount < Int(UInt32.max) else { return false }
        let place = EntryPlace(source: number, entry: UInt32(entryCount))
        var seen = SeenTexts()
        for headword in entry.headwords {
            let text = composedText(headword)
            guard !text.isEmpty, headword.utf8.count <= WordEntry.headwordLimit, !seen.contains(text) else { continue }
            guard let id = identity(of: text, given: seen.isEmpty ? entry.id : nil) else { continue }
            seen.insert(text)
            words.append(sealedBy: WordIndex.seals.words) { writer in
                writer.write(id)
            } value: { writer in
                place.write(to: &writer)
                writer.writeText(headword)
            }
            addKey(of: headword, text, id, at: place)
        }
        guard !seen.isEmpty else { return false }
        entryCount += 1
        return true
    }

    /// - Parameter text: the headword, composed.
    mutating func addKey(of headword: String, _ text: [UInt8], _ id: UniqueID, at place: EntryPlace) {
        keys.append(sealedBy: WordIndex.seals.keys) { writer in
            WordKey.write(SearchKey(headword), text, id, to: &writer)
        } value: { writer in
            place.write(to: &writer)
        }
    }

    /// The word's own identity, or the one that follows from what it says; `nil` where it is taken.
    private mutating func identity(of text: [UInt8], given own: UniqueID?) -> UniqueID? {
        let ordinal = Self.next(&ordinals[text, default: -1])
        if let own { return given.insert(own).inserted ? own : nil }
        // The bytes that uniqueID(namespace: "word", …) hashes, without strings and a hasher for each.
        hashed.removeAll()
        hashed.write(bytes: seed)
        hashed.writeCounted(bytes: text)
        hashed.writeText(String(ordinal))
        hasher.update(hashed.bytes)
        let id = hasher.finish().uniqueID
        return given.isEmpty || !given.contains(id) ? id : nil
    }

    /// One look into the table, not two.
    private static func next(_ ordinal: inout Int) -> Int {
        ordinal += 1
        return ordinal
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

/// The headwords of one entry: mostly two or three, and in a stranger's file a million.
private struct SeenTexts {
    private var few: [[UInt8]] = []
    private var many: Set<[UInt8]> = []

    var isEmpty: Bool { few.isEmpty }

    func contains(_ text: [UInt8]) -> Bool { few.contains(text) || (!many.isEmpty && many.contains(text)) }

    mutating func insert(_ text: [UInt8]) {
        if few.count < 16 { few.append(text) } else { many.insert(text) }
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

    private var writer = ByteWriter()
    private var records: [Record] = []

    var count: Int { records.count }

    mutating func append(sealedBy seal: Seal, key: (inout ByteWriter) -> Void, value: (inout ByteWriter) -> Void) {
        let start = writer.count
        key(&writer)
        let end = writer.count
        value(&writer)
        seal.seal(&writer, key: start, value: end)
        var beginning: UInt64 = 0
        for index in start..<start + 8 { beginning = beginning << 8 | UInt64(index < end ? writer.bytes[index] : 0) }
        records.append(Record(beginning: beginning, start: start, keyCount: end - start, valueCount: writer.count - end))
    }

    mutating func write(to database: Database, _ transaction: inout WriteTransaction) throws(LMDBError) {
        let bytes = writer.bytes
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
