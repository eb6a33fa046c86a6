// Generated from Schemas/quiz_finished.json by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
package import JSONText

/// A test ended.
///
/// Event type 338, `quiz_finished`, in version 1. Its subject is the quiz.
public struct QuizFinished: Sendable, Equatable {
    /// How many questions were answered rightly.
    public var right: UInt64
    /// How many questions the test had.
    public var total: UInt64
    /// Whether it was left before its last question.
    public var abandoned: Bool

    /// An event of these values.
    public init(right: UInt64, total: UInt64, abandoned: Bool) {
        self.right = right
        self.total = total
        self.abandoned = abandoned
    }
}

extension QuizFinished: EventPayload {
    package static var kind: StudyEventKind { .quizFinished }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeVariable(right)
        writer.writeVariable(total)
        writer.writeFlag(abandoned)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        right = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        total = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        abandoned = try reader.readFlag()
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(3)
        members.append(("right", .integer(Int64(clamping: right))))
        members.append(("total", .integer(Int64(clamping: total))))
        members.append(("abandoned", .bool(abandoned)))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        right = try fields.required("right", JSONField.unsigned)
        total = try fields.required("total", JSONField.unsigned)
        abandoned = try fields.required("abandoned", JSONField.bool)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("right").check(unsigned: right, maximum: FieldLimit.unsigned)
        try path.field("total").check(unsigned: total, maximum: FieldLimit.unsigned)
    }
}
