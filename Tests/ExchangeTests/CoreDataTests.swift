import CSQLite
import EventCoding
import Foundation
import SQLite
import StudyModel
import Testing

@testable import Exchange

/// A Core Data store of decks and cards, as statements.
struct CoreDataRecipe {
    var deckTable = "ZDECK"
    var deckColumns = "ZTITLE VARCHAR, ZCOLOR BLOB, ZID BLOB"
    var cardTable = "ZFLASHCARD"
    var cardColumns =
        "ZFAILEDCOUNT INTEGER, ZPASSEDCOUNT INTEGER, ZDECK INTEGER, ZBOX FLOAT, ZCREATEDAT TIMESTAMP, ZLASTREVIEWED TIMESTAMP, "
        + "ZBACK VARCHAR, ZFRONT VARCHAR, ZID BLOB"
    /// Rows as SQL, without their first three columns.
    var decks = ["'One', NULL, x'\(hexID(1))'"]
    var cards: [String] = []

    static func hexID(_ number: Int) -> String { String(repeating: "0", count: 30) + (number < 16 ? "0" : "") + String(number, radix: 16) }

    static func id(_ number: UInt64) -> UniqueID { UniqueID(high: 0, low: number) }

    /// A row of a card in the default columns.
    static func card(
        _ number: Int, front: String = "'front'", back: String = "'back'", deck: String = "1", box: String = "0", created: String = "0",
        reviewed: String = "NULL", passed: String = "0", failed: String = "0"
    ) -> String {
        "\(failed), \(passed), \(deck), \(box), \(created), \(reviewed), \(back), \(front), x'\(hexID(number))'"
    }

    var statements: String {
        func rows(_ table: String, _ entity: Int, _ rows: [String]) -> String {
            rows.enumerated().map { "INSERT INTO \(table) VALUES (\($0 + 1), \(entity), 1, \($1));\n" }.joined()
        }
        let names = [deckTable, cardTable].map { $0.dropFirst().prefix(1) + $0.dropFirst(2).lowercased() }
        return """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_METADATA VALUES (1, 'C6A2F6A0-0000-4000-8000-000000000000', NULL);
            INSERT INTO Z_PRIMARYKEY VALUES (1, '\(names[0])', 0, 9), (2, '\(names[1])', 0, 9), (16001, 'CHANGE', 0, 0);
            CREATE TABLE \(deckTable) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(deckColumns));
            CREATE TABLE \(cardTable) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(cardColumns));

            """ + rows(deckTable, 1, decks) + rows(cardTable, 2, cards)
    }

    func bytes() throws -> [UInt8] {
        let maker = try SQLiteMaker()
        try maker.run(statements)
        return try maker.bytes()
    }
}

