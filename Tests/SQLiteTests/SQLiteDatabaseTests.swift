import CSQLite
import Foundation
import Testing

@testable import SQLite

/// A folder of its own for a test, which goes when the last reference does.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "engram-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// Runs statements on a database file through SQLite itself. Stays open as long as the value lives.
@safe final class Maker {
    private var connection: OpaquePointer?

    init(_ path: String, _ statements: String) throws {
        try #require(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
        var message: UnsafeMutablePointer<CChar>?
        let status = unsafe sqlite3_exec(connection, statements, nil, nil, &message)
        try #require(status == SQLITE_OK, "\(unsafe message.map { unsafe String(cString: $0) } ?? "")")
    }

    deinit { unsafe sqlite3_close(connection) }
}

func bytes(of path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }

func open(_ bytes: [UInt8], _ name: String) throws(SQLiteError) -> SQLiteDatabase {
    try unsafe SQLiteDatabase.open(bytes: bytes.span.bytes, name: name)
}

struct SQLiteDatabaseTests {
    @Test func valuesReadAsTheirColumnsSay() throws {
        let folder = try TemporaryFolder()
        _ = try Maker(
            folder.path + "/a",
            "CREATE TABLE t (x); INSERT INTO t VALUES (7), (2.5), (-2.5), (1e300), (-1e300), ('12'), ('ä'), (x'00ff'), (NULL)")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        var row = try database.prepare("SELECT x FROM t ORDER BY rowid")
        let expected: [(StorageClass, Int64?, Double?, String?, [UInt8])] = [
            (.integer, 7, 7, "7", Array("7".utf8)), (.real, 3, 2.5, "2.5", Array("2.5".utf8)),
            (.real, -3, -2.5, "-2.5", Array("-2.5".utf8)), (.real, .max, 1e300, "1.0e+300", Array("1.0e+300".utf8)),
            (.real, .min, -1e300, "-1.0e+300", Array("-1.0e+300".utf8)), (.text, 12, nil, "12", Array("12".utf8)),
            (.text, nil, nil, "ä", Array("ä".utf8)), (.blob, nil, nil, "\u{0}\u{FFFD}", [0, 255]), (.null, nil, nil, nil, []),
        ]
        for (storage, integer, real, text, bytes) in expected {
            try #require(try row.step())
            #expect(row.storageClass(at: 0) == storage)
            #expect(row.integer(at: 0) == integer)
            #expect(row.real(at: 0) == real)
            #expect(row.text(at: 0) == text)
            #expect(row.bytes(at: 0) == bytes)
            #expect(row.storageClass(at: 5) == .null && row.storageClass(at: -1) == .null)
        }
        #expect(try !row.step())
        #expect(rounded(.nan) == nil && rounded(.infinity) == .max && rounded(9.3e18) == .max && rounded(-0.4) == 0)
    }

    @Test func statementsThatArentOneReadingStatementAreRefused() throws {
        let folder = try TemporaryFolder()
        _ = try Maker(folder.path + "/a", "CREATE TABLE t (x); CREATE VIEW v AS SELECT 1")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        for text in [
            "INSERT INTO t VALUES (1)", "DROP TABLE t", "SELECT 1; SELECT 2", "", "-- nothing", "SELECT * FROM v", "SELECT y FROM t",
        ] {
            #expect(throws: SQLiteError.self, "\(text)") { _ = try database.prepare(text) }
        }
        #expect(try database.hasTable("t") && database.hasTable("T"))
        #expect(try !database.hasTable("v") && !database.hasTable("no"))
        #expect(try database.columns(of: "t") == ["x"] && database.columns(of: "no") == [])
        var one = try database.prepare("SELECT ?1 + 1")
        try one.bind(41, at: 1)
        #expect(try one.step() && one.integer(at: 0) == 42)
        one.reset()
        #expect(try one.step() && one.integer(at: 0) == 42)
        #expect(throws: SQLiteError.self) { try one.bind(1, at: 9) }
    }

    enum Journal: String, CaseIterable {
        case none = "DELETE"
        case closedLog = "WAL"
    }

    @Test(arguments: Journal.allCases) func nothingIsWrittenBesideAFile(_ journal: Journal) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ä %25?#.db"
        _ = try Maker(path, "PRAGMA journal_mode = \(journal.rawValue); CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        let before = try bytes(of: path)
        let names = try folder.names
        do {
            let database = try SQLiteDatabase.open(path: path)
            var row = try database.prepare("SELECT x FROM t")
            #expect(try row.step() && row.integer(at: 0) == 1)
            #expect(try folder.names == names)
        }
        #expect(try folder.names == names)
        #expect(try bytes(of: path) == before)
        let database = try open(before, "bytes")
        var row = try database.prepare("SELECT x FROM t")
        #expect(try row.step() && row.integer(at: 0) == 1)
    }

