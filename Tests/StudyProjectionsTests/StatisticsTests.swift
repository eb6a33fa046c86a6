import EngramTesting
import EventCoding
import StudyModel
import StudyProjections
import Testing

struct StatisticsTests {
    private static let (long, deleted, new, failed) = (
        UniqueID(high: 1, low: 1), UniqueID(high: 1, low: 2), UniqueID(high: 1, low: 3), UniqueID(high: 1, low: 4)
    )

    /// A card answered ten times on the first day, one that is deleted, one that was only practised, and one answered on days 0, 1, 3, 4
    /// and 5.
    private static let state = {
        var events = [event(.deckCreated(DeckCreated(title: "Words")), 1, about: deck, hours: 0)]
        func add(_ stated: StudyEvent, _ card: UniqueID, hours: Int64) {
            events.append(event(stated, UInt64(events.count + 1), about: card, hours: hours))
        }
        for card in [long, deleted, new, failed] { add(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), card, hours: 0) }
        add(.cardReviewed(CardReviewed(grade: .again, tookMilliseconds: 1000, turnedMilliseconds: 300)), long, hours: 0)
        let grades: [Grade] = [.hard, .hard, .good, .good, .good, .easy, .easy, .easy, .easy]
        for (place, grade) in grades.enumerated() { add(review(grade), long, hours: Int64(place + 1)) }
        add(.cardDeleted(CardDeleted()), deleted, hours: 1)
        for hours in [1, 2] as [Int64] { add(.cardPractised(CardPractised(grade: .good, tookMilliseconds: 5)), new, hours: hours) }
        add(review(.good), failed, hours: 11)
        for day in [1, 3, 4, 5] as [Int64] { add(review(.again), failed, hours: 24 * day) }
        return MemoryLog(events).state
    }()

    private func day(_ number: Int32) -> StudyDay { StudyDay(days: 19_783 + number) }

    @Test func everyFigureIsThatOfTheHistory() {
        let figures = Self.state.statistics(today: day(5))
        let reviews = figures.reviews
        #expect([reviews.again, reviews.hard, reviews.good, reviews.easy, reviews.total, reviews.passed] == [5, 2, 4, 4, 15, 10])
        #expect(reviews.passRate == 10.0 / 15)
        #expect([figures.practised, figures.turned] == [2, 1])
        #expect([figures.turnedMilliseconds, figures.milliseconds] == [300, 15_000])
        let byBox = figures.reviewsByBox.map { [$0.total, $0.passed] }
        #expect(byBox == [[8, 4], [2, 1], [1, 1], [1, 1], [1, 1], [0, 0], [1, 1], [1, 1]])
        #expect([figures.cards.total, figures.cards.new, figures.cards.learned, figures.cards.deleted] == [3, 1, 1, 1])
        #expect(figures.boxes == [2, 0, 0, 0, 0, 0, 0, 1] && figures.averageIntervalDays == 936)
        #expect(
            [figures.due.total, figures.due.overdue] == [2, 1] && figures.due.forecast.map(\.cards) == [1] + Array(repeating: 0, count: 29))
        #expect(figures.due.forecast.map(\.day) == (5..<35).map(day))
        #expect(figures.days.map(\.day) == [0, 1, 3, 4, 5].map(day) && figures.days.map(\.reviews) == [11, 1, 1, 1, 1])
        #expect(figures.days.map(\.passed) == [10, 0, 0, 0, 0])
        #expect(figures.days.map(\.milliseconds) == [11_000, 1000, 1000, 1000, 1000])
        #expect(figures.hours == Array(repeating: 0, count: 12) + [5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1])
    }

    /// Days since the first, and the run of days that ends then: today, yesterday, or never.
    @Test(arguments: [(5, 3), (6, 3), (7, 0), (1, 2), (2, 2), (0, 1)] as [(Int32, Int)]) func runsEndTodayOrYesterday(
        today: Int32, current: Int
    ) {
        let streak = Self.state.statistics(today: day(today)).streak
        #expect(streak.longest == 3 && streak.current == current)
    }

    /// The card that is due on day 936, seen from days before it.
    @Test(arguments: [(905, nil), (906, nil), (907, 29), (935, 1), (936, 0), (937, nil)] as [(Int32, Int?)])
    func theForecastReachesThirtyDays(today: Int32, place: Int?) {
        let due = Self.state.statistics(today: day(today)).due
        #expect(due.forecast.count == 30 && due.forecast.firstIndex { $0.cards > 0 } == place)
        #expect(due.overdue == (today > 936 ? 3 : 2) && due.total == (today >= 936 ? 3 : 2))
    }

    @Test func theIntervalIsTheMeanOfLearnedCards() {
        let answers: [(card: UniqueID, grade: Grade)] = [(Self.long, .good), (Self.new, .good), (Self.new, .good), (Self.failed, .again)]
        var events = [event(.deckCreated(DeckCreated(title: "Words")), 1, about: deck, hours: 0)]
        for card in [Self.long, Self.new, Self.failed] {
            events.append(
                event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), UInt64(events.count + 1), about: card, hours: 0))
        }
        for (card, grade) in answers {
            events.append(event(review(grade), UInt64(events.count + 1), about: card, hours: Int64(events.count)))
        }
        #expect(MemoryLog(events).state.statistics(today: day(0)).averageIntervalDays == 5)
    }

    @Test func theFirstDayOfTheCalendarIsADayToo() {
        let figures = MemoryLog([event(review(.good), 1, hours: -19_783 * 24)]).state.statistics(today: StudyDay(days: 0))
        #expect(figures.days.map(\.reviews) == [1] && figures.streak.current == 1)
    }

    @Test func whereNothingHappenedThereIsNothing() {
        for figures in [StudyState().statistics(today: day(0)), Statistics(today: day(0))] {
            #expect(
                figures.reviews.total == 0 && figures.reviews.again == 0 && figures.reviews.passed == 0 && figures.reviews.passRate == nil)
            #expect([figures.cards.total, figures.cards.new, figures.cards.deleted] == [0, 0, 0])
            #expect([figures.practised, figures.turned, figures.due.total, figures.due.overdue, figures.cards.learned] == [0, 0, 0, 0, 0])
            #expect(figures.turnedMilliseconds == 0 && figures.milliseconds == 0 && figures.averageIntervalDays == nil)
            #expect(figures.hours == Array(repeating: 0, count: 24) && figures.streak.current == 0 && figures.streak.longest == 0)
            #expect([figures.reviews.hard, figures.reviews.good, figures.reviews.easy] == [0, 0, 0])
        }
    }
}
