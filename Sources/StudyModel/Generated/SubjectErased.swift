// Generated from Schemas/subject_erased.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// What an app's events state about their subject was erased for good, everywhere.
///
/// Event type 513, `subject_erased`, in version 1. Its subject is whatever an app records something about.
public struct SubjectErased: Sendable, Equatable {
    /// An event of that kind.
    public init() {}
}

extension SubjectErased: EventPayload {
    package static var kind: StudyEventKind { .subjectErased }
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
