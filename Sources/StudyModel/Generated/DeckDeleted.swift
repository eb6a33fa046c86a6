// Generated from Schemas/deck_deleted.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A deck was deleted, with the cards that it then held.
///
/// Event type 259, `deck_deleted`, in version 1. Its subject is the deck.
public struct DeckDeleted: Sendable, Equatable {
    /// An event of that kind.
    public init() {}
}

extension DeckDeleted: EventPayload {
    package static var kind: StudyEventKind { .deckDeleted }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {}

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {}

    package func json(version: UInt8) -> JSONValue {
        .object([])
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        let fields = try JSONFields(json, at: path)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {}
}
