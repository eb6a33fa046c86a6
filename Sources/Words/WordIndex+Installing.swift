package import EventCoding
internal import Hashing
package import LMDB
internal import TextFolding

extension WordIndex {
    /// Makes `entries` the words of a source, in this transaction; words that it had before are gone then.
    ///
    /// Headwords that are empty, too long or there twice in their entry are left out, and so is an entry whose text is too
    /// long (see ``WordEntry``), or whose own identity is that of another source's word. The order of the entries is theirs.
    /// - Parameter progress: called now and then with how many entries are done.
    /// - Returns: what the source has now.
    /// - Complexity: O(n log n) in its words; where words of it, or of older rules, are to be replaced, O(all words).
    @discardableResult
    package func install(
        source id: UniqueID, name: String, digest: SHA256Digest, entries list: [WordEntry], _ transaction: inout WriteTransaction,
        progress: (_ done: Int) -> Void = { _ in }
    ) throws(LMDBError) -> WordSource {
        try mend(&transaction)
        try makeKeysCurrent(&transaction)
        try remove(source: id, &transaction)
        let number = try nextNumber(transaction.reader)
        var batch = WordBatch(source: id, number: number, capacity: list.reduce(0) { $0 + $1.headwords.count })
        let isFirst = try transaction.count(in: entries) == 0
        for (index, entry) in list.enumerated() where entry.text.utf8.count <= WordEntry.textLimit {
            try Interruption.check(at: UInt64(index))
            if index & 0x3FF == 0 { progress(index) }
            if let id = entry.id, try transaction.value(for: id.bytes, in: words) != nil { continue }
            guard batch.add(entry) else { continue }
            let place = EntryPlace(source: number, entry: UInt32(clamping: batch.entryCount - 1)).number
            let text = Self.seals.entries.sealed(Array(entry.text.utf8), under: place)
            try transaction.put(place, text, in: entries, mode: isFirst ? .append : .upsert)
        }
        try batch.writeWords(to: words, keys, &transaction)
        let source = WordSource(
            id: id, name: name, digest: digest, words: batch.count, entries: batch.entryCount, number: number)
        try put(source, &transaction)
        try transaction.put(Self.rulesKey, Self.currentRules, in: sources)
        try recordSums(&transaction)
        return source
    }

    private func put(_ source: WordSource, _ transaction: inout WriteTransaction) throws(LMDBError) {
        let key = source.id.bytes
        try transaction.put(key, Self.seals.sources.sealed(source.encoded, under: key), in: sources)
    }

    /// Records what the words of each source come to that hasn't been recorded.
    private func recordSums(_ transaction: inout WriteTransaction) throws(LMDBError) {
        let sums = try sums(transaction.reader)
        for var source in try sources(transaction.reader) where source.sum == nil {
            source.sum = sums[source.number] ?? 0
            try put(source, &transaction)
        }
    }

    /// How many words and entries an installation of `entries` would make.
    package static func counts(of entries: [WordEntry]) -> (words: Int, entries: Int) {
        var batch = WordBatch(source: .none, number: 0)
        for entry in entries where entry.text.utf8.count <= WordEntry.textLimit { _ = batch.add(entry) }
        return (batch.count, batch.entryCount)
    }

    /// Removes the words of a source, in this transaction; false where there are none.
    ///
    /// - Complexity: O(all words).
    @discardableResult
    package func remove(source id: UniqueID, _ transaction: inout WriteTransaction) throws(LMDBError) -> Bool {
        guard let source = try source(id, transaction.reader) else { return false }
        try transaction.delete(id.bytes, in: sources)
        if try sources(transaction.reader).isEmpty {
            for database in [entries, words, keys] { try transaction.deleteAll(in: database) }
            return true
        }
        // By what the records say, and not by the keys that their words would have now.
        try delete(in: keys, &transaction) { _, value in Self.sourceNumber(value) == source.number }
        try delete(in: words, &transaction) { _, value in Self.sourceNumber(value) == source.number }
        let first = EntryPlace(source: source.number, entry: 0).number
        let end = EntryPlace(source: source.number, entry: .max).number
        try delete(in: entries, from: first, &transaction) { key, _ in
            var reader = ByteReader(key)
            guard let number = try? reader.readUInt64().byteSwapped else { return false }
            return (first...end).contains(number)
        }
        return true
    }

    /// Makes the keys anew where they were made by other rules, in this transaction: a newer Unicode, or other folding.
    ///
    /// - Complexity: O(1) where they weren't; else O(n log n) in all words.
    package func makeKeysCurrent(_ transaction: inout WriteTransaction) throws(LMDBError) {
        guard try !hasCurrentRules(transaction.reader) else { return }
        try mend(&transaction)
        var batch = WordBatch(source: .none, number: 0)
        do {
            var cursor = try transaction.cursor(in: words)
            var isThere = try cursor.first()
            let isSealed = try isSealed(transaction.reader)
            while isThere {
                var reader = ByteReader(cursor.key)
                let body = try body(cursor.value, under: cursor.key, in: words, isSealed: isSealed)
                guard let id = try? reader.readUniqueID(), let (place, headword) = try? Self.decodeWord(body) else {
                    throw damage(words)
                }
                batch.addKey(of: headword, composedText(headword), id, at: place)
                isThere = try cursor.next()
            }
        }
        try transaction.deleteAll(in: keys)
        try batch.writeKeys(to: keys, &transaction)
        try transaction.put(Self.rulesKey, Self.currentRules, in: sources)
    }

    private func nextNumber(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> UInt32 {
        // Numbers are used again, so that four billion installations in a store's life do no harm.
        var number: UInt32 = 0
        for taken in try sources(transaction).map(\.number).sorted() {
            guard taken == number else { break }
            number += 1
        }
        return number
    }

    private static func sourceNumber(_ value: RawSpan) -> UInt32? {
        var reader = ByteReader(value)
        return try? reader.readUInt32()
    }

    private func delete(
        in database: Database, from start: UInt64? = nil, _ transaction: inout WriteTransaction,
        where isGone: (RawSpan, RawSpan) -> Bool
    ) throws(LMDBError) {
        var gone: [[UInt8]] = []
        do {
            var cursor = try transaction.cursor(in: database)
            var isThere = if let start { try cursor.seek(start) } else { try cursor.first() }
            while isThere {
                if isGone(cursor.key, cursor.value) { gone.append(cursor.key.copied()) } else if start != nil { break }
                isThere = try cursor.next()
            }
        }
        for key in gone { try transaction.delete(key, in: database) }
    }
}
