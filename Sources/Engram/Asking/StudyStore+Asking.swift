public import EventCoding
internal import EventLog
internal import LMDB
public import Scheduling
public import StudyModel
public import StudyProjections

extension StudyStore {
    /// The newest value of a projection that the store was opened with (``Configuration/projections``).
    ///
    /// - Throws: ``StoreError/badValue(field:value:allowed:)`` where it was opened without it.
    public func projection<Value: Projection>(_ type: Value.Type) throws(StoreError) -> Value {
        guard let value = try reading({ (_, projection) throws(LogError) in projection.state.projections.value(type) }) else {
            throw .badValue(field: "projection", value: Value.name, allowed: "one that the store was opened with")
        }
        return value
    }

    /// The card of that identity, whether it is there, deleted, or known from its history alone.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where nothing is known of it.
    public func card(_ id: UniqueID) throws(StoreError) -> CardView {
        let found = try reading { (transaction, projection) throws(LogError) in
            try projection.state.card(id).map { card throws(LogError) in try view(of: card, projection.state, transaction) }
        }
        guard let found else { throw .notFound(.card, name: id.description) }
        return found
    }

    /// The cards that are there, of one deck or of all, oldest first.
    ///
    /// - Complexity: O(cards log cards).
    public func cards(in deck: UniqueID? = nil) throws(StoreError) -> [CardView] {
        try reading { (transaction, projection) throws(LogError) in
            let state = projection.state
            var cards = state.liveCards
            if let deck { cards.removeAll { $0.deck != deck } }
            cards.sort { ($0.createdAt.wallMilliseconds, $0.id) < ($1.createdAt.wallMilliseconds, $1.id) }
            var views: [CardView] = []
            views.reserveCapacity(cards.count)
            for card in cards { views.append(try view(of: card, state, transaction)) }
            return views
        }
    }

    /// The decks that are there, by title and then identity, as of the study day of `moment`.
    ///
    /// - Complexity: O(cards + decks log decks).
    public func decks(at moment: ZonedTime) throws(StoreError) -> [DeckView] {
        try reading { (_, projection) throws(LogError) in projection.state.deckViews(on: projection.state.studyDay(of: moment)) }
    }

    /// What is due on the study day of `moment`, in the order of study: due day, then box, then identity.
    ///
    /// - Parameters:
    ///   - moment: decides which study day it is.
    ///   - decks: only these; all where there are none.
    /// - Complexity: O(cards + due log due).
    public func due(at moment: ZonedTime, decks: [UniqueID] = []) throws(StoreError) -> DueList {
        try reading { (_, projection) throws(LogError) in
            projection.state.dueList(on: projection.state.studyDay(of: moment), decks: Set(decks))
        }
    }

    /// The figures of everything, or of one deck, on the study day of `moment`.
    ///
    /// Those of a deck are a fold over the histories of the cards that are in it now.
    /// - Complexity: O(cards + days log days); for a deck, the events of its cards too.
    public func statistics(at moment: ZonedTime, deck: UniqueID? = nil) throws(StoreError) -> Statistics {
        try reading { (transaction, projection) throws(LogError) in
            try projection.state.statistics(today: projection.state.studyDay(of: moment), deck: deck) { card throws(LogError) in
                try projection.timeline(of: card, log, transaction)
            }
        }
    }

    /// The events behind a figure of ``statistics(at:deck:)``, oldest first.
    ///
    /// For a figure of answers (reviews, days, hours, streaks, time, practice) these are the answers that it counts. For a figure of
    /// cards (due, boxes, learned and so on) it is one event a card: the one that made it so, which is the answer, placement, reset or
    /// creation that last set its level, or the deletion.
    ///
    /// - Complexity: O(events of the cards).
    public func explain(_ figure: Metric, at moment: ZonedTime, deck: UniqueID? = nil) throws(StoreError) -> [ExplainedEvent] {
        try reading { (transaction, projection) throws(LogError) in
            let state = projection.state
            return try state.explain(figure, today: state.studyDay(of: moment), deck: deck) { entity throws(LogError) in
                try storage(Interruption.check())
                return try projection.timeline(of: entity, log, transaction)
            }
        }
    }

    /// Everything that happened to a card, in the order in which it counts, with how it stood before and after.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where nothing is known of it.
    public func timeline(of id: UniqueID) throws(StoreError) -> [TimelineLine] {
        let lines = try reading { (transaction, projection) throws(LogError) in
            projection.state.timeline(of: id, try projection.wholeTimeline(of: id, log, transaction))
        }
        guard !lines.isEmpty else { throw .notFound(.card, name: id.description) }
        return lines
    }

    /// The scheduler and the rollover hour that are in force now.
    public func settings() throws(StoreError) -> (scheduler: ConfiguredScheduler, rolloverHour: Int) {
        try reading { (_, projection) throws(LogError) in
            (projection.state.rules.current.scheduler, Int(projection.state.rules.current.rolloverHour))
        }
    }

    /// The decks that have a scheduler of their own, with the one that is in force there now, in the order of their titles.
    public func deckSchedulers() throws(StoreError) -> [DeckScheduler] {
        try reading { (_, projection) throws(LogError) in
            projection.state.rules.deckSchedulers.compactMap { own in
                projection.state.deck(own.deck).flatMap {
                    $0.isLive ? DeckScheduler(deck: own.deck, title: $0.title, scheduler: own.scheduler) : nil
                }
            }.sorted { ($0.title, $0.deck) < ($1.title, $1.deck) }
        }
    }

