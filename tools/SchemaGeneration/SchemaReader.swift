internal import JSONText

/// What is wrong in a file of `Schemas/`.
package struct SchemaFileFault: Error, CustomStringConvertible {
    package var file: String
    package var place: String
    package var message: String

    package var description: String { place.isEmpty ? "\(file): \(message)" : "\(file): \(place): \(message)" }
}

/// A file, by its name and its bytes.
package struct SourceFile: Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

extension SchemaSet {
    /// Reads the files of `Schemas/`: `types.json`, and one an event type.
    package init(reading files: [SourceFile]) throws(SchemaFileFault) {
        choices = []
        records = []
        events = []
        if let file = files.first(where: { $0.name == "types.json" }) {
            let root = try Node(file)
            choices = try root.list("enums").map { node throws(SchemaFileFault) in try ChoiceSchema(node) }
            for node in try root.list("records") { records.append(try RecordSchema(node, self)) }
            try root.finish()
        }
        for file in files.sorted(by: { $0.name < $1.name }) where file.name != "types.json" {
            events.append(try EventSchema(Node(file), self))
        }
        events.sort { $0.number < $1.number }
        try checkTogether()
    }

    private func checkTogether() throws(SchemaFileFault) {
        var owners: [String: String] = [:]
        for (index, event) in events.enumerated() {
            if index > 0, events[index - 1].number == event.number {
                throw SchemaFileFault(file: "\(event.name).json", place: "type", message: "has the number of \(events[index - 1].name)")
            }
            for field in event.fields {
                guard case .list(.record(let record), _) = field.type else { continue }
                if let owner = owners[record.name], owner != event.name {
                    throw SchemaFileFault(
                        file: "\(event.name).json", place: field.name,
                        message: "\(record.name) belongs to \(owner): versions are counted there")
                }
                owners[record.name] = event.name
            }
        }
    }
}

/// An object of a schema file, and the keys of it that were asked for.
private final class Node {
    let file: String
    let place: String
    private let json: JSONValue
    private var asked: [String] = []

    convenience init(_ file: SourceFile) throws(SchemaFileFault) {
        do throws(JSONError) {
            self.init(file: file.name, place: "", json: try JSONValue(parsing: file.bytes))
        } catch {
            throw SchemaFileFault(file: file.name, place: "", message: error.description)
        }
    }

    init(file: String, place: String, json: JSONValue) {
        self.file = file
        self.place = place
        self.json = json
    }

    func fault(_ key: String, _ message: String) -> SchemaFileFault {
        SchemaFileFault(file: file, place: place.isEmpty ? key : "\(place).\(key)", message: message)
    }

    func value(_ key: String) -> JSONValue? {
        asked.append(key)
        return json[key]
    }

    func text(_ key: String) throws(SchemaFileFault) -> String {
        guard let text = value(key)?.stringValue else { throw fault(key, "must be a string") }
        return text
    }

    func name() throws(SchemaFileFault) -> String {
        let name = try text("name")
        let isPlain = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        guard isPlain, let first = name.utf8.first, first >= 0x61 else { throw fault("name", "must be snake_case") }
        return name
    }

