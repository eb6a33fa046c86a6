/// A file that the generator writes, by its path from the root of the repository.
package struct GeneratedFile: Sendable, Equatable {
    package var path: String
    package var text: String
}

extension SchemaSet {
    /// Where the generated Swift files lie.
    package static let swiftFolder = "Sources/StudyModel/Generated"

    /// The Swift files: one a type, and two that join them.
    package func swiftFiles() -> [GeneratedFile] {
        let types =
            choices.map { ($0.swiftName, "types.json", $0.swiftCode()) } + records.map { ($0.swiftName, "types.json", $0.swiftCode()) }
            + events.map { ($0.swiftName, "\($0.name).json", $0.swiftCode()) }
            + [("StudyEventKind", "", kindCode()), ("StudyEvent", "", eventCode()), ("StudyEvent+Dispatch", "", dispatchCode())]
        return types.map { name, source, code in
            let header = "// Generated from Schemas/\(source) by `swift run SchemaGenerator`: change the schema, not this file.\n\n"
            return GeneratedFile(path: "\(Self.swiftFolder)/\(name).swift", text: header + code)
        }
    }
}

extension ChoiceSchema {
    func swiftCode() -> String {
        var code = CodeText()
        code.comment(summary)
        code.block("public enum \(swiftName): UInt8, CaseIterable, Hashable, Sendable") { code in
            for item in cases {
                code.comment(item.summary)
                code.line("case \(swiftPropertyName(item.name)) = \(item.value)")
            }
        }
        code.line()
        code.block("extension \(swiftName): NamedChoice") { code in
            code.comment("The case that `name` names; `nil` where it names none.")
            code.block("public init?(name: String)") { code in
                code.line("switch name {")
                for item in cases { code.line("case \"\(item.name)\": self = .\(swiftPropertyName(item.name))") }
                code.line("default: return nil")
                code.line("}")
            }
            code.line()
            code.comment("Its name in JSON.")
            code.block("public var name: String") { code in
                code.line("switch self {")
                for item in cases { code.line("case .\(swiftPropertyName(item.name)): \"\(item.name)\"") }
                code.line("}")
            }
        }
        return code.text
    }
}

private func imports(_ fields: [Field]) -> String {
    let access = fields.contains { $0.type.isEventCoding } ? "public" : "package"
    return "\(access) import EventCoding\npackage import JSONText\n\n"
}

extension RecordSchema {
    func swiftCode() -> String {
        let swift = SwiftFields(typeName: swiftName, fields: fields)
        var code = CodeText()
        code.comment(summary)
        code.block("public struct \(swiftName): Sendable, Equatable") { code in
            swift.writeProperties(to: &code, initializerSummary: "One of these values.")
        }
        code.line()
        code.block("extension \(swiftName)") { code in
            swift.writeEncoding(to: &code)
            code.line()
            swift.writeDecoding(to: &code)
            code.line()
            swift.writeJSON(to: &code)
            code.line()
            swift.writeJSONReading(to: &code, validates: false)
            code.line()
            swift.writeValidation(to: &code)
        }
        return imports(fields) + code.text
    }
}

extension EventSchema {
    func swiftCode() -> String {
        let swift = SwiftFields(typeName: swiftName, fields: fields)
        var code = CodeText()
        code.comment(summary)
        code.line("///")
        code.comment("Event type \(number), `\(name)`, in version \(version). \(subject.documentation)")
        code.block("public struct \(swiftName): Sendable, Equatable") { code in
            swift.writeProperties(to: &code, initializerSummary: "An event of \(fields.isEmpty ? "that kind" : "these values").")
        }
        code.line()
        code.block("extension \(swiftName): EventPayload") { code in
            code.line("package static var kind: StudyEventKind { .\(caseName) }")
            code.line("package static var currentVersion: UInt8 { \(version) }")
            code.line()
            swift.writeEncoding(to: &code)
            code.line()
            swift.writeDecoding(to: &code)
            code.line()
            swift.writeJSON(to: &code)
            code.line()
            swift.writeJSONReading(to: &code, validates: true)
            code.line()
            swift.writeValidation(to: &code)
        }
        if fields.contains(where: \.isErasable) {
            code.line()
            code.block("extension \(swiftName)") { swift.writeErasable(to: &$0) }
        }
        if hasSkim {
            code.line()
            code.block("extension \(swiftName)") { swift.writeSkim(to: &$0) }
        }
        return imports(fields) + code.text
    }
}

extension EventSchema.Subject {
    var documentation: String {
        switch self {
        case .none: "It is about the whole store and has no subject."
        case .target: "Its subject is that of the event that it is about."
        case .item: "Its subject is the card, word or question."
        case .app: "Its subject is whatever an app records something about."
        case .deck, .card, .session, .quiz, .pack: "Its subject is the \(rawValue)."
        }
    }
}