struct CoreDataTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ recipe: CoreDataRecipe, zone: ((Int64) -> Int16?)? = nil) throws -> ImportedHistory {
        try ImportedHistory.read(path: try folder.write(try recipe.bytes(), "Flashcards.sqlite"), zone: zone)
    }

    private func placements(_ history: ImportedHistory) -> [UniqueID: CardPlaced] {
        var found: [UniqueID: CardPlaced] = [:]
        for event in history.events { if case .cardPlaced(let placed) = event.event { found[event.subject] = placed } }
        return found
    }

    /// 2024-01-01 12:00 UTC, in Core Data's seconds; it is day 19723 since 1970.
    private static let noon = 725_803_200

    /// How the app had a card, and where it is placed.
    private static let standings: [(box: String, reviewed: String, halfSteps: UInt64, interval: UInt64, due: Int64)] = [
        ("0", "\(noon)", 0, 0, 19_723), ("1.0", "\(noon)", 2, 3, 19_726), ("1.5", "\(noon)", 3, 3, 19_726),
        ("1.3", "\(noon)", 3, 3, 19_726),
        ("1.2", "\(noon)", 2, 3, 19_726), ("1.25", "\(noon)", 3, 3, 19_726), ("2", "\(noon)", 4, 7, 19_730),
        ("7.0", "\(noon)", 14, 223, 19_946),
        ("32.0", "\(noon)", 64, 36_500, 56_223), ("500000", "\(noon)", 1_000_000, 36_500, 56_223), ("3.0", "NULL", 0, 0, 19_722),
        // At 03:59 it is still the day before.
        ("1.0", "\(noon - 8 * 3600 - 60)", 2, 3, 19_725), ("1.0", "\(noon - 8 * 3600)", 2, 3, 19_726),
    ]

    @Test func cardsArePlacedWhereTheAppHadThem() throws {
        var recipe = CoreDataRecipe()
        recipe.cards = Self.standings.enumerated().map {
            CoreDataRecipe.card($0 + 1, box: $1.box, created: "\(Self.noon - 86_400)", reviewed: $1.reviewed, passed: "7", failed: "2")
        }
        let history = try read(recipe)
        let placements = placements(history)
        #expect(history.cards.count == Self.standings.count && placements.count == Self.standings.count && history.skipped.isEmpty)
        for (index, standing) in Self.standings.enumerated() {
            let placed = try #require(placements[CoreDataRecipe.id(UInt64(index + 1))])
            let expected = CardPlaced(
                levelHalfSteps: standing.halfSteps, intervalDays: standing.interval, dueDay: standing.due, passed: 7, failed: 2,
                lastReviewedMilliseconds: Int64(standing.reviewed).map { ($0 + 978_307_200) * 1000 }, source: "coredata")
            #expect(placed == expected, "\(standing)")
        }
        #expect(zip(history.events, history.events.dropFirst()).allSatisfy { ImportedEvent.isBefore($0, $1) })
        // Local days are those of the zone.
        recipe.cards = [CoreDataRecipe.card(1, box: "1", created: "0", reviewed: "\(Self.noon + 15 * 3600)")]
        #expect(try self.placements(read(recipe)).values.map(\.dueDay) == [19_726])
        #expect(try self.placements(read(recipe, zone: { _ in 120 })).values.map(\.dueDay) == [19_727])
    }

    /// A row that is no card, and why; or what is put right in it.
    private static let odd: [(card: String, skipped: [String], adjusted: [String])] = [
        (CoreDataRecipe.card(1, box: "-0.5"), ["level_out_of_range 1"], []),
        (CoreDataRecipe.card(1, box: "9e999"), ["level_out_of_range 1"], []),
        (CoreDataRecipe.card(1, box: "NULL"), ["level_out_of_range 1"], []),
        (CoreDataRecipe.card(1, box: "1e9"), ["level_out_of_range 1"], []),
        (CoreDataRecipe.card(1, box: "'x'"), ["level_out_of_range 1"], []),
        (CoreDataRecipe.card(1, created: "9e999"), ["time_out_of_range 1"], []),
        (CoreDataRecipe.card(1, created: "1e13"), ["time_out_of_range 1"], []),
        (CoreDataRecipe.card(1, reviewed: "'never'"), ["time_out_of_range 1"], []),
        (CoreDataRecipe.card(1, created: "NULL"), [], ["creation_unknown 1"]),
        (CoreDataRecipe.card(1, deck: "NULL"), [], ["deck_missing 1"]),
        (CoreDataRecipe.card(1, deck: "99"), [], ["deck_missing 1"]),
        (CoreDataRecipe.card(1, back: "NULL", passed: "-4", failed: "NULL"), [], []),
        (CoreDataRecipe.card(1, front: "printf('%.*c', 70000, 'x')"), [], ["text_cut 1"]),
    ]

    @Test(arguments: odd.indices) func oddRowsAreCounted(_ index: Int) throws {
        let (card, skipped, adjusted) = Self.odd[index]
        var recipe = CoreDataRecipe()
        recipe.cards = [card, CoreDataRecipe.card(2)]
        let history = try read(recipe)
        #expect(lines(history.skipped) == skipped && lines(history.adjusted) == adjusted)
        #expect(history.cards.count == (skipped.isEmpty ? 2 : 1))
        #expect(history.events.allSatisfy { (try? $0.event.validate()) != nil })
    }

    @Test func namesAreFoundAmongThoseInUse() throws {
        var recipe = CoreDataRecipe()
        recipe.deckTable = "ZFOLDER"
        recipe.deckColumns = "ZNAME VARCHAR, ZCOLOUR BLOB, ZUUID BLOB"
        recipe.cardTable = "ZITEM"
        recipe.cardColumns =
            "ZTIMESFAILED INTEGER, ZTIMESPASSED INTEGER, ZFOLDER1 INTEGER, ZLEVEL FLOAT, ZCREATIONDATE TIMESTAMP, "
            + "ZLASTREVIEWEDAT TIMESTAMP, ZANSWER VARCHAR, ZQUESTION2 VARCHAR, ZIDENTIFIER VARCHAR"
        recipe.decks = ["'Ordner', '#1e88e5', '00000000-0000-0000-0000-0000000000AA'"]
        recipe.cards = ["2, 7, 1, 2.5, 0, 60, 'dog', 'Hund', '00000000-0000-0000-0000-0000000000BB'"]
        let history = try read(recipe)
        #expect(
            history.format == .coreData && history.decks == [ImportedDeck(id: CoreDataRecipe.id(0xAA), title: "Ordner", colour: 0x1E88E5)])
        #expect(
            history.cards.map { "\($0.id) \($0.deck) \($0.front) \($0.back)" } == [
                "\(CoreDataRecipe.id(0xBB)) \(CoreDataRecipe.id(0xAA)) Hund dog"
            ])
        #expect(placements(history).values.map { [$0.levelHalfSteps, $0.passed, $0.failed] } == [[5, 7, 2]])
    }

    @Test func decksWithoutCardsAndObjectsWithoutIdentityAreThere() throws {
        var recipe = CoreDataRecipe()
        recipe.decks = ["'One', NULL, NULL", "NULL, x'00', x'\(CoreDataRecipe.hexID(7))'", "'One', NULL, x'0102'"]
        recipe.cards = ["0, 0, 1, 0, 0, NULL, 'b', 'f', NULL", "0, 0, 3, 0, 0, NULL, 'b', 'f', x'01'"]
        let (first, second) = (try read(recipe), try read(recipe))
        #expect(first.decks.map(\.title).sorted() == ["Deck 2", "One", "One"] && Set(first.decks.map(\.id)).count == 3)
        #expect(first.events == second.events && first.cards.count == 2)
        #expect(lines(first.adjusted) == ["colour_unknown 1"])
    }

    @Test func aStoreWhoseContentIsInItsLogIsReadAndLeftAlone() throws {
        let path = folder.path + "/Live.sqlite"
        var connection: OpaquePointer?
        try #require(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
        defer { unsafe sqlite3_close(connection) }
        var recipe = CoreDataRecipe()
        recipe.cards = (1...50).map { CoreDataRecipe.card($0) }
        let made = unsafe sqlite3_exec(
            connection, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + recipe.statements, nil, nil, nil)
        try #require(made == SQLITE_OK)
        // The app may have been killed there: the folder is copied as it lies.
        let copy = folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + "/Live.sqlite" + suffix) }
        func state() throws -> [String: Data] {
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: copy) {
                files[name] = try Data(contentsOf: URL(filePath: copy + "/" + name))
            }
            return files
        }
        let before = try state()
        #expect(try ImportFormat.find(path: copy + "/Live.sqlite") == .coreData)
        #expect(try ImportedHistory.read(path: copy + "/Live.sqlite").cards.count == 50)
        #expect(try state() == before)
    }

    @Test func otherDatabasesAreNone() throws {
        let maker = try SQLiteMaker()
        try maker.run("CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME); CREATE TABLE ZNOTE (ZTITLE, ZTEXT)")
        let path = try folder.write(try maker.bytes(), "notes.sqlite")
        let error = #expect(throws: ImportError.self) { _ = try ImportedHistory.read(path: path) }
        #expect(error?.reason == .missing("an entity with a front and a back"))
        var collection = CollectionRecipe()
        collection.cards = []
        let anki = try folder.write(try collection.make(in: folder), "a.anki2")
        for (path, format) in [(anki, ImportFormat.coreData), (path, .anki), (path, .reviewTable)] {
            let error = #expect(throws: ImportError.self) { _ = try ImportedHistory.read(path: path, format: format) }
            #expect(error?.reason == .otherFormat(wanted: format))
        }
    }
}

