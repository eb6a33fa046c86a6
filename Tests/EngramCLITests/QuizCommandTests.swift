import CSQLite
import CommandLineKit
import Engram
import Foundation
import Testing

/// Packs and tests by the executable: what scripts rely on.
struct QuizCommandTests {
    /// A pack of four words, each with a question of three options, of which the first, in the file, is right.
    private func pack(_ engram: Executable, words: ClosedRange<Int> = 1...4, file: String = "words.db") throws -> String {
        var text = """
            CREATE TABLE engram_pack (name TEXT); INSERT INTO engram_pack VALUES ('Words');
            CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, entry TEXT);
            CREATE TABLE questions (id INTEGER PRIMARY KEY, word_id INTEGER, prompt TEXT);
            CREATE TABLE options (question_id INTEGER, position INTEGER, text TEXT, is_right INTEGER);
            CREATE TABLE test_types (id TEXT, title TEXT, explanation TEXT, condition TEXT);
            INSERT INTO test_types VALUES ('early', 'Early ones', 'The first two', 'word_id < 3'), ('hostile', 'H', '', 'readfile(1)');
            INSERT INTO questions VALUES (99, NULL, 'no options');

            """
        for number in words {
            text += """
                INSERT INTO words VALUES (\(number), 'word \(number)', 'entry \(number)');
                INSERT INTO questions VALUES (\(number), \(number), 'word \(number)?');
                INSERT INTO options VALUES (\(number), 1, 'right', 1), (\(number), 2, 'wrong', 0), (\(number), 3, 'false', 0);

                """
        }
        let path = engram.home.appendingPathComponent(file).path
        var connection: OpaquePointer?
        try #require(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
        defer { unsafe sqlite3_close(connection) }
        try #require(unsafe sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK)
        return path
    }

    private static let packKeys = ["id", "name", "digest", "words", "questions", "types"]
    private static let typeKeys = ["id", "title", "explanation", "enabled", "questions"]

    private func has(_ document: JSONValue?, _ keys: [String]) -> Bool {
        let known = document?.objectValue?.map(\.key) ?? []
        return keys.allSatisfy(known.contains)
    }

    @Test("From a pack to a mark, with the keys that are promised")
    func session() throws {
        let engram = try Executable()
        let path = try pack(engram)
        let installed = try engram.run("pack install words.db --json").document()
        #expect(has(installed, Self.packKeys + ["skipped", "refused"]), "\(installed)")
        #expect(installed["words"]?.integerValue == 4 && installed["questions"]?.integerValue == 4 && installed["types"]?.integerValue == 2)
        #expect(installed["skipped"]?.arrayValue?.first?["row"]?.integerValue == 5 && installed["changed"]?.boolValue == true)
        #expect(installed["refused"]?.arrayValue?.first?["id"]?.stringValue == "hostile")
        let plain = try engram.run("pack install \(path)")
        #expect(
            plain.code == 0 && plain.out.contains("nothing has changed") && plain.errors.contains("row 5")
                && plain.errors.contains("hostile"))
        let listed = try engram.run("pack list --json").document()["packs"]?.arrayValue ?? []
        #expect(listed.count == 1 && has(listed.first, Self.packKeys) && listed.first?["digest"] == installed["digest"])

        var types = try engram.run("quiz types --json").document()
        #expect(types["types"]?.arrayValue?.allSatisfy { has($0, Self.typeKeys) } ?? false && types["selected"]?.isNull ?? false)
        let offered = types["types"]?.arrayValue?.map { "\($0["id"]?.stringValue ?? "") \($0["questions"]?.integerValue ?? -1)" }
        #expect(offered == ["all 4", "favourites 0", "mistakes 0", "early 2", "hostile 0"])
        #expect(try engram.run("quiz types --ids").lines == ["all", "early"])
        #expect(try engram.run("quiz select early --json").document()["id"]?.stringValue == "early")

