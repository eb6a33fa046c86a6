package import EventCoding
package import LMDB

/// What is wrong with the content of a pack, or with records whose pack isn't known any more.
package struct ContentFinding: Hashable, Sendable {
    /// The pack, where that can be told.
    package let pack: UniqueID?
    package let message: String
}

extension PackStore {
    /// Holds every record against its checksum, and what each pack has against what was installed.
    /// Complexity: O(words and questions).
    package func check(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> [ContentFinding] {
        let isSealed: Bool
        do throws(LMDBError) { isSealed = try self.isSealed(transaction) } catch {
            guard case .badRecord = error.fault else { throw error }
            return [ContentFinding(pack: nil, message: "what says how the content is kept isn't what was written")]
        }
        var findings: [ContentFinding] = []
        var damaged: Set<UniqueID> = []
        /// Of each intact record its pack and what it adds to the pack's sum.
        var found: [UniqueID: (pack: UniqueID, checksum: UInt64)] = [:]
        var cursor = try transaction.cursor(in: content)
        var isThere = try cursor.first()
        while isThere {
            let key = cursor.key
            guard let id = UniqueID(bytes: key.copied()) else {
                findings.append(ContentFinding(pack: nil, message: "a record of the content has a key of \(key.byteCount) bytes"))
                isThere = try cursor.next()
                continue
            }
            if let body = Self.contentSeal.open(cursor.value, under: key, isSealed: isSealed),
                let record = try? ContentRecord(decoding: body)
            {
                found[id] = (record.pack, Self.contentSeal.checksum(key, body))
            } else {
                damaged.insert(id)
            }
            isThere = try cursor.next()
        }
        for id in try packIDs(transaction) {
            let pack: PackRecord?
            do throws(LMDBError) { pack = try self.pack(id, transaction) } catch {
                guard case .badRecord = error.fault else { throw error }
                findings.append(ContentFinding(pack: id, message: "the record of what it holds isn't what was written"))
                continue
            }
            guard let pack else { continue }
            var (missing, bad, sum) = (0, 0, UInt64(0))
            for record in pack.words + pack.questions.map(\.id) {
                if let one = found.removeValue(forKey: record), one.pack == id {
                    sum &+= one.checksum
                } else if damaged.remove(record) != nil {
                    bad += 1
                } else {
                    missing += 1
                }
            }
            if bad + missing > 0 {
                findings.append(
                    ContentFinding(pack: id, message: "\(bad) of its words and questions aren't what was installed, \(missing) are missing")
                )
            } else if let expected = pack.sum, expected != sum {
                findings.append(ContentFinding(pack: id, message: "its words and questions aren't those that were installed"))
            }
        }
        if !damaged.isEmpty || !found.isEmpty {
            findings.append(
                ContentFinding(
                    pack: Set(found.values.map(\.pack)).count == 1 ? found.values.first?.pack : nil,
                    message: "\(damaged.count + found.count) words and questions are of no pack that is here"))
        }
        return findings
    }

    /// Seals the records of a store that has none sealed, and takes out every record that isn't what was written, or is of no pack that
    /// is here. What a pack lacks then, a check says. Complexity: O(words and questions).
    package func mend(_ transaction: inout WriteTransaction) throws(LMDBError) {
        // The mark may be what is damaged, so a record that is sealed stays so whatever it says.
        let wasSealed = (try? isSealed(transaction.reader)) ?? false
        try mend(packs, Self.packSeal, wasSealed: wasSealed, &transaction) { key, body in
            guard let id = UniqueID(bytes: key.copied()) else { return false }
            return (try? PackRecord(id: id, decoding: body)) != nil
        }
        try transaction.put(Self.layoutKey, Self.packSeal.sealed(Self.layout, under: Self.layoutKey), in: packs)
        var listed: Set<UniqueID> = []
        for id in try packIDs(transaction.reader) {
            guard let pack = try pack(id, transaction.reader) else { continue }
            listed.formUnion(pack.words)
            listed.formUnion(pack.questions.map(\.id))
        }
        try mend(content, Self.contentSeal, wasSealed: wasSealed, &transaction) { key, body in
            (UniqueID(bytes: key.copied()).map(listed.contains) ?? false) && (try? ContentRecord(decoding: body)) != nil
        }
    }

    private func mend(
        _ database: Database, _ seal: Seal, wasSealed: Bool, _ transaction: inout WriteTransaction,
        where isRight: (_ key: RawSpan, _ body: RawSpan) -> Bool
    ) throws(LMDBError) {
        var gone: [[UInt8]] = []
        var plain: [(key: [UInt8], value: [UInt8])] = []
        do {
            var cursor = try transaction.cursor(in: database)
            var isThere = try cursor.first()
            while isThere {
                let key = cursor.key
                if key.copied() == Self.layoutKey {
                    // It is written again.
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
