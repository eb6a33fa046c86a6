// Generated from Schemas/deck_renamed.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A deck got another title.
///
/// Event type 257, `deck_renamed`, in version 1. Its subject is the deck.
public struct DeckRenamed: Sendable, Equatable {
    /// The new title.
    public var title: String

    /// An event of these values.
    public init(title: String) {
        self.title = title
    }
}

extension DeckRenamed: EventPayload {
    package static var kind: StudyEventKind { .deckRenamed }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(title)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        title = try reader.readText(limit: FieldLimit.textBytes)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("title", .string(title)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        title = try fields.required("title", JSONField.text)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("title").check(text: title)
    }
}
