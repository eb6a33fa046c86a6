import Testing

@testable import SQLite

struct SQLiteMakerTests {
    @Test func whatIsMadeIsReadAgain() throws {
        let maker = try SQLiteMaker()
        try maker.run("CREATE TABLE t (a integer PRIMARY KEY, b text); CREATE INDEX i ON t (b);")
        let texts = ["", "it's", "\u{0}zero", "🐕", String(repeating: "x", count: 100_000)]
        try maker.run("INSERT INTO t VALUES (?, ?)", for: texts.enumerated().map { [.integer(Int64($0) - 2), .text($1)] })
        let database = try open(try maker.bytes(), "made")
        var statement = try database.prepare("SELECT a, b FROM t ORDER BY a")
        for (index, text) in texts.enumerated() {
            #expect(try statement.step())
            #expect(statement.integer(at: 0) == Int64(index) - 2 && statement.text(at: 1) == text)
        }
        #expect(try !statement.step())
        var check = try database.prepare("PRAGMA integrity_check")
        #expect(try check.step() && check.text(at: 0) == "ok")
    }

    @Test func whatSQLiteRefusesIsAnError() throws {
        let maker = try SQLiteMaker()
        try maker.run("CREATE TABLE t (a integer PRIMARY KEY)")
        #expect(throws: SQLiteError.self) { try maker.run("nonsense") }
        #expect(throws: SQLiteError.self) { try maker.run("INSERT INTO none VALUES (?)", for: [[.integer(1)]]) }
        #expect(throws: SQLiteError.self) { try maker.run("INSERT INTO t VALUES (?)", for: [[.integer(1)], [.integer(1)]]) }
        #expect(throws: SQLiteError.self) { try maker.run("INSERT INTO t VALUES (?)", for: [[.integer(1), .integer(2)]]) }
    }
}
