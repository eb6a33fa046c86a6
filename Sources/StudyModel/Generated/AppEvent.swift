// Generated from Schemas/app_event.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// Something that an app records for itself: the engine keeps it, and the app's own projections fold it.
///
/// Event type 512, `app_event`, in version 1. Its subject is whatever an app records something about.
public struct AppEvent: Sendable, Equatable {
    /// What the app calls such events.
    public var name: String
    /// The app's version of what such events state.
    public var revision: UInt64
    /// What it states, as JSON; absent where it states bytes or nothing.
    public var text: String?
    /// What it states, as bytes; absent where it states JSON or nothing.
    public var bytes: [UInt8]?

    /// An event of these values.
    public init(name: String, revision: UInt64, text: String? = nil, bytes: [UInt8]? = nil) {
        self.name = name
        self.revision = revision
        self.text = text
        self.bytes = bytes
    }
}

extension AppEvent: EventPayload {
    package static var kind: StudyEventKind { .appEvent }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(name)
        writer.writeVariable(revision)
        writer.writeFlag(text != nil)
        if let text { writer.writeText(text) }
        writer.writeFlag(bytes != nil)
        if let bytes { writer.writeCounted(bytes: bytes) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        name = try reader.readText(limit: FieldLimit.textBytes)
        revision = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        text = try reader.readFlag() ? reader.readText(limit: FieldLimit.textBytes) : nil
        bytes = try reader.readFlag() ? reader.readBlob(limit: FieldLimit.textBytes) : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(4)
        members.append(("name", .string(name)))
        members.append(("revision", .integer(Int64(clamping: revision))))
        if let text { members.append(("text", .string(text))) }
        if let bytes { members.append(("bytes", .string(hexadecimal(bytes)))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        name = try fields.required("name", JSONField.text)
        revision = try fields.required("revision", JSONField.unsigned)
        text = try fields.optional("text", JSONField.text)
        bytes = try fields.optional("bytes", JSONField.bytes)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("name").check(text: name)
        try path.field("revision").check(unsigned: revision, maximum: FieldLimit.unsigned)
        if let text { try path.field("text").check(text: text) }
        if let bytes { try path.field("bytes").check(byteCount: bytes.count) }
    }
}

extension AppEvent {
    /// How many texts at the end of the payload may be erased.
    package static func erasableFields(version: UInt8) -> Int { 2 }

    /// How many bytes those texts take.
    package func erasableByteCount(version: UInt8) -> Int {
        var writer = ByteWriter()
        writer.writeFlag(text != nil)
        if let text { writer.writeText(text) }
        writer.writeFlag(bytes != nil)
        if let bytes { writer.writeCounted(bytes: bytes) }
        return writer.count
    }
}