extension SchemaSet {
    private func kindCode() -> String {
        var code = CodeText()
        code.line("public import EventCoding")
        code.line()
        code.comment("Every kind of event that this program knows, by its number. A `switch` over it says where a new one must be handled.")
        code.block("public enum StudyEventKind: UInt16, CaseIterable, Hashable, Sendable") { code in
            for event in events {
                code.comment(event.summary)
                code.line("case \(event.caseName) = \(event.number)")
            }
        }
        code.line()
        code.block("extension StudyEventKind") { code in
            code.comment("Its number in stored events.")
            code.line("public var type: EventType { EventType(rawValue: rawValue) }")
            code.line()
            code.comment("The kind that `name` names; `nil` where it names none.")
            code.block("public init?(name: String)") { code in
                code.line("switch name {")
                for event in events { code.line("case \"\(event.name)\": self = .\(event.caseName)") }
                code.line("default: return nil")
                code.line("}")
            }
            code.line()
            code.comment("Its name, such as `card_reviewed`.")
            code.block("public var name: String") { code in
                code.line("switch self {")
                for event in events { code.line("case .\(event.caseName): \"\(event.name)\"") }
                code.line("}")
            }
            code.line()
            code.comment("What it is about, and so whose fold it belongs to.")
            code.block("public var subject: EventSubject") { code in
                code.line("switch self {")
                for event in events { code.line("case .\(event.caseName): .\(event.subject.rawValue)") }
                code.line("}")
            }
            code.line()
            code.comment("The version of its schema that this program writes, and the newest that it reads.")
            code.block("public var currentVersion: UInt8") { code in
                code.line("switch self {")
                for event in events { code.line("case .\(event.caseName): \(event.swiftName).currentVersion") }
                code.line("}")
            }
            code.line()
            code.comment("How many texts at the end of its payload may be erased, in a version of its schema.")
            code.block("package func erasableFields(version: UInt8) -> Int") { code in
                code.line("switch self {")
                for event in events where event.fields.contains(where: \.isErasable) {
                    code.line("case .\(event.caseName): \(event.swiftName).erasableFields(version: version)")
                }
                code.line("default: 0")
                code.line("}")
            }
        }
        return code.text
    }

    private func eventCode() -> String {
        var code = CodeText()
        code.comment("A fact about somebody's study: one case a kind of event.")
        code.block("public enum StudyEvent: Sendable, Equatable") { code in
            for event in events {
                code.comment(event.summary)
                code.line("case \(event.caseName)(\(event.swiftName))")
            }
        }
        code.line()
        code.block("extension StudyEvent") { code in
            code.comment("Which kind of event it is.")
            code.block("public var kind: StudyEventKind") { code in
                code.line("switch self {")
                for event in events { code.line("case .\(event.caseName): .\(event.caseName)") }
                code.line("}")
            }
        }
        return code.text
    }

    private func dispatchCode() -> String {
        var code = CodeText()
        code.line("package import EventCoding")
        code.line("public import JSONText")
        code.line()
        code.block("extension StudyEvent") { code in
            code.comment("Throws unless every field keeps to its limits: what passes decodes again, and what doesn't must not be written.")
            writeSwitch("public func validate() throws(SchemaError)", to: &code) {
                "case .\($0.caseName)(let payload): try payload.validate()"
            }
            code.line()
            code.comment("Its JSON form as `version` of its schema had it: fields of later versions are left out.")
            writeSwitch("public func json(version: UInt8) -> JSONValue", to: &code) {
                "case .\($0.caseName)(let payload): payload.json(version: version)"
            }
            code.line()
            code.comment("Appends its payload as `version` of its schema had it.")
            writeSwitch("package func encode(into writer: inout ByteWriter, version: UInt8)", to: &code) {
                "case .\($0.caseName)(let payload): payload.encode(into: &writer, version: version)"
            }
            code.line()
            code.comment("How many bytes at the end of its payload are texts that may be erased.")
            code.block("package func erasableByteCount(version: UInt8) -> Int") { code in
                code.line("switch self {")
                for event in events where event.fields.contains(where: \.isErasable) {
                    code.line("case .\(event.caseName)(let payload): payload.erasableByteCount(version: version)")
                }
                code.line("default: 0")
                code.line("}")
            }
            code.line()
            code.comment("Reads the payload of an event of `kind` up to its last field.")
            writeSwitch(
                "package static func decode(_ kind: StudyEventKind, from reader: inout ByteReader, version: UInt8) throws(ByteError) -> StudyEvent",
                over: "kind", to: &code
            ) {
                "case .\($0.caseName): .\($0.caseName)(try \($0.swiftName)(decoding: &reader, version: version))"
            }
            code.line()
            code.comment("Reads the JSON form of an event of `kind`.")
            code.line(
                "static func decode(_ kind: StudyEventKind, from json: JSONValue, version: UInt8) throws(SchemaError) -> StudyEvent {")
            code.line("    let path = FieldPath(event: kind.name)")
            code.line("    return switch kind {")
            for event in events {
                code.line("    case .\(event.caseName): .\(event.caseName)(try \(event.swiftName)(json: json, at: path, version: version))")
            }
            code.line("    }")
            code.line("}")
        }
        return code.text
    }

    private func writeSwitch(_ head: String, over value: String = "self", to code: inout CodeText, _ row: (EventSchema) -> String) {
        code.block(head) { code in
            code.line("switch \(value) {")
            for event in events { code.line(row(event)) }
            code.line("}")
        }
    }
}
