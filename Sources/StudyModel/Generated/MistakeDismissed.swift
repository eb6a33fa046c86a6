// Generated from Schemas/mistake_dismissed.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A card, word or question left the list of mistakes.
///
/// Event type 321, `mistake_dismissed`, in version 1. Its subject is the card, word or question.
public struct MistakeDismissed: Sendable, Equatable {
    /// What the subject is.
    public var kind: ItemKind

    /// An event of these values.
    public init(kind: ItemKind) {
        self.kind = kind
    }
}

extension MistakeDismissed: EventPayload {
    package static var kind: StudyEventKind { .mistakeDismissed }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(kind.rawValue)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        kind = try reader.readChoice(ItemKind.self)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("kind", .string(kind.name)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        kind = try fields.required("kind", JSONField.choice)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {}
}
