public import EventCoding
internal import EventLog
internal import LMDB
internal import Scheduling
public import StudyModel
internal import StudyProjections

/// A study session: cards one by one, front first, then the back and four buttons, until nothing is due.
///
/// Begin one with ``StudyStore/startSession(_:decks:seed:at:)``, or go on with an interrupted one with
/// ``StudyStore/openSession()``. Then ``next(at:)``, ``answer(_:took:turned:at:)`` and so on, and ``end(at:)``. Every answer is on the
/// disk as soon as its call returns, so a session may be left at any moment with nothing lost.
///
/// Other devices, processes and screens may act meanwhile: each card is looked at as it is when its turn comes, and an answer to a
/// card that isn't any more what was shown is not recorded.
public struct StudySession: Sendable {
    /// Its identity.
    public let id: UniqueID
    /// Spaced repetition, or free learn.
    public let mode: SessionMode
    /// The decks that were picked; none stands for all.
    public let decks: [UniqueID]
    /// What the order of its cards is drawn from.
    public let seed: UInt64
    /// When it began.
    public let startedAt: ZonedTime
    /// The card that is shown; `nil` before the first one and when there is none left.
    public private(set) var current: SessionCard?

    private let store: StudyStore
    private var queue: SessionQueue
    /// The card as it was when it was shown.
    private var shown: CardState?
    /// Answers of this session that haven't been taken back in it, oldest first.
    private var given: [(event: EventID, card: UniqueID)]

    init(_ store: StudyStore, _ session: SessionState, given: [(event: EventID, card: UniqueID)]) {
        self.store = store
        id = session.id
        mode = session.mode ?? .spaced
        decks = session.decks
        seed = session.seed
        startedAt = session.startedAt
        self.given = given
        queue = SessionQueue(session, answered: given.map(\.card))
    }

    /// Answers of this session that can be taken back, those before an interruption included.
    public var answerCount: Int { given.count }

    /// Shows the next card that is due on the study day of `moment`; `nil` where nothing is left.
    ///
    /// A card that is shown and wasn't answered stays where it is until it is: asked again, it is shown again.
    /// - Complexity: constant for one card; O(cards log cards) for the first one, on a new day, and when nothing seems left.
    public mutating func next(at moment: ZonedTime) throws(StoreError) -> SessionCard? {
        if let shown { queue.putBack(shown.id) }
        var queue = self.queue
        let found = try store.reading { (transaction, projection) throws(LogError) -> (CardState, SessionCard)? in
            let state = projection.state
            let today = state.studyDay(of: moment)
            guard let card = queue.next(state, today: today) else { return nil }
            return (card, try view(of: card, queue, state, today: today, transaction))
        }
        self.queue = queue
        shown = found?.0
        current = found?.1
        return current
    }

