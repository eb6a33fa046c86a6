// Generated from Schemas/card_reviewed.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card was answered in spaced repetition.
///
/// Event type 288, `card_reviewed`, in version 2. Its subject is the card.
public struct CardReviewed: Sendable, Equatable {
    /// How well it was known.
    public var grade: Grade
    /// How long the person took for the answer; absent where nobody measured it. In milliseconds. At most 86,400,000.
    public var tookMilliseconds: UInt64?
    /// Of that, the time until the card was turned; absent where nobody measured it. In milliseconds. At most
    /// 86,400,000.
    public var turnedMilliseconds: UInt64?

    /// An event of these values.
    public init(grade: Grade, tookMilliseconds: UInt64? = nil, turnedMilliseconds: UInt64? = nil) {
        self.grade = grade
        self.tookMilliseconds = tookMilliseconds
        self.turnedMilliseconds = turnedMilliseconds
    }
}

extension CardReviewed: EventPayload {
    package static var kind: StudyEventKind { .cardReviewed }
    package static var currentVersion: UInt8 { 2 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(grade.rawValue)
        writer.writeFlag(tookMilliseconds != nil)
        if let tookMilliseconds { writer.writeVariable(tookMilliseconds) }
        if version >= 2 {
            writer.writeFlag(turnedMilliseconds != nil)
            if let turnedMilliseconds { writer.writeVariable(turnedMilliseconds) }
        }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        grade = try reader.readChoice(Grade.self)
        tookMilliseconds = try reader.readFlag() ? reader.readUnsigned(maximum: 86_400_000) : nil
        turnedMilliseconds = try version < 2 ? nil : (reader.readFlag() ? reader.readUnsigned(maximum: 86_400_000) : nil)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(3)
        members.append(("grade", .string(grade.name)))
        if let tookMilliseconds { members.append(("took_ms", .integer(Int64(clamping: tookMilliseconds)))) }
        if version >= 2, let turnedMilliseconds { members.append(("turned_ms", .integer(Int64(clamping: turnedMilliseconds)))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        grade = try fields.required("grade", JSONField.choice)
        tookMilliseconds = try fields.optional("took_ms", JSONField.unsigned)
        turnedMilliseconds = try version < 2 ? nil : fields.optional("turned_ms", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        if let tookMilliseconds { try path.field("took_ms").check(unsigned: tookMilliseconds, maximum: 86_400_000) }
        if let turnedMilliseconds { try path.field("turned_ms").check(unsigned: turnedMilliseconds, maximum: 86_400_000) }
    }
}
