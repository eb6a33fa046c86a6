import CSQLite
import Foundation
import Testing

@testable import Packs

/// A folder of its own for a test, which goes when the last reference does.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "engram-packs-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A database that `statements` make; its path.
    func database(_ statements: String, _ name: String = "made.db") throws -> String {
        let file = path + "/" + name
        var connection: OpaquePointer?
        try #require(unsafe sqlite3_open(file, &connection) == SQLITE_OK)
        defer { unsafe sqlite3_close(connection) }
        var message: UnsafeMutablePointer<CChar>?
        let status = unsafe sqlite3_exec(connection, statements, nil, nil, &message)
        try #require(status == SQLITE_OK, "\(unsafe message.map { unsafe String(cString: $0) } ?? "")")
        return file
    }

    func file(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        return path + "/" + name
    }
}

/// Tables of Engram's own form.
let ownTables = """
    CREATE TABLE engram_pack (id TEXT, name TEXT, version TEXT);
    INSERT INTO engram_pack VALUES ('stress', 'Stress', '1');
    CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, entry TEXT);
    INSERT INTO words VALUES (1, 'корысть', 'self-interest'), (2, 'кремень', 'flint');
    CREATE TABLE questions (id INTEGER PRIMARY KEY, word_id INTEGER, prompt TEXT, level INTEGER);
    INSERT INTO questions VALUES (10, 1, 'корысть?', 1), (11, 2, 'кремень?', 2), (12, NULL, 'neither', 2);
    CREATE TABLE options (question_id INTEGER, position INTEGER, text TEXT, is_right INTEGER);
    INSERT INTO options VALUES (10, 2, 'ко́рысть', 0), (10, 1, 'коры́сть', 1), (11, 1, 'креме́нь', 1), (11, 2, 'кре́мень', 0),
        (12, 1, 'a', 0), (12, 2, 'b', 0), (12, 3, 'c', 1);
    CREATE TABLE test_types (id TEXT, title TEXT, explanation TEXT, condition TEXT);

    """

extension PackContent {
    /// Each question as `prompt: option|option*`, the right one marked.
    var lines: [String] {
        questions.map { question in
            let options = question.options.enumerated().map { $0.element + ($0.offset == question.right ? "*" : "") }
            return question.prompt + ": " + options.joined(separator: "|")
        }
    }

    /// Each row that was left out as `row: reason`.
    var reasons: [String] { skipped.map { "\($0.row): \($0.reason.rawValue)" } }
}
