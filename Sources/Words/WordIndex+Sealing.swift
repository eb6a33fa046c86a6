package import EventCoding
package import LMDB

/// How the records of the index end with a checksum: see ``Seal``.
///
/// All of them do, or none: a store that was made before there were any is read as it is, and its records are sealed with the next
/// installation. A record `layout` among the sources says that they are.
extension WordIndex {
    static let layoutKey: [UInt8] = Array("layout".utf8)
    private static let layout: [UInt8] = [1]

    /// The seals of the four databases.
    struct Seals: Sendable {
        let sources = Seal(of: "word_sources")
        let entries = Seal(of: "word_entries")
        let words = Seal(of: "words")
        let keys = Seal(of: "word_keys")
    }

    static let seals = Seals()

    func seal(of database: Database) -> Seal {
        switch database.name {
        case sources.name: Self.seals.sources
        case entries.name: Self.seals.entries
        case words.name: Self.seals.words
        default: Self.seals.keys
        }
    }

    /// Whether the records are sealed.
    func isSealed(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> Bool {
        guard let value = try transaction.value(for: Self.layoutKey, in: sources) else { return false }
        guard let body = Self.seals.sources.open(value, under: Self.layoutKey.rawSpan), body.copied() == Self.layout else {
            throw damage(sources)
        }
        return true
    }

    /// What a record of `database` holds.
    @_lifetime(copy value)
    func body(_ value: RawSpan, under key: RawSpan, in database: Database, isSealed: Bool) throws(LMDBError) -> RawSpan {
        guard let body = seal(of: database).open(value, under: key, isSealed: isSealed) else { throw damage(database) }
        return body
    }

    /// Seals the records of a store that has none sealed, and takes out every record that isn't what was written, or that is of no source
    /// which is here. What its source lacks then, a check says. Complexity: O(all words).
    package func mend(_ transaction: inout WriteTransaction) throws(LMDBError) {
        try mend(sources, &transaction) { key, body in key.byteCount == 16 && (try? WordSource(key: key, value: body)) != nil }
        let known = Set(try sources(transaction.reader, isSealed: true).map(\.number))
        func isKnown(_ body: RawSpan) -> Bool {
            var reader = ByteReader(body)
            return (try? reader.readUInt32()).map(known.contains) ?? false
        }
        try mend(words, &transaction) { key, body in
            key.byteCount == 16 && isKnown(body) && (try? Self.decodeWord(body)) != nil
        }
        try mend(keys, &transaction) { key, body in
            key.byteCount >= WordKey.tailBytes && isKnown(body) && (try? EntryPlace(decoding: body)) != nil
        }
        try mend(entries, &transaction) { key, _ in
            var reader = ByteReader(key)
            return (try? reader.readUInt64().byteSwapped).map { known.contains(UInt32(truncatingIfNeeded: $0 >> 32)) } ?? false
        }
        try transaction.put(Self.layoutKey, Self.seals.sources.sealed(Self.layout, under: Self.layoutKey), in: sources)
    }

    /// - Parameter isRight: whether the body of a record can be that of one.
    private func mend(
        _ database: Database, _ transaction: inout WriteTransaction, where isRight: (_ key: RawSpan, _ body: RawSpan) -> Bool
    ) throws(LMDBError) {
        let seal = seal(of: database)
        // The mark may be what is damaged, so a record that is sealed stays so whatever it says.
        let wasSealed = (try? isSealed(transaction.reader)) ?? false
        var gone: [[UInt8]] = []
        var plain: [(key: [UInt8], value: [UInt8])] = []
        do {
            var cursor = try transaction.cursor(in: database)
            var isThere = try cursor.first()
            while isThere {
                let key = cursor.key
                if database.name == sources.name, key.byteCount != 16 {
                    // The rules, and the mark.
                } else if let body = seal.open(cursor.value, under: key) {
                    if !isRight(key, body) { gone.append(key.copied()) }
                } else if !wasSealed, isRight(key, cursor.value) {
                    plain.append((key.copied(), cursor.value.copied()))
                } else {
                    gone.append(key.copied())
                }
                isThere = try cursor.next()
            }
        }
        for key in gone { try transaction.delete(key, in: database) }
        for (key, value) in plain { try transaction.put(key, seal.sealed(value, under: key), in: database) }
    }
}

// MARK: - Checking

/// What is wrong with the words of a source, or with words whose source isn't known any more.
package struct WordFinding: Hashable, Sendable {
    /// The dictionary or pack, where that can be told.
    package let source: UniqueID?
    package let message: String
}

/// What a check found of one source.
private struct SourceTotals {
    var words = 0
    var entries = 0
    var keys = 0
    /// Sum over its words and entries.
    var sum: UInt64 = 0
    /// Of each word, and of each key: the same word at the same place, if these are equal.
    var wordPlaces: UInt64 = 0
    var keyPlaces: UInt64 = 0
    var hasStrayPlace = false
}

extension WordIndex {
    /// Holds every record against its checksum, and what each source has against what was installed. Complexity: O(all words).
    package func check(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> [WordFinding] {
        var findings: [WordFinding] = []
        var damaged: [String: Int] = [:]
        let isSealed: Bool
        do throws(LMDBError) { isSealed = try self.isSealed(transaction) } catch {
            guard case .badRecord = error.fault else { throw error }
            return [WordFinding(source: nil, message: "what says how the words are kept isn't what was written")]
        }
        var sources: [WordSource] = []
        try walk(self.sources, isSealed: isSealed, transaction, &damaged) { key, body in
            guard key.byteCount == 16 else { return true }
            guard let source = try? WordSource(key: key, value: body) else { return false }
            sources.append(source)
            return true
        }
        let totals = try totals(isSealed: isSealed, transaction, &damaged)
        for (name, count) in damaged.sorted(by: { $0.key < $1.key }) {
            findings.append(WordFinding(source: nil, message: "\(count) records of \(name) aren't what was written"))
        }
        let numbers = Set(sources.map(\.number))
        for source in sources.sorted(by: { $0.id < $1.id }) {
            let found = totals[source.number] ?? SourceTotals()
            let isRight =
                found.words == source.words && found.entries == source.entries && found.keys == source.words
                && found.wordPlaces == found.keyPlaces && !found.hasStrayPlace && (source.sum.map { $0 == found.sum } ?? true)
            if !isRight {
                findings.append(
                    WordFinding(
                        source: source.id,
                        message: "of its \(source.words) words and \(source.entries) entries, \(found.words) and \(found.entries) are "
                            + "here, with \(found.keys) keys to find them by, or they aren't those that were installed"))
            }
        }
        if totals.keys.contains(where: { !numbers.contains($0) }) {
            findings.append(WordFinding(source: nil, message: "there are words of a dictionary that nothing names"))
        }
        return findings
    }

    /// What the words and entries of each source come to. Records that aren't what was written are counted, and left out.
    private func totals(
        isSealed: Bool, _ transaction: borrowing ReadTransaction, _ damaged: inout [String: Int]
    ) throws(LMDBError) -> [UInt32: SourceTotals] {
        var totals: [UInt32: SourceTotals] = [:]
        try walk(entries, isSealed: isSealed, transaction, &damaged) { key, body in
            var reader = ByteReader(key)
            guard key.byteCount == 8, let number = try? reader.readUInt64().byteSwapped, body.text != nil else { return false }
            let source = UInt32(truncatingIfNeeded: number >> 32)
            totals[source, default: SourceTotals()].entries += 1
            totals[source, default: SourceTotals()].sum &+= Self.seals.entries.checksum(key, body)
            return true
        }
        try walk(words, isSealed: isSealed, transaction, &damaged) { key, body in
            guard key.byteCount == 16, let (place, _) = try? Self.decodeWord(body) else { return false }
            var found = totals[place.source] ?? SourceTotals()
            found.words += 1
            found.sum &+= Self.seals.words.checksum(key, body)
            found.wordPlaces &+= Self.mixed(key, place)
            if Int(place.entry) >= found.entries { found.hasStrayPlace = true }
            totals[place.source] = found
            return true
        }
        try walk(keys, isSealed: isSealed, transaction, &damaged) { key, body in
            guard key.byteCount >= WordKey.tailBytes, let place = try? EntryPlace(decoding: body) else { return false }
            totals[place.source, default: SourceTotals()].keys += 1
            totals[place.source, default: SourceTotals()].keyPlaces &+= Self.mixed(
                key.extracting(key.byteCount - 16..<key.byteCount), place)
            return true
        }
        return totals
    }

    /// Of each source the sum over its words and entries.
    func sums(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> [UInt32: UInt64] {
        var damaged: [String: Int] = [:]
        return try totals(isSealed: true, transaction, &damaged).mapValues(\.sum)
    }

    private static func mixed(_ id: RawSpan, _ place: EntryPlace) -> UInt64 {
        var mixed = (fastChecksum(id) ^ place.number &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        mixed ^= mixed >> 32
        return mixed &* 0xD6E8_FEB8_6659_FD93
    }

    private func walk(
        _ database: Database, isSealed: Bool, _ transaction: borrowing ReadTransaction, _ damaged: inout [String: Int],
        _ isRight: (_ key: RawSpan, _ body: RawSpan) -> Bool
    ) throws(LMDBError) {
        let seal = seal(of: database)
        var cursor = try transaction.cursor(in: database)
        var isThere = try cursor.first()
        while isThere {
            let (key, value) = (cursor.key, cursor.value)
            // The rules and the mark, which are looked at by themselves.
            var isIntact = database.name == sources.name && key.byteCount != 16
            if !isIntact, let body = seal.open(value, under: key, isSealed: isSealed) { isIntact = isRight(key, body) }
            if !isIntact { damaged[database.name, default: 0] += 1 }
            isThere = try cursor.next()
        }
    }
}