    /// SPECs of the schedulers that settings name and this program doesn't know. Under the one in force nothing is scheduled then: answers
    /// are recorded, and dates come with a program that knows it.
    public func unknownSchedulers() throws(StoreError) -> [String] {
        try reading { (_, projection) throws(LogError) in projection.state.rules.unknownSchedulers }
    }

    /// The scheduler that a SPEC describes, among those that this store was opened with.
    ///
    /// - Throws: `SchedulerError` that names the part that isn't right.
    public func scheduler(spec: String) throws(SchedulerError) -> ConfiguredScheduler {
        try configuration.schedulers.scheduler(spec: spec)
    }

    /// The study day of a moment under the settings that are in force now.
    public func studyDay(of moment: ZonedTime) throws(StoreError) -> StudyDay {
        try reading { (_, projection) throws(LogError) in projection.state.studyDay(of: moment) }
    }

    /// The card that `name` names: its identity, or an unambiguous start of it of at least four characters.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    public func card(named name: String) throws(StoreError) -> UniqueID {
        let ids = try reading { (_, projection) throws(LogError) in
            UniqueID(name).map { id in projection.state.card(id) == nil ? [] : [id] }
                ?? Self.range(ofNames: name).map { range in
                    projection.state.knownCards(from: range.lowerBound, through: range.upperBound).map(\.id)
                        .filter { Self.begins($0, with: name) }
                } ?? []
        }
        return try Self.only(ids.map { ($0, $0.description) }, .card, name)
    }

    /// The deck that `name` names: its identity, an unambiguous start of it of at least four characters, or its exact title.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    public func deck(named name: String) throws(StoreError) -> UniqueID {
        let found = try reading { (_, projection) throws(LogError) in
            let decks = projection.state.liveDecks
            if let id = UniqueID(name), let deck = decks.first(where: { $0.id == id }) { return [(deck.id, deck.title)] }
            let titled = decks.filter { $0.title == name }
            return (titled.isEmpty ? decks.filter { Self.begins($0.id, with: name) } : titled).map { ($0.id, $0.title) }
        }
        return try Self.only(found.map { ($0.0, "\($0.0) (\($0.1))") }, .deck, name)
    }

    /// The identities whose text may begin with `name`; `nil` where none does, or it is too short to name one.
    private static func range(ofNames name: String) -> ClosedRange<UniqueID>? {
        let digits = name.filter { $0 != "-" }
        guard name.utf8.count >= 4, digits.utf8.count <= 32 else { return nil }
        let missing = 32 - digits.utf8.count
        guard let first = UniqueID(digits + String(repeating: "0", count: missing)),
            let last = UniqueID(digits + String(repeating: "f", count: missing))
        else { return nil }
        return first...last
    }

    static func begins(_ id: UniqueID, with name: String) -> Bool {
        name.utf8.count >= 4 && id.description.hasPrefix(name.lowercased())
    }

    static func only(_ found: [(id: UniqueID, text: String)], _ noun: StoreError.Noun, _ name: String) throws(StoreError)
        -> UniqueID
    {
        guard let first = found.first else { throw .notFound(noun, name: name) }
        guard found.count == 1 else { throw .ambiguous(noun, name: name, candidates: found.map(\.text).sorted()) }
        return first.id
    }
}

// MARK: - Texts

extension StudyStore {
    func view(of card: CardState, _ state: StudyState, _ transaction: borrowing ReadTransaction) throws(LogError) -> CardView {
        let isCreated = card.flags.contains(.created)
        let scheduler = state.rules.current(in: card.deck).scheduler
        let (front, back) = isCreated ? try texts(of: card, transaction) : ("", "")
        return CardView(
            id: card.id, deck: card.deck, front: front, back: back, createdAt: isCreated ? card.createdAt : nil,
            lastReviewedAt: card.flags.contains(.reviewed) ? card.lastReviewedAt : nil, passed: Int(card.passed),
            failed: Int(card.failed), level: scheduler.level(of: card.memory)?.value, box: scheduler.box(of: card.memory),
            memory: CardMemory(card.memory, of: scheduler), intervalDays: Int(card.intervalDays), due: card.due,
            isFavourite: state.item(card.id)?.isFavourite ?? false,
            isLive: state.isLive(card))
    }

    /// Both sides of a card, read where the state points to.
    func texts(of card: CardState, _ transaction: borrowing ReadTransaction) throws(LogError) -> (front: String, back: String) {
        let front = try texts(at: card.frontAt, transaction).front
        let back = try texts(at: card.backAt, transaction).back
        return (front ?? "", back ?? "")
    }

    private func texts(at position: EventPosition, _ transaction: borrowing ReadTransaction) throws(LogError) -> (
        front: String?, back: String?
    ) {
        guard position != .none else { return (nil, nil) }
        let stored = try log.event(at: position, transaction)
        do throws(ByteError) {
            switch try StudyEvent.decode(stored.header, payload: stored.payload.rawSpan) {
            case .cardCreated(let created): return (created.front, created.back)
            case .cardEdited(let edited): return (edited.front, edited.back)
            default: return (nil, nil)
            }
        } catch { throw .malformed(sequence: position.sequence, error) }
    }
}
