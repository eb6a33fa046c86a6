// Generated from Schemas/scheduler_configured.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// Cards are scheduled by these rules from this event on.
///
/// Event type 16, `scheduler_configured`, in version 2. It is about the whole store and has no subject.
public struct SchedulerConfigured: Sendable, Equatable {
    /// Name of the scheduler, such as boxes, sm2 or fsrs6.
    public var scheduler: String
    /// Revision of the scheduler's rules.
    public var revision: UInt64
    /// What differs from the scheduler's defaults, in the order of the names. From 0 to 256 of them.
    public var parameters: [SchedulerParameter]
    /// The deck whose cards they are; absent where they are for all decks without rules of their own.
    public var deck: UniqueID?

    /// An event of these values.
    public init(scheduler: String, revision: UInt64, parameters: [SchedulerParameter], deck: UniqueID? = nil) {
        self.scheduler = scheduler
        self.revision = revision
        self.parameters = parameters
        self.deck = deck
    }
}

extension SchedulerConfigured: EventPayload {
    package static var kind: StudyEventKind { .schedulerConfigured }
    package static var currentVersion: UInt8 { 2 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(scheduler)
        writer.writeVariable(revision)
        writer.writeVariable(UInt64(parameters.count))
        for element in parameters { element.encode(into: &writer, version: version) }
        if version >= 2 {
            writer.writeFlag(deck != nil)
            if let deck { writer.write(deck) }
        }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        scheduler = try reader.readText(limit: FieldLimit.textBytes)
        revision = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        var parameters: [SchedulerParameter] = []
        let parametersCount = try reader.readCount(in: 0...256)
        parameters.reserveCapacity(parametersCount)
        for _ in 0..<parametersCount { parameters.append(try SchedulerParameter(decoding: &reader, version: version)) }
        self.parameters = parameters
        deck = try version < 2 ? nil : (reader.readFlag() ? reader.readUniqueID() : nil)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(4)
        members.append(("scheduler", .string(scheduler)))
        members.append(("revision", .integer(Int64(clamping: revision))))
        members.append(("parameters", .array(parameters.map { $0.json(version: version) })))
        if version >= 2, let deck { members.append(("deck", .string(deck.description))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        scheduler = try fields.required("scheduler", JSONField.text)
        revision = try fields.required("revision", JSONField.unsigned)
        parameters = try fields.list(
            "parameters", { json, path throws(SchemaError) in try SchedulerParameter(json: json, at: path, version: version) })
        deck = try version < 2 ? nil : fields.optional("deck", JSONField.uniqueID)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("scheduler").check(text: scheduler)
        try path.field("revision").check(unsigned: revision, maximum: FieldLimit.unsigned)
        try path.field("parameters").check(count: parameters.count, in: 0...256)
        for (index, element) in parameters.enumerated() { try element.validate(at: path.field("parameters").element(index)) }
    }
}
