package import EventCoding
package import LMDB

/// The content of installed packs: words and questions by their identities, and what each pack holds.
///
/// It is no history: nothing in it is vouched for by the log, and losing it costs installing the packs again. Each record ends with a
/// checksum (see ``Seal``), since a record `layout` among the packs says so; stores that were made before have none, and are read as they
/// are until a pack is next installed. A record that isn't what was written is an error.
package struct PackStore: Sendable {
    /// The databases that a store needs for it.
    package static let databases = ["packs", "content"]

    /// Identity of a pack to its record.
    let packs: Database
    /// Identity of a word or question to its record.
    let content: Database
    private let path: String

    static let layoutKey: [UInt8] = Array("layout".utf8)
    static let layout: [UInt8] = [1]
    static let packSeal = Seal(of: "packs")
    static let contentSeal = Seal(of: "content")

    package init(_ environment: Environment) throws(LMDBError) {
        packs = try environment.database("packs")
        content = try environment.database("content")
        path = environment.path
    }

    /// What is thrown where a record isn't what was written, or isn't there.
    package func damage() -> LMDBError {
        LMDBError(.badRecord(database: content.name), operation: "read a record of \(content.name)", path: path)
    }

    private func packDamage() -> LMDBError {
        LMDBError(.badRecord(database: packs.name), operation: "read a record of \(packs.name)", path: path)
    }

    /// Whether the records are sealed.
    func isSealed(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> Bool {
        guard let value = try transaction.value(for: Self.layoutKey, in: packs) else { return false }
        guard let body = Self.packSeal.open(value, under: Self.layoutKey.rawSpan), body.copied() == Self.layout else {
            throw packDamage()
        }
        return true
    }

    /// Replaces the content of a pack. What was damaged, of whichever pack, is gone then.
    ///
    /// - Parameter progress: called now and then with how many records are written.
    package func put(
        _ pack: PackRecord, _ records: [(id: UniqueID, record: ContentRecord)], _ transaction: inout WriteTransaction,
        progress: (Int) -> Void = { _ in }
    ) throws(LMDBError) {
        try mend(&transaction)
        try remove(pack.id, &transaction)
        var pack = pack
        var sum: UInt64 = 0
        // In the order of the keys, which packs pages best.
        for (number, (id, record)) in records.sorted(by: { $0.id < $1.id }).enumerated() {
            let (key, value) = (id.bytes, record.encoded)
            sum &+= Self.contentSeal.checksum(key.rawSpan, value.rawSpan)
            try transaction.put(key, Self.contentSeal.sealed(value, under: key), in: content)
            try Interruption.check(at: UInt64(number))
            if number & 1023 == 1023 { progress(number) }
        }
        pack.sum = sum
        let key = pack.id.bytes
        try transaction.put(key, Self.packSeal.sealed(pack.encoded, under: key), in: packs)
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
        let key = id.bytes
        guard let value = try transaction.value(for: key, in: packs) else { return nil }
        guard let body = Self.packSeal.open(value, under: key.rawSpan, isSealed: try isSealed(transaction)),
            let record = try? PackRecord(id: id, decoding: body)
        else { throw packDamage() }
        return record
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
        let key = id.bytes
        guard let value = try transaction.value(for: key, in: content) else { return nil }
        return try record(value, under: key.rawSpan, isSealed: try isSealed(transaction))
    }

    func record(_ value: RawSpan, under key: RawSpan, isSealed: Bool) throws(LMDBError) -> ContentRecord {
        guard let body = Self.contentSeal.open(value, under: key, isSealed: isSealed), let record = try? ContentRecord(decoding: body)
        else {
            throw damage()
        }
        return record
    }

    /// Hands over the words and questions whose identities lie in a range, in their order.
    package func forEachRecord(
        in range: ClosedRange<UniqueID>, _ transaction: borrowing ReadTransaction, _ body: (UniqueID, ContentRecord) -> Void
    ) throws(LMDBError) {
        let isSealed = try isSealed(transaction)
        var cursor = try transaction.cursor(in: content)
        var isThere = try cursor.seek(range.lowerBound.bytes.rawSpan)
        while isThere {
            if let id = UniqueID(bytes: cursor.key.copied()) {
                guard id <= range.upperBound else { return }
                body(id, try record(cursor.value, under: cursor.key, isSealed: isSealed))
            }
            isThere = try cursor.next()
        }
    }

    /// Hands over the words that are written exactly so. Complexity: O(words and questions), without making any of them.
    package func forEachWord(
        spelled spelling: String, _ transaction: borrowing ReadTransaction, _ body: (UniqueID, ContentRecord) -> Void
    ) throws(LMDBError) {
        let units = Array(spelling.utf8)
        let isSealed = try isSealed(transaction)
        var cursor = try transaction.cursor(in: content)
        var isThere = try cursor.first()
        while isThere {
            guard let record = Self.contentSeal.open(cursor.value, under: cursor.key, isSealed: isSealed) else { throw damage() }
            if ContentRecord.isWord(record, spelled: units), let id = UniqueID(bytes: cursor.key.copied()) {
                guard let word = try? ContentRecord(decoding: record) else { throw damage() }
                body(id, word)
            }
            isThere = try cursor.next()
        }
    }
}
