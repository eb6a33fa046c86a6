// Generated from Schemas/card_edited.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card's front, back or both got another text.
///
/// Event type 273, `card_edited`, in version 1. Its subject is the card.
public struct CardEdited: Sendable, Equatable {
    /// The new front; absent where it stays.
    public var front: String?
    /// The new back; absent where it stays.
    public var back: String?

    /// An event of these values.
    public init(front: String? = nil, back: String? = nil) {
        self.front = front
        self.back = back
    }
}

extension CardEdited: EventPayload {
    package static var kind: StudyEventKind { .cardEdited }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeFlag(front != nil)
        if let front { writer.writeText(front) }
        writer.writeFlag(back != nil)
        if let back { writer.writeText(back) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        front = try reader.readFlag() ? reader.readText(limit: FieldLimit.textBytes) : nil
        back = try reader.readFlag() ? reader.readText(limit: FieldLimit.textBytes) : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        if let front { members.append(("front", .string(front))) }
        if let back { members.append(("back", .string(back))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        front = try fields.optional("front", JSONField.text)
        back = try fields.optional("back", JSONField.text)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        if let front { try path.field("front").check(text: front) }
        if let back { try path.field("back").check(text: back) }
    }
}

extension CardEdited {
    /// How many texts at the end of the payload may be erased.
    package static func erasableFields(version: UInt8) -> Int { 2 }

    /// How many bytes those texts take.
    package func erasableByteCount(version: UInt8) -> Int {
        var writer = ByteWriter()
        writer.writeFlag(front != nil)
        if let front { writer.writeText(front) }
        writer.writeFlag(back != nil)
        if let back { writer.writeText(back) }
        return writer.count
    }
}

extension CardEdited {
    /// What it says without its texts, which it gives the places of: read without building a string.
    package struct Skim: Hashable, Sendable {
        package let front: TextPlace?
        package let back: TextPlace?

        /// Reads what `init(decoding:version:)` of the event reads, and refuses what that refuses.
        package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
            front = try reader.readFlag() ? reader.skimText() : nil
            back = try reader.readFlag() ? reader.skimText() : nil
        }
    }
}
