import EngramTesting
import EventCoding
import Scheduling
import StudyModel
import StudyProjections
import Testing

/// Questions to a state, held against its figures and against each other over random histories.
@Suite struct QuestionTests {
    private static func lived(_ seed: UInt64) -> MemoryLog {
        var generator = SeededGenerator(seed: seed)
        var log = MemoryLog()
        var shape = HistoryShape()
        (shape.events, shape.cards, shape.decks, shape.isHostile, shape.isShuffled) = (40...80, 8, 3, false, false)
        log.take(HistoryGenerator(shape).history(using: &generator))
        return log
    }

    /// A day on which some cards are overdue, some are due, and some aren't yet.
    private static func day(of state: StudyState) -> StudyDay {
        let days = state.liveCards.map(\.dueDay).sorted()
        return StudyDay(days: days.isEmpty ? 19_783 : days[days.count * 2 / 3])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func decksAndDueCardsAddUpToTheFigures(seed: UInt64) throws {
        let state = Self.lived(seed).state
        let today = Self.day(of: state)
        let figures = state.statistics(today: today)
        let decks = state.deckViews(on: today)
        #expect(decks.reduce(0) { $0 + $1.cards } == figures.cards.total)
        #expect(decks.reduce(0) { $0 + $1.learned } == figures.cards.learned)
        #expect(decks.reduce(0) { $0 + $1.due } == figures.due.total)
        for box in figures.boxes.indices { #expect(decks.reduce(0) { $0 + $1.boxes[box] } == figures.boxes[box]) }
        #expect(
            decks.map { [$0.title, $0.id.description] }
                == decks.map { [$0.title, $0.id.description] }.sorted { $0.lexicographicallyPrecedes($1) })

        let due = state.dueList(on: today)
        #expect(due.day == today && due.cards.count == figures.due.total)
        #expect(due.decks.map { [$0.title, "\($0.due)"] } == decks.filter { $0.due > 0 }.map { [$0.title, "\($0.due)"] })
        let scheduler = state.rules.current.scheduler
        let keys = try due.cards.map { id in
            let card = try #require(state.card(id))
            return (card.dueDay, scheduler.box(of: card.memory) ?? 0, id)
        }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "by due day, then box, then identity")
        for deck in decks {
            let part = state.dueList(on: today, decks: [deck.id])
            #expect(part.cards == due.cards.filter { state.card($0)?.deck == deck.id } && part.cards.count == deck.due)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func behindAFigureStandAsManyEventsAsItCounts(seed: UInt64) throws {
        let log = Self.lived(seed)
        let state = log.state
        let today = Self.day(of: state)
        for deck in [nil] + state.deckViews(on: today).map(\.id) {
            let figures = state.statistics(today: today, deck: deck, timeline: log.timelineEvents(of:))
            let (reviews, cards, due) = (figures.reviews, figures.cards, figures.due)
            let counts: [(String, Int)] =
                [
                    ("reviews.total", reviews.total), ("reviews.again", reviews.again), ("reviews.easy", reviews.easy),
                    ("practised", figures.practised), ("cards.new", cards.new), ("cards.learned", cards.learned),
                    ("due.total", due.total), ("due.overdue", due.overdue),
                ] + figures.boxes.enumerated().map { ("boxes.\($0)", $1) } + figures.days.map { ("days.\($0.day)", $0.reviews) }
            for (name, count) in counts {
                let metric = try #require(Metric(name))
                let events = state.explain(metric, today: today, deck: deck, timeline: log.timelineEvents(of:))
                #expect(events.count == count, "\(name)")
                #expect(zip(events, events.dropFirst()).allSatisfy { $0.at.wallMilliseconds <= $1.at.wallMilliseconds })
            }
        }
    }
}
