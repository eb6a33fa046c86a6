// Generated from Schemas/card_erased.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card was deleted and its texts erased for good, everywhere.
///
/// Event type 279, `card_erased`, in version 1. Its subject is the card.
public struct CardErased: Sendable, Equatable {
    /// An event of that kind.
    public init() {}
}

extension CardErased: EventPayload {
    package static var kind: StudyEventKind { .cardErased }
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
