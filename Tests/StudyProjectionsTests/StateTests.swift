import EngramTesting
import EventCoding
import StudyModel
import StudyProjections
import Testing

struct StateTests {
    private static let decked = event(.deckCreated(DeckCreated(title: "Words")), 1, about: deck, hours: 0)
    private static let created = event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 2, hours: 0)

    /// What happened to a card and its deck, and whether it is there.
    private static let lives: [(events: [HistoryEvent], isLive: Bool)] = [
        ([decked, created], true), ([created], false),
        ([decked, event(.cardMoved(CardMoved(deck: deck)), 3, hours: 1)], false), ([decked, event(review(.good), 3, hours: 1)], false),
        ([decked, created, event(.cardDeleted(CardDeleted()), 3, hours: 1)], false),
        ([decked, created, event(.cardErased(CardErased()), 3, hours: 1)], false),
        ([decked, created, event(.cardErased(CardErased()), 3, hours: 1), event(.cardRestored(CardRestored()), 4, hours: 2)], false),
        (
            [decked, created, event(.cardDeleted(CardDeleted()), 3, hours: 1), event(.cardRestored(CardRestored()), 4, hours: 2)], true
        ),
        ([decked, created, event(.deckDeleted(DeckDeleted()), 3, about: deck, hours: 1)], false),
        ([decked, created, event(.cardMoved(CardMoved(deck: card)), 3, hours: 1)], false),
    ]

    @Test func aCardIsThereWithItsDeck() {
        for (events, isLive) in Self.lives {
            let state = MemoryLog(events).state
            #expect(state.card(card).map(state.isLive) == isLive && state.liveCards.map(\.id) == (isLive ? [card] : []), "\(events)")
        }
    }

    /// A state of a card and of one of everything else, with an event that isn't known and one that can't be read.
    private static func full(_ subject: UniqueID, number: UInt64) -> StudyState {
        let quiz = UniqueID(high: 8, low: number)
        let stated: [StudyEvent] = [
            .cardReviewed(CardReviewed(grade: .good, tookMilliseconds: 7, turnedMilliseconds: 5)),
            .cardPractised(CardPractised(grade: .good, tookMilliseconds: nil)),
            .favouriteSet(FavouriteSet(kind: .word, on: true)),
            .sessionStarted(SessionStarted(mode: .free, decks: [], seed: 1)),
            .questionAnswered(QuestionAnswered(quiz: quiz, question: quiz, chosen: 0, correct: true)),
            .quizStarted(QuizStarted(testType: "x", seed: 1, questions: [])),
            .packInstalled(PackInstalled(name: "x", digest: .zero, words: 0, questions: 0, types: 0)),
            .deckCreated(DeckCreated(title: "Words")),
        ]
        let events = stated.enumerated().map { place, stated in
            let about = place < 2 ? subject : UniqueID(high: number, low: UInt64(place))
            return event(stated, number, UInt64(place + 1), about: about, hours: Int64(place))
        }
        var state = MemoryLog(events).state
        var header = event(review(.good), number, 90, hours: 90).header
        _ = state.fold(header, payload: [9, 9].rawSpan, at: .none)
        header.version = 99
        header.id = id(number, 91)
        _ = state.fold(header, payload: [9, 9].rawSpan, at: .none)
        return state
    }

    @Test func partsAreJoinedToAllThatTheyHold() {
        let joined = StudyState.joining([Self.full(card, number: 1), Self.full(deck, number: 2)])
        #expect(joined.unknownEvents == 2 && joined.unreadableEvents == 2 && joined.latest.id.origin.rawValue == 2)
        let figures = joined.statistics(today: StudyDay(days: 19_783))
        #expect([figures.reviews.good, figures.practised, figures.turned] == [2, 2, 2])
        #expect([figures.milliseconds, figures.turnedMilliseconds] == [14, 10] && figures.hours.reduce(0, +) == 2)
        #expect(figures.reviewsByBox.map(\.total) == [2])
        #expect(joined.knownCards.count == 2 && joined.listedItems.count == 2 && joined.knownSessions.count == 2)
        #expect(joined.liveDecks.count == 2 && joined.installedPacks.count == 2 && StudyState.joining([]).knownCards.isEmpty)
        #expect([joined.withoutCounts.unknownEvents, joined.withoutCounts.unreadableEvents] == [0, 0])
    }

    @Test func anEmptiedStateKeepsWhatIsFewOnly() {
        let emptied = Self.full(card, number: 1).emptied
        #expect(emptied.knownCards.isEmpty && emptied.listedItems.isEmpty && emptied.knownSessions.isEmpty)
        #expect(emptied.tallies.days.isEmpty)
        #expect(emptied.answers.all(of: UniqueID(high: 8, low: 1)).isEmpty)
        #expect(emptied.liveDecks.count == 1 && emptied.installedPacks.count == 1 && emptied.quiz(UniqueID(high: 1, low: 5)) != nil)
    }

    /// What was counted and taken off again leaves nothing.
    @Test func aVoidedReviewLeavesNoTrace() {
        let turned = event(.cardReviewed(CardReviewed(grade: .good, tookMilliseconds: 7, turnedMilliseconds: 5)), 3, hours: 1)
        let log = MemoryLog([turned, event(void(1, 3), 4, hours: 2)])
        for state in [log.state, log.replayed()] {
            let figures = state.statistics(today: StudyDay(days: 19_783))
            #expect(figures.turned == 0 && figures.turnedMilliseconds == 0 && figures.milliseconds == 0 && figures.days.isEmpty)
            #expect(figures.reviewsByBox.isEmpty && figures.hours.reduce(0, +) == 0)
        }
    }
}
