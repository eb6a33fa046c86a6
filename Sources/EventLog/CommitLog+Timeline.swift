package import EventCoding
package import LMDB

/// Where the events of each entity lie that no checkpoint covers yet, in the order of arrival.
package struct TimelineTail: Sendable {
    package private(set) var positions: [UniqueID: [EventPosition]] = [:]
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ position: EventPosition, of subject: UniqueID) {
        positions[subject, default: []].append(position)
        count += 1
    }

    /// The part of it that lies in commits after `sequence`. Complexity: O(positions).
    package func after(_ sequence: UInt64) -> TimelineTail {
        guard sequence > 0 else { return self }
        var result = TimelineTail()
        for (subject, list) in positions {
            let rest = list.filter { $0.sequence > sequence }
            guard !rest.isEmpty else { continue }
            result.positions[subject] = rest
            result.count += rest.count
        }
        return result
    }

    package mutating func removeAll() {
        positions.removeAll(keepingCapacity: false)
        count = 0
    }
}

/// The database of timelines: for each entity, where its events lie in the log.
///
/// A record's key is the entity's sixteen bytes and the first position in the record, eight bytes, so that the records of
/// an entity stand together in the order of arrival. Its value lists the positions: for each, how much the sequence number
/// grows (LEB128) and the offset (LEB128; how much it grows, where the sequence number stays).
extension CommitLog {
    /// Where the events of `subject` lie that the last checkpoint covers, in the order of arrival.
    package func positions(of subject: UniqueID, _ transaction: borrowing ReadTransaction) throws(LogError) -> [EventPosition] {
        var result: [EventPosition] = []
        let prefix = subject.bytes
        try checkCount(of: timelines, transaction)
        do throws(LMDBError) {
            let isSealed = try isSealed(transaction)
            var cursor = try transaction.cursor(in: timelines)
            var isThere = try cursor.seek(prefix.rawSpan)
            while isThere {
                guard let key = Self.timelineKey(cursor.key), key.subject == subject else { break }
                guard let more = Self.positions(cursor.value, under: cursor.key, isSealed: isSealed) else {
                    throw badRecord(timelines, "read a timeline")
                }
                result += more
                isThere = try cursor.next()
            }
        } catch { throw .storage(error) }
        return result
    }

    /// The error of whoever finds that the index of timelines can't be right.
    package func damagedTimelines(_ operation: String) -> LMDBError { badRecord(timelines, operation) }

    /// Hands over each record of the database of timelines: the entity, and the positions.
    package func forEachTimeline(
        _ transaction: borrowing ReadTransaction, _ body: (UniqueID, [EventPosition]?) -> Void
    ) throws(LogError) {
        do throws(LMDBError) {
            let isSealed = try isSealed(transaction)
            var cursor = try transaction.cursor(in: timelines)
            var isThere = try cursor.first()
            while isThere {
                body(
                    Self.timelineKey(cursor.key)?.subject ?? .none,
                    Self.positions(cursor.value, under: cursor.key, isSealed: isSealed))
                isThere = try cursor.next()
            }
        } catch { throw .storage(error) }
    }

    /// A record with so many positions is left as it is, and the timeline goes on in another.
    private static let positionsInRecord = 256

    /// Adds the positions of `tail` to the database: to the end of each entity's last record, whose key and place in a page
    /// are thus paid for once and not at every checkpoint. Complexity: O(entities log entities).
    package func write(_ tail: TimelineTail, _ transaction: inout WriteTransaction) throws(LogError) {
        do throws(LMDBError) {
            let isEmpty = try transaction.count(in: timelines) == 0
            let isSealed = try isSealed(transaction.reader)
            func encoded(_ positions: [EventPosition], under key: [UInt8]) -> [UInt8] {
                isSealed ? Self.timelineSeal.sealed(Self.encode(positions), under: key) : Self.encode(positions)
            }
            for (subject, positions) in tail.positions.sorted(by: { $0.key < $1.key }) {
                guard let first = positions.first else { continue }
                let last = isEmpty ? nil : try lastRecord(of: subject, isSealed: isSealed, transaction.reader)
                if let last, last.positions.count < Self.positionsInRecord {
                    try transaction.put(last.key, encoded(last.positions + positions, under: last.key), in: timelines)
                } else {
                    let key = subject.bytes + Self.bigEndian(first.rawValue)
                    try transaction.put(key, encoded(positions, under: key), in: timelines)
                }
            }
        } catch { throw .storage(error) }
        try recordCount(of: timelines, &transaction)
    }

    /// The record of `subject` with the highest positions; `nil` where there is none.
    private func lastRecord(
        of subject: UniqueID, isSealed: Bool, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> (key: [UInt8], positions: [EventPosition])? {
        var cursor = try transaction.cursor(in: timelines)
        let end = subject.bytes + [UInt8](repeating: 0xFF, count: 8)
        let isThere = try cursor.seek(end.rawSpan) ? try cursor.previous() : try cursor.last()
        guard isThere, Self.timelineKey(cursor.key)?.subject == subject else { return nil }
        guard let positions = Self.positions(cursor.value, under: cursor.key, isSealed: isSealed) else {
            throw badRecord(timelines, "read a timeline")
        }
        return (cursor.key.copied(), positions)
    }

    package func deleteTimelines(_ transaction: inout WriteTransaction) throws(LogError) {
        do throws(LMDBError) { try transaction.deleteAll(in: timelines) } catch { throw .storage(error) }
        try recordCount(of: timelines, &transaction)
    }

    private static func timelineKey(_ key: RawSpan) -> (subject: UniqueID, first: EventPosition)? {
        guard key.byteCount == 24 else { return nil }
        var reader = ByteReader(key)
        guard let subject = try? reader.readUniqueID(), let first = try? reader.readUInt64() else { return nil }
        return (subject, EventPosition(rawValue: first.byteSwapped))
    }

    /// The positions of a record; `nil` where it isn't what was written.
    private static func positions(_ value: RawSpan, under key: RawSpan, isSealed: Bool) -> [EventPosition]? {
        guard let body = timelineSeal.open(value, under: key, isSealed: isSealed) else { return nil }
        return try? decodePositions(body)
    }

    static func encode(_ positions: [EventPosition]) -> [UInt8] {
        var writer = ByteWriter(reserving: positions.count * 4)
        var last = EventPosition.none
        for position in positions {
            writer.writeVariable(position.sequence - last.sequence)
            writer.writeVariable(UInt64(position.sequence == last.sequence ? position.offset - last.offset : position.offset))
            last = position
        }
        return writer.bytes
    }

    static func decodePositions(_ span: RawSpan) throws(ByteFault) -> [EventPosition] {
        var reader = ByteReader(span)
        var result: [EventPosition] = []
        var sequence: UInt64 = 0
        var offset: UInt64 = 0
        while reader.remaining > 0 {
            let start = reader.offset
            let grows = try reader.readVariable()
            let step = try reader.readVariable()
            sequence &+= grows
            offset = grows == 0 ? offset &+ step : step
            guard sequence < 1 << 40, offset < 1 << 24 else { throw ByteFault(.badValue, offset: start) }
            result.append(EventPosition(sequence: sequence, offset: Int(offset)))
        }
        return result
    }
}
