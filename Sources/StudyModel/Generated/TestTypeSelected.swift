// Generated from Schemas/test_type_selected.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A kind of test was chosen; the last choice of all holds.
///
/// Event type 339, `test_type_selected`, in version 1. Its subject is the pack.
public struct TestTypeSelected: Sendable, Equatable {
    /// The test type's identity in its pack, or that of one that is offered over all packs.
    public var testType: String

    /// An event of these values.
    public init(testType: String) {
        self.testType = testType
    }
}

extension TestTypeSelected: EventPayload {
    package static var kind: StudyEventKind { .testTypeSelected }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(testType)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        testType = try reader.readText(limit: FieldLimit.textBytes)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(1)
        members.append(("test_type", .string(testType)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        testType = try fields.required("test_type", JSONField.text)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("test_type").check(text: testType)
    }
}
