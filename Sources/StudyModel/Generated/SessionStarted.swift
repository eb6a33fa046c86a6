// Generated from Schemas/session_started.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A study session began.
///
/// Event type 304, `session_started`, in version 1. Its subject is the session.
public struct SessionStarted: Sendable, Equatable {
    /// What kind of session it is.
    public var mode: SessionMode
    /// The decks that were picked. From 0 to 65,536 of them.
    public var decks: [UniqueID]
    /// What its order of cards is drawn from.
    public var seed: UInt64

    /// An event of these values.
    public init(mode: SessionMode, decks: [UniqueID], seed: UInt64) {
        self.mode = mode
        self.decks = decks
        self.seed = seed
    }
}

extension SessionStarted: EventPayload {
    package static var kind: StudyEventKind { .sessionStarted }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(mode.rawValue)
        writer.writeVariable(UInt64(decks.count))
        for element in decks { writer.write(element) }
        writer.writeVariable(seed)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        mode = try reader.readChoice(SessionMode.self)
        var decks: [UniqueID] = []
        let decksCount = try reader.readCount(in: 0...65_536)
        decks.reserveCapacity(decksCount)
        for _ in 0..<decksCount { decks.append(try reader.readUniqueID()) }
        self.decks = decks
        seed = try reader.readUnsigned(maximum: FieldLimit.unsigned)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(3)
        members.append(("mode", .string(mode.name)))
        members.append(("decks", .array(decks.map { .string($0.description) })))
        members.append(("seed", .integer(Int64(clamping: seed))))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        mode = try fields.required("mode", JSONField.choice)
        decks = try fields.list("decks", JSONField.uniqueID)
        seed = try fields.required("seed", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("decks").check(count: decks.count, in: 0...65_536)
        try path.field("seed").check(unsigned: seed, maximum: FieldLimit.unsigned)
    }
}
