// Generated from Schemas/action_voided.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// An event no longer counts: an undo. Voiding a void makes its target count again.
///
/// Event type 1, `action_voided`, in version 1. Its subject is that of the event that it is about.
public struct ActionVoided: Sendable, Equatable {
    /// The event that no longer counts.
    public var target: EventID
    /// Key of the target where it came by an import: then every copy of that row is meant.
    public var targetKey: UniqueID?

    /// An event of these values.
    public init(target: EventID, targetKey: UniqueID? = nil) {
        self.target = target
        self.targetKey = targetKey
    }
}

extension ActionVoided: EventPayload {
    package static var kind: StudyEventKind { .actionVoided }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(target)
        writer.writeFlag(targetKey != nil)
        if let targetKey { writer.write(targetKey) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        target = try reader.readEventID()
        targetKey = try reader.readFlag() ? reader.readUniqueID() : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        members.append(("target", .string(target.description)))
        if let targetKey { members.append(("target_key", .string(targetKey.description))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        target = try fields.required("target", JSONField.eventID)
        targetKey = try fields.optional("target_key", JSONField.uniqueID)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("target").check(eventNumber: target.number)
    }
}
