internal import EventCoding
internal import StudyModel

/// Visits the fields of a row one after the other: writes them, reads them, or prints them.
///
/// A row describes its fields once (``DescribedRow/describe(to:)``); its form in checkpoints, its part of the state's digest and what
/// a difference prints all follow from that. Values are passed `inout`, so that the same line reads and writes.
protocol FieldCoder: ~Escapable {
    associatedtype Failure: Error

    /// Whether fields are visited that only a checkpoint needs: log positions, fold orders, what no one sees any more.
    static var isComplete: Bool { get }

    @_lifetime(self: copy self)
    mutating func unsigned(_ name: StaticString, _ value: inout UInt64) throws(Failure)
    @_lifetime(self: copy self)
    mutating func signed(_ name: StaticString, _ value: inout Int64) throws(Failure)
    /// A number that is too large for a variable form to save anything.
    @_lifetime(self: copy self)
    mutating func fixed(_ name: StaticString, _ value: inout UInt64) throws(Failure)
    @_lifetime(self: copy self)
    mutating func byte(_ name: StaticString, _ value: inout UInt8) throws(Failure)
    /// A byte of which no more than some low bits are ever set.
    @_lifetime(self: copy self)
    mutating func bits(_ name: StaticString, _ value: inout UInt8, upTo maximum: UInt8) throws(Failure)
    @_lifetime(self: copy self)
    mutating func choice<Choice: RawRepresentable<UInt8>>(_ name: StaticString, _ value: inout Choice?) throws(Failure)
    @_lifetime(self: copy self)
    mutating func text(_ name: StaticString, _ value: inout String) throws(Failure)
    @_lifetime(self: copy self)
    mutating func id(_ name: StaticString, _ value: inout UniqueID) throws(Failure)
    @_lifetime(self: copy self)
    mutating func digest(_ name: StaticString, _ value: inout SHA256Digest) throws(Failure)
    @_lifetime(self: copy self)
    mutating func moment(_ name: StaticString, _ value: inout ZonedTime) throws(Failure)
    @_lifetime(self: copy self)
    mutating func event(_ name: StaticString, _ value: inout EventID) throws(Failure)
}

extension FieldCoder where Self: ~Escapable {
    @_lifetime(self: copy self)
    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(Failure) {
        var raw: UInt8 = value ? 1 : 0
        try bits(name, &raw, upTo: 1)
        value = raw & 1 != 0
    }

    @_lifetime(self: copy self)
    mutating func bits(_ name: StaticString, _ value: inout UInt8, upTo maximum: UInt8) throws(Failure) { try byte(name, &value) }

    @_lifetime(self: copy self)
    mutating func count(_ name: StaticString, _ value: inout Int64) throws(Failure) {
        var raw = UInt64(clamping: value)
        try unsigned(name, &raw)
        value = Int64(clamping: raw)
    }

    /// 0 where there is none, else one more.
    @_lifetime(self: copy self)
    mutating func optional(_ name: StaticString, _ value: inout UInt64?) throws(Failure) {
        var raw = value.map { $0 + 1 } ?? 0
        try unsigned(name, &raw)
        value = raw == 0 ? nil : raw - 1
    }

    @_lifetime(self: copy self)
    mutating func choice<Choice: RawRepresentable<UInt8>>(_ name: StaticString, _ value: inout Choice?) throws(Failure) {
        var raw = value?.rawValue ?? 0
        try byte(name, &raw)
        value = Choice(rawValue: raw)
    }

    @_lifetime(self: copy self)
    mutating func order(_ name: StaticString, _ value: inout FoldOrder) throws(Failure) {
        var time = UInt64(bitPattern: value.logicalTime.rawValue)
        var id = value.id
        try fixed(name, &time)
        try event(name, &id)
        value = FoldOrder(logicalTime: LogicalTime(rawValue: Int64(bitPattern: time)), id: id)
    }

    @_lifetime(self: copy self)
    mutating func position(_ name: StaticString, _ value: inout EventPosition) throws(Failure) {
        var raw = value.rawValue
        try fixed(name, &raw)
        value = EventPosition(rawValue: raw)
    }
}

/// A row of a table whose fields are described once.
protocol DescribedRow: Entity, Hashable {
    /// Whether it is there for people, and so part of the state's digest.
    var isVisible: Bool { get }
    /// Whether two states that differ in it are different ones; what is visible always counts.
    var isCompared: Bool { get }

    /// Visits every field but the identity.
    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure)
}

extension DescribedRow {
    var isCompared: Bool { isVisible }
}

/// Writes the fields of rows, all of them or those that people see.
protocol FieldWriter: FieldCoder where Failure == Never {
    var bytes: ByteWriter { get set }
}