    private func view(
        of card: CardState, _ queue: SessionQueue, _ state: StudyState, today: StudyDay, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> SessionCard {
        let scheduler = state.rules.current(in: card.deck).scheduler
        let previews = scheduler.preview(of: card.memory, on: today).map { next in
            AnswerPreview(
                grade: next.grade, intervalDays: scheduler.isKnown ? next.intervalDays : nil,
                due: scheduler.isKnown ? today.advanced(by: Int64(next.intervalDays)) : nil, box: scheduler.box(of: next.memory))
        }
        return SessionCard(
            card: try store.view(of: card, state, transaction), answers: mode == .spaced ? previews : [], remaining: queue.count,
            isRepeated: queue.wasAnswered(card.id))
    }

    /// Answers the card that is shown: a scheduled review, or in free learn practice.
    ///
    /// - Parameters:
    ///   - grade: how well it was known.
    ///   - took: how long the answer took, in milliseconds.
    ///   - turned: of that, the time until the card was turned.
    ///   - moment: when it was given.
    /// - Returns: what became of it. Then ask for the next card, whatever it was.
    /// - Throws: ``StoreError``; the card is still shown then, and the answer can be given again.
    public mutating func answer(
        _ grade: Grade, took: Int64? = nil, turned: Int64? = nil, at moment: ZonedTime
    ) throws(StoreError) -> SessionAnswer {
        guard let shown else { throw Self.noCard }
        var outcome = SessionAnswer.changedMeanwhile
        let result = try store.perform(at: moment, key: nil) { (projection, transaction) throws(StoreError) in
            let state = projection.state
            guard let card = state.card(shown.id), state.isLive(card) else {
                outcome = .deletedMeanwhile
                return []
            }
            guard Self.looksTheSame(card, shown) else { return [] }
            let action: Action =
                mode == .spaced ? .review(card.id, grade, took: took, turned: turned) : .practise(card.id, grade, took: took)
            return try store.plan(action, at: moment, projection, transaction.reader)
        }
        let isStillDue =
            mode == .spaced && grade == .again || current?.answers.contains { $0.grade == grade && $0.intervalDays == 0 } ?? false
        self.shown = nil
        current = nil
        if let event = result.events.first {
            outcome = .recorded(event)
            given.append((event, shown.id))
            queue.didAnswer(shown.id, isStillDue: isStillDue)
        } else if outcome == .changedMeanwhile {
            queue.putBack(shown.id)
        }
        return outcome
    }

    private static let noCard = StoreError.badValue(
        field: "the answer", value: "", allowed: "given to a card that is shown; ask the session for the next one first")

    /// Whether what a person saw of a card, and how it was to be learned, is still so.
    private static func looksTheSame(_ card: CardState, _ shown: CardState) -> Bool {
        card.memory == shown.memory && card.dueDay == shown.dueDay && card.frontAt == shown.frontAt && card.backAt == shown.backAt
            && card.deck == shown.deck
            && card.passed == shown.passed && card.failed == shown.failed && card.lastReviewedAt == shown.lastReviewedAt
    }

    /// Takes back the last answer of this session, and shows its card again.
    ///
    /// Answers that were taken back elsewhere meanwhile are passed over.
    /// - Throws: ``StoreError/nothingToUndo`` where the session has none left.
    public mutating func undo(at moment: ZonedTime) throws(StoreError) -> SessionCard? {
        while let last = given.last {
            do throws(StoreError) {
                try store.perform(.void(last.event), at: moment)
            } catch {
                guard case .notCorrectable = error else { throw error }
                given.removeLast()
                continue
            }
            given.removeLast()
            // Where the only card has come back it is the one that is shown.
            if let shown, shown.id != last.card { queue.putBack(shown.id) }
            shown = nil
            queue.didTakeBack(last.card, isAnsweredStill: given.contains { $0.card == last.card })
            return try next(at: moment)
        }
        throw .nothingToUndo
    }

    /// Changes one or both sides of the card that is shown; it stays shown, with its new texts.
    public mutating func edit(front: String?, back: String?, at moment: ZonedTime) throws(StoreError) {
        guard let shown else { throw Self.noCard }
        try store.perform(.editCard(shown.id, front: front, back: back), at: moment)
        try refresh(at: moment)
    }

    /// Makes the card that is shown a favourite, or no favourite any more. Returns whether it is one now.
    @discardableResult
    public mutating func toggleFavourite(at moment: ZonedTime) throws(StoreError) -> Bool {
        guard let shown else { throw Self.noCard }
        let on = try !store.card(shown.id).isFavourite
        try store.perform(.setFavourite(shown.id, kind: .card, on: on), at: moment)
        try refresh(at: moment)
        return on
    }

    private mutating func refresh(at moment: ZonedTime) throws(StoreError) {
        guard let id = shown?.id else { return }
        let found = try store.reading { (transaction, projection) throws(LogError) -> (CardState, SessionCard)? in
            guard let card = projection.state.card(id) else { return nil }
            let today = projection.state.studyDay(of: moment)
            return (card, try view(of: card, queue, projection.state, today: today, transaction))
        }
        shown = found?.0
        current = found?.1
    }

    /// What was done so far.
    ///
    /// - Complexity: O(events since the session began).
    public func summary() throws(StoreError) -> SessionSummary { try store.summary(ofSession: id) }

    /// Ends the session: as finished where nothing is left to learn, else as left.
    ///
    /// A session that was ended already stays as it is. One that isn't ended is gone on with by ``StudyStore/openSession()``.
    public mutating func end(at moment: ZonedTime) throws(StoreError) -> SessionSummary {
        let isFinished = try next(at: moment) == nil
        try store.perform(at: moment, key: nil) { (projection, _) throws(StoreError) in
            guard projection.state.session(id)?.isOpen ?? false else { return [] }
            return [PlannedEvent(event: .sessionEnded(SessionEnded(reason: isFinished ? .finished : .left)), subject: id)]
        }
        return try summary()
    }
}
