// Generated from Schemas/quiz_started.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// A test began, with these questions in this order.
///
/// Event type 336, `quiz_started`, in version 1. Its subject is the quiz.
public struct QuizStarted: Sendable, Equatable {
    /// The pack that the questions come from; absent where they come from the person's own cards.
    public var pack: UniqueID?
    /// The test type's identity in its pack.
    public var testType: String
    /// What the choice and order of questions were drawn from.
    public var seed: UInt64
    /// The questions, as they are shown. From 0 to 10,000 of them.
    public var questions: [QuizQuestion]

    /// An event of these values.
    public init(pack: UniqueID? = nil, testType: String, seed: UInt64, questions: [QuizQuestion]) {
        self.pack = pack
        self.testType = testType
        self.seed = seed
        self.questions = questions
    }
}

extension QuizStarted: EventPayload {
    package static var kind: StudyEventKind { .quizStarted }
    package static var currentVersion: UInt8 { 1 }

    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.writeFlag(pack != nil)
        if let pack { writer.write(pack) }
        writer.writeText(testType)
        writer.writeVariable(seed)
        writer.writeVariable(UInt64(questions.count))
        for element in questions { element.encode(into: &writer, version: version) }
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        pack = try reader.readFlag() ? reader.readUniqueID() : nil
        testType = try reader.readText(limit: FieldLimit.textBytes)
        seed = try reader.readUnsigned(maximum: FieldLimit.unsigned)
        var questions: [QuizQuestion] = []
        let questionsCount = try reader.readCount(in: 0...10_000)
        questions.reserveCapacity(questionsCount)
        for _ in 0..<questionsCount { questions.append(try QuizQuestion(decoding: &reader, version: version)) }
        self.questions = questions
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(4)
        if let pack { members.append(("pack", .string(pack.description))) }
        members.append(("test_type", .string(testType)))
        members.append(("seed", .integer(Int64(clamping: seed))))
        members.append(("questions", .array(questions.map { $0.json(version: version) })))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        pack = try fields.optional("pack", JSONField.uniqueID)
        testType = try fields.required("test_type", JSONField.text)
        seed = try fields.required("seed", JSONField.unsigned)
        questions = try fields.list(
            "questions", { json, path throws(SchemaError) in try QuizQuestion(json: json, at: path, version: version) })
        try fields.finish()
        try validate(at: path)
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("test_type").check(text: testType)
        try path.field("seed").check(unsigned: seed, maximum: FieldLimit.unsigned)
        try path.field("questions").check(count: questions.count, in: 0...10_000)
        for (index, element) in questions.enumerated() { try element.validate(at: path.field("questions").element(index)) }
    }
}
