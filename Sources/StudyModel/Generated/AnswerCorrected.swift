// Generated from Schemas/answer_corrected.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A review counts as if it had been graded otherwise. The last correction of a review counts.
///
/// Event type 2, `answer_corrected`, in version 1. Its subject is that of the event that it is about.
public struct AnswerCorrected: Sendable, Equatable {
    /// The review that is corrected.
    public var target: EventID
    /// The grade that counts.
    public var grade: Grade
    /// Key of the target where it came by an import: then every copy of that row is meant.
    public var targetKey: UniqueID?

    /// An event of these values.
    public init(target: EventID, grade: Grade, targetKey: UniqueID? = nil) {
        self.target = target
        self.grade = grade
        self.targetKey = targetKey
    }
}

extension AnswerCorrected: EventPayload {
    package static var kind: StudyEventKind { .answerCorrected }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(target)
        writer.write(grade.rawValue)
        writer.writeFlag(targetKey != nil)
        if let targetKey { writer.write(targetKey) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        target = try reader.readEventID()
        grade = try reader.readChoice(Grade.self)
        targetKey = try reader.readFlag() ? reader.readUniqueID() : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(3)
        members.append(("target", .string(target.description)))
        members.append(("grade", .string(grade.name)))
        if let targetKey { members.append(("target_key", .string(targetKey.description))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        target = try fields.required("target", JSONField.eventID)
        grade = try fields.required("grade", JSONField.choice)
        targetKey = try fields.optional("target_key", JSONField.uniqueID)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("target").check(eventNumber: target.number)
    }
}
