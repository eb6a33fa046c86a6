package import EventCoding
package import Scheduling
package import StudyModel

/// Everything that a screen asks for, as a fold of the log: decks, cards, favourites, mistakes, sessions, packs, tests,
/// counters, settings.
///
/// A plain value. One fold makes it, whether it is a live action, a replay or a verification: ``fold(_:payload:at:)``
/// takes one event in; what that can't take in order, the caller settles with ``retract(_:timeline:)`` and
/// ``refold(_:timeline:)``.
package struct StudyState: Sendable {
    var cards = CardTable()
    var decks = EntityTable<DeckState>()
    var items = EntityTable<ItemState>()
    var sessions = EntityTable<SessionState>()
    var packs = EntityTable<PackState>()
    var quizzes = EntityTable<QuizState>()
    var apps = EntityTable<AppState>()
    /// The answers of tests, which come with the items that they are about.
    package internal(set) var answers = QuizAnswers()
    package internal(set) var tallies = Tallies()
    package internal(set) var controls = Controls()
    package internal(set) var rules: RulesTimeline
    /// The furthest place in the order that any event folded so far has.
    package internal(set) var latest = FoldOrder.beginning
    /// Events of types or versions that this program doesn't know.
    package internal(set) var unknownEvents = 0
    /// Events whose payload doesn't obey its schema. A fold passes over them; a verification names them.
    package internal(set) var unreadableEvents = 0
    var rulesCache = RulesCache()
    /// Schedulers under which settings are understood.
    package let schedulers: KnownSchedulers
    /// In a fold from the beginning, where decks have rules of their own: in which deck each card is in the end.
    var destinations: Destinations?
    /// Cards whose due day takes their history, and some that did so once.
    var awaiting: Set<UniqueID> = []
    /// The app's own projections, which take the same events.
    package internal(set) var projections: ProjectionSet
    /// Whether some due days take their cards' histories.
    package var isAwaitingHistory: Bool { !awaiting.isEmpty }

    /// The state before any event.
    ///
    /// - Parameters:
    ///   - schedulers: those that the program knows.
    ///   - projections: the app's own, before any event.
    ///   - scheduler: stands in for what the log records, to see "what if".
    package init(
        schedulers: KnownSchedulers = .builtIn, projections: ProjectionSet = ProjectionSet(),
        overriding scheduler: ConfiguredScheduler? = nil
    ) {
        self.schedulers = schedulers
        self.projections = projections
        rules = RulesTimeline(overriding: scheduler)
    }

    /// The state before any event, under the same schedulers and with the same projections.
    package func beginning(overriding scheduler: ConfiguredScheduler? = nil) -> StudyState {
        StudyState(schedulers: schedulers, projections: projections.beginning, overriding: scheduler)
    }

    /// The same with no event counted as unknown or unreadable.
    package var withoutCounts: StudyState {
        var result = self
        result.unknownEvents = 0
        result.unreadableEvents = 0
        return result
    }

    /// What folds of different entities under the same controls and settings come to together; the state before any event where there
    /// is none.
    ///
    /// Complexity: O(entities).
    package static func joining(_ parts: [StudyState]) -> StudyState {
        guard var joined = parts.first else { return StudyState() }
        let others = parts.dropFirst()
        joined.cards.join(others.map(\.cards))
        joined.decks.join(others.map(\.decks))
        joined.items.join(others.map(\.items))
        joined.sessions.join(others.map(\.sessions))
        joined.packs.join(others.map(\.packs))
        joined.quizzes.join(others.map(\.quizzes))
        joined.apps.join(others.map(\.apps))
        for part in others {
            joined.answers.join(part.answers)
            joined.awaiting.formUnion(part.awaiting)
            joined.tallies.join(part.tallies)
            joined.projections.join(part.projections)
            joined.unknownEvents += part.unknownEvents
            joined.unreadableEvents += part.unreadableEvents
            joined.latest = max(joined.latest, part.latest)
        }
        return joined
    }

    /// The same decks, settings and controls, without any card, item or counter: for a fold over some of the cards.
    package var emptied: StudyState {
        var result = self
        result.cards = CardTable()
        result.items = EntityTable()
        result.sessions = EntityTable()
        result.answers = QuizAnswers()
        result.tallies = Tallies()
        result.projections = ProjectionSet()
        return result
    }

    /// Cards of which something is known, deleted ones and those known from reviews alone included, in no order.
    package var knownCards: [CardState] {
        var result: [CardState] = []
        cards.forEach { if $0.flags.contains(.known) { result.append(copy $0) } }
        return result
    }

    /// The same cards from the identity `first` to `last`. Complexity: O(log cards + cards among them + those changed since the checkpoint).
    package func knownCards(from first: UniqueID, through last: UniqueID) -> [CardState] {
        var result: [CardState] = []
        cards.forEach(from: first, through: last) { if $0.flags.contains(.known) { result.append(copy $0) } }
        return result
    }

    /// Whether cards of the checkpoint weren't there any more when they were asked for: what was asked of this state, and of every copy of
    /// it, is to be thrown away.
    package var hasLostCards: Bool { cards.fault != nil }

    /// How many cards a change copies where another copy of this state is held: those that came or changed since the checkpoint.
    package var touchedCardCount: Int { cards.touched.count }

    /// Whether no card is left to be read from the checkpoint.
    package var hasAllCards: Bool { cards.isLoaded }

    /// Reads all cards that are left in the checkpoint, and says what is wrong with them. Complexity: O(cards).
    @discardableResult
    package func loadCards() -> ByteError? {
        cards.load()
        return cards.fault
    }

    /// Decks that are there, in no order.
    package var liveDecks: [DeckState] { decks.rows.filter(\.isLive) }

    /// Items that are a favourite or a mistake, in no order.
    package var listedItems: [ItemState] { items.rows.filter(\.isListed) }

    /// The card of that identity, if anything is known of it.
    package func card(_ id: UniqueID) -> CardState? {
        cards.row(of: id).flatMap { $0.flags.contains(.known) ? $0 : nil }
    }

    /// The deck of that identity, deleted or not, if its creation is known.
    package func deck(_ id: UniqueID) -> DeckState? {
        decks.row(of: id).flatMap { $0.isCreated ? $0 : nil }
    }

    /// The item of that identity, if anything was ever said of it.
    package func item(_ id: UniqueID) -> ItemState? { items.row(of: id) }

    /// Whether the card is there for people: created, not deleted, in a deck that is there.
    package func isLive(_ card: CardState) -> Bool {
        card.flags.contains(.created) && card.flags.isDisjoint(with: [.deleted, .erased]) && (decks.row(of: card.deck)?.isLive ?? false)
    }

    /// Cards that are there for people, in no order. Complexity: O(cards).
    package var liveCards: [CardState] {
        var result: [CardState] = []
        forEachLiveCard { result.append(copy $0) }
        return result
    }

    /// Hands over each card that is there for people, in no order, where it lies. Complexity: O(cards).
    package func forEachLiveCard(_ body: (borrowing CardState) -> Void) { forEachLiveCard { card, _ in body(card) } }

    /// The same with the place of its deck, for ``deck(at:)``.
    package func forEachLiveCard(_ body: (_ card: borrowing CardState, _ deck: Int) -> Void) {
        let isDeckLive = decks.rows.map(\.isLive)
        cards.forEach { card in
            guard card.flags.isSuperset(of: [.known, .created]), card.flags.isDisjoint(with: [.deleted, .erased]) else { return }
            guard let deck = decks.place(of: card.deck), isDeckLive[deck] else { return }
            body(card, deck)
        }
    }

    /// Whether the card is to be studied on a day: it is due, or it was answered with Again on that day and not passed since.
    package func isWanted(_ card: borrowing CardState, on day: StudyDay) -> Bool {
        if card.dueDay <= day.days { return true }
        return card.flags.contains(.failedLast) ? studyDay(of: card.lastReviewedAt) == day : false
    }

    /// The study day of a moment under the rules in force now.
    package func studyDay(of moment: ZonedTime) -> StudyDay {
        StudyDay.of(
            wallMilliseconds: moment.wallMilliseconds, zoneMinutes: moment.zoneMinutes, rolloverHour: rules.current.rolloverHour)
    }
}

/// The period of the rules that the last event fell in, so that a run of events looks it up once.
struct RulesCache: Sendable {
    var rules = Rules.standard {
        didSet {
            let boxes = rules.dating == .memory && rules.current.boxes != nil ? rules.reader.boxes : nil
            isBoxes = boxes != nil
            self.boxes = boxes ?? .standard
        }
    }
    /// Whether ``boxes`` say all: they were in force then, and boxes are in force now.
    private(set) var isBoxes = true
    private(set) var boxes = BoxScheduler.standard
    /// From here on, up to ``end``, the rules hold; nothing is cached where both are the same.
    var start = FoldOrder(logicalTime: .distantPast, id: EventID(origin: OriginID(rawValue: 0), number: 0))
    var end = FoldOrder(logicalTime: .distantPast, id: EventID(origin: OriginID(rawValue: 0), number: 0))
}
