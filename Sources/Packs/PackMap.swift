/// Where in a database the parts of a pack lie: found by ``PackShape``, written by a person, or that of Engram's own form.
struct PackMap: Hashable, Sendable {
    /// What the pack calls itself.
    var name: String?
    var questions: Questions?
    var words: WordColumns?
    /// A table of test types.
    var types: Types?
    /// Test types that are spelt out.
    var spelledTypes: [SpelledType] = []

    struct Questions: Hashable, Sendable {
        var table: String
        /// Column of what a row calls itself, for ever.
        var key: String?
        var prompt: Prompt
        /// Column of the key of the word that a question is about.
        var word: String?
        var options: Options
    }

    enum Prompt: Hashable, Sendable {
        case column(String)
        /// The same question for every row.
        case text(String)
        /// What the options have in common: the right one without its stress.
        case fromOptions
    }

    enum Options: Hashable, Sendable {
        /// A column an option, and one that names the right one: its number, letter, text or column.
        case columns([String], right: String)
        /// A table with a row an option.
        case table(String, question: String, text: String, right: String, order: String?)
        /// A column for the right one, and one or more for wrong ones.
        case rightAndWrong(right: String, wrong: [String])
    }

    struct WordColumns: Hashable, Sendable {
        var table: String
        var key: String?
        var word: String
        var entry: String?
    }

    struct Types: Hashable, Sendable {
        var table: String
        var key: String?
        var title: String
        var explanation: String?
        var condition: String
    }

    struct SpelledType: Hashable, Sendable {
        var id: String
        var title: String
        var explanation = ""
        var condition = ""
    }
}

extension PackMap {
    /// The tables that words, questions and options are read from.
    var tables: [String] {
        var result = [words?.table, questions?.table].compactMap(\.self)
        if case .table(let options, _, _, _, _) = questions?.options { result.append(options) }
        return result
    }

    /// Engram's own form. Tables and columns that may be left out are `nil` where `columns`, which tells the columns of a
    /// table, has none.
    static func own(_ columns: (String) -> [String]) -> PackMap {
        func column(_ name: String, of table: String) -> String? {
            columns(table).contains { $0.lowercased() == name } ? name : nil
        }
        var map = PackMap()
        if !columns("questions").isEmpty {
            map.questions = Questions(
                table: "questions", key: "id", prompt: .column("prompt"), word: column("word_id", of: "questions"),
                options: .table("options", question: "question_id", text: "text", right: "is_right", order: "position"))
        }
        if !columns("words").isEmpty {
            map.words = WordColumns(table: "words", key: "id", word: "word", entry: column("entry", of: "words"))
        }
        if !columns("test_types").isEmpty {
            map.types = Types(
                table: "test_types", key: "id", title: "title", explanation: column("explanation", of: "test_types"), condition: "condition"
            )
        }
        return map
    }
}
