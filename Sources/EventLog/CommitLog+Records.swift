package import EventCoding
package import LMDB

/// What the store says of itself, in the database `records`, and how the records beside the log are sealed.
///
/// Each ends with a checksum (see ``Seal``) since the layout 1, which the record `layout` names. Stores that were made before have none:
/// their records are read as they are, and are made again, sealed, with the next checkpoint.
extension CommitLog {
    static let layoutKey: [UInt8] = Array("layout".utf8)
    private static let layout: [UInt8] = [1]

    static let recordSeal = Seal(of: "records")
    package static let timelineSeal = Seal(of: "timelines")
    static let actionSeal = Seal(of: "actions")

    /// The error for a record beside the log that isn't what was written.
    func badRecord(_ database: Database, _ operation: String) -> LogError {
        .storage(LMDBError(.badRecord(database: database.name), operation: operation, path: path))
    }

    /// The value of a key, in the map; `nil` where there is none.
    @_lifetime(borrow transaction)
    func value(for key: [UInt8], in database: Database, _ transaction: borrowing ReadTransaction) throws(LogError) -> RawSpan? {
        do throws(LMDBError) { return try transaction.value(for: key, in: database) } catch { throw .storage(error) }
    }

    /// Calls `body` with each record of a database in the order of the keys, from `start` on, until it says false.
    func forEachRecord(
        of database: Database, from start: ReadTransaction.Start = .beginning, reversed: Bool = false,
        _ transaction: borrowing ReadTransaction, _ body: (_ key: RawSpan, _ value: RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        do throws(TransactionError<LogError>) {
            try transaction.forEach(in: database, from: start, reversed: reversed, body)
        } catch { throw LogError(error) }
    }

    /// Writes a record beside the log, sealed where those of the store are.
    func put(
        _ key: [UInt8], _ value: [UInt8], in database: Database, by seal: Seal, mode: WriteTransaction.PutMode = .upsert,
        _ transaction: inout WriteTransaction
    ) throws(LogError) {
        let bytes = try isSealed(transaction.reader) ? seal.sealed(value, under: key) : value
        try storage(transaction.put(key, bytes, in: database, mode: mode))
    }

    /// Whether the records beside the log are sealed.
    package func isSealed(_ transaction: borrowing ReadTransaction) throws(LogError) -> Bool {
        guard let value = try value(for: Self.layoutKey, in: records, transaction) else { return false }
        guard let body = Self.recordSeal.open(value, under: Self.layoutKey.rawSpan), body.copied() == Self.layout else {
            throw badRecord(records, "read the layout")
        }
        return true
    }

    /// What stands under `key` in the records of the store; `nil` where nothing does.
    package func record(_ key: [UInt8], _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8]? {
        guard let value = try value(for: key, in: records, transaction) else { return nil }
        guard let body = Self.recordSeal.open(value, under: key.rawSpan, isSealed: try isSealed(transaction)) else {
            throw badRecord(records, "read a record")
        }
        return body.copied()
    }

    /// The format of a store that a newer program wrote, which may not seal its records as this one does.
    func newerFormat(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt32? {
        guard let value = try value(for: Self.formatKey, in: records, transaction), value.byteCount == 4 else { return nil }
        var reader = ByteReader(value)
        return (try? reader.readUInt32()).flatMap { $0 > Self.format ? $0 : nil }
    }

    /// Writes what stands under `key` in the records of the store.
    package func setRecord(_ key: [UInt8], _ value: [UInt8], _ transaction: inout WriteTransaction) throws(LogError) {
        try put(key, value, in: records, by: Self.recordSeal, &transaction)
    }

    /// Says that records beside the log are sealed from now on; seals those that the store has.
    package func sealRecords(_ transaction: inout WriteTransaction) throws(LogError) {
        guard try !isSealed(transaction.reader) else { return }
        var plain: [(key: [UInt8], value: [UInt8])] = []
        try forEachRecord(of: records, transaction.reader) { key, value in
            plain.append((key.copied(), value.copied()))
            return true
        }
        for (key, value) in plain + [(Self.layoutKey, Self.layout)] {
            try storage(transaction.put(key, Self.recordSeal.sealed(value, under: key), in: records))
        }
    }

    /// How many records are sealed and aren't what was written. Complexity: O(records of the store).
    func damagedRecords(_ transaction: borrowing ReadTransaction) throws(LogError) -> [String] {
        do throws(LogError) {
            guard try isSealed(transaction) else { return [] }
        } catch {
            guard case .storage(let error) = error, case .badRecord = error.fault else { throw error }
            return ["layout"]
        }
        var damaged: [String] = []
        try forEachRecord(of: records, transaction) { key, value in
            if Self.recordSeal.open(value, under: key) == nil { damaged.append(String(decoding: key.copied(), as: UTF8.self)) }
            return true
        }
        return damaged
    }
}

// MARK: - The indexes beside the log

extension CommitLog {
    /// Records how many records an index has, so that one that goes is missed. Stores that aren't sealed have no such record.
    func recordCount(of index: Database, _ transaction: inout WriteTransaction) throws(LogError) {
        guard try isSealed(transaction.reader) else { return }
        var writer = ByteWriter()
        writer.write(UInt64(clamping: try storage(transaction.count(in: index))))
        try setRecord(Array(index.name.utf8), writer.bytes, &transaction)
    }

    /// Whether an index has as many records as were recorded. Complexity: O(1).
    func hasAllRecords(_ index: Database, _ transaction: borrowing ReadTransaction) throws(LogError) -> Bool {
        guard let bytes = try record(Array(index.name.utf8), transaction) else { return true }
        var reader = ByteReader(bytes.rawSpan)
        guard let count = try? reader.readUInt64() else { throw badRecord(records, "read the size of an index") }
        return try storage(transaction.count(in: index)) == Int(clamping: count)
    }

    /// Throws where an index has lost records. Complexity: O(1).
    func checkCount(of index: Database, _ transaction: borrowing ReadTransaction) throws(LogError) {
        guard try !hasAllRecords(index, transaction) else { return }
        throw badRecord(index, "count the records of \(index.name)")
    }

    /// Makes the index of callers' keys again from the log, and seals it. Complexity: O(commits).
    package func rewriteActions(_ transaction: inout WriteTransaction) throws(LogError) {
        var keys: [(key: UniqueID, sequence: UInt64)] = []
        try forEachCommit(transaction.reader) { (sequence, commit) throws(LogError) in
            do throws(ByteError) {
                if let key = try Commit.header(of: commit).actionKey { keys.append((key, sequence)) }
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
        try storage(transaction.deleteAll(in: actions))
        var last: UniqueID?
        // A key that comes twice, of two devices, leads to the commit that was here first.
        for (key, sequence) in keys.sorted(by: { ($0.key, $0.sequence) < ($1.key, $1.sequence) }) where key != last {
            last = key
            let value = Self.actionSeal.sealed(Self.bigEndian(sequence), under: key.bytes)
            try storage(transaction.put(key.bytes, value, in: actions))
        }
        try recordCount(of: actions, &transaction)
    }

    /// Writes which commit the action of a key made.
    func putAction(
        _ key: UniqueID, _ sequence: UInt64, mode: WriteTransaction.PutMode, _ transaction: inout WriteTransaction
    ) throws(LogError) {
        try put(key.bytes, Self.bigEndian(sequence), in: actions, by: Self.actionSeal, mode: mode, &transaction)
        try recordCount(of: actions, &transaction)
    }

    /// The commit that a record of the index of callers' keys leads to; `nil` where it isn't what was written.
    func action(_ value: RawSpan, under key: RawSpan, isSealed: Bool) -> UInt64? {
        guard let body = Self.actionSeal.open(value, under: key, isSealed: isSealed), body.byteCount == 8 else { return nil }
        return Self.sequence(body)
    }
}