/// Writes the rows of a checkpoint.
struct CheckpointWriter: FieldWriter {
    static let isComplete = true
    var bytes: ByteWriter
}

/// Writes the rows that a digest is made of.
struct DigestWriter: FieldWriter {
    static let isComplete = false
    var bytes: ByteWriter
}

extension FieldWriter {
    mutating func unsigned(_ name: StaticString, _ value: inout UInt64) { bytes.writeVariable(value) }
    mutating func signed(_ name: StaticString, _ value: inout Int64) { bytes.writeVariableSigned(value) }
    mutating func fixed(_ name: StaticString, _ value: inout UInt64) { bytes.write(value) }
    mutating func byte(_ name: StaticString, _ value: inout UInt8) { bytes.write(value) }
    mutating func text(_ name: StaticString, _ value: inout String) { bytes.writeText(value) }
    mutating func id(_ name: StaticString, _ value: inout UniqueID) { bytes.write(value) }
    mutating func digest(_ name: StaticString, _ value: inout SHA256Digest) { bytes.write(value) }
    mutating func moment(_ name: StaticString, _ value: inout ZonedTime) { bytes.write(value) }
    mutating func event(_ name: StaticString, _ value: inout EventID) { bytes.write(value) }

    /// Writes a row with its identity.
    mutating func write<Row: DescribedRow>(_ row: Row) {
        var row = row
        bytes.write(row.id)
        row.describe(to: &self)
    }
}

/// Writes rows of one width, which are read in less time.
struct FixedFieldWriter: FieldWriter {
    static let isComplete = true
    var bytes: ByteWriter

    mutating func unsigned(_ name: StaticString, _ value: inout UInt64) { bytes.write(value) }
    mutating func signed(_ name: StaticString, _ value: inout Int64) { bytes.write(UInt64(bitPattern: value)) }
    mutating func event(_ name: StaticString, _ value: inout EventID) {
        bytes.write(value.origin.rawValue)
        bytes.write(value.number)
    }
}

/// Reads what ``FixedFieldWriter`` wrote.
struct FixedFieldReader: FieldCoder, ~Escapable {
    static let isComplete = true
    private(set) var reader: ByteReader

    @_lifetime(copy reader)
    init(reader: ByteReader) { self.reader = reader }

    @_lifetime(self: copy self)
    mutating func unsigned(_ name: StaticString, _ value: inout UInt64) throws(ByteError) { value = try reader.readUInt64() }
    @_lifetime(self: copy self)
    mutating func signed(_ name: StaticString, _ value: inout Int64) throws(ByteError) {
        value = Int64(bitPattern: try reader.readUInt64())
    }
    @_lifetime(self: copy self)
    mutating func fixed(_ name: StaticString, _ value: inout UInt64) throws(ByteError) { value = try reader.readUInt64() }
    @_lifetime(self: copy self)
    mutating func byte(_ name: StaticString, _ value: inout UInt8) throws(ByteError) { value = try reader.readUInt8() }
    @_lifetime(self: copy self)
    mutating func text(_ name: StaticString, _ value: inout String) throws(ByteError) { try reader.text(name, &value) }
    @_lifetime(self: copy self)
    mutating func id(_ name: StaticString, _ value: inout UniqueID) throws(ByteError) { value = try reader.readUniqueID() }
    @_lifetime(self: copy self)
    mutating func digest(_ name: StaticString, _ value: inout SHA256Digest) throws(ByteError) { value = try reader.readDigest() }
    @_lifetime(self: copy self)
    mutating func moment(_ name: StaticString, _ value: inout ZonedTime) throws(ByteError) { value = try reader.readMoment() }
    @_lifetime(self: copy self)
    mutating func event(_ name: StaticString, _ value: inout EventID) throws(ByteError) {
        let origin = OriginID(rawValue: try reader.readUInt64())
        value = EventID(origin: origin, number: try reader.readUInt64())
    }

    /// Reads a row with its identity.
    @_lifetime(self: copy self)
    mutating func readRow<Row: DescribedRow>(_ type: Row.Type) throws(ByteError) -> Row {
        var row = Row(id: try reader.readUniqueID())
        try row.describe(to: &self)
        return row
    }
}

/// Reads the rows of a checkpoint.
extension ByteReader: FieldCoder {
    static var isComplete: Bool { true }

    /// No text of a row is longer than this, in bytes.
    private static let maximumTextBytes = 1 << 20

