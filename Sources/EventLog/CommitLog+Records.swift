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
    func badRecord(_ database: Database, _ operation: String) -> LMDBError {
        LMDBError(.badRecord(database: database.name), operation: operation, path: path)
    }

    /// Whether the records beside the log are sealed.
    package func isSealed(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> Bool {
        guard let value = try transaction.value(for: Self.layoutKey, in: records) else { return false }
        guard let body = Self.recordSeal.open(value, under: Self.layoutKey.rawSpan), body.copied() == Self.layout else {
            throw badRecord(records, "read the layout")
        }
        return true
    }

    /// What stands under `key` in the records of the store; `nil` where nothing does.
    package func record(_ key: [UInt8], _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8]? {
        do throws(LMDBError) {
            guard let value = try transaction.value(for: key, in: records) else { return nil }
            guard try isSealed(transaction) else { return value.copied() }
            guard let body = Self.recordSeal.open(value, under: key.rawSpan) else { throw badRecord(records, "read a record") }
            return body.copied()
        } catch { throw .storage(error) }
    }

    /// The format of a store that a newer program wrote, which may not seal its records as this one does.
    func newerFormat(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt32? {
        do throws(LMDBError) {
            guard let value = try transaction.value(for: Self.formatKey, in: records), value.byteCount == 4 else { return nil }
            var reader = ByteReader(value)
            return (try? reader.readUInt32()).flatMap { $0 > Self.format ? $0 : nil }
        } catch { throw .storage(error) }
    }

    /// Writes what stands under `key` in the records of the store.
    package func setRecord(_ key: [UInt8], _ value: [UInt8], _ transaction: inout WriteTransaction) throws(LogError) {
        do throws(LMDBError) {
            let bytes = try isSealed(transaction.reader) ? Self.recordSeal.sealed(value, under: key) : value
            try transaction.put(key, bytes, in: records)
        } catch { throw .storage(error) }
    }

    /// Says that records beside the log are sealed from now on; seals those that the store has.
    package func sealRecords(_ transaction: inout WriteTransaction) throws(LogError) {
        do throws(LMDBError) {
            guard try !isSealed(transaction.reader) else { return }
            var plain: [(key: [UInt8], value: [UInt8])] = []
            do {
                var cursor = try transaction.cursor(in: records)
                var isThere = try cursor.first()
                while isThere {
                    plain.append((cursor.key.copied(), cursor.value.copied()))
                    isThere = try cursor.next()
                }
            }
            for (key, value) in plain { try transaction.put(key, Self.recordSeal.sealed(value, under: key), in: records) }
            try transaction.put(Self.layoutKey, Self.recordSeal.sealed(Self.layout, under: Self.layoutKey), in: records)
        } catch { throw .storage(error) }
    }

    /// How many records are sealed and aren't what was written. Complexity: O(records of the store).
    func damagedRecords(_ transaction: borrowing ReadTransaction) throws(LogError) -> [String] {
        var damaged: [String] = []
        do throws(LMDBError) {
            let isSealed: Bool
            do throws(LMDBError) { isSealed = try self.isSealed(transaction) } catch {
                guard case .badRecord = error.fault else { throw error }
                return ["layout"]
            }
            guard isSealed else { return [] }
            var cursor = try transaction.cursor(in: records)
            var isThere = try cursor.first()
            while isThere {
                if Self.recordSeal.open(cursor.value, under: cursor.key) == nil {
                    damaged.append(String(decoding: cursor.key.copied(), as: UTF8.self))
                }
                isThere = try cursor.next()
            }
        } catch { throw .storage(error) }
        return damaged
    }
}

// MARK: - The indexes beside the log

extension CommitLog {
    /// Records how many records an index has, so that one that goes is missed. Stores that aren't sealed have no such record.
    func recordCount(of index: Database, _ transaction: inout WriteTransaction) throws(LogError) {
        let count: Int
        do throws(LMDBError) {
            guard try isSealed(transaction.reader) else { return }
            count = try transaction.count(in: index)
        } catch { throw .storage(error) }
        var writer = ByteWriter()
        writer.write(UInt64(clamping: count))
        try setRecord(Array(index.name.utf8), writer.bytes, &transaction)
    }

    /// Whether an index has as many records as were recorded. Complexity: O(1).
    func hasAllRecords(_ index: Database, _ transaction: borrowing ReadTransaction) throws(LogError) -> Bool {
        guard let bytes = try record(Array(index.name.utf8), transaction) else { return true }
        var reader = ByteReader(bytes.rawSpan)
        do throws(LMDBError) {
            guard let count = try? reader.readUInt64() else { throw badRecord(records, "read the size of an index") }
            return try transaction.count(in: index) == Int(clamping: count)
        } catch { throw .storage(error) }
    }

    /// Throws where an index has lost records. Complexity: O(1).
    func checkCount(of index: Database, _ transaction: borrowing ReadTransaction) throws(LogError) {
        guard try !hasAllRecords(index, transaction) else { return }
        throw .storage(badRecord(index, "count the records of \(index.name)"))
    }

    /// Makes the index of callers' keys again from the log, and seals it. Complexity: O(commits).
    package func rewriteActions(_ transaction: inout WriteTransaction) throws(LogError) {
        var keys: [(key: UniqueID, sequence: UInt64)] = []
        try forEachCommit(transaction.reader) { (sequence, commit) throws(LogError) in
            do throws(ByteFault) {
                if let key = try Commit.header(of: commit).actionKey { keys.append((key, sequence)) }
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
        do throws(LMDBError) {
            try transaction.deleteAll(in: actions)
            var last: UniqueID?
            // A key that comes twice, of two devices, leads to the commit that was here first.
            for (key, sequence) in keys.sorted(by: { ($0.key, $0.sequence) < ($1.key, $1.sequence) }) where key != last {
                last = key
                let value = Self.actionSeal.sealed(Self.bigEndian(sequence), under: key.bytes)
                try transaction.put(key.bytes, value, in: actions)
            }
        } catch { throw .storage(error) }
        try recordCount(of: actions, &transaction)
    }

    /// Writes which commit the action of a key made.
    func putAction(
        _ key: UniqueID, _ sequence: UInt64, mode: WriteTransaction.PutMode, _ transaction: inout WriteTransaction
    ) throws(LogError) {
        let value = Self.bigEndian(sequence)
        do throws(LMDBError) {
            let bytes = try isSealed(transaction.reader) ? Self.actionSeal.sealed(value, under: key.bytes) : value
            try transaction.put(key.bytes, bytes, in: actions, mode: mode)
        } catch { throw .storage(error) }
        try recordCount(of: actions, &transaction)
    }

    /// The commit that a record of the index of callers' keys leads to; `nil` where it isn't what was written.
    func action(_ value: RawSpan, under key: RawSpan, isSealed: Bool) -> UInt64? {
        guard let body = Self.actionSeal.open(value, under: key, isSealed: isSealed), body.byteCount == 8 else { return nil }
        return Self.sequence(body)
    }
}