    func optionalInteger(_ key: String) throws(SchemaFileFault) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.integerValue else { throw fault(key, "must be an integer") }
        return number
    }

    func integer<Number: FixedWidthInteger>(_ key: String, _ type: Number.Type, in range: ClosedRange<Number>) throws(SchemaFileFault)
        -> Number
    {
        guard let number = try optionalInteger(key).flatMap({ Number(exactly: $0) }), range.contains(number) else {
            throw fault(key, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ key: String) throws(SchemaFileFault) -> Bool {
        guard let value = value(key) else { return false }
        guard let flag = value.boolValue else { throw fault(key, "must be true or false") }
        return flag
    }

    func list(_ key: String) throws(SchemaFileFault) -> [Node] {
        guard let elements = value(key)?.arrayValue else { throw fault(key, "must be a list") }
        return elements.enumerated().map { Node(file: file, place: "\(place)\(key)[\($0.offset)]", json: $0.element) }
    }

    /// Throws where there are keys that nobody asked for.
    func finish() throws(SchemaFileFault) {
        guard let members = json.objectValue else { throw fault("", "must be an object") }
        for member in members where !asked.contains(member.key) { throw fault(member.key, "is not a key of a schema") }
    }
}

extension ChoiceSchema {
    fileprivate init(_ node: Node) throws(SchemaFileFault) {
        name = try node.name()
        summary = try node.text("summary")
        cases = []
        for node in try node.list("cases") {
            let next = Case(
                name: try node.name(), value: try node.integer("value", UInt8.self, in: 1...255), summary: try node.text("summary"))
            try node.finish()
            guard !cases.contains(where: { $0.value == next.value || $0.name == next.name }) else {
                throw node.fault("", "stands there twice")
            }
            cases.append(next)
        }
        try node.finish()
    }
}

extension RecordSchema {
    fileprivate init(_ node: Node, _ shared: SchemaSet) throws(SchemaFileFault) {
        name = try node.name()
        summary = try node.text("summary")
        fields = try readFields(node, version: .max, shared)
        try node.finish()
    }
}

extension EventSchema {
    fileprivate init(_ node: Node, _ shared: SchemaSet) throws(SchemaFileFault) {
        number = try node.integer("type", UInt16.self, in: 1...UInt16.max)
        name = try node.name()
        guard node.file == "\(name).json" else { throw node.fault("name", "must be that of the file") }
        version = try node.integer("version", UInt8.self, in: 1...UInt8.max)
        guard let subject = Subject(rawValue: try node.text("subject")) else { throw node.fault("subject", "names no kind of subject") }
        self.subject = subject
        summary = try node.text("summary")
        hasSkim = try node.flag("skim")
        fields = try readFields(node, version: version, shared)
        try node.finish()
        if hasSkim, fields.contains(where: { if case .list = $0.type { true } else { false } }) {
            throw node.fault("skim", "is for events without lists")
        }
        if fields.map(\.since).contains(version) == false, version > 1 { throw node.fault("version", "introduces no field") }
    }
}

private func readFields(_ node: Node, version: UInt8, _ shared: SchemaSet) throws(SchemaFileFault) -> [Field] {
    var fields: [Field] = []
    for node in try node.list("fields") {
        let field = try Field(node, version: version, shared, before: fields)
        guard !fields.contains(where: { $0.name == field.name }) else { throw node.fault("name", "stands there twice") }
        if let last = fields.last, last.isErasable, !field.isErasable {
            throw node.fault("erasable", "is needed behind an erasable field: what can be erased stands at the end")
        }
        if let last = fields.last, last.since > field.since { throw node.fault("since", "must not be before that of the field above") }
        fields.append(field)
    }
    guard fields.count <= 64 else { throw node.fault("fields", "must be 64 or fewer") }
    return fields
}

extension Field {
    fileprivate init(_ node: Node, version: UInt8, _ shared: SchemaSet, before: [Field]) throws(SchemaFileFault) {
        name = try node.name()
        type = try FieldType(node, shared, before: before)
        unit = node.value("unit")?.stringValue
        since = try node.integer("since", UInt8.self, in: 1...version)
        isOptional = try node.flag("optional")
        isErasable = try node.flag("erasable")
        defaultValue = node.value("default")
        summary = try node.text("summary")
        try node.finish()
        if since > 1, !isOptional, defaultValue == nil { throw node.fault("default", "is needed: earlier events don't have the field") }
        if since == 1, defaultValue != nil { throw node.fault("default", "is for fields of later versions") }
        if isErasable, !type.canBeErased { throw node.fault("erasable", "is for texts and bytes") }
        if isOptional, case .list = type { throw node.fault("optional", "is not for lists: an empty one says it") }
    }
}

extension FieldType {
    fileprivate init(_ node: Node, _ shared: SchemaSet, before: [Field]) throws(SchemaFileFault) {
        let name = try node.text("type")
        if name == "list" {
            let lower = try node.optionalInteger("minimum_count") ?? 0
            let upper = try node.integer("maximum_count", Int64.self, in: max(1, lower)...1_000_000)
            self = .list(try Self.element(try node.text("of"), node, shared), Int(lower)...Int(upper))
        } else if name == "uint", let list = node.value("below_count_of")?.stringValue {
            guard let target = before.first(where: { $0.name == list }), case .list = target.type else {
                throw node.fault("below_count_of", "must name a list above")
            }
            self = .index(of: list)
        } else if name == "uint" {
            self = .unsigned(maximum: UInt64(max(0, try node.optionalInteger("maximum") ?? .max)))
        } else if name == "int" {
            let lower = try node.optionalInteger("minimum") ?? .min
            let upper = try node.optionalInteger("maximum") ?? .max
            guard lower <= upper else { throw node.fault("minimum", "must not be above the maximum") }
            self = .signed(lower...upper)
        } else {
            self = try Self.element(name, node, shared)
        }
    }

    private static func element(_ name: String, _ node: Node, _ shared: SchemaSet) throws(SchemaFileFault) -> FieldType {
        switch name {
        case "uuid": return .uniqueID
        case "text": return .text
        case "bytes": return .bytes
        case "bool": return .bool
        case "digest": return .digest
        case "event": return .event
        case "grade": return .choice(.grade)
        default:
            if let choice = shared.choices.first(where: { $0.name == name }) { return .choice(choice) }
            if let record = shared.records.first(where: { $0.name == name }) { return .record(record) }
            throw node.fault("type", "\(name) is no type of field")
        }
    }
}