struct ArchivedColourTests {
    /// Archives as `NSKeyedArchiver` writes them, and the colours in them.
    private static let archives: [(what: String, archive: String, rgb: UInt32?)] = [
        (
            "doubles beside floats",
            "YnBsaXN0MDDUAQIDBAUGHyJZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgWVSRudWxs1wkKCwwNDg8QERITFBUTViRjbGFzc1ZVSUJsdWVdVUlCbHVlLURvdWJsZVdVSUdyZWVuXlVJR3JlZW4tRG91YmxlVVVJUmVkXFVJUmVkLURvdWJsZYACIz/TMzMzMzMzIz/jMzMzMzMzIz/JmZmZmZmaIz/ZmZmZmZmaIz+5mZmZmZma0xcYGRodG1gkY2xhc3Nlc1skY2xhc3NoaW50c1okY2xhc3NuYW1lohscV1VJQ29sb3JYTlNPYmplY3ShHldOU0NvbG9y0SAhVHJvb3SAARIAAYagAAgAEQAbACQAKQAyAEQASABOAF0AZABrAHkAgQCQAJYAowClAK4AtwDAAMkA0gDZAOIA7gD5APwBBAENAQ8BFwEaAR8BIQAAAAAAAAIBAAAAAAAAACMAAAAAAAAAAAAAAAAAAAEm",
            0x336699
        ),
        (
            "numbers written out",
            "YnBsaXN0MDDUAQIDBAUGGBtZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgPVSRudWxs0wkKCwwNDlYkY2xhc3NcTlNDb2xvclNwYWNlVU5TUkdCgAIQAUwwLjIgMC40IDAuNgDTEBESExYUWCRjbGFzc2VzWyRjbGFzc2hpbnRzWiRjbGFzc25hbWWiFBVXVUlDb2xvclhOU09iamVjdKEXV05TQ29sb3LRGRpUcm9vdIABEgABhqAIERskKTJESE5VXGlvcXOAh5Ccp6qyu73FyM3PAAAAAAAAAQEAAAAAAAAAHAAAAAAAAAAAAAAAAAAAANQ=",
            0x336699
        ),
        (
            "grey",
            "YnBsaXN0MDDUAQIDBAUGFhlZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgNVSRudWxs0gkKCwxWJGNsYXNzV1VJV2hpdGWAAiM/4AAAAAAAANMODxARFBJYJGNsYXNzZXNbJGNsYXNzaGludHNaJGNsYXNzbmFtZaISE1dVSUNvbG9yWE5TT2JqZWN0oRVXTlNDb2xvctEXGFRyb290gAESAAGGoAgRGyQpMkRITlNaYmRtdH2JlJefqKqytbq8AAAAAAAAAQEAAAAAAAAAGgAAAAAAAAAAAAAAAAAAAME=",
            0x808080
        ),
        (
            "grey, written out",
            "YnBsaXN0MDDUAQIDBAUGFhlZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgNVSRudWxs0gkKCwxWJGNsYXNzV05TV2hpdGWAAkMwLjXTDg8QERQSWCRjbGFzc2VzWyRjbGFzc2hpbnRzWiRjbGFzc25hbWWiEhNXVUlDb2xvclhOU09iamVjdKEVV05TQ29sb3LRFxhUcm9vdIABEgABhqAIERskKTJESE5TWmJkaG94hI+SmqOlrbC1twAAAAAAAAEBAAAAAAAAABoAAAAAAAAAAAAAAAAAAAC8",
            0x808080
        ),
        (
            "beyond both ends",
            "YnBsaXN0MDDUAQIDBAUGGh1ZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgRVSRudWxs1AkKCwwNDg8QViRjbGFzc1ZVSUJsdWVXVUlHcmVlblVVSVJlZIACEAEjv8mZmZmZmZojP/ZmZmZmZmbTEhMUFRgWWCRjbGFzc2VzWyRjbGFzc2hpbnRzWiRjbGFzc25hbWWiFhdXVUlDb2xvclhOU09iamVjdKEZV05TQ29sb3LRGxxUcm9vdIABEgABhqAIERskKTJESE5XXmVtc3V3gImQmaWws7vExs7R1tgAAAAAAAABAQAAAAAAAAAeAAAAAAAAAAAAAAAAAAAA3Q==",
            0xFF00FF
        ),
        (
            "a colour by name alone",
            "YnBsaXN0MDDUAQIDBAUGFhlZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgNVSRudWxs0gkKCwxWJGNsYXNzXxARVUlTeXN0ZW1Db2xvck5hbWWAAlpsYWJlbENvbG9y0w4PEBEUElgkY2xhc3Nlc1skY2xhc3NoaW50c1okY2xhc3NuYW1lohITV1VJQ29sb3JYTlNPYmplY3ShFVdOU0NvbG9y0RcYVHJvb3SAARIAAYagCBEbJCkyREhOU1pucHuCi5eipa22uMDDyMoAAAAAAAABAQAAAAAAAAAaAAAAAAAAAAAAAAAAAAAAzw==",
            nil
        ),
    ]

