// Generated from Schemas/session_ended.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A study session ended.
///
/// Event type 305, `session_ended`, in version 1. Its subject is the session.
public struct SessionEnded: Sendable, Equatable {
    /// How it ended.
    public var reason: SessionEndReason

    /// An event of these values.
    public init(reason: SessionEndReason) {
        self.reason = reason
    }
}

extension SessionEnded: EventPayload {
    package static var kind: StudyEventKind { .sessionEnded }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(reason.rawValue)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        reason = try reader.readChoice(SessionEndReason.self)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("reason", .string(reason.name)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        reason = try fields.required("reason", JSONField.choice)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {}
}
