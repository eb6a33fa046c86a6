import CSQLite
import Foundation
import Testing

extension TemporaryFolder {
    /// A pack of Engram's own form, of words that each have a question of three options. Its path.
    ///
    /// - Parameters:
    ///   - words: id, word and entry of each; the question of word 7 has the id 107.
    ///   - types: id and condition of each test type.
    func pack(
        _ words: [(id: Int, word: String, entry: String)] = (1...6).map { ($0, "word \($0)", "entry \($0)") },
        types: [(id: String, condition: String)] = [("easy", "level = 1"), ("none", "level = 9"), ("bad", "random() > 0")],
        name: String = "Words", file: String = "pack.db"
    ) throws -> String {
        var text = """
            CREATE TABLE engram_pack (name TEXT); INSERT INTO engram_pack VALUES ('\(name)');
            CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, entry TEXT);
            CREATE TABLE questions (id INTEGER PRIMARY KEY, word_id INTEGER, prompt TEXT, level INTEGER);
            CREATE TABLE options (question_id INTEGER, position INTEGER, text TEXT, is_right INTEGER);
            CREATE TABLE test_types (id TEXT, title TEXT, explanation TEXT, condition TEXT);

            """
        for (id, word, entry) in words {
            text += """
                INSERT INTO words VALUES (\(id), '\(word)', '\(entry)');
                INSERT INTO questions VALUES (\(id + 100), \(id), 'What is \(word)?', \(id % 2));
                INSERT INTO options VALUES (\(id + 100), 1, '\(entry)', 1), (\(id + 100), 2, 'not it', 0), (\(id + 100), 3, 'nor this', 0);

                """
        }
        for (id, condition) in types { text += "INSERT INTO test_types VALUES ('\(id)', 'The \(id)', 'Some', '\(condition)');\n" }
        let path = path + "/" + file
        try? FileManager.default.removeItem(atPath: path)
        var connection: OpaquePointer?
        try #require(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
        defer { unsafe sqlite3_close(connection) }
        try #require(unsafe sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK)
        return path
    }
}
