internal import JSONText
internal import SQLite

/// An Anki collection of any schema from 11 to 18, open for reading.
struct AnkiCollection {
    static let oldestSchema = 11
    static let newestSchema = 18

    let database: SQLiteDatabase
    let path: String
    /// The archive's member that it came from.
    let member: String?

    init(_ database: SQLiteDatabase, path: String, member: String? = nil) {
        self.database = database
        self.path = path
        self.member = member
    }

    /// What is said about the collection as a whole.
    struct Head {
        /// When it was made, in seconds since 1970.
        let createdSeconds: Int64
        /// Settings, as JSON.
        let settings: JSONValue
        /// Decks and note types as JSON, in schemas that keep them so.
        let decks: String
        let noteTypes: String

        /// Whether answers in learning had three buttons: then 2 is Good, and 3 is Easy.
        var hasOldLearningButtons: Bool { (settings["schedVer"]?.integerValue ?? 1) < 2 }

        /// Minutes that the collection's clock was ahead of UTC; `nil` where it doesn't say.
        ///
        /// The offset at its creation is in every copy of it, the last one only in full backups: so copies agree.
        var zoneMinutes: Int16? {
            for key in ["creationOffset", "localOffset"] {
                if let west = settings[key]?.integerValue, -1080...1080 ~= west { return Int16(-west) }
            }
            return nil
        }
    }

    // MARK: Reading

    /// Runs `body` over the rows of a query.
    func forEachRow(_ query: String, _ body: (borrowing SQLiteStatement) throws(ImportError) -> Void) throws(ImportError) {
        var statement = try prepare(query)
        while try step(&statement) { try body(statement) }
    }

    func prepare(_ query: String) throws(ImportError) -> SQLiteStatement {
        do throws(SQLiteError) { return try database.prepare(query) } catch { throw fault(error) }
    }

    func step(_ statement: inout SQLiteStatement) throws(ImportError) -> Bool {
        do throws(SQLiteError) { return try statement.step() } catch { throw fault(error) }
    }

    func hasTable(_ name: String) throws(ImportError) -> Bool {
        do throws(SQLiteError) { return try database.hasTable(name) } catch { throw fault(error) }
    }

    private func fault(_ error: SQLiteError) -> ImportError { ImportError(error, path: path, member: member) }

    func fault(in table: String, _ reason: ImportError.Reason) -> ImportError {
        ImportError(path: path, place: .table(table), reason: reason)
    }

    func parseJSON(_ text: String, in table: String) throws(ImportError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw fault(in: table, .damaged(error.description))
        }
    }

    // MARK: The whole

    /// Makes sure that it is a collection, of a schema that can be read.
    func readHead() throws(ImportError) -> Head {
        for table in ["col", "notes", "cards", "revlog"] {
            guard try hasTable(table) else { throw fault(in: table, .missing("the table")) }
        }
        var statement = try prepare("SELECT ver, crt, conf, models, decks FROM col LIMIT 1")
        guard try step(&statement), let version = statement.integer(at: 0) else { throw fault(in: "col", .missing("the row")) }
        guard version >= Self.oldestSchema else { throw fault(in: "col", .tooOld(version: Int(clamping: version))) }
        guard version <= Self.newestSchema else { throw fault(in: "col", .tooNew(version: Int(clamping: version))) }
        return Head(
            createdSeconds: statement.integer(at: 1) ?? 0, settings: try readSettings(legacy: statement.text(at: 2) ?? ""),
            decks: statement.text(at: 4) ?? "", noteTypes: statement.text(at: 3) ?? "")
    }

    private func readSettings(legacy: String) throws(ImportError) -> JSONValue {
        guard try hasTable("config") else { return try parseJSON(legacy, in: "col.conf") }
        var settings: [(key: String, value: JSONValue)] = []
        try forEachRow("SELECT KEY, val FROM config WHERE KEY IN ('schedVer', 'creationOffset', 'localOffset')") {
            row throws(ImportError) in
            let value = try parseJSON(row.text(at: 1) ?? "", in: "config")
            settings.append((row.text(at: 0) ?? "", value))
        }
        return .object(settings)
    }

    // MARK: Decks

    /// The decks' names by number, “::” between a deck and the decks within it; filtered decks are left out.
    func readDecks(_ head: Head) throws(ImportError) -> [Int64: String] {
        var names: [Int64: String] = [:]
        guard try hasTable("decks") else {
            for (key, deck) in try parseJSON(head.decks, in: "col.decks").objectValue ?? [] {
                guard let number = Int64(key), let name = deck["name"]?.stringValue, deck["dyn"]?.integerValue ?? 0 == 0 else { continue }
                names[number] = name
            }
            return names
        }
        try forEachRow("SELECT id, name, kind FROM decks") { row throws(ImportError) in
            guard let number = row.integer(at: 0), let name = row.text(at: 1) else { return }
            let kind = try message(row.bytes(at: 2), in: "decks") { bytes throws(ProtobufReader.ProtobufError) in
                try ProtobufReader.value(of: 2, in: bytes)
            }
            guard kind == nil else { return }
            names[number] = name.split(separator: "\u{1F}", omittingEmptySubsequences: false).joined(separator: "::")
        }
        return names
    }

    /// The result of `body` over a message, its fault as an error of the import.
    func message<Result>(
        _ bytes: [UInt8], in table: String, _ body: ([UInt8]) throws(ProtobufReader.ProtobufError) -> Result
    ) throws(ImportError) -> Result {
        do throws(ProtobufReader.ProtobufError) {
            return try body(bytes)
        } catch {
            throw fault(in: table, .damaged("no message at offset \(error.offset)"))
        }
    }
}
