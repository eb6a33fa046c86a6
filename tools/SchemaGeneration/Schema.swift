package import JSONText

/// All that `Schemas/` says.
package struct SchemaSet: Sendable {
    /// The event types, in the order of their numbers.
    package var events: [EventSchema]
    /// The choices that fields use, in the order of their file.
    package var choices: [ChoiceSchema]
    /// The records that fields use, in the order of their file.
    package var records: [RecordSchema]
}

/// One event type: one file of `Schemas/`.
package struct EventSchema: Sendable {
    /// What its events are about.
    package enum Subject: String, Sendable {
        case none, target, deck, card, session, item, quiz, pack, app
    }

    package var number: UInt16
    package var name: String
    package var version: UInt8
    package var subject: Subject
    package var summary: String
    /// Whether a form without its texts is generated too.
    package var hasSkim: Bool
    package var fields: [Field]

    package var swiftName: String { swiftTypeName(name) }
    package var caseName: String { swiftPropertyName(name) }
}

/// A choice of named cases, each with the number that stands for it in binary form.
package struct ChoiceSchema: Sendable {
    package struct Case: Sendable {
        package var name: String
        package var value: UInt8
        package var summary: String
    }

    package var name: String
    package var summary: String
    package var cases: [Case]

    package var swiftName: String { swiftTypeName(name) }

    /// The grades, which `StudyModel` writes by hand.
    package static let grade = ChoiceSchema(
        name: "grade", summary: "How well a card was known.",
        cases: ["again", "hard", "good", "easy"].enumerated().map {
            Case(name: $0.element, value: UInt8($0.offset) + 1, summary: "")
        })
}

/// A group of fields that lists have for elements. Its fields' versions are those of the one event type that uses it.
package struct RecordSchema: Sendable {
    package var name: String
    package var summary: String
    package var fields: [Field]

    package var swiftName: String { swiftTypeName(name) }
}

/// One field of an event or record.
package struct Field: Sendable {
    package var name: String
    package var type: FieldType
    package var unit: String?
    /// The version of the event's schema that introduced it.
    package var since: UInt8
    package var isOptional: Bool
    /// Whether it is a text, or bytes, that may be erased one day.
    package var isErasable: Bool
    /// What events of earlier versions have in its place; `nil` for absent.
    package var defaultValue: JSONValue?
    package var summary: String

    package var swiftName: String { swiftPropertyName(name) }
}

/// What a field holds, and within which limits.
package indirect enum FieldType: Sendable {
    case uniqueID
    case text
    case bytes
    case unsigned(maximum: UInt64)
    case signed(ClosedRange<Int64>)
    /// The index of an element of the list field of that name.
    case index(of: String)
    case bool
    case digest
    case event
    case choice(ChoiceSchema)
    case record(RecordSchema)
    case list(FieldType, ClosedRange<Int>)
}

/// `card_reviewed` as `CardReviewed`.
func swiftTypeName(_ name: String) -> String {
    words(name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}

/// `took_ms` as `tookMilliseconds`.
func swiftPropertyName(_ name: String) -> String {
    let type = swiftTypeName(name)
    return type.prefix(1).lowercased() + type.dropFirst()
}

private func words(_ name: String) -> [String] {
    var words = name.split(separator: "_").map(String.init)
    if words.count > 1, words.last == "ms" { words[words.count - 1] = "milliseconds" }
    return words
}