    @Test func whatLiesInTheLogIsReadFromACopy() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        // Open, so that the log stays.
        let maker = try Maker(path, "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)")
        let log = try bytes(of: path + "-wal")
        #expect(log.count > 0)
        let names = try folder.names
        do {
            let database = try SQLiteDatabase.open(path: path)
            var row = try database.prepare("SELECT count(*) FROM t")
            #expect(try row.step() && row.integer(at: 0) == 2)
        }
        #expect(try folder.names == names)
        #expect(try bytes(of: path + "-wal") == log)
        withExtendedLifetime(maker) {}
    }

    @Test func aCollationOfAnkisIsThere() throws {
        let folder = try TemporaryFolder()
        _ = try Maker(folder.path + "/a", "CREATE TABLE t (x); INSERT INTO t VALUES ('b'), ('Ä'), ('A'), ('ä'), ('a')")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        var row = try database.prepare("SELECT x FROM t ORDER BY x COLLATE unicase, rowid")
        var order: [String] = []
        while try row.step() { order.append(row.text(at: 0) ?? "") }
        #expect(order == ["A", "a", "b", "Ä", "ä"])
        for (left, right, expected) in [("", "", 0), ("", "a", -1), ("ab", "A", 1), ("STRASSE", "strasse", 0), ("ё", "Е", 1)]
            as [(String, String, Int32)]
        {
            #expect(compareIgnoringCase(left, right) == expected, "\(left) \(right)")
        }
    }

    @Test func whatIsNoDatabaseEndsInAnErrorWithItsPath() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        _ = try Maker(path, "CREATE TABLE t (x); INSERT INTO t SELECT value FROM json_each(json_array(1,2,3)); CREATE INDEX i ON t (x)")
        let whole = try bytes(of: path)
        try Data("no database at all, but long enough for one".utf8).write(to: URL(filePath: folder.path + "/b"))
        try Data(whole.prefix(50)).write(to: URL(filePath: folder.path + "/c"))
        for (name, code) in [("no", SQLiteCode.cannotOpen), ("", .cannotOpen), ("b", .notADatabase), ("a\0b", .cannotOpen)] {
            let error = #expect(throws: SQLiteError.self) { _ = try SQLiteDatabase.open(path: folder.path + "/" + name) }
            #expect(error?.code.primary == code && error?.path == folder.path + "/" + name)
            #expect(error?.description.hasPrefix(folder.path) == true)
        }
        #expect(throws: SQLiteError.self) { _ = try SQLiteDatabase.open(path: folder.path + "/c") }
        #expect(throws: SQLiteError.self) { _ = try open(Array(whole[..<60]), "short") }
        // A file cut short or flipped anywhere is an error or a database, and never a crash.
        let seed: UInt64 = 0x5EED
        var state = seed
        for _ in 0..<400 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var damaged = whole
            if state & 1 == 0 { damaged.removeLast(Int(state >> 8) % (whole.count - 100)) }
            for shift in [16, 32] where !damaged.isEmpty {
                damaged[Int(state >> UInt64(shift)) % min(damaged.count, 600)] ^= UInt8(truncatingIfNeeded: state >> 50)
            }
            do throws(SQLiteError) {
                let database = try open(damaged, "damaged")
                var row = try database.prepare("SELECT x FROM t ORDER BY x")
                var count = 0
                while try row.step(), count < 10_000 { count += 1 }
            } catch {
                #expect(error.path == "damaged", "seed \(seed)")
            }
        }
    }

    @Test func endlessWorkIsStopped() throws {
        let folder = try TemporaryFolder()
        _ = try Maker(folder.path + "/a", "CREATE TABLE t (x)")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        database.workMeter.limit = 5_000_000
        var row = try database.prepare("WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
        let error = #expect(throws: SQLiteError.self) { _ = try row.step() }
        #expect(error?.code.primary == .interrupted)
        var again = try database.prepare("SELECT count(*) FROM t")
        #expect(try again.step())
    }

    @Test func anExpressionStaysBetweenItsParentheses() {
        let cases: [(text: String, isOne: Bool)] = [
            ("1", true), ("(a) = (b)", true), ("'it''s' = \"a\"\"b\"", true), ("a -- )", true), ("a /* ) */", true), ("[)] = `)`", true),
            ("", false), (" \n", false), ("-- a", false), ("1)", false), ("(1", false), ("1) OR (1", false), ("1;", false), ("'1", false),
            ("[1", false), ("1 /*", false), ("1\0", false), ("1 -- \n)", false), ("';' = ';'", true),
        ]
        for (text, isOne) in cases { #expect(isOneExpression(text) == isOne, "\(text)") }
    }

    @Test func whatHeldAConditionIsGoneAfterIt() throws {
        let folder = try TemporaryFolder()
        _ = try Maker(folder.path + "/a", "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3); CREATE TABLE secret (y)")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        var rights = ConditionRights(tables: ["T"])
        var found: [Int64?] = []
        try database.forEachRow(of: "t", columns: ["x"], where: "x > 1", rights: rights) { found.append($0.integer(at: 0)) }
        #expect(found == [2, 3])
        for condition in ["EXISTS (SELECT 1 FROM secret)", "zeroblob(9) IS NULL", "EXISTS (SELECT 1 FROM sqlite_schema)"] {
            let error = #expect(throws: SQLiteError.self) {
                try database.forEachRow(of: "t", columns: ["x"], where: condition, rights: rights) { _ in }
            }
            #expect(error?.code.primary == .notAuthorised, "\(condition)")
        }
        rights.steps = 5000
        let slow = "(SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h WHERE a.x > h.x) > 0"
        let error = #expect(throws: SQLiteError.self) {
            try database.forEachRow(of: "t", columns: ["x"], where: slow, rights: rights) { _ in }
        }
        #expect(error?.code.primary == .interrupted)
        var row = try database.prepare("SELECT count(*), zeroblob(300000) FROM sqlite_schema, t a, t b, t c, t d, t e, t f, t g, t h")
        #expect(try row.step() && row.integer(at: 0) == 13_122 && row.bytes(at: 1).count == 300_000)
    }

    @Test func aConditionMayTakeSoMuchMemory() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<40).map { "('\($0)' || hex(zeroblob(5000)))" }.joined(separator: ", ")
        _ = try Maker(folder.path + "/a", "CREATE TABLE t (x); INSERT INTO t VALUES \(rows)")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        let rights = ConditionRights(tables: ["t"])
        for source in ["SELECT DISTINCT a.x || b.x || c.x FROM t a, t b, t c", "SELECT a.x || b.x AS y FROM t a, t b, t c ORDER BY y"] {
            let error = #expect(throws: SQLiteError.self) {
                try database.forEachRow(of: "t", columns: ["x"], where: "(SELECT count(*) FROM (\(source))) > 0", rights: rights) { _ in }
            }
            #expect(error?.code == .tooBig && error?.message.contains("memory") == true, "\(source): \(error?.description ?? "")")
        }
    }

    @Test(arguments: ["-wal", "-journal"]) func aJournalThatIsTooLargeIsRefusedBeforeItIsCopied(suffix: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        _ = try Maker(path, "CREATE TABLE t (x)")
        try #require(FileManager.default.createFile(atPath: path + suffix, contents: nil))
        let journal = try FileHandle(forWritingTo: URL(filePath: path + suffix))
        // Holes alone: it takes no room on the disk.
        try journal.truncate(atOffset: UInt64(ForeignLimits.copiedBytes))
        try journal.close()
        let error = #expect(throws: SQLiteError.self) { _ = try SQLiteDatabase.open(path: path) }
        #expect(error?.code == .tooBig && error?.message.contains("a\(suffix)") == true)
        #expect(try folder.names == ["a", "a\(suffix)"])
    }

    @Test func whatSaysTheSameOverAndOverIsStopped() throws {
        let folder = try TemporaryFolder()
        let numbers = (0..<10).map { "(\($0))" }.joined(separator: ", ")
        _ = try Maker(
            folder.path + "/a",
            "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(1000000)); CREATE TABLE n (y); INSERT INTO n VALUES \(numbers)")
        let database = try SQLiteDatabase.open(path: folder.path + "/a")
        var row = try database.prepare("SELECT x FROM t, n a, n b, n c")
        var count = 0
        let error = #expect(throws: SQLiteError.self) {
            while try row.step() { count += row.withBytes(at: 0) { $0.byteCount } }
        }
        #expect(error?.code == .corrupt && (300_000_000...400_000_000).contains(count))
    }
}