    private func bytes(_ text: String) throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: text))) }

    @Test(arguments: archives.indices) func coloursAreThoseOfTheArchive(_ index: Int) throws {
        let (what, archive, rgb) = Self.archives[index]
        #expect(ArchivedColour.rgb(try bytes(archive)) == rgb, "\(what)")
    }

    /// Every archive with each of its bytes changed in several ways, and cut at each of them: whatever comes out, nothing falls.
    @Test func noArchiveDoesHarm() throws {
        for (_, archive, _) in Self.archives.prefix(2) {
            let bytes = try bytes(archive)
            for index in bytes.indices {
                _ = ArchivedColour.rgb(Array(bytes.prefix(index)))
                for value: UInt8 in [0, 1, 0x0F, 0x1F, 0x4F, 0x7F, 0x80, 0xAF, 0xDF, 0xFF] {
                    var changed = bytes
                    changed[index] = value
                    _ = ArchivedColour.rgb(changed)
                }
            }
        }
    }

    @Test func listsAreReadAsTheSystemWritesThem() throws {
        let numbers: [Int64] = [0, 1, -1, 127, 128, 65_536, .max, .min]
        let long = String(repeating: "слово ", count: 50)
        let value: [String: Any] = [
            "numbers": numbers, "real": 1.5, "yes": true, "no": false, "text": long, "ascii": "abc", "data": Data([1, 2, 3]),
            "empty": [Any](),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        let list = try BinaryPropertyList([UInt8](data))
        guard case .dictionary(let keys, let values) = try list.object(list.top) else {
            Issue.record("no dictionary")
            return
        }
        #expect(keys.count == value.count)
        for (key, place) in zip(keys, values) {
            guard case .text(let name) = try list.object(key) else { continue }
            let object = try list.object(place)
            switch name {
            case "numbers":
                guard case .array(let places) = object else { break }
                #expect(try places.map { try list.object($0) } == numbers.map { .integer($0) })
            case "real": #expect(object == .real(1.5))
            case "yes", "no": #expect(object == .truth(name == "yes"))
            case "text": #expect(object == .text(long))
            case "ascii": #expect(object == .text("abc"))
            case "data": #expect(object == .data([1, 2, 3]))
            default: #expect(object == .array([]))
            }
        }
        #expect(throws: BinaryPropertyList.PropertyListError.self) { _ = try list.object(1000) }
    }
}

@Suite(.enabled(if: RealFiles.areThere))
struct RealCoreDataTests {
    @Test(arguments: [("coredata/flashcards_example.sqlite", 121), ("coredata/wal/flashcards_example.sqlite", 122)])
    func countsAreThoseOfTheFile(name: String, cards: Int) throws {
        let history = try RealFiles.read(name)
        #expect(history.format == .coreData && history.cards.count == cards && history.decks.count == 6)
        #expect(lines(history.skipped) == ["level_out_of_range 1"] && lines(history.adjusted) == ["deck_missing 2"])
        let colours = Dictionary(uniqueKeysWithValues: history.decks.map { ($0.title, $0.colour) })
        #expect(colours["Ударения"] == 0x336699 && colours["Столицы"] == 0x808080 && colours["Deutsch: Artikel 🇩🇪"] == 0xE91E63)
        #expect(colours["Leer / empty"] == 0x30B0C7 && colours["Без цвета"] == .some(nil))
        #expect(history.events.allSatisfy { (try? $0.event.validate()) != nil })
    }
}
