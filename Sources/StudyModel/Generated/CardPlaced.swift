// Generated from Schemas/card_placed.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card came with a memory state from elsewhere, without the reviews that led to it.
///
/// Event type 277, `card_placed`, in version 1. Its subject is the card.
public struct CardPlaced: Sendable, Equatable {
    /// Level, in half steps. In half steps. At most 1,000,000.
    public var levelHalfSteps: UInt64
    /// Interval that the card was on. In days. At most 36,500.
    public var intervalDays: UInt64
    /// Study day on which it is due, in days since 1970-01-01. In days since 1970-01-01.
    public var dueDay: Int64
    /// How often it was known.
    public var passed: UInt64
    /// How often it was not.
    public var failed: UInt64
    /// When it was last reviewed, since 1970 UTC; absent where it never was or nobody knows. In milliseconds.
    public var lastReviewedMilliseconds: Int64?
    /// Name of the format that it came from.
    public var source: String

    /// An event of these values.
    public init(
        levelHalfSteps: UInt64,
        intervalDays: UInt64,
        dueDay: Int64,
        passed: UInt64,
        failed: UInt64,
        lastReviewedMilliseconds: Int64? = nil,
        source: String
    ) {
        self.levelHalfSteps = levelHalfSteps
        self.intervalDays = intervalDays
        self.dueDay = dueDay
        self.passed = passed
        self.failed = failed
        self.lastReviewedMilliseconds = lastReviewedMilliseconds
        self.source = source
    }
}

extension CardPlaced: EventPayload {
    package static var kind: StudyEventKind { .cardPlaced }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeVariable(levelHalfSteps)
        writer.writeVariable(intervalDays)
        writer.writeVariableSigned(dueDay)
        writer.writeVariable(passed)
        writer.writeVariable(failed)
        writer.writeFlag(lastReviewedMilliseconds != nil)
        if let lastReviewedMilliseconds { writer.writeVariableSigned(lastReviewedMilliseconds) }
        writer.writeText(source)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        levelHalfSteps = try reader.readUnsigned(maximum: 1_000_000)
        intervalDays = try reader.readUnsigned(maximum: 36_500)
        dueDay = try reader.readSigned(in: -719_162...2_932_896)
        passed = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        failed = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        lastReviewedMilliseconds = try reader.readFlag() ? reader.readSigned(in: -62_135_596_800_000...140_737_488_355_327) : nil
        source = try reader.readText(limit: FieldLimit.textBytes)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(7)
        members.append(("level_half_steps", .integer(Int64(clamping: levelHalfSteps))))
        members.append(("interval_days", .integer(Int64(clamping: intervalDays))))
        members.append(("due_day", .integer(dueDay)))
        members.append(("passed", .integer(Int64(clamping: passed))))
        members.append(("failed", .integer(Int64(clamping: failed))))
        if let lastReviewedMilliseconds { members.append(("last_reviewed_ms", .integer(lastReviewedMilliseconds))) }
        members.append(("source", .string(source)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        levelHalfSteps = try fields.required("level_half_steps", JSONField.unsigned)
        intervalDays = try fields.required("interval_days", JSONField.unsigned)
        dueDay = try fields.required("due_day", JSONField.signed)
        passed = try fields.required("passed", JSONField.unsigned)
        failed = try fields.required("failed", JSONField.unsigned)
        lastReviewedMilliseconds = try fields.optional("last_reviewed_ms", JSONField.signed)
        source = try fields.required("source", JSONField.text)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("level_half_steps").check(unsigned: levelHalfSteps, maximum: 1_000_000)
        try path.field("interval_days").check(unsigned: intervalDays, maximum: 36_500)
        try path.field("due_day").check(signed: dueDay, in: -719_162...2_932_896)
        try path.field("passed").check(unsigned: passed, maximum: FieldLimit.unsigned)
        try path.field("failed").check(unsigned: failed, maximum: FieldLimit.unsigned)
        if let lastReviewedMilliseconds {
            try path.field("last_reviewed_ms").check(signed: lastReviewedMilliseconds, in: -62_135_596_800_000...140_737_488_355_327)
        }
        try path.field("source").check(text: source)
    }
}
