// Generated from Schemas/event_released.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// An event that was held back counts from now on.
///
/// Event type 4, `event_released`, in version 1. Its subject is that of the event that it is about.
public struct EventReleased: Sendable, Equatable {
    /// The event that counts again.
    public var target: EventID

    /// An event of these values.
    public init(target: EventID) {
        self.target = target
    }
}

extension EventReleased: EventPayload {
    package static var kind: StudyEventKind { .eventReleased }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(target)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        target = try reader.readEventID()
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("target", .string(target.description)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        target = try fields.required("target", JSONField.eventID)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("target").check(eventNumber: target.number)
    }
}
