import Foundation
import SchemaGeneration
import Testing

@Suite struct SchemaGenerationTests {
    @Test func generatedFilesFollowFromTheSchemas() throws {
        let schemas = try SchemaFixture.schemas()
        let generated = schemas.swiftFiles() + schemas.jsonSchemaFiles()
        for file in try staleFiles(generated, in: SchemaFixture.root) {
            Issue.record("\(file.path) is stale: run `swift run SchemaGenerator`")
        }
        for path in try leftovers(generated, in: SchemaFixture.root) {
            Issue.record("\(path) follows from no schema: run `swift run SchemaGenerator`")
        }
    }

    static let types = #"""
        {"enums": [{"name": "mood", "summary": "A mood.", "cases": [{"name": "low", "value": 1, "summary": "Low."}]}], "records": []}
        """#

    static func event(_ fields: String, version: Int = 2, rest: String = "") -> String {
        #"{"type": 700, "name": "mood_noted", "version": \#(version), "subject": "none", "summary": "A mood.", \#(rest)"fields": [\#(fields)]}"#
    }

    static func read(_ event: String) throws -> SchemaSet {
        try SchemaSet(reading: [
            SourceFile(name: "types.json", bytes: Array(types.utf8)), SourceFile(name: "mood_noted.json", bytes: Array(event.utf8)),
        ])
    }

    /// A field of a later version is absent, or has its default, in events of earlier ones.
    @Test func fieldsOfLaterVersionsHaveDefaults() throws {
        let schemas = try Self.read(
            Self.event(
                #"""
                {"name": "mood", "type": "mood", "since": 1, "summary": "It."},
                {"name": "took_ms", "type": "uint", "since": 2, "default": 1500, "summary": "How long."},
                {"name": "note", "type": "text", "since": 2, "optional": true, "summary": "Why."}
                """#))
        let code = try #require(schemas.swiftFiles().first { $0.path.hasSuffix("/MoodNoted.swift") }).text
        for line in [
            "public init(mood: Mood, tookMilliseconds: UInt64 = 1500, note: String? = nil) {",
            "mood = try reader.readChoice(Mood.self)",
            "tookMilliseconds = try version < 2 ? 1500 : reader.readUnsigned(maximum: FieldLimit.unsigned)",
            "note = try version < 2 ? nil : (reader.readFlag() ? reader.readText(limit: FieldLimit.textBytes) : nil)",
            "if version >= 2 {",
            "tookMilliseconds = try version < 2 ? 1500 : fields.required(\"took_ms\", JSONField.unsigned)",
            "if version >= 2, let note { members.append((\"note\", .string(note))) }",
        ] {
            #expect(code.contains(line), "\(line)")
        }
        #expect(schemas.goldenFiles().map(\.path.lastComponent) == ["mood_noted.v1.json", "mood_noted.v2.json"])
    }

    /// Schemas that say nothing clear, and a word of what is answered.
    static let faults: [(event: String, message: String)] = [
        ("{", "line 1"),
        (event(#"{"name": "x", "type": "colour", "since": 1, "summary": ""}"#), "colour is no type"),
        (event(#"{"name": "x", "type": "uint", "since": 2, "summary": ""}"#), "default"),
        (event(#"{"name": "x", "type": "uint", "since": 1, "default": 1, "summary": ""}"#), "default"),
        (event(#"{"name": "x", "type": "uint", "since": 3, "summary": ""}"#), "since"),
        (event(#"{"name": "X", "type": "uint", "since": 1, "summary": ""}"#), "snake_case"),
        (event(#"{"name": "x", "type": "uint", "since": 1, "max": 1, "summary": ""}"#), "max"),
        (event(#"{"name": "x", "type": "uint", "since": 1, "summary": ""}"#), "introduces no field"),
        (event(#"{"name": "x", "type": "list", "of": "uuid", "since": 1, "summary": ""}"#, version: 1), "maximum_count"),
        (event(#"{"name": "x", "type": "uint", "below_count_of": "y", "since": 1, "summary": ""}"#, version: 1), "list above"),
        (event("", version: 1, rest: #""colour": 1, "#), "colour: is not a key"),
        (
            event(
                #"{"name": "x", "type": "bool", "since": 1, "summary": ""}, {"name": "x", "type": "bool", "since": 1, "summary": ""}"#,
                version: 1), "twice"
        ),
    ]

    @Test(arguments: faults) func unclearSchemasAreRefused(event: String, message: String) {
        let fault = #expect(throws: SchemaFileFault.self) { try Self.read(event) }
        #expect(fault?.file == "mood_noted.json")
        #expect(fault?.description.contains(message) == true, "\(String(describing: fault))")
    }
}

extension String {
    fileprivate var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
