import EngramTesting
import EventCoding
import Scheduling
import StudyModel
import StudyProjections
import Testing

/// The scheduler that is in force from that hour on.
private func scheduler(_ name: String, _ number: UInt64, hours: Int64, _ parameters: [SchedulerParameter] = []) -> HistoryEvent {
    event(
        .schedulerConfigured(SchedulerConfigured(scheduler: name, revision: 1, parameters: parameters)), 3, number, about: .none,
        hours: hours)
}

private func fixed(_ number: UInt64, hours: Int64) -> HistoryEvent {
    scheduler("fixed", number, hours: hours, [SchedulerParameter(name: "days", value: "1/3/7")])
}

struct SchedulerChangeTests {
    /// What happened, what the scheduler in force at the end remembers, the interval, and the days from 2024-03-01 until the card is due.
    private static let cases: [(String, [HistoryEvent], memory: UInt64, interval: Int32, due: Int32?)] = [
        ("one that nobody knows", [scheduler("sm2", 1, hours: 0), event(review(.good), 1, hours: 1)], 0, 0, nil),
        (
            "two that nobody knows",
            [scheduler("sm2", 1, hours: 0), event(review(.good), 1, hours: 1), scheduler("sm5", 2, hours: 2)], 0, 0, nil
        ),
        (
            "one that nobody knew, then boxes: they read it",
            [scheduler("sm2", 1, hours: 0), event(review(.good), 1, hours: 1), scheduler("boxes", 2, hours: 2)], 2, 3, 3
        ),
        (
            "boxes, then one that nobody knows: the day stands",
            [event(review(.good), 1, hours: 1), scheduler("sm2", 1, hours: 2)], 0, 3, 3
        ),
        ("a list of intervals", [fixed(1, hours: 0), event(review(.good), 1, hours: 1), event(review(.good), 2, hours: 2)], 2, 3, 3),
        (
            "a list, then boxes: the day stands, the memory is theirs",
            [fixed(1, hours: 0), event(review(.good), 1, hours: 1), event(review(.easy), 2, hours: 2), scheduler("boxes", 2, hours: 5)], 5,
            7, 7
        ),
        (
            "boxes, then a list: the day stands, the memory is its",
            [event(review(.good), 1, hours: 1), event(review(.good), 2, hours: 2), fixed(1, hours: 5)], 2, 7, 7
        ),
        (
            "a list, then boxes, then an answer",
            [fixed(1, hours: 0), event(review(.easy), 1, hours: 1), scheduler("boxes", 2, hours: 5), event(review(.good), 2, hours: 6)], 5,
            7, 7
        ),
        (
            "a list, boxes, a list: the last answer's",
            [
                fixed(1, hours: 0), event(review(.easy), 1, hours: 1), scheduler("boxes", 2, hours: 5), event(review(.hard), 2, hours: 6),
                fixed(3, hours: 7),
            ], 2, 0, 0
        ),
        (
            "a list, then boxes of another kind: the answer before them counts as before",
            [
                fixed(1, hours: 0), event(review(.easy), 1, hours: 1),
                scheduler("boxes", 2, hours: 5, [SchedulerParameter(name: "first", value: "10")]), event(review(.good), 2, hours: 6),
            ], 5, 21, 21
        ),
    ]

    @Test func theDayStandsUntilTheNextAnswer() {
        for (what, events, memory, interval, due) in Self.cases {
            let log = MemoryLog(events)
            for (way, state) in [("live", log.state), ("late", MemoryLog(events.reversed()).state), ("replayed", log.replayed())] {
                let seen = state.card(card)
                #expect(seen?.memory == SchedulerMemory(memory) && seen?.intervalDays == interval, "\(what), \(way)")
                #expect(seen?.due.map { $0.days - 19_783 } == due, "\(what), \(way)")
            }
        }
    }

    /// Where the scheduler in force has no boxes, the last answer says whether a card is learned.
    @Test(
        arguments: [
            ([], false), ([.good], true), ([.again], false), ([.easy, .again], false), ([.again, .hard], true),
        ] as [([Grade], Bool)])
    func cardsWithoutBoxesAreLearnedByTheirLastAnswer(grades: [Grade], isLearned: Bool) {
        let created = event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 1, hours: 0)
        let reviews = grades.enumerated().map { event(review($1), UInt64($0 + 2), hours: Int64($0 + 1)) }
        let state = MemoryLog([fixed(1, hours: 0), created] + reviews).state
        #expect(state.card(card).map { state.rules.current.scheduler.isLearned($0) } == isLearned)
    }
}
