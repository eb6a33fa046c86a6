internal import EventCoding
internal import JSONText

extension PackContent {
    private static let keys = ["id", "_id", "nr", "number"]
    private static let prompts = ["question", "prompt", "text", "q", "word", "title"]
    private static let options = ["options", "choices", "answers", "variants"]
    private static let rights = [
        "answer", "correct", "right", "correct_answer", "correctAnswer", "right_answer", "solution", "answer_index",
    ]
    private static let rightFlags = ["correct", "right", "is_correct", "isCorrect", "is_right"]

    /// Reads a list of questions, by itself or under `questions` in an object that may have a `name` and an `id`.
    static func readJSON(_ bytes: [UInt8], path: String, name: String?, digest: SHA256Digest) throws(PackError) -> PackContent {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch { throw PackError(error, path: path) }
        guard let list = value.arrayValue ?? value["questions"]?.arrayValue else {
            throw PackError(path: path, why: "is no list of questions, and has none under \"questions\"")
        }
        let own = value["name"]?.stringValue.flatMap { $0.isEmpty || $0.utf8.count > 1000 ? nil : $0 }
        let identity = value["id"]?.stringValue
        let title = name ?? own ?? fileName(path)
        var builder = PackBuilder(identity: identity ?? title, name: title, digest: digest)
        builder.add(questions: list.enumerated().map { question($0.element, row: $0.offset + 1) }, of: "questions")
        guard !builder.content.questions.isEmpty else {
            let first = builder.content.skipped.first.map { "; the first: \($0.reason.rawValue)" } ?? ""
            throw PackError(
                path: path, why: "no element became a question\(first). Each wants a question, a list of options and an answer")
        }
        return builder.content
    }

    private static func question(_ value: JSONValue, row: Int) -> RawQuestion {
        let key = first(keys, in: value).flatMap { text($0) }
        var raw = RawQuestion(row: row, key: key, mark: "")
        raw.prompt = first(prompts, in: value)?.stringValue
        guard let options = first(Self.options, in: value)?.arrayValue else { return raw }
        var marked: [Int] = []
        for (place, option) in options.enumerated() {
            if let inner = first(["text", "option", "answer", "value"], in: option) {
                raw.options.append(text(inner))
                if first(rightFlags, in: option)?.boolValue ?? false { marked.append(place) }
            } else {
                let plain = text(option)
                raw.options.append(plain)
                if plain == nil, !option.isNull { raw.isDamaged = true }
            }
        }
        if !marked.isEmpty {
            raw.right = .places(marked)
        } else if let right = first(rights, in: value), let words = text(right) {
            raw.right = .value(words, isNumber: right.integerValue != nil)
        }
        return raw
    }

    private static func first(_ names: [String], in value: JSONValue) -> JSONValue? {
        for name in names { if let found = value[name] { return found } }
        return nil
    }

    /// Text, or a number as it is written.
    private static func text(_ value: JSONValue) -> String? { value.stringValue ?? value.integerValue.map { String($0) } }
}
