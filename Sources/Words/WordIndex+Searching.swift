package import EventCoding
package import LMDB
internal import TextFolding

extension WordIndex {
    /// The first `limit` words that begin with what was typed, best first.
    ///
    /// A word that equals what was typed (see ``SearchKey``) comes before those that go on, and among such words those that
    /// read exactly so come first. Then the order is that of ``WordKey``: folded text, text, identity, byte by byte.
    /// - Parameter hidden: sources whose words aren't wanted.
    /// - Complexity: O(limit + log words): two seeks, and `limit` steps, one more for each hidden word among them. What is typed
    ///   beyond ``WordKey/textLimit`` bytes is held against every word that shares so many.
    package func words(
        prefix: String, limit: Int, hiding hidden: Set<UniqueID> = [], _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [FoundWord] {
        let query = SearchQuery(prefix)
        guard limit > 0, !(query.key.bytes.isEmpty && !query.typed.isEmpty) else { return [] }
        let isSealed = try isSealed(transaction)
        let sources = try sources(transaction, isSealed: isSealed)
        let search = Search(
            query: query, limit: limit, hidden: Set(sources.filter { hidden.contains($0.id) }.map(\.number)), isSealed: isSealed)
        let hits = try query.key.bytes.count > WordKey.textLimit ? longHits(search, transaction) : hits(search, transaction)
        var names: [UInt32: UniqueID] = [:]
        for source in sources { names[source.number] = source.id }
        var found: [FoundWord] = []
        found.reserveCapacity(hits.count)
        for id in hits {
            guard let word = try word(id, names, isSealed: isSealed, transaction) else { throw damage(keys) }
            found.append(word)
        }
        return found
    }

    /// The word of that identity; `nil` where it isn't here.
    package func word(_ id: UniqueID, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> FoundWord? {
        var names: [UInt32: UniqueID] = [:]
        let isSealed = try isSealed(transaction)
        for source in try sources(transaction, isSealed: isSealed) { names[source.number] = source.id }
        return try word(id, names, isSealed: isSealed, transaction)
    }

    /// Identities of the words that begin with `start`, a lower-case spelling of at least its beginning; at most `limit`.
    package func ids(from start: UniqueID, through end: UniqueID, limit: Int, _ transaction: borrowing ReadTransaction) throws(LMDBError)
        -> [UniqueID]
    {
        var found: [UniqueID] = []
        var cursor = try transaction.cursor(in: words)
        var isThere = try cursor.seek(start.bytes.rawSpan)
        while isThere, found.count < limit {
            var reader = ByteReader(cursor.key)
            guard let id = try? reader.readUniqueID() else { throw damage(words) }
            guard id <= end else { break }
            found.append(id)
            isThere = try cursor.next()
        }
        return found
    }

    private func word(
        _ id: UniqueID, _ names: [UInt32: UniqueID], isSealed: Bool, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> FoundWord? {
        guard let (place, headword) = try word(id, isSealed: isSealed, transaction) else { return nil }
        guard let source = names[place.source] else { throw damage(words) }
        guard let value = try transaction.value(for: place.number, in: entries) else { throw damage(entries) }
        let body = isSealed ? Self.seals.entries.open(value, under: place.number) : value
        guard let text = body?.text else { throw damage(entries) }
        return FoundWord(id: id, headword: headword, text: text, source: source)
    }

    /// What the record of a word says; `nil` where there is none.
    private func word(
        _ id: UniqueID, isSealed: Bool, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> (place: EntryPlace, headword: String)? {
        let key = id.bytes
        guard let value = try transaction.value(for: key, in: words) else { return nil }
        let body = try body(value, under: key.rawSpan, in: words, isSealed: isSealed)
        guard let word = try? Self.decodeWord(body) else { throw damage(words) }
        return word
    }

    static func decodeWord(_ value: RawSpan) throws(ByteError) -> (place: EntryPlace, headword: String) {
        var reader = ByteReader(value)
        let place = try EntryPlace(&reader)
        let headword = try reader.readText(limit: WordEntry.headwordLimit)
        try reader.finish()
        return (place, headword)
    }

    /// Words whose key begins with one that isn't cut: they lie together, in the order in which they are wanted, but for
    /// those that read as typed.
    private func hits(_ search: Search, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> [UniqueID] {
        let (query, limit) = (search.query, search.limit)
        let start = query.key.bytes
        let asTyped = start.isEmpty ? [] : start + [WordKey.whole] + wholeScalars(query.typed, upTo: WordKey.textLimit) + [0]
        var found: [UniqueID] = []
        var cursor = try transaction.cursor(in: keys)
        if !asTyped.isEmpty {
            var isThere = try cursor.seek(asTyped.rawSpan)
            while isThere, found.count < limit, cursor.key.begins(with: asTyped) {
                if try !hides(search, cursor.key, cursor.value) { found.append(try id(in: cursor.key)) }
                isThere = try cursor.next()
            }
        }
        var isThere = try start.isEmpty ? cursor.first() : cursor.seek(start.rawSpan)
        while isThere, found.count < limit, cursor.key.begins(with: start) {
            let key = cursor.key
            if query.endsWord, !start.isEmpty, let next = key.byte(at: start.count), next > WordKey.cut {
                // Behind the words that end here come those that go on with a space, and then the others.
                guard next <= 0x20 else { break }
            }
            let isTaken = !asTyped.isEmpty && key.begins(with: asTyped)
            if !isTaken, try !hides(search, key, cursor.value), try isWanted(search, key, transaction) { found.append(try id(in: key)) }
            isThere = try cursor.next()
        }
        return found
    }

    /// A key that was cut just where the query ends doesn't tell how its word goes on.
    private func isWanted(
        _ search: Search, _ key: RawSpan, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> Bool {
        let query = search.query
        guard query.endsWord, key.byte(at: query.key.bytes.count) == WordKey.cut, !query.key.bytes.isEmpty else { return true }
        return query.matches(SearchKey(try headword(try id(in: key), search, transaction)))
    }

    /// Words that share the first bytes with a long query: each is looked at as a whole.
    private func longHits(_ search: Search, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> [UniqueID] {
        let query = search.query
        let start = wholeScalars(query.key.bytes, upTo: WordKey.textLimit) + [WordKey.cut]
        let typed = wholeScalars(query.typed, upTo: WordKey.textLimit)
        var ranks: [[UniqueID]] = [[], [], []]
        var cursor = try transaction.cursor(in: keys)
        var isThere = try cursor.seek(start.rawSpan)
        while isThere, cursor.key.begins(with: start) {
            let id = try id(in: cursor.key)
            let headword = try headword(id, search, transaction)
            let key = SearchKey(headword)
            if try !hides(search, cursor.key, cursor.value), query.matches(key) {
                let isAsTyped = wholeScalars(composedText(headword), upTo: WordKey.textLimit) == typed
                ranks[key != query.key ? 2 : isAsTyped ? 0 : 1].append(id)
            }
            isThere = try cursor.next()
        }
        return Array(ranks.joined().prefix(search.limit))
    }

    private func headword(_ id: UniqueID, _ search: Search, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> String {
        guard let word = try word(id, isSealed: search.isSealed, transaction) else { throw damage(words) }
        return word.headword
    }

    /// Whether the word of a key isn't wanted.
    private func hides(_ search: Search, _ key: RawSpan, _ value: RawSpan) throws(LMDBError) -> Bool {
        let body = try body(value, under: key, in: keys, isSealed: search.isSealed)
        guard let place = try? EntryPlace(decoding: body) else { throw damage(keys) }
        return search.hidden.contains(place.source)
    }

    private func id(in key: RawSpan) throws(LMDBError) -> UniqueID {
        var reader = ByteReader(key, at: key.byteCount - 16)
        guard key.byteCount >= WordKey.tailBytes, let id = try? reader.readUniqueID() else { throw damage(keys) }
        return id
    }
}

/// What is looked for.
private struct Search {
    let query: SearchQuery
    let limit: Int
    /// Numbers of the sources whose words aren't wanted.
    let hidden: Set<UInt32>
    /// Whether the records that are met end with a checksum.
    let isSealed: Bool
}

extension RawSpan {
    fileprivate func begins(with bytes: [UInt8]) -> Bool {
        guard byteCount >= bytes.count else { return false }
        return unsafe withUnsafeBytes { unsafe $0.starts(with: bytes) }
    }

    fileprivate func byte(at offset: Int) -> UInt8? {
        guard offset < byteCount else { return nil }
        return unsafe withUnsafeBytes { unsafe $0[offset] }
    }
}
