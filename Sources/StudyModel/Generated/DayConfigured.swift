// Generated from Schemas/day_configured.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// Study days begin at this hour from this event on.
///
/// Event type 17, `day_configured`, in version 1. It is about the whole store and has no subject.
public struct DayConfigured: Sendable, Equatable {
    /// Local hour at which a study day begins. In hours. At most 23.
    public var rolloverHour: UInt64

    /// An event of these values.
    public init(rolloverHour: UInt64) {
        self.rolloverHour = rolloverHour
    }
}

extension DayConfigured: EventPayload {
    package static var kind: StudyEventKind { .dayConfigured }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeVariable(rolloverHour)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        rolloverHour = try reader.readUnsigned(maximum: 23)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("rollover_hour", .integer(Int64(clamping: rolloverHour))))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        rolloverHour = try fields.required("rollover_hour", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("rollover_hour").check(unsigned: rolloverHour, maximum: 23)
    }
}
