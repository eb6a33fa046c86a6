// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// One parameter of a scheduler.
public struct SchedulerParameter: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Its value, as it is written in a scheduler's SPEC.
    public var value: String

    /// One of these values.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension SchedulerParameter {
    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(name)
        writer.writeText(value)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        name = try reader.readText(limit: FieldLimit.textBytes)
        value = try reader.readText(limit: FieldLimit.textBytes)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(2)
        members.append(("name", .string(name)))
        members.append(("value", .string(value)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        name = try fields.required("name", JSONField.text)
        value = try fields.required("value", JSONField.text)
        try fields.finish()
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("name").check(text: name)
        try path.field("value").check(text: value)
    }
}
