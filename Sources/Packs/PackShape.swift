/// Finds out where in a database that isn't of Engram's own form the questions and words lie, by the names of its columns.
///
/// Names count without regard to case and to what is neither letter nor digit: `correctWord`, `correct_word` and
/// `CORRECT WORD` are one.
struct PackShape {
    /// Tables with their columns.
    private let tables: [(name: String, columns: [String])]

    init(_ tables: [(name: String, columns: [String])]) { self.tables = tables }

    enum ShapeError: Error, Hashable {
        case nothingFound
        /// Several tables could be the questions.
        case ambiguous([String])
    }

    private static let keys = ["id", "qid", "uid", "uuid", "guid", "nr", "number", "questionid", "wordid", "номер"]
    private static let prompts = [
        "question", "prompt", "questiontext", "text", "task", "title", "q", "frage", "вопрос", "задание", "word", "слово",
    ]
    private static let rights = [
        "right", "correct", "rightanswer", "correctanswer", "rightoption", "correctoption", "answer", "solution", "rightindex",
        "correctindex", "answerindex", "answerid", "rightword", "correctword", "rightform", "correctform", "rightspelling",
        "correctspelling", "правильный", "правильно", "правильныйответ", "верно",
    ]
    private static let wrongs = [
        "wrong", "incorrect", "wronganswer", "incorrectanswer", "wrongoption", "incorrectoption", "wrongword", "incorrectword", "wrongform",
        "incorrectform", "wrongspelling", "incorrectspelling", "неправильный", "неправильно", "неверно",
    ]
    private static let flags = ["correct", "iscorrect", "right", "isright", "flag", "правильно", "верно"]
    private static let optionTexts = [
        "text", "option", "optiontext", "answer", "answertext", "choice", "title", "value", "content", "ответ",
    ]
    private static let questionKeys = ["questionid", "question", "qid", "idquestion", "questionnr"]
    private static let orders = ["position", "pos", "letter", "ord", "ordinal", "number", "nr", "idx", "sort", "id"]
    private static let words = ["word", "headword", "term", "слово"]
    private static let entries = ["entry", "definition", "meaning", "translation", "description", "article", "explanation", "значение"]
    private static let optionPrefixes = ["option", "opt", "answer", "ans", "choice", "variant", "var", "o", "a", "вариант", "ответ", ""]

    /// `name` without case, and without what is neither letter nor digit.
    static func plain(_ name: String) -> String { String(name.lowercased().filter { $0.isLetter || $0.isNumber }) }

    /// The first of `columns` that bears one of `names`, those that come first preferred.
    private static func column(_ names: [String], in columns: [String], except taken: [String] = []) -> String? {
        for name in names { if let found = columns.first(where: { plain($0) == name && !taken.contains($0) }) { return found } }
        return nil
    }

    /// The map of what was found.
    func map() throws(ShapeError) -> PackMap {
        var map = PackMap()
        map.questions = try questions()
        map.words = words(except: map.questions?.table)
        map.types = types()
        guard map.questions != nil || map.words != nil else { throw .nothingFound }
        return map
    }

    private func questions() throws(ShapeError) -> PackMap.Questions? {
        for shape in [withOptionColumns, withOptionsTable, withRightAndWrong] {
            let found = tables.compactMap { shape($0.name, $0.columns) }
            if found.count <= 1 {
                if let only = found.first { return only }
                continue
            }
            let named = found.filter { ["question", "questions", "quiz"].contains(Self.plain($0.table)) }
            guard named.count == 1, let best = named.first else { throw .ambiguous(found.map(\.table)) }
            return best
        }
        return nil
    }

    private func withOptionColumns(_ table: String, _ columns: [String]) -> PackMap.Questions? {
        guard let options = Self.optionColumns(columns), let right = Self.column(Self.rights, in: columns, except: options),
            let prompt = Self.column(Self.prompts, in: columns, except: options + [right])
        else { return nil }
        return PackMap.Questions(
            table: table, key: Self.column(Self.keys, in: columns, except: [right, prompt]), prompt: .column(prompt),
            options: .columns(options, right: right))
    }

    /// Columns such as option1 to option4, answer_a to answer_d, or a to d: at least two, without a gap.
    private static func optionColumns(_ columns: [String]) -> [String]? {
        for prefix in optionPrefixes {
            for marks in [
                ["0", "1", "2", "3", "4", "5", "6", "7"], ["1", "2", "3", "4", "5", "6", "7", "8"],
                ["a", "b", "c", "d", "e", "f", "g", "h"],
            ] {
                var found: [String] = []
                for mark in marks {
                    guard prefix + mark != mark || mark.first?.isLetter == true else { break }
                    guard let column = columns.first(where: { plain($0) == prefix + mark }) else { break }
                    found.append(column)
                }
                if found.count >= 2 { return found }
            }
        }
        return nil
    }

    private func withOptionsTable(_ table: String, _ columns: [String]) -> PackMap.Questions? {
        guard let prompt = Self.column(Self.prompts, in: columns), let key = Self.column(Self.keys, in: columns, except: [prompt]) else {
            return nil
        }
        for other in tables where other.name != table {
            guard let question = Self.column(Self.questionKeys, in: other.columns),
                let flag = Self.column(Self.flags, in: other.columns, except: [question]),
                let text = Self.column(Self.optionTexts, in: other.columns, except: [question, flag])
            else { continue }
            let order = Self.column(Self.orders, in: other.columns, except: [question, flag, text])
            return PackMap.Questions(
                table: table, key: key, prompt: .column(prompt),
                options: .table(other.name, question: question, text: text, right: flag, order: order))
        }
        return nil
    }

    private func withRightAndWrong(_ table: String, _ columns: [String]) -> PackMap.Questions? {
        guard let right = Self.column(Self.rights, in: columns) else { return nil }
        var wrong: [String] = []
        for name in Self.wrongs {
            if let column = columns.first(where: { Self.plain($0) == name }) { wrong.append(column) }
            for number in 1...7 {
                if let column = columns.first(where: { Self.plain($0) == "\(name)\(number)" }), wrong.count < 7 { wrong.append(column) }
            }
        }
        guard !wrong.isEmpty else { return nil }
        let prompt = Self.column(Self.prompts, in: columns, except: [right] + wrong)
        return PackMap.Questions(
            table: table, key: Self.column(Self.keys, in: columns, except: [right] + wrong),
            prompt: prompt.map { .column($0) } ?? .fromOptions, options: .rightAndWrong(right: right, wrong: wrong))
    }

    private func words(except taken: String?) -> PackMap.WordColumns? {
        let found = tables.compactMap { table -> PackMap.WordColumns? in
            guard table.name != taken, let word = Self.column(Self.words, in: table.columns),
                let entry = Self.column(Self.entries, in: table.columns, except: [word])
            else { return nil }
            return PackMap.WordColumns(table: table.name, key: Self.column(Self.keys, in: table.columns), word: word, entry: entry)
        }
        let named = found.filter { ["word", "words", "dictionary", "entries"].contains(Self.plain($0.table)) }
        return found.count == 1 ? found.first : named.count == 1 ? named.first : nil
    }

    private func types() -> PackMap.Types? {
        for table in tables where ["testtypes", "quiztypes"].contains(Self.plain(table.name)) {
            guard let title = Self.column(["title", "name"], in: table.columns),
                let condition = Self.column(["condition", "where", "filter"], in: table.columns)
            else { continue }
            return PackMap.Types(
                table: table.name, key: Self.column(Self.keys, in: table.columns), title: title,
                explanation: Self.column(["explanation", "description"], in: table.columns), condition: condition)
        }
        return nil
    }
}
