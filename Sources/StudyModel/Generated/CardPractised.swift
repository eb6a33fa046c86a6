// Generated from Schemas/card_practised.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card was answered in free learning, which changes nothing that is scheduled.
///
/// Event type 289, `card_practised`, in version 1. Its subject is the card.
public struct CardPractised: Sendable, Equatable {
    /// How well it was known.
    public var grade: Grade
    /// How long the person took for the answer; absent where nobody measured it. In milliseconds. At most 86,400,000.
    public var tookMilliseconds: UInt64?

    /// An event of these values.
    public init(grade: Grade, tookMilliseconds: UInt64? = nil) {
        self.grade = grade
        self.tookMilliseconds = tookMilliseconds
    }
}

extension CardPractised: EventPayload {
    package static var kind: StudyEventKind { .cardPractised }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(grade.rawValue)
        writer.writeFlag(tookMilliseconds != nil)
        if let tookMilliseconds { writer.writeVariable(tookMilliseconds) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        grade = try reader.readChoice(Grade.self)
        tookMilliseconds = try reader.readFlag() ? reader.readUnsigned(maximum: 86_400_000) : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        members.append(("grade", .string(grade.name)))
        if let tookMilliseconds { members.append(("took_ms", .integer(Int64(clamping: tookMilliseconds)))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        grade = try fields.required("grade", JSONField.choice)
        tookMilliseconds = try fields.optional("took_ms", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        if let tookMilliseconds { try path.field("took_ms").check(unsigned: tookMilliseconds, maximum: 86_400_000) }
    }
}
