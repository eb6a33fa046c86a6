// Generated from Schemas/deck_created.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A deck was made.
///
/// Event type 256, `deck_created`, in version 1. Its subject is the deck.
public struct DeckCreated: Sendable, Equatable {
    /// Title of the deck.
    public var title: String
    /// Colour of the deck: red in bits 16 to 23, green in 8 to 15, blue in 0 to 7. At most 16,777,215.
    public var colour: UInt64?

    /// An event of these values.
    public init(title: String, colour: UInt64? = nil) {
        self.title = title
        self.colour = colour
    }
}

extension DeckCreated: EventPayload {
    package static var kind: StudyEventKind { .deckCreated }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(title)
        writer.writeFlag(colour != nil)
        if let colour { writer.writeVariable(colour) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        title = try reader.readText(limit: FieldLimit.textBytes)
        colour = try reader.readFlag() ? reader.readUnsigned(maximum: 16_777_215) : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        members.append(("title", .string(title)))
        if let colour { members.append(("colour", .integer(Int64(clamping: colour)))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        title = try fields.required("title", JSONField.text)
        colour = try fields.optional("colour", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("title").check(text: title)
        if let colour { try path.field("colour").check(unsigned: colour, maximum: 16_777_215) }
    }
}

extension DeckCreated {
    /// What it says without its texts, which it gives the places of: read without building a string.
    package struct Skim: Hashable, Sendable {
        package let title: TextPlace
        package let colour: UInt64?

        /// Reads what `init(decoding:version:)` of the event reads, and refuses what that refuses.
        package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
            title = try reader.skimText()
            colour = try reader.readFlag() ? reader.readUnsigned(maximum: 16_777_215) : nil
        }
    }
}
