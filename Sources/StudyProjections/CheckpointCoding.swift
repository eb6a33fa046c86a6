internal import EventCoding
internal import StudyModel

// The small values of a checkpoint's layout. Unlike events, a checkpoint is no record: its layout may change with any
// version, since it can always be made again.

extension ByteWriter {
    mutating func write(_ id: EventID) {
        write(id.origin.rawValue)
        writeVariable(id.number)
    }

    mutating func write(_ order: FoldOrder) {
        write(UInt64(bitPattern: order.logicalTime.rawValue))
        write(order.id)
    }

    mutating func write(_ moment: ZonedTime) {
        write(UInt64(bitPattern: moment.wallMilliseconds))
        write(UInt16(bitPattern: moment.zoneMinutes))
    }

    mutating func write(header: EventHeader) {
        write(header.type.rawValue)
        write(header.version)
        write(UInt16(bitPattern: header.zoneMinutes))
        write(header.foldOrder)
        write(UInt64(bitPattern: header.wallMilliseconds))
        write(header.subject)
        write(UInt8(header.key == nil ? 0 : 1))
        if let key = header.key { write(key) }
    }
}

extension ByteReader {
    /// A count of things that take at least a byte each, so that a lying one can't make anybody reserve memory.
    @_lifetime(self: copy self)
    mutating func readCount() throws(ByteError) -> Int {
        let start = offset
        let count = try readVariable()
        guard count <= UInt64(remaining) else { throw ByteError(.badLength, offset: start) }
        return Int(count)
    }

    @_lifetime(self: copy self)
    mutating func readEventID() throws(ByteError) -> EventID {
        let origin = OriginID(rawValue: try readUInt64())
        return EventID(origin: origin, number: try readVariable())
    }

    @_lifetime(self: copy self)
    mutating func readFoldOrder() throws(ByteError) -> FoldOrder {
        let time = LogicalTime(rawValue: Int64(bitPattern: try readUInt64()))
        return FoldOrder(logicalTime: time, id: try readEventID())
    }

    @_lifetime(self: copy self)
    mutating func readMoment() throws(ByteError) -> ZonedTime {
        let wall = Int64(bitPattern: try readUInt64())
        return ZonedTime(wallMilliseconds: wall, zoneMinutes: Int16(bitPattern: try readUInt16()))
    }

    @_lifetime(self: copy self)
    mutating func readHeader() throws(ByteError) -> EventHeader {
        let type = EventType(rawValue: try readUInt16())
        let version = try readUInt8()
        let zone = Int16(bitPattern: try readUInt16())
        let order = try readFoldOrder()
        let wall = Int64(bitPattern: try readUInt64())
        let subject = try readUniqueID()
        let key: UniqueID? = try readUInt8() == 1 ? try readUniqueID() : nil
        return EventHeader(
            type: type, version: version, zoneMinutes: zone, id: order.id, logicalTime: order.logicalTime,
            wallMilliseconds: wall, subject: subject, key: key)
    }
}