    @_lifetime(self: copy self)
    mutating func unsigned(_ name: StaticString, _ value: inout UInt64) throws(ByteError) { value = try readVariable() }
    @_lifetime(self: copy self)
    mutating func signed(_ name: StaticString, _ value: inout Int64) throws(ByteError) { value = try readVariableSigned() }
    @_lifetime(self: copy self)
    mutating func fixed(_ name: StaticString, _ value: inout UInt64) throws(ByteError) { value = try readUInt64() }
    @_lifetime(self: copy self)
    mutating func byte(_ name: StaticString, _ value: inout UInt8) throws(ByteError) { value = try readUInt8() }
    @_lifetime(self: copy self)
    mutating func bits(_ name: StaticString, _ value: inout UInt8, upTo maximum: UInt8) throws(ByteError) {
        value = try readUInt8()
        guard value <= maximum else { throw ByteError(.badValue, offset: offset - 1) }
    }
    @_lifetime(self: copy self)
    mutating func choice<Choice: RawRepresentable<UInt8>>(_ name: StaticString, _ value: inout Choice?) throws(ByteError) {
        let raw = try readUInt8()
        value = Choice(rawValue: raw)
        guard raw == 0 || value != nil else { throw ByteError(.badValue, offset: offset - 1) }
    }
    @_lifetime(self: copy self)
    mutating func text(_ name: StaticString, _ value: inout String) throws(ByteError) { value = try readText(limit: Self.maximumTextBytes) }
    @_lifetime(self: copy self)
    mutating func id(_ name: StaticString, _ value: inout UniqueID) throws(ByteError) { value = try readUniqueID() }
    @_lifetime(self: copy self)
    mutating func digest(_ name: StaticString, _ value: inout SHA256Digest) throws(ByteError) { value = try readDigest() }
    @_lifetime(self: copy self)
    mutating func moment(_ name: StaticString, _ value: inout ZonedTime) throws(ByteError) { value = try readMoment() }
    @_lifetime(self: copy self)
    mutating func event(_ name: StaticString, _ value: inout EventID) throws(ByteError) { value = try readEventID() }

    /// Reads a row with its identity.
    @_lifetime(self: copy self)
    mutating func readRow<Row: DescribedRow>(_ type: Row.Type) throws(ByteError) -> Row {
        var row = Row(id: try readUniqueID())
        try row.describe(to: &self)
        return row
    }
}

/// Prints the fields of a row with their names, for whoever looks at a difference.
struct FieldPrinter: FieldCoder {
    static let isComplete = true
    private(set) var fields: [String] = []

    private mutating func add(_ name: StaticString, _ value: some CustomStringConvertible) { fields.append("\(name) \(value)") }

    mutating func unsigned(_ name: StaticString, _ value: inout UInt64) { add(name, value) }
    mutating func signed(_ name: StaticString, _ value: inout Int64) { add(name, value) }
    mutating func fixed(_ name: StaticString, _ value: inout UInt64) { add(name, value) }
    mutating func byte(_ name: StaticString, _ value: inout UInt8) { add(name, value) }
    mutating func text(_ name: StaticString, _ value: inout String) { add(name, "\"\(value)\"") }
    mutating func id(_ name: StaticString, _ value: inout UniqueID) { add(name, value) }
    mutating func digest(_ name: StaticString, _ value: inout SHA256Digest) { add(name, value) }
    mutating func moment(_ name: StaticString, _ value: inout ZonedTime) { add(name, value) }
    mutating func event(_ name: StaticString, _ value: inout EventID) { add(name, value) }

    static func fields<Row: DescribedRow>(of row: Row) -> [String] {
        var printer = FieldPrinter()
        var row = row
        row.describe(to: &printer)
        return printer.fields
    }
}

extension EntityTable where Row: DescribedRow {
    /// Writes every row, in the order of the table.
    func write(to writer: inout CheckpointWriter) {
        writer.bytes.writeVariable(UInt64(count))
        for row in rows { writer.write(row) }
    }

    /// The table that ``write(to:)`` wrote.
    @_lifetime(reader: copy reader)
    init(from reader: inout ByteReader) throws(ByteError) {
        var rows: [Row] = []
        for _ in 0..<(try reader.readCount()) { rows.append(try reader.readRow(Row.self)) }
        self.init(rows)
    }

    /// The rows that people see, in the order of their identities.
    var visibleRows: [Row] { rows.filter(\.isVisible).sorted { $0.id < $1.id } }

    /// Writes the rows that people see; `more` writes what belongs to a row and lies elsewhere.
    func write(to writer: inout DigestWriter, more: (Row, inout DigestWriter) -> Void = { _, _ in }) {
        let rows = visibleRows
        writer.bytes.writeVariable(UInt64(rows.count))
        for row in rows {
            writer.write(row)
            more(row, &writer)
        }
    }
}
