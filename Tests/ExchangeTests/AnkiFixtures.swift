import CSQLite
import CZip
import CZstd
import Foundation
import Testing

/// A small collection, as statements that make it in either schema.
struct CollectionRecipe {
    var version = 11
    /// Settings, as a JSON object's members.
    var settings = [("schedVer", "2"), ("creationOffset", "-60"), ("localOffset", "-120")]
    var decks: [(number: Int64, name: String, isFiltered: Bool)] = [(1, "Default", false), (20, "A::B", false), (30, "Cram", true)]
    /// Fields, kind (1 cloze), and front and back of each template.
    var noteTypes: [(number: Int64, fields: [String], kind: Int, templates: [(String, String)])] = [
        (
            5, ["Front", "Back"], 0,
            [("{{Front}}", "{{FrontSide}}<hr id=answer>{{Back}}"), ("{{Back}}", "{{FrontSide}}<hr id=answer>{{Front}}")]
        ),
        (6, ["Text"], 1, [("{{cloze:Text}}", "{{cloze:Text}}")]),
    ]
    var notes: [(number: Int64, type: Int64, seconds: Int64, tags: String, fields: [String])] = []
    /// Rows of (id, nid, did, ord, mod, odid), as SQL.
    var cards: [String] = []
    /// Rows of (id, cid, ease, factor, time, type), as SQL.
    var answers: [String] = []

    var isModern: Bool { version >= 15 }

