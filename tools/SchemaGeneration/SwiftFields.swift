/// What an event and a record have in common: named fields, and code over each of them in turn.
struct SwiftFields {
    var typeName: String
    var fields: [Field]

    /// The stored properties and the initialiser.
    func writeProperties(to code: inout CodeText, initializerSummary: String) {
        for field in fields {
            code.comment(field.documentation)
            code.line("public var \(field.swiftName): \(field.swiftType)")
        }
        if !fields.isEmpty { code.line() }
        code.comment(initializerSummary)
        // What a later version brought has its default here too, so that code which doesn't know the field goes on compiling.
        let parameters = fields.map { field in
            "\(field.swiftName): \(field.swiftType)"
                + (field.isOptional || field.defaultValue != nil ? " = \(field.defaultLiteral)" : "")
        }
        if fields.isEmpty {
            code.line("public init() {}")
            return
        }
        // The formatter keeps a list of parameters that was broken into lines.
        code.list("public init", parameters, " {")
        for field in fields { code.line("    self.\(field.swiftName) = \(field.swiftName)") }
        code.line("}")
    }

    func writeEncoding(to code: inout CodeText) {
        let head = "package func encode(into writer: inout ByteWriter, version: UInt8)"
        if fields.isEmpty {
            code.line(head + " {}")
            return
        }
        code.block(head) { code in
            for field in fields {
                if field.since > 1 {
                    code.block("if version >= \(field.since)") { field.writeEncoding(to: &$0) }
                } else {
                    field.writeEncoding(to: &code)
                }
            }
        }
    }

    func writeDecoding(to code: inout CodeText) {
        let head = "package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError)"
        if fields.isEmpty {
            code.line(head + " {}")
            return
        }
        code.block(head) { code in
            for field in fields { field.writeDecoding(to: &code) }
        }
    }

    func writeJSON(to code: inout CodeText) {
        code.block("package func json(version: UInt8) -> JSONValue") { code in
            if fields.isEmpty {
                code.line(".object([])")
                return
            }
            code.line("var members: [(key: String, value: JSONValue)] = []")
            code.line("members.reserveCapacity(\(fields.count))")
            for field in fields { field.writeJSON(to: &code) }
            code.line("return .object(members)")
        }
    }

    func writeJSONReading(to code: inout CodeText, validates: Bool) {
        code.block("package init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError)") { code in
            code.line("\(fields.isEmpty ? "let" : "var") fields = try JSONFields(json, at: path)")
            for field in fields { field.writeJSONReading(to: &code) }
            code.line("try fields.finish()")
            if validates { code.line("try validate(at: path)") }
        }
    }

    func writeValidation(to code: inout CodeText) {
        let head = "package func validate(at path: FieldPath) throws(SchemaError)"
        var body = CodeText()
        body.block(head) { code in
            for field in fields { field.writeValidation(to: &code) }
        }
        if body.lines.count == 2 {
            code.line(head + " {}")
        } else {
            for line in body.lines { code.line(line) }
        }
    }

    /// How much of the payload's end may be erased.
    func writeErasable(to code: inout CodeText) {
        let erasable = fields.filter(\.isErasable)
        let counts =
            ["\(erasable.count { $0.since == 1 })"] + erasable.filter { $0.since > 1 }.map { "(version >= \($0.since) ? 1 : 0)" }
        code.comment("How many texts at the end of the payload may be erased.")
        code.line("package static func erasableFields(version: UInt8) -> Int { \(counts.joined(separator: " + ")) }")
        code.line()
        code.comment("How many bytes those texts take.")
        code.block("package func erasableByteCount(version: UInt8) -> Int") { code in
            code.line("var writer = ByteWriter()")
            for field in erasable {
                if field.since > 1 {
                    code.block("if version >= \(field.since)") { field.writeEncoding(to: &$0) }
                } else {
                    field.writeEncoding(to: &code)
                }
            }
            code.line("return writer.count")
        }
    }

    /// The form without texts, which says where they lie instead.
    func writeSkim(to code: inout CodeText) {
        code.comment("What it says without its texts, which it gives the places of: read without building a string.")
        code.block("package struct Skim: Hashable, Sendable") { code in
            for field in fields { code.line("package let \(field.swiftName): \(field.skimType)\(field.isOptional ? "?" : "")") }
            code.line()
            code.comment("Reads what `init(decoding:version:)` of the event reads, and refuses what that refuses.")
            code.block("package init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError)") { code in
                for field in fields { field.writeDecoding(to: &code, as: field.isText ? "reader.skimText()" : field.type.decoding()) }
            }
        }
    }
}

extension Field {
    var isText: Bool { if case .text = type { true } else { false } }

    var skimType: String { isText ? "TextPlace" : type.swiftType }

    func writeEncoding(to code: inout CodeText) {
        if case .list(let element, _) = type {
            code.line("writer.writeVariable(UInt64(\(swiftName).count))")
            code.oneLiner("for element in \(swiftName)", element.encoding("element"))
        } else if isOptional {
            code.line("writer.writeFlag(\(swiftName) != nil)")
            code.oneLiner("if let \(swiftName)", type.encoding(swiftName))
        } else {
            code.line(type.encoding(swiftName))
        }
    }

    func writeDecoding(to code: inout CodeText) {
        guard case .list(let element, let counts) = type else { return writeDecoding(to: &code, as: type.decoding()) }
        code.line("var \(swiftName): \(type.swiftType) = []")
        let loop: (inout CodeText) -> Void = { code in
            let count = "\(swiftName)Count"
            code.line("let \(count) = try reader.readCount(in: \(FieldType.limits(counts)))")
            code.line("\(swiftName).reserveCapacity(\(count))")
            code.oneLiner("for _ in 0..<\(count)", "\(swiftName).append(try \(element.decoding()))")
        }
        if since > 1 { code.block("if version >= \(since)", loop) } else { loop(&code) }
        code.line("self.\(swiftName) = \(swiftName)")
    }

    func writeDecoding(to code: inout CodeText, as expression: String) {
        var read = isOptional ? "reader.readFlag() ? \(expression) : nil" : expression
        if since > 1 { read = "version < \(since) ? \(defaultLiteral) : " + (isOptional ? "(\(read))" : read) }
        code.line("\(swiftName) = try \(read)")
    }

    func writeJSON(to code: inout CodeText) {
        let condition = since > 1 ? "version >= \(since)" : ""
        let statement = "members.append((\"\(name)\", \(type.json(swiftName))))"
        if isOptional {
            code.oneLiner("if \(condition.isEmpty ? "" : condition + ", ")let \(swiftName)", statement)
        } else if condition.isEmpty {
            code.line(statement)
        } else {
            code.oneLiner("if \(condition)", statement)
        }
    }

    func writeJSONReading(to code: inout CodeText) {
        let how = if case .list = type { "list" } else if isOptional { "optional" } else { "required" }
        code.call(
            "\(swiftName) = try \(since > 1 ? "version < \(since) ? \(defaultLiteral) : " : "")fields.\(how)",
            "\"\(name)\", \(type.jsonReading)")
    }

    func writeValidation(to code: inout CodeText) {
        let path = "path.field(\"\(name)\")"
        if let check = type.check(swiftName, at: path) {
            if isOptional { code.oneLiner("if let \(swiftName)", "try \(check)") } else { code.line("try \(check)") }
        }
        if case .list(let element, _) = type, let check = element.check("element", at: "\(path).element(index)") {
            code.oneLiner("for (index, element) in \(swiftName).enumerated()", "try \(check)")
        }
    }
}
