import EventCoding
internal import EventCoding
import Foundation
import JSONText
import SchemaGeneration
import StudyModel
import Testing

/// Where the repository lies, and what its schemas say.
enum SchemaFixture {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func schemas() throws -> SchemaSet { try SchemaSet(reading: schemaFiles(in: root)) }

    /// How many cases a property test runs: `ENGRAM_CASES`, or 10,000.
    static let cases = UInt64(ProcessInfo.processInfo.environment["ENGRAM_CASES"] ?? "") ?? 10_000

    /// The seed of a property test's first case: `ENGRAM_SEED`, or one that is always the same.
    static let seed = UInt64(ProcessInfo.processInfo.environment["ENGRAM_SEED"] ?? "") ?? 20_241_007

    /// Runs `body` for every case, a type of event after the other, and names the seed of one that fails.
    static func forEachCase(_ body: (EventSchema, inout SplitMix64, Comment) throws -> Void) throws {
        let events = try schemas().events
        for index in 0..<cases {
            let event = events[Int(index % UInt64(events.count))]
            var generator = SplitMix64(seed: seed &+ index)
            // Paste back: the first case with this seed is of the first type, so as many cases as there are types find it.
            try body(
                event, &generator, "\(event.name), seed \(seed &+ index) (ENGRAM_SEED=\(seed &+ index - index % UInt64(events.count)))")
        }
    }
}

/// What the library decodes for an event of a schema.
func decode(_ event: EventSchema, _ bytes: [UInt8], version: UInt8? = nil) throws -> StudyEvent? {
    try StudyEvent.decode(type: .init(rawValue: event.number), version: version ?? event.version, payload: unsafe bytes.span.bytes)
}

func decode(_ event: EventSchema, _ json: JSONValue) throws -> StudyEvent? {
    try StudyEvent.decode(type: .init(rawValue: event.number), version: event.version, json: json)
}