    private func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "''") + "'" }

    private func json(_ text: String) -> String { "\"" + text.replacingOccurrences(of: "\"", with: "\\\"") + "\"" }

    private func message(_ parts: [(Int, [UInt8])]) -> String {
        "x'" + parts.flatMap { [UInt8($0 << 3 | 2), UInt8($1.count)] + $1 }.map { String(format: "%02x", $0) }.joined() + "'"
    }

    var statements: String {
        var text = """
            CREATE TABLE col (id integer PRIMARY KEY, crt integer, mod integer, scm integer, ver integer, dty integer, usn integer,
                ls integer, conf text, models text, decks text, dconf text, tags text);
            CREATE TABLE notes (id integer PRIMARY KEY, guid text, mid integer, mod integer, usn integer, tags text, flds text,
                sfld integer, csum integer, flags integer, data text);
            CREATE TABLE cards (id integer PRIMARY KEY, nid integer, did integer, ord integer, mod integer, usn integer, type integer,
                queue integer, due integer, ivl integer, factor integer, reps integer, lapses integer, left integer, odue integer,
                odid integer, flags integer, data text);
            CREATE TABLE revlog (id integer PRIMARY KEY, cid integer, usn integer, ease integer, ivl integer, lastIvl integer,
                factor integer, time integer, type integer);

            """
        text += isModern ? modernTables : legacyRow
        for note in notes {
            let fields = note.fields.map { quoted($0) }.joined(separator: " || x'1f' || ")
            text +=
                "INSERT INTO notes VALUES (\(note.number), 'g', \(note.type), \(note.seconds), 0, \(quoted(note.tags)), \(fields), '', 0, 0, '');\n"
        }
        for card in cards { text += "INSERT INTO cards (id, nid, did, ord, mod, odid) VALUES (\(card));\n" }
        for answer in answers { text += "INSERT INTO revlog (id, cid, ease, factor, time, type) VALUES (\(answer));\n" }
        return text
    }

    private var legacyRow: String {
        let conf = settings.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        let models = noteTypes.map { type in
            let fields = type.fields.enumerated().reversed().map { "{\"name\": \(json($1)), \"ord\": \($0)}" }.joined(separator: ", ")
            let templates = type.templates.enumerated().map {
                "{\"name\": \"K\", \"ord\": \($0), \"qfmt\": \(json($1.0)), \"afmt\": \(json($1.1))}"
            }
            return
                "\"\(type.number)\": {\"name\": \"T\", \"type\": \(type.kind), \"mod\": 0, \"flds\": [\(fields)], \"tmpls\": [\(templates.joined(separator: ", "))]}"
        }
        let decks = decks.map { "\"\($0.number)\": {\"name\": \(json($0.name)), \"dyn\": \($0.isFiltered ? 1 : 0)}" }
        return
            "INSERT INTO col VALUES (1, 1600000000, 0, 0, \(version), 0, 0, 0, '{\(conf)}', '{\(models.joined(separator: ", "))}', '{\(decks.joined(separator: ", "))}', '', '');\n"
    }

    private var modernTables: String {
        var text = """
            INSERT INTO col VALUES (1, 1600000000, 0, 0, \(version), 0, 0, 0, '', '', '', '', '');
            CREATE TABLE config (KEY text PRIMARY KEY, usn integer, mtime_secs integer, val blob) without rowid;
            CREATE TABLE fields (ntid integer, ord integer, name text COLLATE unicase, config blob, PRIMARY KEY (ntid, ord)) without rowid;
            CREATE TABLE templates (ntid integer, ord integer, name text COLLATE unicase, mtime_secs integer, usn integer, config blob,
                PRIMARY KEY (ntid, ord)) without rowid;
            CREATE TABLE notetypes (id integer PRIMARY KEY, name text COLLATE unicase, mtime_secs integer, usn integer, config blob);
            CREATE UNIQUE INDEX idx_notetypes_name ON notetypes (name);
            CREATE TABLE decks (id integer PRIMARY KEY, name text COLLATE unicase, mtime_secs integer, usn integer, common blob, kind blob);

            """
        for (key, value) in settings { text += "INSERT INTO config VALUES ('\(key)', 0, 0, CAST('\(value)' AS blob));\n" }
        for deck in decks {
            let name = deck.name.components(separatedBy: "::").map { quoted($0) }.joined(separator: " || x'1f' || ")
            text += "INSERT INTO decks VALUES (\(deck.number), \(name), 0, 0, x'', \(message([(deck.isFiltered ? 2 : 1, [8, 1])])));\n"
        }
        for type in noteTypes {
            text += "INSERT INTO notetypes VALUES (\(type.number), 'T\(type.number)', 0, 0, \(type.kind == 0 ? "x''" : "x'0801'"));\n"
            for (ordinal, field) in type.fields.enumerated() {
                text += "INSERT INTO fields VALUES (\(type.number), \(ordinal), \(quoted(field)), x'');\n"
            }
            for (ordinal, sides) in type.templates.enumerated() {
                let blob = message([(1, Array(sides.0.utf8)), (2, Array(sides.1.utf8))])
                text += "INSERT INTO templates VALUES (\(type.number), \(ordinal), 'K', 0, 0, \(blob));\n"
            }
        }
        return text
    }

    /// The database's bytes.
    func make(in folder: TemporaryFolder, also more: String = "") throws -> [UInt8] {
        let path = folder.path + "/made-\(UUID().uuidString)"
        var opened: OpaquePointer?
        let status = unsafe sqlite3_open(path, &opened)
        defer { unsafe sqlite3_close(opened) }
        try #require(status == SQLITE_OK)
        _ = unsafe sqlite3_create_collation_v2(opened, "unicase", SQLITE_UTF8, nil, { _, _, _, _, _ in 1 }, nil)
        var message: UnsafeMutablePointer<CChar>?
        let made = unsafe sqlite3_exec(opened, statements + more, nil, nil, &message)
        let words = unsafe message.map { unsafe String(cString: $0) } ?? ""
        try #require(made == SQLITE_OK, "\(words)")
        return try [UInt8](Data(contentsOf: URL(filePath: path)))
    }
}

/// Writes an archive with these members through libzip.
func writeZip(_ path: String, _ members: [(name: String, content: [UInt8])]) throws {
    guard let archive = unsafe zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, nil) else { throw CancellationError() }
    for (name, content) in members {
        // libzip reads the content when the archive is closed, and frees this copy of it.
        let copy = unsafe content.isEmpty ? nil : malloc(content.count)
        unsafe content.withUnsafeBytes { if let base = $0.baseAddress { unsafe copy?.copyMemory(from: base, byteCount: $0.count) } }
        let source = unsafe zip_source_buffer(archive, copy, UInt64(content.count), 1)
        let index = unsafe zip_file_add(archive, name, source, 0)
        try #require(index >= 0)
    }
    let closed = unsafe zip_close(archive)
    try #require(closed == 0)
}

func zstandard(_ content: [UInt8]) -> [UInt8] {
    var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(content.count))
    let count = unsafe frame.withUnsafeMutableBytes { target in
        unsafe content.withUnsafeBytes { source in
            unsafe ZSTD_compress(target.baseAddress, target.count, source.baseAddress, source.count, 3)
        }
    }
    return Array(frame.prefix(count))
}
