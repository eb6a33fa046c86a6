// Generated from Schemas/card_moved.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A card went to another deck.
///
/// Event type 274, `card_moved`, in version 1. Its subject is the card.
public struct CardMoved: Sendable, Equatable {
    /// The deck that it lies in from now on.
    public var deck: UniqueID

    /// An event of these values.
    public init(deck: UniqueID) {
        self.deck = deck
    }
}

extension CardMoved: EventPayload {
    package static var kind: StudyEventKind { .cardMoved }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(deck)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        deck = try reader.readUniqueID()
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("deck", .string(deck.description)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        deck = try fields.required("deck", JSONField.uniqueID)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {}
}
