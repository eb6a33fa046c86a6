internal import SQLite

/// Where a Core Data store keeps decks and cards.
///
/// Core Data names the table of an entity `Z` and the entity's name, a column `Z` and the property's name, and puts a number
/// behind a name that is taken. Which names a program gave its properties is found among those in use.
struct CoreDataModel {
    /// A property of a deck or a card.
    enum Property: CaseIterable {
        case id
        case title
        case colour
        case front
        case back
        case deck
        case created
        case reviewed
        case passed
        case failed
        case level

        /// Its names, without case, and without what Core Data adds.
        var names: [String] {
            switch self {
            case .id: ["ID", "UUID", "IDENTIFIER", "CARDID", "DECKID", "UID"]
            case .title: ["TITLE", "NAME", "DECKTITLE", "DECKNAME"]
            case .colour: ["COLOR", "COLOUR", "DECKCOLOR", "DECKCOLOUR", "UICOLOR"]
            case .front: ["FRONT", "FRONTTEXT", "FRONTSIDE", "QUESTION", "TERM"]
            case .back: ["BACK", "BACKTEXT", "BACKSIDE", "ANSWER", "DEFINITION"]
            case .deck: ["DECK", "PARENTDECK", "OWNER", "FOLDER", "CATEGORY"]
            case .created: ["CREATEDAT", "CREATIONDATE", "DATECREATED", "CREATED", "CREATEDDATE"]
            case .reviewed: ["LASTREVIEWEDAT", "LASTREVIEWED", "LASTREVIEW", "LASTREVIEWDATE", "DATELASTREVIEWED", "REVIEWEDAT"]
            case .passed: ["PASSEDCOUNT", "TIMESPASSED", "PASSED", "PASSCOUNT", "CORRECTCOUNT"]
            case .failed: ["FAILEDCOUNT", "TIMESFAILED", "FAILED", "FAILCOUNT", "INCORRECTCOUNT", "WRONGCOUNT"]
            case .level: ["BOX", "LEVEL", "BOXLEVEL", "BOXNUMBER"]
            }
        }
    }

    /// A table and the columns of the properties that it has.
    struct Table {
        let name: String
        fileprivate(set) var columns: [Property: String]

        /// The expression for a property in a statement.
        func expression(_ property: Property) -> String { columns[property].map { quoted($0) } ?? "NULL" }
        var quotedName: String { quoted(name) }

        private func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    }

    let cards: Table
    /// `nil` where the store has no decks.
    let decks: Table?

    /// Whether a database is a Core Data store.
    static func isStore(_ database: SQLiteDatabase) throws(SQLiteError) -> Bool {
        guard try database.hasTable("Z_METADATA") else { return false }
        return try database.hasTable("Z_PRIMARYKEY")
    }

    /// The model of a store; `nil` where no table has fronts and backs.
    init?(_ database: SQLiteDatabase) throws(SQLiteError) {
        var tables: [Table] = []
        var names = try Self.entityTables(database)
        names += try Self.allTables(database).filter { name in !names.contains { $0.uppercased() == name.uppercased() } }
        for name in names {
            let columns = try database.columns(of: name)
            if !columns.isEmpty { tables.append(Table(name: name, columns: Self.properties(columns))) }
        }
        let candidates = tables.filter { $0.columns[.front] != nil && $0.columns[.back] != nil }
        guard var cards = candidates.first(where: { $0.name.uppercased().contains("CARD") }) ?? candidates.first else { return nil }
        let titled = tables.filter { $0.name != cards.name && $0.columns[.title] != nil }
        let decks = titled.first { $0.name.uppercased().contains("DECK") } ?? titled.first
        if cards.columns[.deck] == nil, let decks {
            // A card's deck may be named after the entity, whatever that is called.
            cards.columns[.deck] = try database.columns(of: cards.name).first { Self.stem($0) == Self.stem(decks.name) }
        }
        self.cards = cards
        self.decks = decks
    }

    /// Tables of the entities that the model names, in its order.
    private static func entityTables(_ database: SQLiteDatabase) throws(SQLiteError) -> [String] {
        var statement = try database.prepare("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT LIMIT 1000")
        var names: [String] = []
        while try statement.step() { names.append("Z" + (statement.text(at: 0) ?? "").uppercased()) }
        var tables: [String] = []
        for name in names where try database.hasTable(name) { tables.append(name) }
        return tables
    }

    /// Tables that hold objects: the names of Core Data's own go on with an underscore.
    private static func allTables(_ database: SQLiteDatabase) throws(SQLiteError) -> [String] {
        var statement = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT 1000")
        var names: [String] = []
        while try statement.step() {
            let name = statement.text(at: 0) ?? ""
            let upper = name.uppercased()
            if upper.hasPrefix("Z"), !upper.hasPrefix("Z_") { names.append(name) }
        }
        return names
    }

    private static func properties(_ columns: [String]) -> [Property: String] {
        var found: [Property: String] = [:]
        for property in Property.allCases {
            // Of several names the one that stands first in the list counts, whatever the order of the columns.
            for name in property.names where found[property] == nil { found[property] = columns.first { stem($0) == name } }
        }
        return found
    }

    /// A name without the `Z` before it and the number behind it.
    private static func stem(_ name: String) -> String {
        var stem = name.uppercased()
        if stem.hasPrefix("Z") { stem.removeFirst() }
        while let last = stem.last, last.isNumber || last == "_" { stem.removeLast() }
        return stem
    }
}
