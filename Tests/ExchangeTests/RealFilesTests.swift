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
    struct Truth: Sendable {
        let file: String
        let cards: Int
        let answered: Int?
        let reviews: Int
        let grades: [Int]?
        var practised = 0
        var resets = 0
        var skipped: [String] = []
        var adjusted: [String] = []
    }

    static let truths = [
        Truth(file: "fsrs/pyfsrs_real_review_log_12580.csv", cards: 1205, answered: 1205, reviews: 12580, grades: [3676, 1, 8903, 0]),
        Truth(
            file: "anki/kanjiplot_collection.anki2", cards: 1005, answered: 1011, reviews: 6143, grades: [322, 617, 4598, 606],
            practised: 15),
    ]

    @Test(arguments: truths)
    func countsAreThoseOfTheFile(_ truth: Truth) throws {
        let history = try RealFiles.read(truth.file)
        #expect(history.cards.count == truth.cards)
        #expect(history.reviewCount == truth.reviews)
        #expect(history.practiceCount == truth.practised)
        #expect(history.resetCount == truth.resets)
        if let answered = truth.answered { #expect(history.answeredCardCount == answered) }
        if let grades = truth.grades { #expect(history.gradeCounts == grades) }
        print(
            truth.file, history.skipped, history.adjusted, history.decks.map(\.title), history.tookMilliseconds, history.sides.prefix(5),
            history.events.prefix(3))
    }
    @Test(arguments: [
        "made_odd_clean_legacy.apkg", "made_odd_clean_modern.colpkg", "made_odd_illegal_rows.anki2",
        "made_medium_5kcards_100kreviews_legacy.apkg", "made_small_50cards_300reviews_modern.apkg",
    ]) func look(_ f: String) throws {
        let clock = ContinuousClock(); let start = clock.now
        let history = try RealFiles.read("anki/" + f)
        print(
            "==", f, history.cards.count, history.reviewCount, history.practiceCount, history.resetCount, history.skipped, history.adjusted,
            history.decks.map(\.title), history.gradeCounts, clock.now - start)
        for side in history.sides.prefix(60) { print(side.map { String($0.prefix(100)) }) }
    }
}
