// Generated from Schemas/pack_installed.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A pack of prefilled content was installed.
///
/// Event type 352, `pack_installed`, in version 1. Its subject is the pack.
public struct PackInstalled: Sendable, Equatable {
    /// Name of the pack.
    public var name: String
    /// SHA-256 of the pack's file.
    public var digest: SHA256Digest
    /// How many words it holds.
    public var words: UInt64
    /// How many questions it holds.
    public var questions: UInt64
    /// How many test types it offers.
    public var types: UInt64

    /// An event of these values.
    public init(name: String, digest: SHA256Digest, words: UInt64, questions: UInt64, types: UInt64) {
        self.name = name
        self.digest = digest
        self.words = words
        self.questions = questions
        self.types = types
    }
}

extension PackInstalled: EventPayload {
    package static var kind: StudyEventKind { .packInstalled }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(name)
        writer.write(digest)
        writer.writeVariable(words)
        writer.writeVariable(questions)
        writer.writeVariable(types)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        name = try reader.readText(limit: FieldLimit.textBytes)
        digest = try reader.readDigest()
        words = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        questions = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        types = try reader.readUnsigned(maximum: FieldLimit.unsigned)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(5)
        members.append(("name", .string(name)))
        members.append(("digest", .string(digest.description)))
        members.append(("words", .integer(Int64(clamping: words))))
        members.append(("questions", .integer(Int64(clamping: questions))))
        members.append(("types", .integer(Int64(clamping: types))))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        name = try fields.required("name", JSONField.text)
        digest = try fields.required("digest", JSONField.digest)
        words = try fields.required("words", JSONField.unsigned)
        questions = try fields.required("questions", JSONField.unsigned)
        types = try fields.required("types", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("name").check(text: name)
        try path.field("words").check(unsigned: words, maximum: FieldLimit.unsigned)
        try path.field("questions").check(unsigned: questions, maximum: FieldLimit.unsigned)
        try path.field("types").check(unsigned: types, maximum: FieldLimit.unsigned)
    }
}
