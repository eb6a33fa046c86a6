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
        try checkCount(of: timelines, transaction)
        let isSealed = try isSealed(transaction)
        try forEachRecord(of: timelines, from: .key(subject.bytes), transaction) { (key, value) throws(LogError) in
            guard Self.timelineSubject(key) == subject else { return false }
            guard let more = Self.positions(value, under: key, isSealed: isSealed) else { throw badRecord(timelines, "read a timeline") }
            result += more
            return true
        }
        return result
    }

    /// The error of whoever finds that the index of timelines can't be right.
    package func damagedTimelines(_ operation: String) -> LogError { badRecord(timelines, operation) }

    /// Hands over each record of the database of timelines: the entity, and the positions.
    package func forEachTimeline(
        _ transaction: borrowing ReadTransaction, _ body: (UniqueID, [EventPosition]?) -> Void
    ) throws(LogError) {
        let isSealed = try isSealed(transaction)
        try forEachRecord(of: timelines, transaction) { key, value in
            body(Self.timelineSubject(key) ?? .none, Self.positions(value, under: key, isSealed: isSealed))
            return true
        }
    }

    /// A record with so many positions is left as it is, and the timeline goes on in another.
    private static let positionsInRecord = 256

    /// Adds the positions of `tail` to the database: to the end of each entity's last record, whose key and place in a page
    /// are thus paid for once and not at every checkpoint. Complexity: O(entities log entities).
    package func write(_ tail: TimelineTail, _ transaction: inout WriteTransaction) throws(LogError) {
        let isEmpty = try storage(transaction.count(in: timelines)) == 0
        let isSealed = try isSealed(transaction.reader)
        func put(_ positions: [EventPosition], under key: [UInt8]) throws(LogError) {
            let value = Self.encode(positions)
            let bytes = isSealed ? Self.timelineSeal.sealed(value, under: key) : value
            try storage(transaction.put(key, bytes, in: timelines))
        }
        for (subject, positions) in tail.positions.sorted(by: { $0.key < $1.key }) {
            guard let first = positions.first else { continue }
            let last = isEmpty ? nil : try lastRecord(of: subject, isSealed: isSealed, transaction.reader)
            if let last, last.positions.count < Self.positionsInRecord {
                try put(last.positions + positions, under: last.key)
            } else {
                try put(positions, under: subject.bytes + Self.bigEndian(first.rawValue))
            }
        }
        try recordCount(of: timelines, &transaction)
    }

    /// The record of `subject` with the highest positions; `nil` where there is none.
    private func lastRecord(
        of subject: UniqueID, isSealed: Bool, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> (key: [UInt8], positions: [EventPosition])? {
        var found: (key: [UInt8], positions: [EventPosition])?
        let end = subject.bytes + [UInt8](repeating: 0xFF, count: 8)
        try forEachRecord(of: timelines, from: .key(end), reversed: true, transaction) { (key, value) throws(LogError) in
            guard Self.timelineSubject(key) == subject else { return false }
            guard let positions = Self.positions(value, under: key, isSealed: isSealed) else {
                throw badRecord(timelines, "read a timeline")
            }
            found = (key.copied(), positions)
            return false
        }
        return found
    }

    package func deleteTimelines(_ transaction: inout WriteTransaction) throws(LogError) {
        try storage(transaction.deleteAll(in: timelines))
        try recordCount(of: timelines, &transaction)
    }

    private static func timelineSubject(_ key: RawSpan) -> UniqueID? {
        var reader = ByteReader(key)
        return key.byteCount == 24 ? try? reader.readUniqueID() : nil
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

    static func decodePositions(_ span: RawSpan) throws(ByteError) -> [EventPosition] {
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
            guard sequence < 1 << 40, offset < 1 << 24 else { throw ByteError(.badValue, offset: start) }
            result.append(EventPosition(sequence: sequence, offset: Int(offset)))
        }
        return result
    }
}
