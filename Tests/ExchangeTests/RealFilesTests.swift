import EventCoding
import Foundation
import StudyModel
import Testing

@testable import Exchange

/// Real files of other programs, where they are at hand: in `$ENGRAM_SHARED/data`, or in `shared/data` beside the package.
enum RealFiles {
    static let folder: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let given = ProcessInfo.processInfo.environment["ENGRAM_SHARED"]
        let shared = given ?? package.deletingLastPathComponent().appending(path: "shared").path
        let data = shared + "/data"
        return FileManager.default.fileExists(atPath: data) ? data : nil
    }()

    static var areThere: Bool { folder != nil }

    static func read(_ name: String, zone: ((Int64) -> Int16?)? = nil) throws -> ImportedHistory {
        try ImportedHistory.read(path: (folder ?? "") + "/" + name, zone: zone)
    }
}

extension ImportedHistory {
    /// How many reviews got each grade, from again to easy.
    var gradeCounts: [Int] {
        var counts = [0, 0, 0, 0]
        for event in events { if case .cardReviewed(let review) = event.event { counts[Int(review.grade.rawValue) - 1] += 1 } }
        return counts
    }

    var tookMilliseconds: UInt64 {
        events.reduce(0) { sum, event in
            if case .cardReviewed(let review) = event.event { sum + (review.tookMilliseconds ?? 0) } else { sum }
        }
    }

    /// The cards with answers, those that are gone included.
    var answeredCardCount: Int {
        Set(events.filter { $0.counter >> 13 >= ImportedCounter.Rank.cardReset.rawValue }.map(\.subject)).count
    }

    /// The front and back of every card, by the order of the fronts.
    var sides: [[String]] { cards.map { [$0.front, $0.back] }.sorted { $0[0] < $1[0] } }
}

@Suite(.enabled(if: RealFiles.areThere))
struct RealFilesTests {
    /// What is known of a file from elsewhere: the program that wrote it, or its description.
    struct Truth: Sendable, CustomTestStringConvertible {
        let file: String
        let cards: Int
        var answered: Int?
        let reviews: Int
        var grades: [Int]?
        var practised = 0
        var resets = 0
        var skipped: [String] = []
        var adjusted: [String] = []

        var testDescription: String { file }
    }

    static let truths = [
        Truth(file: "fsrs/pyfsrs_real_review_log_12580.csv", cards: 1205, answered: 1205, reviews: 12580, grades: [3676, 1, 8903, 0]),
        Truth(
            file: "anki/kanjiplot_collection.anki2", cards: 1005, answered: 1011, reviews: 6143, grades: [322, 617, 4598, 606],
            practised: 15),
        Truth(file: "anki/made_small_50cards_300reviews_legacy.colpkg", cards: 50, answered: 50, reviews: 300),
        Truth(
            file: "anki/made_medium_5kcards_100kreviews_legacy.apkg", cards: 4959, reviews: 100_986, practised: 40, resets: 20,
            skipped: ["due_date_set 40"]),
        Truth(
            file: "anki/made_medium_5kcards_100kreviews_modern.colpkg", cards: 4959, reviews: 101_699, practised: 40, resets: 20,
            skipped: ["due_date_set 40"]),
        Truth(
            file: "anki/made_odd_clean_modern.colpkg", cards: 52, reviews: 191, resets: 2, skipped: ["due_date_set 4"],
            adjusted: ["text_cut 1"]),
        Truth(
            file: "anki/made_odd_illegal_rows.anki2", cards: 53, reviews: 201, resets: 3,
            skipped: [
                "due_date_set 4", "rescheduled 1", "grade_out_of_range 1", "unknown_kind 1", "card_number_out_of_range 1",
                "card_without_note 1",
            ],
            adjusted: ["duration_unknown 2", "text_cut 1", "front_from_field 5", "deck_missing 1"]),
    ]

    @Test(arguments: truths) func countsAreThoseOfTheFile(_ truth: Truth) throws {
        let history = try RealFiles.read(truth.file)
        #expect(history.cards.count == truth.cards)
        #expect(history.reviewCount == truth.reviews)
        #expect(history.practiceCount == truth.practised)
        #expect(history.resetCount == truth.resets)
        if let answered = truth.answered { #expect(history.answeredCardCount == answered) }
        if let grades = truth.grades { #expect(history.gradeCounts == grades) }
        #expect(lines(history.skipped) == truth.skipped)
        #expect(lines(history.adjusted) == truth.adjusted)
        #expect(Set(history.events.map(\.key)).count == history.events.count)
        #expect(zip(history.events, history.events.dropFirst()).allSatisfy { ImportedEvent.isBefore($0, $1) })
        #expect(history.events.allSatisfy { $0.logicalTime != nil })
    }

    @Test func durationsAddUp() throws {
        #expect(try RealFiles.read("fsrs/pyfsrs_real_review_log_12580.csv").tookMilliseconds / 1000 == 161_532)
    }

    @Test(arguments: ["made_small_50cards_300reviews", "made_medium_5kcards_100kreviews", "made_odd_clean"])
    func allGenerationsGiveTheSame(_ name: String) throws {
        let legacy = try RealFiles.read("anki/\(name)_legacy.colpkg")
        let modern = try RealFiles.read("anki/\(name)_modern.colpkg")
        #expect(legacy.events == modern.events && legacy.decks == modern.decks && legacy.cards == modern.cards)
        // Packages leave out the log of deleted cards.
        for kind in ["legacy", "modern"] {
            let package = try RealFiles.read("anki/\(name)_\(kind).apkg")
            let present = Set(legacy.cards.map(\.id))
            #expect(package.cards.map(\.front) == legacy.cards.map(\.front) && package.cards.map(\.back) == legacy.cards.map(\.back))
            #expect(
                package.events.filter { $0.counter >= 3 << 13 }
                    == legacy.events.filter { $0.counter >= 3 << 13 && present.contains($0.subject) })
        }
    }

    @Test func sidesReadAsTheProgramShowsThem() throws {
        let kanji = try RealFiles.read("anki/kanjiplot_collection.anki2")
        #expect(kanji.sides.contains(["月曜日", "げつようび\nMontag"]) && kanji.sides.contains(["Montag", "月曜日\nげつようび"]))
        #expect(kanji.decks.map(\.title).sorted() == ["grammar", "kanji", "tae kim's grammar guide"])
        let odd = try RealFiles.read("anki/made_odd_clean_modern.colpkg").sides
        let expected = [
            ["<script>alert(1)</script>", "tab"],
            ["[image: bild.png] [sound: слово звук.wav]", "[sound: missing file.mp3] [image: nope.png]"],
            ["Столица России — [город] да", "Столица России — Москва да\nnested + repeated + hint"], ["type: замо́к / за́мок", "замо́к"],
            ["spaces", ""], ["optional reverse", "yes"], ["yes", "optional reverse"], ["שלום עולם", "مرحبا بالعالم"],
        ]
        for sides in expected { #expect(odd.contains { $0.map { Array($0.utf8) } == sides.map { Array($0.utf8) } }, "\(sides)") }
        #expect(odd.first { $0[0] == "100kB" }.map { $0[1].utf8.count > 65_520 && $0[1].utf8.count <= 65_536 } == true)
    }
}
