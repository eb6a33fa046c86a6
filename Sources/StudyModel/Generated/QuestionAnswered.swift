// Generated from Schemas/question_answered.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A question of a test was answered. Subject: the word or question that a wrong answer makes a mistake.
///
/// Event type 337, `question_answered`, in version 1. Its subject is the card, word or question.
public struct QuestionAnswered: Sendable, Equatable {
    /// The test that it belongs to.
    public var quiz: UniqueID
    /// The question that was answered.
    public var question: UniqueID
    /// Index of the option that was chosen, from 0. At most 7.
    public var chosen: UInt64
    /// Whether that was the right one.
    public var correct: Bool
    /// How long the person took for the answer; absent where nobody measured it. In milliseconds. At most 86,400,000.
    public var tookMilliseconds: UInt64?

    /// An event of these values.
    public init(quiz: UniqueID, question: UniqueID, chosen: UInt64, correct: Bool, tookMilliseconds: UInt64? = nil) {
        self.quiz = quiz
        self.question = question
        self.chosen = chosen
        self.correct = correct
        self.tookMilliseconds = tookMilliseconds
    }
}

extension QuestionAnswered: EventPayload {
    package static var kind: StudyEventKind { .questionAnswered }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(quiz)
        writer.write(question)
        writer.writeVariable(chosen)
        writer.writeFlag(correct)
        writer.writeFlag(tookMilliseconds != nil)
        if let tookMilliseconds { writer.writeVariable(tookMilliseconds) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        quiz = try reader.readUniqueID()
        question = try reader.readUniqueID()
        chosen = try reader.readUnsigned(maximum: 7)
        correct = try reader.readFlag()
        tookMilliseconds = try reader.readFlag() ? reader.readUnsigned(maximum: 86_400_000) : nil
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(5)
        members.append(("quiz", .string(quiz.description)))
        members.append(("question", .string(question.description)))
        members.append(("chosen", .integer(Int64(clamping: chosen))))
        members.append(("correct", .bool(correct)))
        if let tookMilliseconds { members.append(("took_ms", .integer(Int64(clamping: tookMilliseconds)))) }
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        quiz = try fields.required("quiz", JSONField.uniqueID)
        question = try fields.required("question", JSONField.uniqueID)
        chosen = try fields.required("chosen", JSONField.unsigned)
        correct = try fields.required("correct", JSONField.bool)
        tookMilliseconds = try fields.optional("took_ms", JSONField.unsigned)
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("chosen").check(unsigned: chosen, maximum: 7)
        if let tookMilliseconds { try path.field("took_ms").check(unsigned: tookMilliseconds, maximum: 86_400_000) }
    }
}
