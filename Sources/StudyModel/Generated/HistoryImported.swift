// Generated from Schemas/history_imported.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// An import of a foreign file came to its end.
///
/// Event type 32, `history_imported`, in version 1. It is about the whole store and has no subject.
public struct HistoryImported: Sendable, Equatable {
    /// Name of the file's format.
    public var source: String
    /// Name of the file.
    public var name: String
    /// SHA-256 of the file.
    public var digest: SHA256Digest
    /// How many cards it brought.
    public var cards: UInt64
    /// How many reviews it brought.
    public var reviews: UInt64
    /// How many rows were left out, each with a reason in the report.
    public var skipped: UInt64
    /// How many rows were set aside as damaged or impossible.
    public var quarantined: UInt64

    /// An event of these values.
    public init(source: String, name: String, digest: SHA256Digest, cards: UInt64, reviews: UInt64, skipped: UInt64, quarantined: UInt64) {
        self.source = source
        self.name = name
        self.digest = digest
        self.cards = cards
        self.reviews = reviews
        self.skipped = skipped
        self.quarantined = quarantined
    }
}

extension HistoryImported: EventPayload {
    package static var kind: StudyEventKind { .historyImported }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(source)
        writer.writeText(name)
        writer.write(digest)
        writer.writeVariable(cards)
        writer.writeVariable(reviews)
        writer.writeVariable(skipped)
        writer.writeVariable(quarantined)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        source = try reader.readText(limit: FieldLimit.textBytes)
        name = try reader.readText(limit: FieldLimit.textBytes)
        digest = try reader.readDigest()
        cards = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        reviews = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        skipped = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        quarantined = try reader.readUnsigned(maximum: FieldLimit.unsigned)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(7)
        members.append(("source", .string(source)))
        members.append(("name", .string(name)))
        members.append(("digest", .string(digest.description)))
        members.append(("cards", .integer(Int64(clamping: cards))))
        members.append(("reviews", .integer(Int64(clamping: reviews))))
        members.append(("skipped", .integer(Int64(clamping: skipped))))
        members.append(("quarantined", .integer(Int64(clamping: quarantined))))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        source = try fields.required("source", JSONField.text)
        name = try fields.required("name", JSONField.text)
        digest = try fields.required("digest", JSONField.digest)
        cards = try fields.required("cards", JSONField.unsigned)
        reviews = try fields.required("reviews", JSONField.unsigned)
        skipped = try fields.required("skipped", JSONField.unsigned)
        quarantined = try fields.required("quarantined", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("source").check(text: source)
        try path.field("name").check(text: name)
        try path.field("cards").check(unsigned: cards, maximum: FieldLimit.unsigned)
        try path.field("reviews").check(unsigned: reviews, maximum: FieldLimit.unsigned)
        try path.field("skipped").check(unsigned: skipped, maximum: FieldLimit.unsigned)
        try path.field("quarantined").check(unsigned: quarantined, maximum: FieldLimit.unsigned)
    }
}
