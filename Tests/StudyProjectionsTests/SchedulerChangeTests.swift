import EngramTesting
import EventCoding
import Scheduling
import StudyModel
import Testing

@testable import StudyProjections

/// The scheduler that is in force from that hour on.
private func scheduler(_ name: String, _ number: UInt64, hours: Int64, _ parameters: [SchedulerParameter] = []) -> HistoryEvent {
    event(
        .schedulerConfigured(SchedulerConfigured(scheduler: name, revision: 1, parameters: parameters)), 3, number, about: .none,
        hours: hours)
}

private func fixed(_ number: UInt64, hours: Int64) -> HistoryEvent {
    scheduler("fixed", number, hours: hours, [SchedulerParameter(name: "days", value: "2/5/11")])
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
            "boxes, then an answer under one that nobody knows",
            [event(review(.good), 1, hours: 1), scheduler("sm2", 1, hours: 2), event(review(.good), 2, hours: 3)], 0, 0, nil
        ),
        (
            "one that nobody knew, then boxes: they read it",
            [scheduler("sm2", 1, hours: 0), event(review(.good), 1, hours: 1), scheduler("boxes", 2, hours: 2)], 2, 3, 3
        ),
        (
            "boxes, then one that nobody knows: the day stands",
            [event(review(.good), 1, hours: 1), scheduler("sm2", 1, hours: 2)], 0, 3, 3
        ),
        (
            "one that nobody knew, boxes, then other boxes: the last ones read it",
            [
                scheduler("sm2", 1, hours: 0), event(review(.good), 1, hours: 1), scheduler("boxes", 2, hours: 2),
                scheduler("boxes", 3, hours: 3, [SchedulerParameter(name: "first", value: "10")]),
            ], 2, 10, 10
        ),
        (
            "boxes, then other boxes: the day stands",
            [event(review(.good), 1, hours: 1), scheduler("boxes", 1, hours: 2, [SchedulerParameter(name: "first", value: "10")])], 2, 3, 3
        ),
        ("a list of intervals", [fixed(1, hours: 0), event(review(.good), 1, hours: 1), event(review(.good), 2, hours: 2)], 2, 5, 5),
        (
            "a list, then boxes: the day stands, the memory is theirs",
            [fixed(1, hours: 0), event(review(.good), 1, hours: 1), event(review(.easy), 2, hours: 2), scheduler("boxes", 2, hours: 5)], 5,
            11, 11
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

    @Test func theDayStandsUntilTheNextAnswer() throws {
        for (what, events, memory, interval, due) in Self.cases {
            let log = MemoryLog(events)
            // A batch takes a review the short way where its card was known before.
            let before =
                [event(.cardPractised(CardPractised(grade: .good, tookMilliseconds: nil)), 5, 1, hours: -9)]
                + (2...80).map { event(.favouriteSet(FavouriteSet(kind: .word, on: true)), 5, $0, about: deck, hours: -8) }
            let states = [
                ("live", log.state), ("late", MemoryLog(events.reversed()).state), ("replayed", log.replayed()),
                ("in parts", try log.replayed(inParts: 2)), ("in batches", try MemoryLog(before + events).replayed(inParts: 1)),
            ]
            for (way, state) in states {
                let seen = state.card(card)
                #expect(seen?.memory == SchedulerMemory(memory) && seen?.intervalDays == interval, "\(what), \(way)")
                #expect(seen?.due.map { $0.days - 19_783 } == due, "\(what), \(way)")
            }
        }
    }

    @Test func aLifeIsToldByTheSchedulerOfTheTime() {
        let lines = MemoryLog([
            fixed(1, hours: 0), event(review(.good), 1, hours: 1), fixed(2, hours: 2), event(review(.good), 2, hours: 3),
            scheduler("boxes", 3, hours: 5), event(review(.good), 3, hours: 6),
        ]).timeline(of: card)
        #expect(lines.map { $0.before.memory.figures.map(\.value) } == [[0], [1], [2, 2]])
        #expect(lines.map { $0.after.memory.figures.map(\.value) } == [[1], [2], [3, 3]])
        #expect(
            lines.map(\.after.intervalDays) == [2, 5, 13] && lines.map(\.after.level) == [nil, nil, 3]
                && lines.map(\.after.box) == [nil, nil, 3])
    }

    /// What the log says of schedulers doesn't count then; all else does.
    @Test(arguments: [[], [fixed(1, hours: 0)], [event(.dayConfigured(DayConfigured(rolloverHour: 14)), 3, 1, about: .none, hours: 0)]])
    func anotherSchedulerStandsIn(settings: [HistoryEvent]) throws {
        let log = MemoryLog(settings + [event(review(.good), 1, hours: 1)], overriding: try ConfiguredScheduler(spec: "boxes:first=10"))
        for state in [log.state, log.replayed()] {
            #expect(state.card(card)?.intervalDays == 10 && state.rules.current.scheduler.spec.hasPrefix("boxes:count=8,first=10"))
        }
    }

    @Test func settingsThatNobodyKnowsAreCounted() {
        var state = MemoryLog([scheduler("sm2", 1, hours: 0)]).state
        #expect(state.unknownEvents == 1 && state.rules.unknownSchedulers == ["sm2"])
        let setting = fixed(2, hours: 1)
        var header = setting.header
        header.version = 99
        state.admit(header, payload: setting.payload.rawSpan)
        #expect(state.unknownEvents == 2 && state.rules.settings.count == 1)
    }

    /// The boxes of answers under a list are those of the boxes in force now, which may be fewer than those before them.
    @Test func otherBoxesReadWhatAListAnswered() {
        let answers = (1...4).map { event(review(.good), UInt64($0), hours: Int64($0)) }
        let log = MemoryLog(
            [fixed(1, hours: 0)] + answers + [
                scheduler("boxes", 2, hours: 5), scheduler("boxes", 3, hours: 6, [SchedulerParameter(name: "count", value: "2")]),
            ])
        #expect(log.state.differences(from: log.replayed()).isEmpty)
        #expect(log.state.statistics(today: StudyDay(days: 19_783)).reviewsByBox.map(\.total) == [1, 3])
    }

    @Test(arguments: [-1, 0, 1, .max]) func whereThereIsOnePeriodEveryNumberIsItsNumber(period: Int) {
        #expect(RulesTimeline().rules(ofPeriod: period) == .standard)
    }

    @Test func aSettingThatComesTwiceIsOne() {
        var rules = RulesTimeline()
        for _ in 1...2 { rules.insert(Setting(change: .rolloverHour(3), header: fixed(1, hours: 0).header), controls: Controls()) }
        #expect(rules.settings.count == 1)
    }

    /// Days after the answer, and whether the card is wanted then: one that failed still on its day, though it is due the day after.
    @Test(
        arguments: [(.again, 0, true), (.again, 1, true), (.good, 0, false), (.good, 1, true), (.again, -1, false)]
            as [(Grade, Int32, Bool)])
    func whatFailedIsWantedOnItsDay(grade: Grade, day: Int32, isWanted: Bool) {
        let log = MemoryLog([scheduler("sm2", 1, hours: 0), event(review(grade), 1, hours: 1)], schedulers: [Learned.self])
        #expect(log.state.card(card).map { log.state.isWanted($0, on: StudyDay(days: 19_783 + day)) } == isWanted)
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
