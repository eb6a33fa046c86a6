internal import JSONText

extension SchemaSet {
    /// Where the JSON Schemas lie.
    package static let jsonSchemaFolder = "Schemas/json-schema"

    /// A JSON Schema (2020-12) for each event type, of the line that `engram log export` prints for such an event.
    package func jsonSchemaFiles() -> [GeneratedFile] {
        events.map { event in
            GeneratedFile(path: "\(Self.jsonSchemaFolder)/\(event.name).schema.json", text: event.jsonSchema().text(pretty: true) + "\n")
        }
    }
}

/// What an identity looks like.
private let uuidPattern = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
private let eventPattern = "^[0-9a-fA-F]{16}/[1-9][0-9]{0,18}$"

private func described(_ description: String, _ members: [(key: String, value: JSONValue)]) -> JSONValue {
    .object([("description", .string(description))] + members)
}

private let integer: (key: String, value: JSONValue) = ("type", .string("integer"))
private let string: (key: String, value: JSONValue) = ("type", .string("string"))

extension EventSchema {
    /// The schema of a whole event line: the envelope, which every event has alike, and the payload of this type.
    func jsonSchema() -> JSONValue {
        .object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .string("urn:engram:event:\(name)")),
            ("title", .string(name)),
            ("description", .string(summary)),
            ("type", .string("object")),
            (
                "required",
                .array(["sequence", "event", "type", "version", "logical_time", "at", "subject", "payload"].map(JSONValue.string))
            ),
            ("properties", .object(envelope())),
        ])
    }

    private func envelope() -> [(key: String, value: JSONValue)] {
        [
            ("sequence", described("Place of the event in the store that exported it.", [integer, ("minimum", .integer(0))])),
            (
                "event",
                described("Identity of the event: its origin, and its number there.", [string, ("pattern", .string(eventPattern))])
            ),
            ("type", .object([("const", .string(name))])),
            (
                "version",
                described(
                    "Version of the payload's schema.", [integer, ("minimum", .integer(1)), ("maximum", .integer(Int64(version)))])
            ),
            (
                "logical_time",
                described(
                    "Hybrid logical time: milliseconds since 1970 UTC times 65536, plus a counter.",
                    [integer, ("minimum", .integer(.min)), ("maximum", .integer(.max))])
            ),
            (
                "at",
                described(
                    "Wall time with the offset of the local clock, ISO 8601.",
                    [
                        string, ("format", .string("date-time")),
                        (
                            "pattern",
                            .string("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?[+-][0-9]{2}:[0-9]{2}$")
                        ),
                    ])
            ),
            ("subject", subjectSchema()),
            (
                "key",
                described(
                    "What an imported row says, digested: of several events with one key, one counts.",
                    [string, ("pattern", .string(uuidPattern))])
            ),
            (
                "erasable",
                described(
                    "How many bytes at the end of the payload's binary form are texts that may be erased.",
                    [integer, ("minimum", .integer(0))])
            ),
            ("salt", described("What keeps the texts from being guessed by their digest.", [string, ("pattern", .string(uuidPattern))])),
            (
                "erased",
                described("The texts were erased: SHA-256 of the salt and them.", [string, ("pattern", .string("^[0-9a-f]{64}$"))])
            ),
            ("payload", objectSchema(fields, summary)),
            ("commit", described("The commit that the event belongs to.", [("type", .string("object"))])),
        ]
    }

    private func subjectSchema() -> JSONValue {
        subject == .none
            ? described(subject.documentation, [("const", .string("00000000-0000-0000-0000-000000000000"))])
            : described(subject.documentation, [string, ("pattern", .string(uuidPattern))])
    }
}

private func objectSchema(_ fields: [Field], _ description: String) -> JSONValue {
    let required = fields.filter { !$0.isOptional && $0.since == 1 }
    return described(
        description,
        [
            ("type", .string("object")),
            ("required", .array(required.map { .string($0.name) })),
            ("properties", .object(fields.map { ($0.name, $0.jsonSchema()) })),
            ("additionalProperties", .bool(false)),
        ])
}

extension Field {
    fileprivate func jsonSchema() -> JSONValue {
        var text = summary
        if let unit { text += " Unit: \(unit)." }
        if since > 1 { text += " Since version \(since)." }
        return described(text, type.jsonSchema())
    }
}

extension FieldType {
    fileprivate func jsonSchema() -> [(key: String, value: JSONValue)] {
        switch self {
        case .uniqueID: [string, ("pattern", .string(uuidPattern))]
        // The limit is in bytes, which a schema can't count: no text of more characters keeps to it.
        case .text: [string, ("maxLength", .integer(65_536))]
        case .bytes: [string, ("pattern", .string("^([0-9a-fA-F]{2}){0,65536}$"))]
        case .unsigned(let maximum): [integer, ("minimum", .integer(0)), ("maximum", .integer(Int64(clamping: maximum)))]
        case .signed(let range): [integer, ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound))]
        case .index: [integer, ("minimum", .integer(0))]
        case .bool: [("type", .string("boolean"))]
        case .digest: [string, ("pattern", .string("^[0-9a-fA-F]{64}$"))]
        case .event: [string, ("pattern", .string(eventPattern))]
        case .choice(let choice): [("enum", .array(choice.cases.map { .string($0.name) }))]
        case .record(let record): objectSchema(record.fields, record.summary).objectValue ?? []
        case .list(let element, let counts):
            [
                ("type", .string("array")), ("minItems", .integer(Int64(counts.lowerBound))),
                ("maxItems", .integer(Int64(counts.upperBound))), ("items", .object(element.jsonSchema())),
            ]
        }
    }
}
