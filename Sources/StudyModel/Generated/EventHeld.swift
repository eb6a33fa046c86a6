// Generated from Schemas/event_held.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// An event is held back from every fold until it is released.
///
/// Event type 3, `event_held`, in version 1. Its subject is that of the event that it is about.
public struct EventHeld: Sendable, Equatable {
    /// The event that is held back.
    public var target: EventID
    /// Why it is held back.
    public var reason: HoldReason

    /// An event of these values.
    public init(target: EventID, reason: HoldReason) {
        self.target = target
        self.reason = reason
    }
}

extension EventHeld: EventPayload {
    package static var kind: StudyEventKind { .eventHeld }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(target)
        writer.write(reason.rawValue)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        target = try reader.readEventID()
        reason = try reader.readChoice(HoldReason.self)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        members.append(("target", .string(target.description)))
        members.append(("reason", .string(reason.name)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        target = try fields.required("target", JSONField.eventID)
        reason = try fields.required("reason", JSONField.choice)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("target").check(eventNumber: target.number)
    }
}
