internal import EventCoding
internal import Scheduling
internal import StudyModel
internal import StudyProjections

/// Which card of a session comes next.
///
/// In spaced repetition: by due day, then box, then a shuffle that the session's seed decides; cards that were answered in the
/// session and are still due come after all others, the one that has waited longest first. In free learn: every card once, in the
/// order of the shuffle.
///
/// The queue is put in order once and then only taken from, so that the next card is found in constant time; each card is looked
/// at as it is when its turn comes. What has become due since, or was added, is found when the queue runs dry.
struct SessionQueue: Sendable {
    /// Cards to come, the next one last.
    private var waiting: [UniqueID] = []
    /// Cards that were answered and may come back, the one that has waited longest first.
    private var returning: [UniqueID] = []
    private var day: StudyDay?
    private var answered: Set<UniqueID> = []

    let mode: SessionMode
    let decks: Set<UniqueID>
    let seed: UInt64

    /// The queue of a session in which those cards were answered.
    init(_ session: SessionState, answered: [UniqueID]) {
        mode = session.mode ?? .spaced
        decks = Set(session.decks)
        seed = session.seed
        self.answered = Set(answered)
    }

    /// Cards to come, as far as is known.
    var count: Int { waiting.count + returning.count }

    func wasAnswered(_ card: UniqueID) -> Bool { answered.contains(card) }

    /// Notes that a card was answered; one that is still due comes back after the others.
    mutating func didAnswer(_ card: UniqueID, isStillDue: Bool) {
        answered.insert(card)
        returning.removeAll { $0 == card }
        if isStillDue { returning.append(card) }
    }

    /// Notes that the last answer of a card was taken back: `again` where it had been answered in the session before that.
    mutating func didTakeBack(_ card: UniqueID, isAnsweredStill again: Bool) {
        returning.removeAll { $0 == card }
        if !again { answered.remove(card) }
        waiting.append(card)
    }

    /// Puts a card that was shown and not answered back to the front.
    mutating func putBack(_ card: UniqueID) { waiting.append(card) }

    /// Takes the next card that is to be learned on `today`; `nil` where there is none.
    ///
    /// - Complexity: constant; O(cards log cards) for the first one, on a new day, and when nothing seems to be left.
    mutating func next(_ state: StudyState, today: StudyDay) -> CardState? {
        if let day, day == today, let card = take(state, today: today) { return card }
        refill(state, today: today)
        return take(state, today: today)
    }

    private mutating func take(_ state: StudyState, today: StudyDay) -> CardState? {
        while let id = waiting.popLast() {
            if let card = state.card(id), isWanted(card, state, today: today) { return card }
        }
        while !returning.isEmpty {
            let id = returning.removeFirst()
            if let card = state.card(id), isWanted(card, state, today: today) { return card }
        }
        return nil
    }

    private func isWanted(_ card: CardState, _ state: StudyState, today: StudyDay) -> Bool {
        guard state.isLive(card), decks.isEmpty || decks.contains(card.deck) else { return false }
        return mode == .spaced ? state.isWanted(card, on: today) : !answered.contains(card.id)
    }

    private mutating func refill(_ state: StudyState, today: StudyDay) {
        day = today
        let schedulers = state.currentSchedulers
        let isSpaced = mode == .spaced
        var fresh: [(day: Int32, box: Int32, shuffle: UInt64, id: UniqueID)] = []
        var again: [CardState] = []
        for card in state.liveCards {
            guard decks.isEmpty || decks.contains(card.deck) else { continue }
            if answered.contains(card.id) {
                if isSpaced, state.isWanted(card, on: today) { again.append(card) }
            } else if !isSpaced {
                fresh.append((0, 0, shuffle(card.id), card.id))
            } else if state.isWanted(card, on: today) {
                fresh.append((card.dueDay, Int32(clamping: schedulers[card.deck].box(of: card.memory) ?? 0), shuffle(card.id), card.id))
            }
        }
        fresh.sort { $1 < $0 }
        again.sort { ($0.lastReviewedAt.wallMilliseconds, $0.id) < ($1.lastReviewedAt.wallMilliseconds, $1.id) }
        waiting = fresh.map(\.id)
        returning = again.map(\.id)
    }

    /// Where the seed puts a card among its equals: drawn from the seed and the identity alone, so that it is the same on every
    /// platform and depends on no other card.
    private func shuffle(_ id: UniqueID) -> UInt64 { SplitMix64.first(from: SplitMix64.first(from: seed ^ id.high) ^ id.low) }
}