        let started = try engram.run("quiz start --count 2 --seed 1 --json").document()
        #expect(has(started, ["quiz", "question", "prompt", "options", "correct"]) && started["correct"]?.isNull ?? false, "\(started)")
        #expect(started["type"]?.stringValue == "early" && started["total"]?.integerValue == 2)
        #expect(try engram.run("quiz show --json").document() == started && engram.run("quiz --json").document() == started)
        let first = try #require(started["question"]?.stringValue)
        var answered = try engram.run("quiz answer \(first.prefix(8)) wrong --took 1200 --json").document()
        #expect(has(answered, ["quiz", "question", "prompt", "options", "correct", "next"]) && answered["correct"]?.boolValue == false)
        let right = try #require(answered["next"]?["options"]?.arrayValue?.firstIndex { $0.stringValue == "right" })
        answered = try engram.run("quiz answer 2 \(right + 1) --json").document()
        #expect(answered["correct"]?.boolValue == true && answered["next"]?.isNull ?? false)
        let finished = try engram.run("quiz finish --json").document()
        #expect(has(finished, ["right", "total", "mark", "answers"]) && finished["abandoned"]?.boolValue == false)
        #expect([finished["right"], finished["total"], finished["mark"]].map { $0?.integerValue } == [1, 2, 3])
        #expect(finished["answers"]?.arrayValue?.map { $0["correct"]?.boolValue } == [false, true])
        #expect(finished["answers"]?.arrayValue?.first?["took_ms"]?.integerValue == 1200)

