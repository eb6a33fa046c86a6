import EngramTesting
import EventCoding
import Scheduling
import StudyModel
import StudyProjections
import Testing

/// What is expected of the card: level, passed and failed answers, due day less that of 2024-03-01, and whether it is there.
private struct Seen: Equatable {
    var level = 0.0
    var passed: Int64 = 0
    var failed: Int64 = 0
    var due: Int32?
    var isLive = false
}

struct KnownCaseTests {
    private static let created = event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 2, hours: 0)
    private static let decked = event(.deckCreated(DeckCreated(title: "Words")), 1, about: deck, hours: 0)
    private static let good = event(review(.good), 3, hours: 1)
    private static let easy = event(review(.easy), 4, hours: 2)

    private static let cases: [(String, [HistoryEvent], Seen?)] = [
        ("nothing", [], nil),
        ("a new card is due at once", [decked, created], Seen(due: 0, isLive: true)),
        ("two answers", [decked, created, good, easy], Seen(level: 2.5, passed: 2, due: 7, isLive: true)),
        ("an answer that comes late", [decked, created, easy, good], Seen(level: 2.5, passed: 2, due: 7, isLive: true)),
        ("a card known from its history alone", [good], Seen(level: 1, passed: 1, due: 3)),
        ("a creation after the history keeps what was learned", [good, created, decked], Seen(level: 1, passed: 1, due: 3, isLive: true)),
        ("a voided creation", [decked, created, good, event(void(1, 2), 5, hours: 5)], Seen(level: 1, passed: 1, due: 3)),
        ("the only event voided", [good, event(void(1, 3), 5, hours: 5)], nil),
        ("a void that comes before its target", [event(void(1, 3), 5, hours: 5), good], nil),
        ("a void earlier in the order", [event(void(1, 3), 2, 1, hours: 0), good], Seen(level: 1, passed: 1, due: 3)),
        ("a void under another subject", [event(void(1, 3), 5, about: deck, hours: 5), good], Seen(level: 1, passed: 1, due: 3)),
        ("a hold under another subject", [event(hold(1, 3), 5, about: deck, hours: 5), good], Seen(level: 1, passed: 1, due: 3)),
        ("a void of a void", [good, event(void(1, 3), 5, hours: 5), event(void(1, 5), 6, hours: 6)], Seen(level: 1, passed: 1, due: 3)),
        (
            "a void of a correction",
            [
                good, event(.answerCorrected(AnswerCorrected(target: id(1, 3), grade: .again)), 5, hours: 5),
                event(void(1, 5), 6, hours: 6),
            ], Seen(level: 1, passed: 1, due: 3)
        ),
        (
            "the last correction counts",
            [
                event(.answerCorrected(AnswerCorrected(target: id(1, 3), grade: .easy)), 6, hours: 6), good,
                event(.answerCorrected(AnswerCorrected(target: id(1, 3), grade: .again)), 5, hours: 5),
            ], Seen(level: 1.5, passed: 1, due: 3)
        ),
        ("a held answer", [good, event(hold(1, 3), 2, 1, hours: 9)], nil),
        (
            "a hold of a hold changes nothing", [good, event(hold(1, 3), 2, 1, hours: 9), event(hold(2, 1), 2, 2, hours: 10)], nil
        ),
        (
            "a void that is held", [good, event(void(1, 3), 5, hours: 5), event(hold(1, 5), 2, 1, hours: 9)],
            Seen(level: 1, passed: 1, due: 3)
        ),
        (
            "a release",
            [good, event(.eventReleased(EventReleased(target: id(1, 3))), 2, 2, hours: 10), event(hold(1, 3), 2, 1, hours: 9)],
            Seen(level: 1, passed: 1, due: 3)
        ),
        (
            "copies of a row", [event(review(.good), 5, 1, hours: 1, key: 1), event(review(.good), 3, 1, hours: 1, key: 1)],
            Seen(level: 1, passed: 1, due: 3)
        ),
        (
            "rows of one time that aren't copies",
            [event(review(.good), 5, 1, hours: 1, key: 1), event(review(.good), 3, 1, hours: 1, key: 2)], Seen(level: 2, passed: 2, due: 7)
        ),
        (
            "rows of one key at two times", [event(review(.good), 5, 1, hours: 1, key: 1), event(review(.good), 3, 1, hours: 2, key: 1)],
            Seen(level: 2, passed: 2, due: 7)
        ),
        (
            "a setting that comes in time holds from then on",
            [
                event(review(.good), 3, hours: -1), event(.dayConfigured(DayConfigured(rolloverHour: 14)), 2, 1, about: .none, hours: 0),
                event(review(.good), 4, hours: 1),
            ], Seen(level: 2, passed: 2, due: 6)
        ),
        (
            "a voided row is voided in each copy",
            [
                event(review(.good), 5, 1, hours: 1, key: 1), event(void(5, 1, key: 1), 7, hours: 2),
                event(review(.good), 3, 1, hours: 1, key: 1),
            ], nil
        ),
        (
            "a held copy doesn't stand for one that isn't",
            [
                event(review(.good), 5, 1, hours: 1, key: 1), event(hold(3, 1), 7, hours: 2), event(review(.good), 3, 1, hours: 1, key: 1),
            ], Seen(level: 1, passed: 1, due: 3)
        ),
        (
            "a setting that comes late", [good, event(.dayConfigured(DayConfigured(rolloverHour: 14)), 2, 1, about: .none, hours: 0)],
            Seen(level: 1, passed: 1, due: 2)
        ),
        (
            "a correction of a setting is none",
            [
                event(.dayConfigured(DayConfigured(rolloverHour: 14)), 2, 1, about: .none, hours: 0),
                event(.answerCorrected(AnswerCorrected(target: id(2, 1), grade: .good)), 2, 2, about: .none, hours: 0), good,
            ], Seen(level: 1, passed: 1, due: 2)
        ),
        (
            "a voided setting under a subject of its own",
            [
                good, event(.dayConfigured(DayConfigured(rolloverHour: 14)), 2, 1, about: deck, hours: 0),
                event(void(2, 1), 2, 2, about: deck, hours: 1),
            ], Seen(level: 1, passed: 1, due: 3)
        ),
        (
            "a counter at the largest number",
            [
                event(
                    .cardPlaced(
                        CardPlaced(
                            levelHalfSteps: 0, intervalDays: 0, dueDay: 0, passed: UInt64(Int64.max), failed: 0, source: "")), 1,
                    hours: 0), good,
            ], Seen(level: 1, passed: .max, due: 3)
        ),
    ]

    @Test("What becomes of a card, event by event and folded from zero")
    func cards() {
        for (what, events, expected) in Self.cases {
            let log = MemoryLog(events)
            for (way, state) in [("live", log.state), ("replayed", log.replayed())] {
                let seen = state.card(card).map {
                    Seen(
                        level: Double($0.memory.first) / 2, passed: $0.passed, failed: $0.failed,
                        due: $0.flags.contains(.scheduled) ? $0.dueDay - 19_783 : nil, isLive: state.isLive($0))
                }
                #expect(seen == expected, "\(what), \(way)")
            }
        }
    }

    @Test("A deck renamed before its creation is known keeps its name, however the events arrive")
    func renamedBeforeCreated() {
        let renamed = event(.deckRenamed(DeckRenamed(title: "Verbs")), 2, 2, about: deck, hours: 3)
        let voided = event(void(2, 9), 2, 3, about: deck, hours: 4)
        for batches in [[[Self.decked], [renamed], [voided]], [[voided, renamed], [Self.decked]], [[voided], [renamed], [Self.decked]]] {
            var log = MemoryLog()
            for batch in batches { log.take(batch) }
            #expect(log.state.liveDecks.map(\.title) == ["Verbs"] && log.canonical == log.replayedCanonical)
        }
    }

    @Test("A second creation of a deck or a card is a copy of the first")
    func createdTwice() {
        let log = MemoryLog([
            Self.decked, Self.created, event(.deckCreated(DeckCreated(title: "Verbs", colour: 5)), 2, 1, about: deck, hours: 1),
            event(.cardCreated(CardCreated(deck: .none, front: "c", back: "d")), 2, 2, hours: 1),
        ])
        #expect(log.state.liveDecks.map(\.title) == ["Words"] && log.state.liveDecks.first?.colour == nil)
        #expect(log.state.liveDecks.first?.createdAt.wallMilliseconds == Self.decked.header.wallMilliseconds)
        #expect(log.state.card(card)?.deck == deck && log.state.card(card).map { log.texts(of: $0).front } == "a")
    }

    /// What happens to a word hour by hour, and since when it is a favourite and a mistake, and of how many wrong answers.
    private static let lists: [(events: [StudyEvent], favourite: Int64?, mistake: Int64?, mistakes: Int64)] = [
        ([.favouriteSet(FavouriteSet(kind: .word, on: true)), .favouriteSet(FavouriteSet(kind: .word, on: true))], 0, nil, 0),
        ([.favouriteSet(FavouriteSet(kind: .word, on: true)), .favouriteSet(FavouriteSet(kind: .word, on: false))], nil, nil, 0),
        (
            [true, false, true].map { .favouriteSet(FavouriteSet(kind: .word, on: $0)) }, 2, nil, 0
        ),
        ([answered(false), answered(true), answered(false)], nil, 0, 2),
        ([answered(false), .mistakeDismissed(MistakeDismissed(kind: .word)), answered(false)], nil, 2, 1),
        ([answered(false), .mistakeDismissed(MistakeDismissed(kind: .word))], nil, nil, 0),
    ]

    private static func answered(_ isRight: Bool) -> StudyEvent {
        .questionAnswered(
            QuestionAnswered(quiz: UniqueID(high: 2, low: 2), question: UniqueID(high: 3, low: 3), chosen: 0, correct: isRight))
    }

    @Test("Since when a word is on a list")
    func lists() {
        let word = UniqueID(high: 5, low: 5)
        for (events, favourite, mistake, mistakes) in Self.lists {
            let log = MemoryLog(events.enumerated().map { event($1, UInt64($0 + 1), about: word, hours: Int64($0)) })
            let item = log.state.item(word)
            func hours(_ moment: ZonedTime?) -> Int64? { moment.map { ($0.wallMilliseconds - 1_709_294_400_000) / 3_600_000 } }
            #expect(hours(item.flatMap { $0.isFavourite ? $0.favouriteSince : nil }) == favourite, "\(events)")
            #expect(hours(item.flatMap { $0.isMistake ? $0.mistakeSince : nil }) == mistake && item?.mistakes == mistakes, "\(events)")
            #expect(item?.kind == .word && (item?.isListed ?? false) == (favourite != nil || mistake != nil))
        }
    }

    @Test("An event of version 0, which no schema ever had, counts nowhere, as verification says")
    func versionZero() {
        let stated: [StudyEvent] = [
            review(.good), .cardPractised(CardPractised(grade: .good, tookMilliseconds: nil)), .cardReset(CardReset()),
            .cardPlaced(
                CardPlaced(
                    levelHalfSteps: 4, intervalDays: 7, dueDay: 19_800, passed: 3, failed: 1, lastReviewedMilliseconds: nil, source: "x")),
        ]
        for (number, event) in stated.enumerated() {
            var zero = header(of: event, UInt64(number + 1))
            zero.version = 0
            var state = StudyState()
            let payload = event.encodedPayload()
            #expect(state.fold(zero, payload: payload.rawSpan, at: .none) == .folded)
            #expect(state.unreadableEvents == 1 && state.knownCards.isEmpty && state.tallies.practised == 0, "\(event)")
            #expect(throws: ByteError.self) {
                _ = try StudyEvent.decode(type: zero.type, version: 0, payload: payload.rawSpan)
            }
        }
    }

    @Test("A quiz is there once it was begun, and open until it ended")
    func quizzes() {
        let (first, second) = (UniqueID(high: 4, low: 1), UniqueID(high: 4, low: 2))
        func begun(_ number: UInt64, _ quiz: UniqueID, hours: Int64) -> HistoryEvent {
            event(.quizStarted(QuizStarted(testType: "x", seed: 1, questions: [])), number, about: quiz, hours: hours)
        }
        let ended = event(.quizFinished(QuizFinished(right: 0, total: 0, abandoned: true)), 9, about: second, hours: 9)
        #expect(MemoryLog([ended]).state.quiz(second) == nil && MemoryLog([ended]).state.openQuiz == nil)
        let both = [begun(1, second, hours: 2), begun(2, first, hours: 1)]
        #expect(MemoryLog(both).state.openQuiz?.id == second)
        #expect(MemoryLog(both + [ended]).state.openQuiz?.id == first && MemoryLog(both + [ended]).state.quiz(second)?.isOpen == false)
    }

    @Test("A session begins once and ends once, and the last one that a device began and didn't end is open")
    func sessions() {
        let (first, second, third) = (UniqueID(high: 6, low: 1), UniqueID(high: 6, low: 2), UniqueID(high: 6, low: 3))
        func begun(_ mode: SessionMode, _ number: UInt64, _ session: UniqueID, hours: Int64) -> HistoryEvent {
            event(.sessionStarted(SessionStarted(mode: mode, decks: [deck, card], seed: 1)), number, about: session, hours: hours)
        }
        func ended(_ reason: SessionEndReason, _ number: UInt64, _ session: UniqueID, hours: Int64) -> HistoryEvent {
            event(.sessionEnded(SessionEnded(reason: reason)), number, about: session, hours: hours)
        }
        let origin = OriginID(rawValue: 1)
        var log = MemoryLog([ended(.left, 9, third, hours: 9)])
        #expect(log.state.session(third) == nil && log.state.knownSessions.isEmpty && log.state.openSession(of: origin) == nil)
        let voided = MemoryLog([begun(.free, 1, first, hours: 1), event(void(1, 1), 2, about: first, hours: 2)]).state
        #expect(voided.openSession(of: OriginID(rawValue: 0)) == nil && voided.knownSessions.isEmpty)
        log.take([begun(.free, 1, second, hours: 2), begun(.free, 2, first, hours: 1)])
        #expect(log.state.openSession(of: origin)?.id == first && log.state.openSession(of: OriginID(rawValue: 2)) == nil)
        log.take([begun(.spaced, 3, first, hours: 3), ended(.left, 4, first, hours: 4), ended(.finished, 5, first, hours: 5)])
        #expect(log.state.openSession(of: origin)?.id == second && log.state.knownSessions.count == 2)
        let session = log.state.session(first)
        #expect(session?.mode == .free && session?.endReason == .left && session?.decks == [deck, card])
        #expect(session?.endedAt?.wallMilliseconds == ended(.left, 4, first, hours: 4).header.wallMilliseconds)
    }

    @Test("The number that stands for every pack is in logs")
    func everyPack() { #expect(PackState.everyPack.description == "656e6772-616d-8000-8000-000000000001") }

    @Test("A control that comes twice is one")
    func sameControlTwice() {
        var controls = Controls()
        let control = Control(
            effect: .void, target: id(1, 3), targetKey: nil, subject: card, order: event(void(1, 3), 5, hours: 5).header.foldOrder)
        for _ in 1...2 { controls.insert(control) }
        #expect(controls.all == [control])
    }

    @Test("An event of a version that nobody knows is counted, and counts nowhere")
    func newerVersions() {
        let placed = CardPlaced(levelHalfSteps: 4, intervalDays: 7, dueDay: 19_800, passed: 3, failed: 1, source: "x")
        let stated: [StudyEvent] = [
            review(.good), .cardPractised(CardPractised(grade: .good, tookMilliseconds: nil)), .cardReset(CardReset()), .cardPlaced(placed),
        ]
        for event in stated {
            var newer = header(of: event, 1)
            newer.version = 99
            var state = StudyState()
            let payload = event.encodedPayload()
            #expect(state.fold(newer, payload: payload.rawSpan, at: .none) == .folded)
            #expect(state.unknownEvents == 1 && state.unreadableEvents == 0 && state.knownCards.isEmpty, "\(event)")
        }
    }

    /// What happened to a card, and whether it counts as passed or failed the last time.
    private static let lastAnswers: [(events: [StudyEvent], flags: CardState.Flags)] = [
        ([review(.again)], .failedLast), ([review(.again), review(.hard)], .passedLast), ([review(.good), .cardReset(CardReset())], []),
        ([review(.again), .cardReset(CardReset())], []), ([review(.again), placed(interval: 0)], []),
        ([review(.again), placed(interval: 9)], []), ([review(.again), placed(interval: 9, last: 5)], .passedLast),
        ([placed(interval: 0, last: 5)], []), ([placed(interval: 1, last: 5)], .passedLast),
    ]

    private static func placed(interval: UInt64, last: Int64? = nil) -> StudyEvent {
        .cardPlaced(
            CardPlaced(
                levelHalfSteps: 0, intervalDays: interval, dueDay: 19_800, passed: 0, failed: 0, lastReviewedMilliseconds: last, source: "")
        )
    }

    @Test("Whether the last answer was passed, since a card came new, was placed or reset")
    func lastAnswers() {
        for (events, flags) in Self.lastAnswers {
            let log = MemoryLog(events.enumerated().map { event($1, UInt64($0 + 1), hours: Int64($0)) })
            #expect(log.state.card(card)?.flags.intersection([.passedLast, .failedLast]) == flags, "\(events)")
        }
    }

    @Test("What a placement says is there")
    func placements() {
        let placed = MemoryLog([event(Self.placed(interval: 9, last: 5), 1, hours: 0)]).state.card(card)
        #expect(placed?.flags == [.known, .scheduled, .reviewed, .passedLast] && placed?.lastReviewedAt.wallMilliseconds == 5)
        #expect(placed?.intervalDays == 9 && placed?.dueDay == 19_800)
    }

    @Test("An edit of one side leaves the other, and a deck that is only renamed isn't there")
    func partsOfTexts() {
        for (edit, front, back) in [(CardEdited(front: "c"), "c", "b"), (CardEdited(back: "c"), "a", "c"), (CardEdited(), "a", "b")] {
            let log = MemoryLog([Self.created, event(.cardEdited(edit), 5, hours: 5)])
            let texts = log.state.card(card).map { log.texts(of: $0) }
            #expect(texts?.front == front && texts?.back == back)
        }
        #expect(MemoryLog([event(.deckRenamed(DeckRenamed(title: "Verbs")), 1, about: deck, hours: 0)]).state.deck(deck) == nil)
    }

    @Test("What is voided is no event that nobody knows")
    func voidedIsKnown() {
        let practised = StudyEvent.cardPractised(CardPractised(grade: .good, tookMilliseconds: nil))
        for stated in [review(.good), practised, .cardReset(CardReset()), Self.placed(interval: 1), .cardDeleted(CardDeleted())] {
            let state = MemoryLog([event(void(1, 1), 2, hours: 1), event(stated, 1, hours: 0)]).replayed()
            #expect(state.unknownEvents == 0 && state.unreadableEvents == 0 && state.knownCards.isEmpty, "\(stated)")
        }
    }

    @Test("Answers that come late are there once")
    func lateAnswers() {
        let word = UniqueID(high: 5, low: 5)
        let log = MemoryLog([2, 1, 3].map { event(Self.answered(false), UInt64($0), about: word, hours: $0) })
        for state in [log.state, log.replayed()] {
            #expect(state.answers.all(of: UniqueID(high: 2, low: 2)).count == 3 && state.item(word)?.mistakes == 3)
        }
    }

    @Test("A void of a void of a void … is decided at any depth, without running out of stack")
    func deepChain() {
        var controls = Controls()
        let target = Self.good.header
        let depth: UInt64 = 100_000
        for number in 1...depth {
            let previous = number == 1 ? target.id : id(2, number - 1)
            let order = event(void(1, 1), 2, number, hours: 10).header.foldOrder
            controls.insert(Control(effect: .void, target: previous, targetKey: nil, subject: card, order: order))
        }
        #expect(controls.verdict(on: target) == .counts)
        let last = event(void(2, depth), 2, depth + 1, hours: 11).header.foldOrder
        controls.insert(Control(effect: .void, target: id(2, depth), targetKey: nil, subject: card, order: last))
        #expect(controls.verdict(on: target) == .voided)
    }
}
