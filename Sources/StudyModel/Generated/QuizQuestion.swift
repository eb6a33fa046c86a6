// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding
package import JSONText

/// One question of a test, as it is shown.
public struct QuizQuestion: Sendable, Equatable {
    /// The question.
    public var question: UniqueID
    /// The word or question that a wrong answer makes a mistake.
    public var item: UniqueID
    /// What is asked.
    public var prompt: String
    /// The options, in the order in which they are shown. From 2 to 8 of them.
    public var options: [String]
    /// Index of the right option, from 0.
    public var right: UInt64

    /// One of these values.
    public init(question: UniqueID, item: UniqueID, prompt: String, options: [String], right: UInt64) {
        self.question = question
        self.item = item
        self.prompt = prompt
        self.options = options
        self.right = right
    }
}

extension QuizQuestion {
    package func encode(into writer: inout ByteWriter, version: UInt8) {
        writer.write(question)
        writer.write(item)
        writer.writeText(prompt)
        writer.writeVariable(UInt64(options.count))
        for element in options { writer.writeText(element) }
        writer.writeVariable(right)
    }

    package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError) {
        question = try reader.readUniqueID()
        item = try reader.readUniqueID()
        prompt = try reader.readText(limit: FieldLimit.textBytes)
        var options: [String] = []
        let optionsCount = try reader.readCount(in: 2...8)
        options.reserveCapacity(optionsCount)
        for _ in 0..<optionsCount { options.append(try reader.readText(limit: FieldLimit.textBytes)) }
        self.options = options
        right = try reader.readIndex(below: options.count)
    }

    package func json(version: UInt8) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(5)
        members.append(("question", .string(question.description)))
        members.append(("item", .string(item.description)))
        members.append(("prompt", .string(prompt)))
        members.append(("options", .array(options.map { .string($0) })))
        members.append(("right", .integer(Int64(clamping: right))))
        return .object(members)
    }

    package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError) {
        var fields = try JSONFields(json, at: path)
        question = try fields.required("question", JSONField.uniqueID)
        item = try fields.required("item", JSONField.uniqueID)
        prompt = try fields.required("prompt", JSONField.text)
        options = try fields.list("options", JSONField.text)
        right = try fields.required("right", JSONField.unsigned)
        try fields.finish()
    }

    package func validate(at path: FieldPath) throws(SchemaError) {
        try path.field("prompt").check(text: prompt)
        try path.field("options").check(count: options.count, in: 2...8)
        for (index, element) in options.enumerated() { try path.field("options").element(index).check(text: element) }
        try path.field("right").check(index: right, below: options.count)
    }
}