        types = try engram.run("quiz types --json").document()
        #expect(types["selected"]?.stringValue == "early" && types["types"]?.arrayValue?[2]["enabled"]?.boolValue == true)
        #expect(try engram.run("replay --json").document()["equal"]?.boolValue == true && engram.run("verify").code == 0)
    }

    @Test("Words and questions can be favourites and mistakes, by id, start of it, or text; an undo takes each back")
    func lists() throws {
        let engram = try Executable()
        _ = try pack(engram)
        try engram.run("pack install words.db")
        let added = try engram.run("favourite add 'word 3' --json").document()
        #expect(added["kind"]?.stringValue == "word" && added["text"]?.stringValue == "word 3" && added["favourite"]?.boolValue == true)
        let id = try #require(added["id"]?.stringValue)
        var items = try engram.run("favourite list --json").document()["items"]?.arrayValue
        #expect(items?.count == 1 && has(items?.first, ["id", "text", "since", "count"]) && items?.first?["text"]?.stringValue == "word 3")
        #expect(try engram.run("favourite toggle \(id.prefix(8))").out.contains("no favourite: word 3"))
        try engram.run("undo")
        #expect(try engram.run("favourite list").out.contains("word 3"))
        let quiz = try engram.run("quiz start favourites --json").document()
        #expect(quiz["total"]?.integerValue == 1)
        let question = try #require(quiz["question"]?.stringValue)
        #expect(try engram.run("favourite add \(question) --json").document()["kind"]?.stringValue == "question")
        #expect(try engram.run("quiz answer 1 false").out.contains("wrong"))
        items = try engram.run("mistakes list --json").document()["items"]?.arrayValue
        #expect(items?.map { $0["text"]?.stringValue } == ["word 3"] && items?.first?["kind"]?.stringValue == "word")
        #expect(try engram.run("mistakes dismiss 'word 3' --json").document()["id"]?.stringValue == id)
        #expect(try engram.run("mistakes list --json").document()["items"]?.arrayValue?.isEmpty ?? false)
        for left in [1, 0] {
            try engram.run("undo")
            #expect(try engram.run("mistakes list --json").document()["items"]?.arrayValue?.count == left)
        }
        #expect(try engram.run("quiz show --json").document()["answered"]?.integerValue == 0)
        #expect(try engram.run("quiz abandon --json").document()["abandoned"]?.boolValue == true)
        #expect(try engram.run("pack remove Words --json").document()["name"]?.stringValue == "Words")
        #expect(try engram.run("pack list").out.isEmpty && engram.run("favourite list").out.contains("word 3"))
        #expect(try engram.run("undo").code == 0 && engram.run("pack list").out.hasPrefix("Words"))
    }

    @Test("What is wrong is said with its exit code and changes nothing")
    func failures() throws {
        let engram = try Executable()
        _ = try engram.file("text", "no pack\n")
        _ = try engram.file("map.json", #"{"questions": {"tabel": "q"}}"#)
        _ = try pack(engram)
        let before: [(line: String, code: Int32, says: String)] = [
            ("pack install missing", 2, "missing"), ("pack install text", 2, "SQLite"),
            ("pack install words.db --map map.json", 2, "tabel"),
            ("pack install words.db --map missing", 2, "missing"), ("pack install words.db --store elsewhere", 3, "engram init"),
            ("pack remove Words", 1, "pack list"), ("quiz start all", 2, "no pack with questions"), ("quiz start hard", 1, "quiz types"),
            ("quiz start", 2, "quiz types"), ("quiz start mistakes", 2, "there are no mistakes"), ("quiz show", 1, "no test goes on"),
            ("quiz", 1, "no test goes on"), ("quiz answer 1 1", 1, "no test goes on"), ("quiz finish", 1, "no test goes on"),
            ("quiz abandon", 1, "quiz start"), ("quiz select hard", 1, "hard"), ("quiz start all --count 0", 2, "--count"),
            ("quiz start all --seed -1", 2, "--seed"), ("quiz finish --marks 50,75,90", 2, "90,75,50"), ("quiz anser 1 1", 2, "answer"),
        ]
        let after: [(line: String, code: Int32, says: String)] = [
            ("quiz start all", 2, "--abandon"), ("quiz start hostile --abandon", 2, "readfile"), ("quiz answer 5 1", 2, "1 to 4"),
            ("quiz answer 1 4", 2, "1 to 3"), ("quiz answer 1 maybe", 2, "maybe"), ("quiz answer abcd 1", 1, "abcd"),
            ("quiz answer 2 1", 2, "answered already"), ("quiz answer 1 1 --took -1", 2, "--took"), ("favourite add nothing", 1, "nothing"),
            ("mistakes dismiss nothing", 1, "nothing"),
        ]
        func check(_ cases: [(line: String, code: Int32, says: String)]) throws {
            let log = try engram.run("log export").out
            for (line, code, says) in cases {
                for json in ["", " --json"] {
                    let outcome = try engram.run(line + json)
                    #expect(outcome.code == code && outcome.out.isEmpty && outcome.errors.contains(says), "\(outcome.all)")
                }
            }
            #expect(try engram.run("log export").out == log)
        }
        try check(before)
        try engram.run("pack install words.db")
        try engram.run("quiz start all --seed 3")
        #expect(try engram.run("quiz answer 2 right").code == 0)
        try check(after)
    }

    @Test("A terminal gets tables and colour, a pipe gets fields")
    func surfaces() throws {
        let engram = try Executable()
        _ = try pack(engram)
        try engram.run("pack install words.db")
        try engram.run("quiz start all --seed 3")
        for page in ["pack list", "quiz types", "quiz show", "quiz answer 1 right", "quiz answer 2 false", "mistakes list", "quiz finish"] {
            let drawn = try engram.onTerminal(page, width: 80, environment: ["TERM": "xterm-256color"])
            #expect(drawn.code == 0 && drawn.out.contains("\u{1B}["), "\(drawn.all)")
            #expect(drawn.lines.allSatisfy { $0.replacing(/\x{1B}\[[0-9;]*m/, with: "").displayWidth <= 80 }, "\(drawn.all)")
            if page.hasSuffix("list") || page.hasSuffix("types") || page.hasSuffix("show") {
                let piped = try engram.run(page)
                #expect(piped.code == 0 && !piped.out.contains("\u{1B}") && !piped.out.isEmpty, "\(piped.all)")
            }
        }
    }
}
