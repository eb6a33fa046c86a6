// Generated from Schemas/pack_removed.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A pack was removed.
///
/// Event type 353, `pack_removed`, in version 1. Its subject is the pack.
public struct PackRemoved: Sendable, Equatable {
    /// An event of that kind.
    public init() {}
}

extension PackRemoved: EventPayload {
    package static var kind: StudyEventKind { .packRemoved }
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
