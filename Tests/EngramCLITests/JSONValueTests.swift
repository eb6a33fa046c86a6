import Engram
import Foundation
import Testing

/// The figures that JSON shows, each of them another number, so that none can stand for another.
struct JSONValueTests {
    private func number(_ value: JSONValue, _ path: String) -> Int64? {
        path.split(separator: ".").reduce(value as JSONValue?) { $0?[String($1)] }?.integerValue
    }

    @Test("Passed and failed, level and box, due and overdue are told apart")
    func figures() throws {
        let engram = try Executable()
        let deck = try engram.deck("Spanish")
        let cards = try (0..<6).map { try engram.card(in: deck, front: "front \($0)") }
        // Three passed and two failed, ending at level 2.5; then one card that is due in three days, and one failed.
        for (card, grades) in [(0, ["again", "again", "good", "easy", "hard"]), (1, ["good"]), (2, ["again"])] {
            for grade in grades { try engram.run(["review", cards[card], grade, "--took", "1500"]) }
        }
        let card = try engram.run(["card", "show", cards[0], "--json"]).document()
        #expect(number(card, "passed") == 3 && number(card, "failed") == 2)
        #expect(number(card, "box") == 1 && number(card, "interval_days") == 3)
        // A card of level 1.5 shows box 1.
        try engram.run(["review", cards[0], "easy"])
        try engram.run(["review", cards[3], "easy"])
        let level = try engram.run(["card", "show", cards[3], "--json"]).out
        #expect(level.contains("\"level\":1.5,"), "\(level)")
        // Four days later the cards of box 1 are overdue by a day, and so are the two that are new and the failed one by four.
        let later = "2026-03-06T10:00:00+01:00"
        let statistics = try engram.run(["stats", "--json", "--now", later]).document()
        #expect(number(statistics, "due.total") == 5 && number(statistics, "due.overdue") == 5)
        try engram.run(["card", "add", deck, "--front", "of that day", "--back", "", "--now", later])
        let more = try engram.run(["stats", "--json", "--now", later]).document()
        #expect(number(more, "due.total") == 6 && number(more, "due.overdue") == 5)
        for (path, value) in [
            ("reviews.total", 9), ("reviews.again", 3), ("reviews.hard", 1), ("reviews.good", 2), ("reviews.easy", 3), ("cards.total", 7),
            ("cards.new", 3), ("cards.learned", 3), ("cards.deleted", 0), ("practised", 0), ("seconds", 10), ("streak.longest", 1),
            ("streak.current", 0),
        ] {
            #expect(number(more, path) == Int64(value), "\(path): \(number(more, path) as Any)")
        }
    }
}
