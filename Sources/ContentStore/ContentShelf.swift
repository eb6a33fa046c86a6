package import EventCoding
package import LMDB

/// The content of installed packs: words and questions by their identities, and what each pack holds.
///
/// It is no history: nothing in it is vouched for by the log, and losing it costs installing the packs again. A record that
/// can't be read is as if it weren't there.
package struct ContentShelf: Sendable {
    /// The databases that a store needs for it.
    package static let databases = ["packs", "content"]

    /// Identity of a pack to its record.
    private let packs: Database
    /// Identity of a word or question to its record.
    private let content: Database

    package init(_ environment: Environment) throws(LMDBError) {
        packs = try environment.database("packs")
        content = try environment.database("content")
    }

    /// Replaces the content of a pack.
    ///
    /// - Parameter progress: called now and then with how many records are written.
    package func put(
        _ pack: PackRecord, _ records: [(id: UniqueID, record: ContentRecord)], _ transaction: inout WriteTransaction,
        progress: (Int) -> Void = { _ in }
    ) throws(LMDBError) {
        try remove(pack.id, &transaction)
        // In the order of the keys, which packs pages best.
        for (number, (id, record)) in records.sorted(by: { $0.id < $1.id }).enumerated() {
            try transaction.put(id.bytes, record.encoded, in: content)
            if number & 1023 == 1023 { progress(number) }
        }
        try transaction.put(pack.id.bytes, pack.encoded, in: packs)
    }

    /// Takes the content of a pack away; nothing where there is none.
    package func remove(_ pack: UniqueID, _ transaction: inout WriteTransaction) throws(LMDBError) {
        guard let record = try self.pack(pack, transaction.reader) else { return }
        for word in record.words { try transaction.delete(word.bytes, in: content) }
        for question in record.questions { try transaction.delete(question.id.bytes, in: content) }
        try transaction.delete(pack.bytes, in: packs)
    }

    /// What the store holds of a pack; `nil` where that is nothing.
    package func pack(_ id: UniqueID, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> PackRecord? {
        guard let value = try transaction.value(for: id.bytes, in: packs) else { return nil }
        return try? PackRecord(id: id, decoding: value)
    }

    /// The packs whose content is here, in the order of their identities.
    package func packIDs(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> [UniqueID] {
        var ids: [UniqueID] = []
        var cursor = try transaction.cursor(in: packs)
        var isThere = try cursor.first()
        while isThere {
            if let id = UniqueID(bytes: cursor.key.copied()) { ids.append(id) }
            isThere = try cursor.next()
        }
        return ids
    }

    /// A word or question; `nil` where it isn't there.
    package func record(_ id: UniqueID, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> ContentRecord? {
        guard let value = try transaction.value(for: id.bytes, in: content) else { return nil }
        return try? ContentRecord(decoding: value)
    }

    /// Hands over the words and questions whose identities lie in a range, in their order.
    package func forEachRecord(
        in range: ClosedRange<UniqueID>, _ transaction: borrowing ReadTransaction, _ body: (UniqueID, ContentRecord) -> Void
    ) throws(LMDBError) {
        var cursor = try transaction.cursor(in: content)
        var isThere = try cursor.seek(range.lowerBound.bytes.rawSpan)
        while isThere {
            if let id = UniqueID(bytes: cursor.key.copied()) {
                guard id <= range.upperBound else { return }
                if let record = try? ContentRecord(decoding: cursor.value) { body(id, record) }
            }
            isThere = try cursor.next()
        }
    }

    /// Hands over the words that are written exactly so. Complexity: O(words and questions), without making any of them.
    package func forEachWord(
        spelled spelling: String, _ transaction: borrowing ReadTransaction, _ body: (UniqueID, ContentRecord) -> Void
    ) throws(LMDBError) {
        let units = Array(spelling.utf8)
        var cursor = try transaction.cursor(in: content)
        var isThere = try cursor.first()
        while isThere {
            if ContentRecord.isWord(cursor.value, spelled: units), let id = UniqueID(bytes: cursor.key.copied()),
                let record = try? ContentRecord(decoding: cursor.value)
            {
                body(id, record)
            }
            isThere = try cursor.next()
        }
    }
}
