internal import EventCoding
internal import JSONText

extension SchemaSet {
    /// Where the golden vectors lie.
    package static let goldenFolder = "Tests/StudyModelTests/Golden"

    /// The golden vectors of every type and version: payloads in both forms that must decode for ever.
    ///
    /// They are written when a version is new and never again, so what is checked in counts, not what this makes.
    package func goldenFiles() -> [GeneratedFile] {
        events.flatMap { event in
            (1...event.version).map { version in
                GeneratedFile(
                    path: "\(Self.goldenFolder)/\(Self.goldenName(event.name, version))",
                    text: event.golden(version).text(pretty: true) + "\n")
            }
        }
    }

    /// The file name of a type's golden vectors.
    package static func goldenName(_ event: String, _ version: UInt8) -> String { "\(event).v\(version).json" }
}

extension EventSchema {
    fileprivate func golden(_ version: UInt8) -> JSONValue {
        var generator = SplitMix64(seed: UInt64(number) << 8 | UInt64(version))
        var vectors: [JSONValue] = []
        for style in [SampleStyle.least, .usual, .most] {
            let sample = sample(style, version: version, using: &generator)
            vectors.append(.object([("payload", sample.json), ("bytes", .string(hexadecimal(sample.bytes)))]))
            if fields.isEmpty { break }
        }
        return .object([
            ("name", .string(name)), ("type", .integer(Int64(number))), ("version", .integer(Int64(version))), ("vectors", .array(vectors)),
        ])
    }
}
