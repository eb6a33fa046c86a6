// Generated from Schemas/card_created.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A card was made.
///
/// Event type 272, `card_created`, in version 1. Its subject is the card.
public struct CardCreated: Sendable, Equatable {
    /// The deck that it lies in.
    public var deck: UniqueID
    /// What is asked.
    public var front: String
    /// What is to be known.
    public var back: String

    /// An event of these values.
    public init(deck: UniqueID, front: String, back: String) {
        self.deck = deck
        self.front = front
        self.back = back
    }
}

extension CardCreated: EventPayload {
    package static var kind: StudyEventKind { .cardCreated }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(deck)
        writer.writeText(front)
        writer.writeText(back)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        deck = try reader.readUniqueID()
        front = try reader.readText(limit: FieldLimit.textBytes)
        back = try reader.readText(limit: FieldLimit.textBytes)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(3)
        members.append(("deck", .string(deck.description)))
        members.append(("front", .string(front)))
        members.append(("back", .string(back)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        deck = try fields.required("deck", JSONField.uniqueID)
        front = try fields.required("front", JSONField.text)
        back = try fields.required("back", JSONField.text)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("front").check(text: front)
        try path.field("back").check(text: back)
    }
}

extension CardCreated {
    /// How many texts at the end of the payload may be erased.
    package static func erasableFields(version: UInt8) -> Int { 2 }

    /// How many bytes those texts take.
    package func erasableByteCount(version: UInt8) -> Int {
        var writer = ByteWriter()
        writer.writeText(front)
        writer.writeText(back)
        return writer.count
    }
}

extension CardCreated {
    /// What it says without its texts, which it gives the places of: read without building a string.
    package struct Skim: Hashable, Sendable {
        package let deck: UniqueID
        package let front: TextPlace
        package let back: TextPlace

        /// Reads what `init(decoding:version:)` of the event reads, and refuses what that refuses.
        package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
            deck = try reader.readUniqueID()
            front = try reader.skimText()
            back = try reader.skimText()
        }
    }
}
