// Generated from Schemas/deck_recoloured.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A deck got another colour, or none.
///
/// Event type 258, `deck_recoloured`, in version 1. Its subject is the deck.
public struct DeckRecoloured: Sendable, Equatable {
    /// The new colour: red in bits 16 to 23, green in 8 to 15, blue in 0 to 7; absent for none. At most 16,777,215.
    public var colour: UInt64?

    /// An event of these values.
    public init(colour: UInt64? = nil) {
        self.colour = colour
    }
}

extension DeckRecoloured: EventPayload {
    package static var kind: StudyEventKind { .deckRecoloured }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeFlag(colour != nil)
        if let colour { writer.writeVariable(colour) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        colour = try reader.readFlag() ? reader.readUnsigned(maximum: 16_777_215) : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        if let colour { members.append(("colour", .integer(Int64(clamping: colour)))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        colour = try fields.optional("colour", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        if let colour { try path.field("colour").check(unsigned: colour, maximum: 16_777_215) }
    }
}
