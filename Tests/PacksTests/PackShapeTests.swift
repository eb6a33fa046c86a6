import Foundation
import Testing

@testable import Packs

struct PackShapeTests {
    /// Statements, the questions that they make, and the words.
    private static let known: [(what: String, statements: String, questions: [String], words: [String])] = [
        (
            "option1 to option3 and the number of the right one",
            """
            CREATE TABLE Quiz (_id INTEGER PRIMARY KEY, Question TEXT, Option1 TEXT, Option2 TEXT, Option3 TEXT, Answer_Nr INTEGER, correct INTEGER);
            INSERT INTO Quiz VALUES (1, 'one?', 'a', 'b', 'c', 0, 2), (2, 'two?', 'a', 'b', NULL, 0, 1);
            """, ["one?: a|b*|c", "two?: a*|b"], []
        ),
        (
            "numbers from 0",
            "CREATE TABLE q (question, answer0, answer1, right); INSERT INTO q VALUES ('one?', 'a', 'b', 0), ('two?', 'a', 'b', 1)",
            ["one?: a*|b", "two?: a|b*"], []
        ),
        (
            "a to d and the right one's letter",
            "CREATE TABLE q (ID, question, A, B, C, D, answer); INSERT INTO q VALUES (1, 'x?', 'p', 'q', 'r', 's', 'C'), (2, 'y?', 'p', 'q', '', '', 'b')",
            ["x?: p|q|r*|s", "y?: p|q*"], []
        ),
        (
            "choice_a and the right one's text, or its column",
            "CREATE TABLE q (text, choice_a, choice_b, correct_answer); INSERT INTO q VALUES ('x?', 'yes', 'no', 'no'), ('y?', '2', '1', '1'), ('z?', 'p', 'q', 'choice_b')",
            ["x?: yes|no*", "y?: 2|1*", "z?: p|q*"], []
        ),
        (
            "a table of options",
            """
            CREATE TABLE topics (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO topics VALUES (1, 'all');
            CREATE TABLE questions (id INTEGER PRIMARY KEY, topic_id INTEGER, question TEXT, answer TEXT);
            INSERT INTO questions VALUES (1, 1, 'one?', 'x'), (2, 1, 'two?', 'y');
            CREATE TABLE options (question_id INTEGER, letter TEXT, text TEXT, correct INTEGER, PRIMARY KEY (question_id, letter)) WITHOUT ROWID;
            INSERT INTO options VALUES (2, 'B', 'q', 1), (2, 'A', 'p', 0), (1, 'A', 'p', 1), (1, 'B', 'q', 0), (1, 'C', 'r', 0);
            """, ["one?: p*|q|r", "two?: p|q*"], []
        ),
        (
            "a word as it is written, rightly and wrongly",
            """
            CREATE TABLE WordEge (_id INTEGER PRIMARY KEY, correctWord TEXT, wrongWord TEXT);
            INSERT INTO WordEge VALUES (1, 'коры́сть', 'ко́рысть'), (2, 'звонИт', 'звОнит'), (3, 'colour', 'collour');
            """, ["корысть: коры́сть*|ко́рысть", "звонит: звонИт*|звОнит", "Which one is right?: colour*|collour"],
            ["коры́сть", "звонИт", "colour"]
        ),
        (
            "a question, its right answer and three wrong ones",
            "CREATE TABLE q (question, correct_answer, wrong1, wrong2, wrong3); INSERT INTO q VALUES ('x?', 'r', 'a', 'b', 'c')",
            ["x?: r*|a|b|c"], []
        ),
        (
            "words alone", "CREATE TABLE dictionary (headword TEXT, definition TEXT); INSERT INTO dictionary VALUES ('Haus', 'house')", [],
            ["Haus"]
        ),
        (
            "Engram's own form", ownTables, ["корысть?: коры́сть*|ко́рысть", "кремень?: креме́нь*|кре́мень", "neither: a|b|c*"],
            ["корысть", "кремень"]
        ),
    ]

    @Test("Each of the known shapes is found by itself", arguments: known.indices)
    func shapes(_ index: Int) throws {
        let (what, statements, questions, words) = Self.known[index]
        let folder = try TemporaryFolder()
        let content = try PackContent.read(path: folder.database(statements))
        #expect(content.lines == questions && content.words.map(\.word) == words && content.skippedCount == 0, "\(what): \(content)")
        // Once more, from a file with another name, under the same name.
        let again = try PackContent.read(path: folder.database(statements, "other.sqlite"), name: content.name)
        #expect(again.id == content.id && again.questions == content.questions && again.words == content.words, "\(what)")
    }

