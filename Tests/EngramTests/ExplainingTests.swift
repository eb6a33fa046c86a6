import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct ExplainingTests {
    /// A life with every kind of answer, a void, a correction, deletions, practice and a gap in the days.
    private func lived(_ folder: TemporaryFolder) throws -> (store: StudyStore, deck: UniqueID) {
        let store = try folder.create()
        let deck = try store.deck()
        let cards = try (0..<8).map { try store.card("card \($0)", in: deck) }
        let grades: [Grade] = [.good, .again, .easy, .hard, .good, .good, .again]
        for (number, grade) in grades.enumerated() {
            let at = [0, 10, day, day + 5, 3 * day, 4 * day, 5 * day][number]
            let event = try store.perform(.review(cards[number % 4], grade, took: Int64(number) * 1000), at: moment(at)).events[0]
            if number == 1 { try store.perform(.void(event), at: moment(11)) }
            if number == 4 { try store.perform(.correct(event, .again), at: moment(3 * day + 1)) }
        }
        try store.perform(.practise(cards[5], .again, took: 5), at: moment(5 * day + 1))
        try store.perform(.deleteCard(cards[6]), at: moment(5 * day + 2))
        let other = try store.deck("Other", at: 5 * day + 3)
        _ = try store.card("gone with its deck", in: other, at: 5 * day + 4)
        try store.perform(.deleteDeck(other), at: moment(5 * day + 5))
        return (store, deck)
    }

    @Test("Behind every figure stand as many events as it counts")
    func counts() throws {
        let folder = try TemporaryFolder()
        let (store, deck) = try lived(folder)
        let now = moment(5 * day + 60)
        for scope in [nil, deck] {
            let figures = try store.statistics(at: now, deck: scope)
            func count(_ name: String) throws -> Int { try store.explain(try #require(Metric(name)), at: now, deck: scope).count }
            let reviews = figures.reviews
            let expected: [(String, Int)] =
                [
                    ("reviews.total", reviews.total), ("reviews.again", reviews.again), ("reviews.hard", reviews.hard),
                    ("reviews.good", reviews.good), ("reviews.easy", reviews.easy), ("reviews.pass_rate", reviews.total),
                    ("practised", figures.practised), ("cards.total", figures.cards.total), ("cards.new", figures.cards.new),
                    ("cards.learned", figures.cards.learned), ("cards.deleted", figures.cards.deleted), ("due.total", figures.due.total),
                    ("due.overdue", figures.due.overdue),
                ] + figures.boxes.enumerated().map { ("boxes.\($0)", $1) } + figures.hours.enumerated().map { ("hours.\($0)", $1) }
                + figures.days.map { ("days.\($0.day)", $0.reviews) } + figures.due.forecast.map { ("due.forecast.\($0.day)", $0.cards) }
            for (name, value) in expected { #expect(try count(name) == value, "\(name)") }
            #expect(reviews.total == 6 && figures.streak.longest == 3)
            #expect(Set(try store.explain(.longestStreak, at: now, deck: scope).map(\.day)).count == 3)
            #expect(try store.explain(.seconds, at: now, deck: scope).reduce(0) { $0 + ($1.tookMilliseconds ?? 0) } == figures.milliseconds)
        }
        #expect(try store.explain(.deletedCards, at: now).map(\.type) == ["card_deleted", "deck_deleted"])
    }

    @Test("Names of figures, and what is none")
    func names() {
        for name in Metric.names {
            let example = name.replacing("YYYY-MM-DD", with: "2024-03-01").replacing("N", with: "3")
            #expect(Metric(example) != nil, "\(name)")
        }
        for name in ["", "reviews.", "reviews.bad", "boxes.-1", "boxes.x", "hours.24", "days.2024-02-30", "due.forecast", "x.y"] {
            #expect(Metric(name) == nil, "\(name)")
        }
    }
}
