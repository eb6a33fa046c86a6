import EventCoding
import Foundation
import JSONText
import SchemaGeneration
import StudyModel
import Testing

@Suite struct GoldenTests {
    /// Every type and version that was ever released has golden vectors.
    @Test func everyVersionHasVectors() throws {
        let folder = SchemaFixture.root.appendingPathComponent(SchemaSet.goldenFolder)
        let present = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        for event in try SchemaFixture.schemas().events {
            for version in 1...event.version {
                let name = SchemaSet.goldenName(event.name, version)
                #expect(present.contains(name), "\(name) is missing: run `swift run SchemaGenerator --golden`")
            }
        }
    }

    /// What was written once decodes for ever, from bytes and from JSON, and is written the same again.
    @Test func vectorsDecodeForEver() throws {
        let folder = SchemaFixture.root.appendingPathComponent(SchemaSet.goldenFolder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted()
        #expect(names.count >= 30)
        for name in names {
            let file = try JSONValue(parsing: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
            let type = EventType(rawValue: try #require(file["type"]?.integerValue.flatMap { UInt16(exactly: $0) }))
            let version = try #require(file["version"]?.integerValue.flatMap { UInt8(exactly: $0) })
            #expect(StudyEvent.name(of: type) == file["name"]?.stringValue)
            let vectors = try #require(file["vectors"]?.arrayValue)
            #expect(!vectors.isEmpty)
            for (index, vector) in vectors.enumerated() {
                let place: Comment = "\(name), vector \(index)"
                let bytes = try #require(vector["bytes"]?.stringValue.flatMap { EventCoding.bytes(hexadecimal: $0) }, place)
                let json = try #require(vector["payload"], place)
                let event = try #require(
                    try StudyEvent.decode(type: type, version: version, payload: unsafe bytes.span.bytes), place)
                #expect(event.type == type, place)
                #expect(event.json(version: version) == json, place)
                #expect(event.encodedPayload(version: version) == bytes, place)
                let again = try StudyEvent.decode(type: type, version: version, json: json)
                #expect(again?.encodedPayload(version: version) == bytes, place)
            }
        }
    }
}
