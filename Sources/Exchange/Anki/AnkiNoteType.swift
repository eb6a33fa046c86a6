internal import JSONText
internal import SQLite

/// What notes of one kind have in common: their fields, and the templates that make cards of them.
struct AnkiNoteType {
    /// What makes one card of a note.
    struct Template {
        let name: String
        let front: CardTemplate
        let back: CardTemplate
    }

    let name: String
    /// Whether its one template makes a card a cloze.
    let isCloze: Bool
    let modifiedSeconds: Int64
    /// By ordinal.
    let templates: [Int64: Template]

    /// The template of the card with that ordinal.
    func template(_ ordinal: Int64) -> Template? { templates[isCloze ? 0 : ordinal] }
}

extension AnkiCollection {
    /// The note types by number.
    func readNoteTypes(_ head: Head) throws(ImportError) -> [Int64: AnkiNoteType] {
        try hasTable("notetypes") ? try readNoteTypeTables() : try readLegacyNoteTypes(head)
    }

    private func readLegacyNoteTypes(_ head: Head) throws(ImportError) -> [Int64: AnkiNoteType] {
        var types: [Int64: AnkiNoteType] = [:]
        for (key, type) in try parseJSON(head.noteTypes, in: "col.models").objectValue ?? [] {
            guard let number = Int64(key) else { continue }
            let fields = (type["flds"]?.arrayValue ?? []).enumerated()
                .map { (ordinal: $1["ord"]?.integerValue ?? Int64($0), name: $1["name"]?.stringValue ?? "") }
                .sorted { $0.ordinal < $1.ordinal }.map(\.name)
            var templates: [Int64: AnkiNoteType.Template] = [:]
            for (index, template) in (type["tmpls"]?.arrayValue ?? []).enumerated() {
                templates[template["ord"]?.integerValue ?? Int64(index)] = AnkiNoteType.Template(
                    name: template["name"]?.stringValue ?? "",
                    front: CardTemplate(template["qfmt"]?.stringValue ?? "", fields: fields),
                    back: CardTemplate(template["afmt"]?.stringValue ?? "", fields: fields))
            }
            types[number] = AnkiNoteType(
                name: type["name"]?.stringValue ?? "", isCloze: type["type"]?.integerValue == 1,
                modifiedSeconds: type["mod"]?.integerValue ?? 0, templates: templates)
        }
        return types
    }

    private func readNoteTypeTables() throws(ImportError) -> [Int64: AnkiNoteType] {
        var fields: [Int64: [String]] = [:]
        try forEachRow("SELECT ntid, name FROM fields ORDER BY ntid, ord") { row throws(ImportError) in
            guard let number = row.integer(at: 0) else { return }
            fields[number, default: []].append(row.text(at: 1) ?? "")
        }
        var templates: [Int64: [Int64: AnkiNoteType.Template]] = [:]
        try forEachRow("SELECT ntid, ord, name, config FROM templates") { row throws(ImportError) in
            guard let number = row.integer(at: 0), let ordinal = row.integer(at: 1) else { return }
            let sides = try message(row.bytes(at: 3), in: "templates") { bytes throws(ProtobufReader.ProtobufError) in
                (try Self.text(of: 1, in: bytes), try Self.text(of: 2, in: bytes))
            }
            let names = fields[number] ?? []
            templates[number, default: [:]][ordinal] = AnkiNoteType.Template(
                name: row.text(at: 2) ?? "", front: CardTemplate(sides.0, fields: names), back: CardTemplate(sides.1, fields: names))
        }
        var types: [Int64: AnkiNoteType] = [:]
        try forEachRow("SELECT id, name, mtime_secs, config FROM notetypes") { row throws(ImportError) in
            guard let number = row.integer(at: 0) else { return }
            let kind = try message(row.bytes(at: 3), in: "notetypes") { bytes throws(ProtobufReader.ProtobufError) in
                try ProtobufReader.value(of: 1, in: bytes)
            }
            types[number] = AnkiNoteType(
                name: row.text(at: 1) ?? "", isCloze: kind == .number(1), modifiedSeconds: row.integer(at: 2) ?? 0,
                templates: templates[number] ?? [:])
        }
        return types
    }

    private static func text(of field: UInt64, in bytes: [UInt8]) throws(ProtobufReader.ProtobufError) -> String {
        guard case .bytes(let text) = try ProtobufReader.value(of: field, in: bytes) else { return "" }
        return String(decoding: text, as: UTF8.self)
    }
}
