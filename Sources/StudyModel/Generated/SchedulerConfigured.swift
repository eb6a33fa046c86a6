// Generated from Schemas/scheduler_configured.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// Cards are scheduled by these rules from this event on.
///
/// Event type 16, `scheduler_configured`, in version 1. It is about the whole store and has no subject.
public struct SchedulerConfigured: Sendable, Equatable {
    /// Name of the scheduler, such as boxes, sm2 or fsrs6.
    public var scheduler: String
    /// Revision of the scheduler's rules.
    public var revision: UInt64
    /// What differs from the scheduler's defaults, in the order of the names. From 0 to 256 of them.
    public var parameters: [SchedulerParameter]

    /// An event of these values.
    public init(scheduler: String, revision: UInt64, parameters: [SchedulerParameter]) {
        self.scheduler = scheduler
        self.revision = revision
        self.parameters = parameters
    }
}

extension SchedulerConfigured: EventPayload {
    package static var kind: StudyEventKind { .schedulerConfigured }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeText(scheduler)
        writer.writeVariable(revision)
        writer.writeVariable(UInt64(parameters.count))
        for element in parameters { element.encode(into: &writer, version: version) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        scheduler = try reader.readText(limit: FieldLimit.textBytes)
        revision = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        var parameters: [SchedulerParameter] = []
        let parametersCount = try reader.readCount(in: 0...256)
        parameters.reserveCapacity(parametersCount)
        for _ in 0..<parametersCount { parameters.append(try SchedulerParameter(decoding: &reader, version: version)) }
        self.parameters = parameters
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(3)
        members.append(("scheduler", .string(scheduler)))
        members.append(("revision", .integer(Int64(clamping: revision))))
        members.append(("parameters", .array(parameters.map { $0.json(version: version) })))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        scheduler = try fields.required("scheduler", JSONField.text)
        revision = try fields.required("revision", JSONField.unsigned)
        parameters = try fields.list(
            "parameters", { json, path throws(SchemaError) in try SchedulerParameter(json: json, at: path, version: version) })
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