    /// A JSON text and the questions that it makes.
    private static let texts: [(text: String, questions: [String])] = [
        (#"[{"id": 1, "question": "Abend", "options": ["der", "die", "das"], "answer": "der"}]"#, ["Abend: der*|die|das"]),
        (
            #" {"name": "N", "questions": [{"prompt": "p", "choices": ["a", "b"], "correct": 1}, {"text": "q", "answers": ["a", "b"], "right": "A"}]}"#,
            ["p: a*|b", "q: a*|b"]
        ),
        (#"[{"q": "x", "options": [{"text": "a"}, {"text": "b", "correct": true}]}]"#, ["x: a|b*"]),
        (#"[{"q": "x", "options": [3, 4], "answer": 4}]"#, ["x: 3|4*"]),
    ]

    @Test("Lists of questions in JSON", arguments: texts.indices)
    func lists(_ index: Int) throws {
        let (text, questions) = Self.texts[index]
        let folder = try TemporaryFolder()
        let content = try PackContent.read(path: folder.file(text, "list.json"))
        #expect(content.lines == questions && content.skippedCount == 0, "\(content)")
    }

    @Test("A map says where other shapes have their parts, and names what is wrong with it")
    func maps() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE f (nr INTEGER, frage TEXT, wort INTEGER, eins TEXT, zwei TEXT, richtig TEXT, stufe INTEGER);
            INSERT INTO f VALUES (1, 'x?', 7, 'a', 'b', 'b', 1), (2, 'y?', NULL, 'c', 'd', 'c', 2);
            CREATE TABLE w (nr INTEGER, wort TEXT, sinn TEXT); INSERT INTO w VALUES (7, 'Haus', 'house');
            """)
        let map = """
            {"name": "Fragen", "questions": {"table": "f", "id": "nr", "prompt": "frage", "word": "wort",
             "options": {"columns": ["eins", "zwei"], "right": "richtig"}},
             "words": {"table": "w", "id": "nr", "word": "wort", "entry": "sinn"},
             "types": [{"id": "first", "title": "First", "condition": "stufe = 1"}, {"id": "every"}]}
            """
        let content = try PackContent.read(path: path, map: folder.file(map, "map.json"))
        #expect(content.name == "Fragen" && content.lines == ["x?: a|b*", "y?: c*|d"])
        #expect(content.questions[0].item == content.words[0].id && content.questions[1].item == content.questions[1].id)
        #expect(content.types.map(\.questions) == [[0], [0, 1]])
        let wrong: [(map: String, says: String)] = [
            ("{", "line 1"), ("[]", "should be an object"), ("{}", "neither questions nor words"), (#"{"qestions": {}}"#, "qestions"),
            (#"{"questions": {"table": "f", "prompt": "frage"}}"#, "questions.options"),
            (#"{"questions": {"table": "f", "options": {"columns": ["eins"], "right": "richtig"}}}"#, "questions.options.columns"),
            (#"{"questions": {"table": "f", "prompt": "frage", "options": {"columns": ["eins", "drei"], "right": "richtig"}}}"#, "drei"),
            (
                #"{"questions": {"table": "g", "prompt": "frage", "options": {"columns": ["eins", "zwei"], "right": "richtig"}}}"#,
                "no such table"
            ),
            (#"{"words": {"table": "w", "word": 3}}"#, "words.word"),
        ]
        for (map, says) in wrong {
            let error = #expect(throws: PackError.self, "\(map)") { try PackContent.read(path: path, map: folder.file(map, "wrong.json")) }
            #expect(error?.description.contains(says) ?? false, "\(map): \(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("From 2 to 8 options are kept as they are; a row that isn't right is left out, with its reason")
    func rows() throws {
        let folder = try TemporaryFolder()
        let columns = (1...9).map { "option\($0)" }.joined(separator: ", ")
        func row(_ prompt: String, _ options: [String], _ right: String) -> String {
            "(" + ([prompt] + (0..<8).map { options.indices.contains($0) ? options[$0] : "NULL" } + [right]).joined(separator: ", ") + ")"
        }
        let eight = (1...8).map { "'o\($0)'" }
        let rows = [
            row("'a'", ["'x'", "'y'"], "1"), row("'b'", eight, "8"), row("'c'", ["'x'", "'x'"], "1"), row("'d'", ["'x'"], "1"),
            row("'e'", ["'x'", "'y'"], "3"), row("'f'", ["'x'", "'y'"], "NULL"), row("NULL", ["'x'", "'y'"], "1"),
            row("x'ff00'", ["'x'", "'y'"], "1"), row("'g'", ["'é'", "'e\u{301}'"], "2"), row("'a'", ["'x'", "'y'"], "1"),
            row("'h'", ["'\(String(repeating: "x", count: 65_537))'", "'y'"], "1"), row("'i'", ["x'00'", "'y'"], "2"),
            row("'j'", ["'x'", "''", "'y'"], "3"),
        ]
        let path = try folder.database(
            "CREATE TABLE q (question, \(columns.replacingOccurrences(of: ", option9", with: "")), correct); INSERT INTO q VALUES "
                + rows.joined(separator: ", "))
        let content = try PackContent.read(path: path)
        #expect(content.lines == ["a: x*|y", "b: o1|o2|o3|o4|o5|o6|o7|o8*", "g: é|e\u{301}*", "j: x|y*"])
        #expect(
            content.reasons == [
                "3: it has the same option twice", "4: it has fewer than 2 options", "5: it has no right option",
                "6: it has no right option",
                "7: it has no question text", "8: a text of it isn't text", "10: it says the same as a row before",
                "11: a text of it is longer than 65536 bytes", "12: a text of it isn't text",
            ])
        let many = try PackContent.read(
            path: folder.database(
                """
                CREATE TABLE questions (id, question); INSERT INTO questions VALUES (1, 'nine'), (2, 'two right'), (3, 'good'), (4, 'none');
                CREATE TABLE options (question_id, text, correct); INSERT INTO options SELECT 1, 'o' || value, value = 1 FROM
                json_each('[1,2,3,4,5,6,7,8,9]'); INSERT INTO options VALUES (2, 'a', 1), (2, 'b', 1), (3, 'a', 'TRUE'), (3, 'b', 'no');
                """, "many.db"))
        #expect(many.lines == ["good: a*|b"])
        #expect(
            many.reasons == ["1: it has more than 8 options", "2: it has more than one right option", "4: it has fewer than 2 options"])
    }

    @Test("A newer version of a pack has the same identities, by its rows' own ids or, where those repeat, by their texts")
    func identities() throws {
        let folder = try TemporaryFolder()
        func read(_ rows: String) throws -> PackContent {
            let file = try folder.database("CREATE TABLE q (id, question, a, b, answer); INSERT INTO q VALUES " + rows, "pack.db")
            defer { try? FileManager.default.removeItem(atPath: file) }
            return try PackContent.read(path: file)
        }
        let first = try read("(1, 'x', 'p', 'q', 'a'), (2, 'y', 'p', 'q', 'a')")
        let reworded = try read("(2, 'why', 'p', 'q', 'b'), (1, 'x', 'p', 'q', 'a'), (3, 'z', 'p', 'q', 'a')")
        #expect(first.id == reworded.id && first.digest != reworded.digest)
        #expect(reworded.questions[0].id == first.questions[1].id && reworded.questions[1].id == first.questions[0].id)
        let repeated = try read("(1, 'x', 'p', 'q', 'a'), (1, 'y', 'p', 'q', 'a'), (2, 'x', 'r', 's', 'a')")
        let moved = try read("(2, 'y', 'p', 'q', 'b'), (1, 'x', 'p', 'q', 'a'), (1, 'x', 'r', 's', 'a')")
        #expect(Set(repeated.questions.map(\.id)).count == 3)
        #expect(moved.questions.map(\.id) == [repeated.questions[1].id, repeated.questions[0].id, repeated.questions[2].id])
        let named = try PackContent.read(path: folder.file("[{\"q\": \"x\", \"options\": [1, 2], \"answer\": 1}]", "a.json"), name: "pack")
        #expect(named.id == first.id && named.name == "pack")
    }

    @Test("What is no pack ends in an error that names the file and what to do")
    func notPacks() throws {
        let folder = try TemporaryFolder()
        let good = try Data(contentsOf: URL(filePath: folder.database(ownTables, "good.db")))
        try good.prefix(6000).write(to: URL(filePath: folder.path + "/cut.db"))
        try good.prefix(60).write(to: URL(filePath: folder.path + "/head.db"))
        let cases: [(path: String, says: String)] = [
            (folder.path + "/none", "can't be read"), (folder.path, "not a file"), (try folder.file("hello", "text"), "neither"),
            (try folder.file("", "empty"), "neither"), (try folder.file("[{}", "half.json"), "line 1"),
            (try folder.file("[]", "nothing.json"), "no element"), (try folder.file("{\"a\": 1}", "object.json"), "questions"),
            (try folder.file("[{\"q\": \"x\", \"options\": [\"a\"]}]", "one.json"), "fewer than 2"), (folder.path + "/cut.db", "cut.db"),
            (folder.path + "/head.db", "head.db"), (try folder.database("CREATE TABLE t (x)", "t.db"), "--map"),
            (try folder.database("CREATE TABLE questions (question, a, b, answer)", "q.db"), "no row"),
            (try folder.database("CREATE TABLE x (q, a, b, answer); CREATE TABLE y (q, a, b, answer)", "xy.db"), "x, y"),
            (
                try folder.database("CREATE TABLE engram_pack (name, format); INSERT INTO engram_pack VALUES ('n', 2)", "new.db"),
                "newer engram"
            ),
            (try folder.database("CREATE TABLE engram_pack (name)", "rowless.db"), "engram_pack"),
            (
                try folder.database(
                    "CREATE TABLE engram_pack (name); INSERT INTO engram_pack VALUES ('n'); CREATE TABLE questions (id, prompt)", "o.db"),
                "options"
            ),
        ]
        for (path, says) in cases {
            let error = #expect(throws: PackError.self, "\(path)") { try PackContent.read(path: path) }
            #expect(error?.description.contains(says) ?? false, "\(path): \(error.map { "\($0)" } ?? "")")
        }
        // Cut or changed anywhere, it is an error or a pack, and never a crash.
        for step in stride(from: 0, to: good.count, by: 61) {
            var changed = good
            changed[step] ^= 0x55
            try changed.write(to: URL(filePath: folder.path + "/changed.db"))
            _ = try? PackContent.read(path: folder.path + "/changed.db")
        }
    }
}
