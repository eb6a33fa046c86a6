import Foundation
import Testing

@testable import Packs

struct ConditionTests {
    private func types(_ conditions: [String], steps: Int = 2_000_000) throws -> (content: PackContent, file: Data, after: Data) {
        let folder = try TemporaryFolder()
        let rows = conditions.enumerated().map { "('t\($0)', 'T', 'E', '\($1.replacingOccurrences(of: "'", with: "''"))')" }
        let path = try folder.database(ownTables + "INSERT INTO test_types VALUES " + rows.joined(separator: ", "))
        let before = try Data(contentsOf: URL(filePath: path))
        let content = try PackContent.read(path: path, conditionSteps: steps)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["made.db"])
        return (content, before, try Data(contentsOf: URL(filePath: path)))
    }

    @Test("A condition picks the questions for which it is true")
    func picking() throws {
        let cases: [(condition: String, questions: [Int])] = [
            ("", [0, 1, 2]), ("  ", [0, 1, 2]), ("1", [0, 1, 2]), ("level = 2", [1, 2]), ("level > 9", []), ("prompt LIKE '%ть?'", [0]),
            ("id IN (10, 12) -- the odd ones", [0, 2]), ("word_id IS NULL OR level = 1", [0, 2]), ("length(prompt) = 8", [0, 1]),
            ("word_id IN (SELECT id FROM words WHERE word = 'кремень')", [1]), ("prompt = ')' OR level = 1", [0]),
            ("(SELECT count(*) FROM options WHERE question_id = questions.id) = 3", [2]), ("level /* ; */ = 1", [0]),
            ("EXISTS (WITH w AS (SELECT 1 AS x) SELECT x FROM w) AND level = 1", [0]),
        ]
        let (content, before, after) = try types(cases.map(\.condition))
        for (type, expected) in zip(content.types, cases) {
            #expect(type.questions == expected.questions && type.refusal == nil, "\(expected.condition): \(type)")
        }
        #expect(content.types.count == cases.count && before == after)
    }

    @Test("A condition that is wrong, does more than look, or runs for ever is refused, and the rest is installed")
    func refusals() throws {
        let cases: [(condition: String, says: String)] = [
            ("level =", "can't be read"), ("nothing = 1", "nothing"), ("level = 1; DELETE FROM words", "one expression"),
            ("1) UNION SELECT id, entry FROM words WHERE (1", "one expression"), ("1 -- )\n) OR (1", "one expression"),
            ("ATTACH 'x' AS y", "can't be read"), ("(DELETE FROM words)", "can't be read"), ("load_extension('x')", "look"),
            ("'open quote", "one expression"), ("/* open", "one expression"), ("randomblob(100000000) IS NULL", "look"),
            ("EXISTS (SELECT 1 FROM sqlite_schema)", "look"), ("EXISTS (SELECT * FROM pragma_database_list)", "look"),
            ("EXISTS (SELECT * FROM json_each('[1]'))", "look"), ("random() > 0", "look"), ("readfile('/etc/passwd') IS NULL", "readfile"),
            ("length(replace(prompt, '', prompt)) > 1", "look"), ("EXISTS (SELECT 1 FROM none.words)", "can't be read"),
            ("(WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n) > 0", "look"),
            (
                "(SELECT count(*) FROM words a, words b, words c, words d, words e, words f, words g, words h, words i, words j, "
                    + "words k, words l, words m, words n, words o, words p, words q, words r, words s, words t, words u, words v "
                    + "WHERE a.word > v.word) > 0",
                "too long"
            ),
            ("?1 = 2 OR level = :x OR (", "one expression"),
        ]
        let (content, before, after) = try types(cases.map(\.condition))
        for (type, expected) in zip(content.types, cases) {
            #expect(type.questions.isEmpty && type.refusal?.contains(expected.says) ?? false, "\(expected.condition): \(type)")
        }
        #expect(content.types.count == cases.count && content.questions.count == 3 && content.words.count == 2 && before == after)
    }

    @Test("Of two test types with one id the first counts")
    func copies() throws {
        let folder = try TemporaryFolder()
        let content = try PackContent.read(
            path: folder.database(ownTables + "INSERT INTO test_types VALUES ('a', 'A', '', 'level = 1'), ('a', 'B', '', '')"))
        #expect(content.types.map(\.refusal) == [nil, "another test type before it has the same id"])
        #expect(content.types.map(\.questions) == [[0], []] && Set(content.types.map(\.id)).count == 2)
    }

    @Test("All conditions of a pack together have an end")
    func together() throws {
        let slow =
            "(SELECT count(*) FROM words a, words b, words c, words d, words e, words f, words g, words h, "
            + "words i, words j, words k, words l WHERE a.word > l.word) > 0"
        let (content, _, _) = try types(Array(repeating: slow, count: 6) + ["level = 1"], steps: 2000)
        #expect(
            content.types.map(\.refusal) == Array(repeating: "it takes too long", count: 4)
                + Array(repeating: "those before it took too long", count: 3))
    }
}
