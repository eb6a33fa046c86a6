// Generated from Schemas/favourite_set.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card, word or question became a favourite, or ceased to be one.
///
/// Event type 320, `favourite_set`, in version 1. Its subject is the card, word or question.
public struct FavouriteSet: Sendable, Equatable {
    /// What the subject is.
    public var kind: ItemKind
    /// Whether it is a favourite from now on.
    public var on: Bool

    /// An event of these values.
    public init(kind: ItemKind, on: Bool) {
        self.kind = kind
        self.on = on
    }
}

extension FavouriteSet: EventPayload {
    package static var kind: StudyEventKind { .favouriteSet }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(kind.rawValue)
        writer.writeFlag(on)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        kind = try reader.readChoice(ItemKind.self)
        on = try reader.readFlag()
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        members.append(("kind", .string(kind.name)))
        members.append(("on", .bool(on)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        kind = try fields.required("kind", JSONField.choice)
        on = try fields.required("on", JSONField.bool)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {}
}
