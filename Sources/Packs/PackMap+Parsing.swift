internal import JSONText

extension PackMap {
    /// The map that a person wrote as JSON; its form is described in `docs/packs.md`.
    init(parsing bytes: [UInt8], path: String) throws(PackError) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch { throw PackError(error, path: path) }
        let fields = try MapFields(value, path: path, place: "", knows: ["name", "questions", "words", "types"])
        name = try fields.text("name")
        if let questions = fields["questions"] { self.questions = try Questions(questions, path: path) }
        if let words = fields["words"] {
            let fields = try MapFields(words, path: path, place: "words", knows: ["table", "id", "word", "entry"])
            self.words = WordColumns(
                table: try fields.required("table"), key: try fields.text("id"), word: try fields.required("word"),
                entry: try fields.text("entry"))
        }
        switch fields["types"] {
        case nil: break
        case .array(let types)?:
            for (index, type) in types.enumerated() {
                let place = "types[\(index)]"
                let fields = try MapFields(type, path: path, place: place, knows: ["id", "title", "explanation", "condition"])
                let id = try fields.required("id")
                spelledTypes.append(
                    SpelledType(
                        id: id, title: try fields.text("title") ?? id, explanation: try fields.text("explanation") ?? "",
                        condition: try fields.text("condition") ?? ""))
            }
        case let types?:
            let fields = try MapFields(types, path: path, place: "types", knows: ["table", "id", "title", "explanation", "condition"])
            self.types = Types(
                table: try fields.required("table"), key: try fields.text("id"), title: try fields.required("title"),
                explanation: try fields.text("explanation"), condition: try fields.required("condition"))
        }
        guard questions != nil || words != nil else {
            throw PackError(path: path, why: "names neither questions nor words: a map needs one of them")
        }
    }
}

extension PackMap.Questions {
    fileprivate init(_ value: JSONValue, path: String) throws(PackError) {
        let fields = try MapFields(
            value, path: path, place: "questions", knows: ["table", "id", "prompt", "word", "options"])
        table = try fields.required("table")
        key = try fields.text("id")
        word = try fields.text("word")
        guard let options = fields["options"] else { throw fields.fault("options", "is missing") }
        self.options = try PackMap.Options(options, path: path)
        switch fields["prompt"] {
        case nil:
            guard case .rightAndWrong = self.options else { throw fields.fault("prompt", "is missing") }
            prompt = .fromOptions
        case .string(let column)?: prompt = .column(column)
        case let other?:
            let inner = try MapFields(other, path: path, place: "questions.prompt", knows: ["text"])
            prompt = .text(try inner.required("text"))
        }
    }
}

extension PackMap.Options {
    fileprivate init(_ value: JSONValue, path: String) throws(PackError) {
        let place = "questions.options"
        if value["columns"] != nil {
            let fields = try MapFields(value, path: path, place: place, knows: ["columns", "right"])
            self = .columns(try fields.texts("columns", in: 2...8), right: try fields.required("right"))
        } else if value["wrong"] != nil {
            let fields = try MapFields(value, path: path, place: place, knows: ["right", "wrong"])
            self = .rightAndWrong(right: try fields.required("right"), wrong: try fields.texts("wrong", in: 1...7))
        } else {
            let fields = try MapFields(value, path: path, place: place, knows: ["table", "question", "text", "right", "order"])
            self = .table(
                try fields.required("table"), question: try fields.required("question"), text: try fields.required("text"),
                right: try fields.required("right"), order: try fields.text("order"))
        }
    }
}

/// The members of an object of a map, each of which must be known.
private struct MapFields {
    private let value: JSONValue
    private let path: String
    private let place: String

    init(_ value: JSONValue, path: String, place: String, knows: [String]) throws(PackError) {
        self.value = value
        self.path = path
        self.place = place
        guard let members = value.objectValue else {
            throw PackError(path: path, place: place, why: "is \(value.kindName), and should be an object")
        }
        for (key, _) in members where !knows.contains(key) {
            throw fault(key, "isn't known here: \(knows.joined(separator: ", ")) are")
        }
    }

    subscript(key: String) -> JSONValue? { value[key] }

    func text(_ key: String) throws(PackError) -> String? {
        guard let value = value[key] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw fault(key, "is \(value.kindName), and should be text that isn't empty")
        }
        return text
    }

    func required(_ key: String) throws(PackError) -> String {
        guard let text = try text(key) else { throw fault(key, "is missing") }
        return text
    }

    /// A text, or a list of so many.
    func texts(_ key: String, in range: ClosedRange<Int>) throws(PackError) -> [String] {
        if let one = value[key]?.stringValue, range.contains(1) { return [one] }
        let texts = value[key]?.arrayValue?.map(\.stringValue) ?? []
        let known = texts.compactMap(\.self)
        guard known.count == texts.count, range.contains(known.count) else {
            throw fault(key, "should be a list of \(range.lowerBound) to \(range.upperBound) names of columns")
        }
        return known
    }

    func fault(_ key: String, _ why: String) -> PackError {
        PackError(path: path, place: place.isEmpty ? key : "\(place).\(key)", why: why)
    }
}
