import EngramTesting
import EventCoding
import Scheduling
import StudyModel
import StudyProjections
import Testing

struct TimelineTests {
    /// The life of a card, and what each line says of it.
    private static let life: [(event: HistoryEvent, line: String)] = [
        (event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 1, hours: 0), "card_created: 0 -> 0, 0 days, due 0"),
        (event(review(.good), 2, hours: 1), "card_reviewed: good, 1000 ms, 0 -> 2, 3 days, due 3"),
        (
            event(.cardPractised(CardPractised(grade: .hard, tookMilliseconds: 7)), 3, hours: 2),
            "card_practised: hard, 7 ms, 2 -> 2, 3 days, due 3"
        ),
        (event(review(.easy), 4, hours: 3), "card_reviewed: again, 1000 ms, 2 -> 0, 0 days, due 0"),
        (event(review(.good), 5, hours: 4), "card_reviewed: good, 1000 ms, voided, 0 -> 0, 0 days, due 0"),
        (event(review(.good), 6, hours: 5), "card_reviewed: good, 1000 ms, voided, 0 -> 0, 0 days, due 0"),
        (event(review(.easy), 1, 7, hours: 20, key: 1), "card_reviewed: easy, 1000 ms, 0 -> 3, 3 days, due 4"),
        (event(review(.easy), 2, 1, hours: 20, key: 1), "card_reviewed: easy, 1000 ms, voided, 3 -> 3, 3 days, due 4"),
        (
            event(.answerCorrected(AnswerCorrected(target: id(1, 4), grade: .again)), 8, hours: 21),
            "answer_corrected: again, of 4, 3 -> 3, 3 days, due 4"
        ),
        (event(void(1, 5), 9, hours: 22), "action_voided: of 5, 3 -> 3, 3 days, due 4"),
        (event(hold(1, 6), 10, hours: 23), "event_held: of 6, 3 -> 3, 3 days, due 4"),
        (event(hold(1, 4), 11, hours: 24), "event_held: of 4, 3 -> 3, 3 days, due 4"),
        (
            event(.eventReleased(EventReleased(target: id(1, 4))), 12, hours: 25),
            "event_released: of 4, 3 -> 3, 3 days, due 4"
        ),
        // One of itself changes nothing.
        (event(void(1, 13), 13, hours: 26), "action_voided: of 13, 3 -> 3, 3 days, due 4"),
    ]

    private func text(_ line: TimelineLine) -> String {
        var said: [String] = []
        if let grade = line.grade { said.append(grade.name) }
        if let took = line.tookMilliseconds { said.append("\(took) ms") }
        if line.isVoided { said.append("voided") }
        if let target = line.target { said.append("of \(target.number)") }
        let levels = [line.before, line.after].map { Int(($0.level ?? -1) * 2) }
        said.append("\(levels[0]) -> \(levels[1])")
        said.append("\(line.after.intervalDays) days")
        said.append("due \(line.after.due.map { "\($0.days - 19_783)" } ?? "never")")
        return "\(line.type): \(said.joined(separator: ", "))"
    }

    @Test func aLineSaysWhatTheEventDid() {
        let lines = MemoryLog(Self.life.map(\.event)).timeline(of: card)
        #expect(lines.map(text) == Self.life.map(\.line))
        #expect(lines.map(\.event) == Self.life.map(\.event.header.id))
        #expect(lines.map { $0.day.days - 19_783 } == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
        #expect(lines.map(\.at.wallMilliseconds) == Self.life.map(\.event.header.wallMilliseconds))
        #expect(lines.last?.after.box == 1 && lines.last?.after.memory.figures.map(\.value) == [1.5, 1])
    }

    /// What is known of the card before its creation is: nothing.
    @Test func beforeItsFirstEventACardIsNowhere() {
        let first = MemoryLog([event(review(.good), 1, hours: 0)]).timeline(of: card).first
        #expect(first?.before.due == nil && first?.before.intervalDays == 0 && first?.after.due?.days == 19_786)
    }

    @Test func rowsOfOneTimeThatAreNoCopiesBothCount() {
        let rows = [event(review(.good), 1, 1, hours: 1, key: 1), event(review(.good), 2, 1, hours: 1, key: 2)]
        #expect(MemoryLog(rows).timeline(of: card).map(\.isVoided) == [false, false])
        let later = [event(review(.good), 1, 1, hours: 1, key: 1), event(review(.good), 2, 1, hours: 2, key: 1)]
        #expect(MemoryLog(later).timeline(of: card).map(\.isVoided) == [false, false])
    }

    @Test func whatIsVoidedIsMissing() {
        let states = [[], [event(void(1, 1), 2, hours: 2)]].map { MemoryLog([event(review(.good), 1, hours: 1)] + $0).state }
        #expect(states[1].differences(from: states[0]).first?.message.hasPrefix("missing; the log says: flags") == true)
        #expect(states[0].differences(from: states[1]).first?.message.hasPrefix("stored, and the log doesn't know it: flags") == true)
    }

    @Test func daysDifferInTheirTimeToo() {
        let states = [1, 2].map { took in
            MemoryLog([event(.cardReviewed(CardReviewed(grade: .good, tookMilliseconds: took)), 1, hours: 1)]).state
        }
        #expect(states[0].differences(from: states[1]).map(\.place) == ["tallies of day 2024-03-01"])
        let days = [1, 25].map { MemoryLog([event(review(.good), 1, hours: $0)]).state }
        #expect(days[0].differences(from: days[1]).map(\.place).contains("tallies of day 2024-03-02"))
    }

    /// Events by which one state differs from another, and the places that are named.
    private static let differences: [(more: [HistoryEvent], places: [String])] = [
        ([], []),
        ([event(review(.good), 50, hours: 40)], ["card", "tallies of day", "tallies of hours", "tallies of boxes", "the last event"]),
        (
            [event(.cardReviewed(CardReviewed(grade: .good, tookMilliseconds: nil, turnedMilliseconds: 5)), 50, hours: 1)],
            ["card", "tallies of day", "tallies of hours", "tallies of boxes", "tally of turning", "the last event"]
        ),
        (
            [event(.cardPractised(CardPractised(grade: .good, tookMilliseconds: nil)), 50, hours: 40)],
            ["card", "tally of practice", "the last event"]
        ),
        ([event(.deckRenamed(DeckRenamed(title: "b")), 50, about: deck, hours: 40)], ["deck", "the last event"]),
        (
            [event(.favouriteSet(FavouriteSet(kind: .word, on: true)), 50, about: UniqueID(high: 9, low: 9), hours: 40)],
            ["item", "the last event"]
        ),
        (
            [event(.sessionStarted(SessionStarted(mode: .free, decks: [], seed: 1)), 50, about: UniqueID(high: 9, low: 9), hours: 40)],
            ["session", "the last event"]
        ),
        ([event(.dayConfigured(DayConfigured(rolloverHour: 3)), 50, about: .none, hours: 40)], ["settings", "the last event"]),
        (
            [event(.testTypeSelected(TestTypeSelected(testType: "x")), 50, about: UniqueID(high: 9, low: 9), hours: 40)],
            ["pack", "the last event"]
        ),
        (
            [event(.quizStarted(QuizStarted(testType: "x", seed: 1, questions: [])), 50, about: UniqueID(high: 9, low: 9), hours: 40)],
            ["quiz", "the last event"]
        ),
        (
            [
                event(
                    .questionAnswered(QuestionAnswered(quiz: deck, question: deck, chosen: 0, correct: false)), 50,
                    about: UniqueID(high: 9, low: 9), hours: 40)
            ], ["item", "answers of quiz", "the last event"]
        ),
        ([event(void(7, 7), 50, hours: 40)], ["controls", "the last event"]),
        ([event(hold(7, 7), 50, hours: 40)], ["controls", "the last event"]),
    ]

    @Test(arguments: differences) func whatDiffersIsNamed(more: [HistoryEvent], places: [String]) {
        let base = [
            event(.deckCreated(DeckCreated(title: "a")), 1, about: deck, hours: 0),
            event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 2, hours: 0), event(review(.hard), 3, hours: 1),
            event(review(.hard), 4, about: UniqueID(high: 1, low: 1), hours: 1),
        ]
        let (less, all) = (MemoryLog(base).state, MemoryLog(base + more).state)
        func named(_ differences: [StateDifference]) -> [String] {
            differences.map { difference in places.first { difference.place.hasPrefix($0) } ?? difference.place }
        }
        #expect(named(less.differences(from: all)) == places)
        #expect(named(all.differences(from: less)) == places)
    }

    /// An event that lay ahead of the clock may have been folded before it was held back.
    @Test func aStateMayBeAheadByWhatIsHeldBack() {
        let log = MemoryLog([event(review(.good), 1, hours: 1), event(review(.good), 2, hours: 50), event(hold(1, 2), 2, 1, hours: 9)])
        let (live, replayed) = (log.state, log.replayed())
        #expect(live.latest > replayed.latest && live.differences(from: replayed).isEmpty)
        #expect(replayed.differences(from: live).map(\.place) == ["the last event"])
        let late = MemoryLog([
            event(review(.good), 1, hours: 5), event(hold(1, 2), 2, 1, hours: 9), event(review(.good), 2, hours: 50),
            event(review(.good), 3, 1, hours: 1),
        ])
        #expect(late.state.latest == late.replayed().latest && late.state.latest.id == id(2, 1))
        let released = MemoryLog([
            event(hold(1, 2), 2, 1, hours: 9), event(review(.good), 2, hours: 50),
            event(.eventReleased(EventReleased(target: id(1, 2))), 2, 2, hours: 10),
        ])
        #expect(released.state.latest == released.replayed().latest && released.state.latest.id == id(1, 2))
    }

    /// Both ways: what is missing, what is too much, and each field by its name and value.
    @Test func aDifferenceSaysTheFields() {
        let pack = UniqueID(high: 0, low: 7)
        func installed(_ words: UInt64) -> StudyState {
            MemoryLog([
                event(
                    .packInstalled(PackInstalled(name: "animals", digest: .zero, words: words, questions: 3, types: 4)), 1, about: pack,
                    hours: 0)
            ]).state
        }
        let digest = String(repeating: "0", count: 64)
        let fields =
            "name \"animals\", digest \(digest), words 2, questions 3, test types 4, installed at 2024-03-01T12:00:00+00:00, "
            + "installed 1, selected 0, selected by 9223372036854775808, selected by 0000000000000000/0, "
            + "last event 112020317798400000, last event 0000000000000001/1"
        let (two, five, none) = (installed(2), installed(5), StudyState())
        #expect(none.differences(from: two).first?.message == "missing; the log says: \(fields)")
        #expect(two.differences(from: none).first?.message == "stored, and the log doesn't know it: \(fields)")
        #expect(two.differences(from: five).map(\.message) == ["stored: words 2; the log says: words 5"])
        #expect(two.differences(from: five).first?.place == "pack \(pack)")
        let created = event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 1, hours: 0)
        let (here, moved) = (MemoryLog([created]).state, MemoryLog([created, event(.cardMoved(CardMoved(deck: pack)), 2, hours: 0)]).state)
        #expect(
            moved.differences(from: here).first?.message
                == "stored: deck \(pack), last event 0000000000000001/2; the log says: deck \(deck), last event 0000000000000001/1")
        #expect(StudyState().differences(from: here).first?.message.contains(", due day 19783, passed 0, ") == true)
    }
}
