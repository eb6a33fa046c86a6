import EventCoding
import Foundation
import StudyModel
import Testing

@testable import Exchange

struct AnkiTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ recipe: CollectionRecipe, zone: ((Int64) -> Int16?)? = nil) throws -> ImportedHistory {
        try ImportedHistory.read(path: try folder.write(try recipe.make(in: folder), "collection.anki2"), zone: zone)
    }

    /// What one row of a log becomes: (ease, factor, time, type), with the newer and with the old scheduler.
    static let answers: [(row: String, new: String, old: String)] = [
        ("1, 2500, 100, 0", "reviewed again 100", "reviewed again 100"), ("2, 2500, 100, 0", "reviewed hard 100", "reviewed good 100"),
        ("3, 2500, 100, 0", "reviewed good 100", "reviewed easy 100"), ("4, 2500, 100, 0", "reviewed easy 100", "reviewed easy 100"),
        ("2, 2500, 100, 2", "reviewed hard 100", "reviewed good 100"), ("2, 2500, 100, 1", "reviewed hard 100", "reviewed hard 100"),
        ("3, 0, 0, 1", "reviewed good 0", "reviewed good 0"), ("3, 2500, 100, 3", "reviewed good 100", "reviewed good 100"),
        ("2, 0, 100, 3", "practised hard 100", "practised hard 100"), ("0, 0, 0, 4", "reset", "reset"),
        ("0, 2500, 0, 4", "due_date_set", "due_date_set"),
        ("0, 2500, 0, 5", "rescheduled", "rescheduled"), ("0, 0, 0, 0", "rescheduled", "rescheduled"),
        ("0, 0, 5, 0", "no_grade", "no_grade"),
        ("0, 2500, 9, 1", "no_grade", "no_grade"), ("5, 2500, 9, 1", "grade_out_of_range", "grade_out_of_range"),
        ("-1, 2500, 9, 1", "grade_out_of_range", "grade_out_of_range"), ("3, 2500, 9, 9", "unknown_kind", "unknown_kind"),
        ("3, 2500, -35000, 1", "reviewed good -", "reviewed good -"), ("3, 2500, 99999999, 1", "reviewed good -", "reviewed good -"),
        ("3.0, 2500.4, 99.6, 1", "reviewed good 100", "reviewed good 100"), ("'x', 2500, 9, 1", "unreadable_row", "unreadable_row"),
        ("NULL, 2500, 9, 1", "unreadable_row", "unreadable_row"),
    ]

    @Test(arguments: [11, 18]) func rowsOfTheLogBecomeEvents(_ version: Int) throws {
        for (row, new, old) in Self.answers {
            for (settings, expected) in [([("schedVer", "2")], new), ([("schedVer", "1")], old), ([], old)] {
                var recipe = CollectionRecipe()
                recipe.version = version
                recipe.settings = settings
                recipe.answers = ["1700000000000, 9, \(row)"]
                let history = try read(recipe)
                let found =
                    history.events.map { line($0).replacingOccurrences(of: "1700000000000 0 ", with: "") }
                    + history.skipped.map(\.reason.rawValue)
                #expect(found == [expected], "\(row), \(settings)")
                #expect(history.adjusted.map(\.reason) == (expected.hasSuffix("-") ? [.durationUnknown] : []), "\(row)")
                #expect(history.cards.isEmpty && history.decks.isEmpty)
            }
        }
    }

    /// A collection with a bit of everything.
    private var everything: CollectionRecipe {
        var recipe = CollectionRecipe()
        recipe.notes = [
            (1_600_000_000_001, 5, 1_600_000_100, " t ", ["<b>F</b>", "B's"]),
            (1_600_000_000_002, 6, 1_600_000_200, "", ["{{c1::a}} {{c2::b}}"]),
            (1_600_000_000_003, 99, 1_600_000_300, "", ["f", "g", "", "h"]), (1_600_000_000_004, 5, 1_600_000_400, "", ["", "only back"]),
            (1_600_000_000_005, 5, 1_600_000_500, "", ["long", String(repeating: "ä", count: 40_000)]),
        ]
        recipe.cards = [
            "1600000000010, 1600000000001, 20, 0, 1600000500, 0", "1600000000011, 1600000000001, 30, 1, 1600000500, 20",
            "1600000000012, 1600000000002, 1, 1, 1600000500, 0", "1600000000013, 1600000000003, 30, 0, 1600000500, 0",
            "1600000000014, 1600000000004, 1, 0, 1600000500, 0", "1600000000015, 1600000000005, 1, 0, 1600000500, 0",
            "2700000000000, 1600000000001, 20, 7, 1600000500, 0", "5, 1600000000001, 20, 0, 1600000500, 0",
            "-1, 1600000000001, 20, 0, 1600000500, 0",
            "1600000000016, 42, 20, 0, 1600000500, 0",
        ]
        recipe.answers = [
            "1600000001000, 1600000000010, 3, 2500, 1200, 1", "1600000002000, 777, 1, 2500, 1300, 1", "1600000003000, -7, 1, 2500, 1300, 1",
        ]
        return recipe
    }

    @Test(arguments: [11, 18]) func cardsComeWithBothSides(_ version: Int) throws {
        var recipe = everything
        recipe.version = version
        let history = try read(recipe)
        let long = String(repeating: "ä", count: 32_768)
        #expect(
            history.events.map(line) == [
                "1600000000001 60 deck A::B", "1600000000001 60 card F|B's", "1600000000001 60 card F|B's", "1600000000010 60 card F|B's",
                "1600000000011 60 card B's|F", "1600000000012 60 deck Default", "1600000000012 60 card a [...]|a b",
                "1600000000013 60 card f|g\nh",
                "1600000000014 60 card |only back", "1600000000015 60 card long|\(long)", "1600000001000 60 reviewed good 1200",
                "1600000002000 60 reviewed again 1300",
            ])
        #expect(lines(history.skipped) == ["card_number_out_of_range 2", "card_without_note 1"])
        #expect(lines(history.adjusted) == ["text_cut 1", "front_from_field 3", "deck_missing 1"])
        let first = try #require(history.cards.first { $0.id == ImportKey.card(ankiNumber: 1_600_000_000_010) })
        #expect(first.deck == ImportKey.deck(ankiNumber: 20) && first.front == "F")
        #expect(first.textModifiedMilliseconds == 1_600_000_100_000 && first.cardModifiedMilliseconds == 1_600_000_500_000)
        #expect(zip(history.events, history.events.dropFirst()).allSatisfy { ImportedEvent.isBefore($0, $1) })
        #expect(try read(recipe, zone: { _ in -300 }).events.allSatisfy { $0.zoneMinutes == -300 })
    }

    @Test func allGenerationsGiveTheSame() throws {
        var recipe = everything
        let legacy = try recipe.make(in: folder)
        recipe.version = 18
        let modern = try recipe.make(in: folder)
        var standIn = CollectionRecipe()
        standIn.notes = [(1, 5, 0, "", ["Please update", ""])]
        standIn.cards = ["2, 1, 1, 0, 0, 0"]
        let old = try standIn.make(in: folder)
        let expected = try ImportedHistory.read(path: try folder.write(legacy, "plain"))
        let packages: [[(name: String, content: [UInt8])]] = [
            [("collection.anki2", legacy)], [("media", [1]), ("collection.anki2", old), ("collection.anki21", legacy)],
            [("meta", [8, 1]), ("collection.anki2", legacy)],
            [("meta", [8, 2]), ("collection.anki2", old), ("collection.anki21", legacy)],
            [("meta", [8, 3]), ("collection.anki2", old), ("collection.anki21b", zstandard(modern))],
        ]
        for (index, members) in packages.enumerated() {
            let path = folder.path + "/package\(index)"
            try writeZip(path, members)
            var calls: [(Int, Int)] = []
            let history = try ImportedHistory.read(path: path, progress: { calls.append(($0, $1)) })
            #expect(history.events == expected.events && history.cards == expected.cards && history.skipped == expected.skipped, "\(index)")
            #expect(calls.last.map { $0.0 == $0.1 } == true)
        }
        #expect(try ImportedHistory.read(path: try folder.write(zstandard(modern), "z")).events == expected.events)
        #expect(try ImportedHistory.read(path: folder.path + "/plain", format: .anki).digest == expected.digest)
        #expect(throws: ImportError.self) { _ = try ImportedHistory.read(path: folder.path + "/plain", format: .reviewTable) }
    }

    @Test func whatIsNoCollectionIsSaid() throws {
        let good = try everything.make(in: folder)
        var newer = everything
        newer.version = 19
        var older = everything
        older.version = 10
        var bad = everything
        bad.settings = [("schedVer", "nonsense")]
        let files: [([UInt8], ImportError.Place, (ImportError.Reason) -> Bool)] = [
            (try newer.make(in: folder), .table("col"), { $0 == .tooNew(version: 19) }),
            (try older.make(in: folder), .table("col"), { $0 == .tooOld(version: 10) }),
            (try bad.make(in: folder), .table("col.conf"), { if case .damaged = $0 { true } else { false } }),
            (try everything.make(in: folder, also: "DROP TABLE revlog"), .table("revlog"), { $0 == .missing("the table") }),
            (
                try everything.make(in: folder, also: "DROP TABLE revlog; CREATE VIEW revlog AS SELECT 1"), .table("revlog"),
                { $0 == .missing("the table") }
            ),
            (try everything.make(in: folder, also: "DELETE FROM col"), .table("col"), { $0 == .missing("the row") }),
            (Array(good.prefix(99)), .file, { _ in true }), (zstandard(Array(good.prefix(5000))), .file, { _ in true }),
            (Array(zstandard(good).prefix(500)), .file, { $0 == .damaged("it ends early") }),
        ]
        for (index, (bytes, place, isReason)) in files.enumerated() {
            let path = try folder.write(bytes, "file\(index)")
            let error = #expect(throws: ImportError.self, "\(index)") { _ = try ImportedHistory.read(path: path) }
            #expect(error.map { $0.path == path && isReason($0.reason) } == true, "\(index): \(String(describing: error))")
            if index < 6 { #expect(error?.place == place, "\(index)") }
        }
        let packages: [([(name: String, content: [UInt8])], ImportError.Place, ImportError.Reason)] = [
            ([("meta", [8, 4]), ("collection.anki21b", zstandard(good))], .member("meta"), .tooNew(version: 4)),
            ([("meta", [8, 3]), ("collection.anki2", good)], .member("collection.anki21b"), .missing("the collection")),
            ([("meta", [8, 2]), ("collection.anki2", good)], .member("collection.anki21"), .missing("the collection")),
            ([("meta", [8]), ("collection.anki2", good)], .member("meta"), .damaged("no message at offset 1")),
            ([("meta", []), ("collection.anki2", good)], .member("meta"), .missing("the version")),
            ([("else", good)], .member("collection.anki2"), .missing("the collection")),
            ([("collection.anki2", Array("no database".utf8))], .member("collection.anki2"), .damaged("no SQLite database")),
        ]
        for (index, (members, place, reason)) in packages.enumerated() {
            let path = folder.path + "/bad\(index)"
            try writeZip(path, members)
            let error = #expect(throws: ImportError.self) { _ = try ImportedHistory.read(path: path) }
            #expect(error == ImportError(path: path, place: place, reason: reason))
        }
    }

    @Test func damagedCollectionsNeverCrash() throws {
        var recipe = everything
        recipe.version = 18
        let whole = try recipe.make(in: folder)
        let seed: UInt64 = 0xA11C
        var state = seed
        for _ in 0..<300 {
            var damaged = whole
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                damaged[Int(state >> 20) % damaged.count] = UInt8(truncatingIfNeeded: state >> 12)
            }
            if state & 7 == 0 { damaged.removeLast(Int(state >> 30) % (damaged.count - 200)) }
            let path = try folder.write(damaged, "damaged")
            do throws(ImportError) {
                _ = try ImportedHistory.read(path: path)
            } catch {
                #expect(error.path == path, "seed \(seed)")
            }
        }
    }

    @Test func messagesAreReadWithinTheirBounds() throws {
        let cases: [([UInt8], UInt64, ProtobufReader.Value?)] = [
            ([], 1, nil), ([8, 3], 1, .number(3)), ([8, 3, 8, 4], 1, .number(4)), ([0x0A, 2, 65, 66], 1, .bytes([65, 66])),
            ([8, 3], 2, nil),
            ([9, 1, 0, 0, 0, 0, 0, 0, 0], 1, .number(1)), ([13, 1, 0, 0, 0], 1, .number(1)), ([0xC0, 0x3E, 7], 1000, .number(7)),
            ([8] + [UInt8](repeating: 0xFF, count: 9) + [1], 1, .number(.max)),
        ]
        for (bytes, field, value) in cases { #expect(try ProtobufReader.value(of: field, in: bytes) == value, "\(bytes)") }
        let faults: [[UInt8]] = [
            [8], [0x0A, 3, 1, 2], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0, 1], [11], [15], [9, 1],
            [8] + [UInt8](repeating: 0x80, count: 11),
        ]
        for bytes in faults {
            #expect(throws: ProtobufReader.ProtobufError.self, "\(bytes)") { _ = try ProtobufReader.value(of: 99, in: bytes) }
        }
    }
}
