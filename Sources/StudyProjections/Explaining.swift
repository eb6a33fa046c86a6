public import EventCoding
internal import Scheduling
public import StudyModel

/// An event that stands behind a figure.
public struct ExplainedEvent: Hashable, Sendable {
    /// Its identity.
    public let event: EventID
    /// Name of its type.
    public let type: String
    /// The card that counts because of it.
    public let card: UniqueID
    /// When it happened.
    public let at: ZonedTime
    /// The study day on which it happened.
    public let day: StudyDay
    /// The grade that counts, for an answer.
    public let grade: Grade?
    /// How long the answer took, in milliseconds.
    public let tookMilliseconds: Int64?
}

extension StudyState {
    /// The events behind a figure of ``statistics(today:deck:timeline:)``, oldest first. `timeline` gives the events of a card or deck.
    ///
    /// - Complexity: O(events of the cards).
    package func explain<Failure: Error>(
        _ figure: Metric, today: StudyDay, deck: UniqueID?, timeline: (UniqueID) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) -> [ExplainedEvent] {
        let days = try streakDays(figure, today: today, deck: deck, timeline: timeline)
        var events: [ExplainedEvent] = []
        for card in knownCards where deck == nil || card.deck == deck {
            guard figure.isAboutAnswers || figure.holds(card, self, today: today) else { continue }
            let lines = self.timeline(of: card.id, try timeline(card.id)).filter { !$0.isVoided }
            if figure.isAboutAnswers {
                events += lines.filter { figure.counts($0, days: days) }.map { ExplainedEvent($0, card.id) }
            } else if let line = figure.cause(in: lines) {
                events.append(ExplainedEvent(line, card.id))
            } else if let deletion = try deletion(of: card.deck, timeline) {
                events.append(ExplainedEvent(deletion, card.id))
            } else if let line = lines.first {
                // A card that is known from its history alone.
                events.append(ExplainedEvent(line, card.id))
            }
        }
        return events.sorted { ($0.at.wallMilliseconds, $0.event, $0.card) < ($1.at.wallMilliseconds, $1.event, $1.card) }
    }

    /// The deletion of a deck that took its cards with it, as a line of its timeline.
    private func deletion<Failure: Error>(
        of id: UniqueID, _ timeline: (UniqueID) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) -> TimelineLine? {
        guard deck(id)?.isDeleted ?? false else { return nil }
        return self.timeline(of: id, try timeline(id)).last { $0.type == "deck_deleted" && !$0.isVoided }
    }

    /// The days of the streak that the figure is about.
    private func streakDays<Failure: Error>(
        _ figure: Metric, today: StudyDay, deck: UniqueID?, timeline: (UniqueID) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) -> Set<StudyDay> {
        guard figure == .currentStreak || figure == .longestStreak else { return [] }
        let figures = try statistics(today: today, deck: deck, timeline: timeline)
        let length = figure == .currentStreak ? figures.streak.current : figures.streak.longest
        var run: [StudyDay] = []
        var found: [StudyDay] = []
        for day in figures.days where day.reviews > 0 {
            run = run.last.map { $0.advanced(by: 1) == day.day } ?? false ? run + [day.day] : [day.day]
            if run.count == length { found = run }
        }
        return Set(found)
    }
}

extension ExplainedEvent {
    fileprivate init(_ line: TimelineLine, _ card: UniqueID) {
        self.init(
            event: line.event, type: line.type, card: card, at: line.at, day: line.day, grade: line.grade,
            tookMilliseconds: line.tookMilliseconds)
    }
}

extension Metric {
    /// Whether it counts answers, and not cards.
    var isAboutAnswers: Bool {
        switch self {
        case .reviews, .passRate, .practised, .day, .hour, .currentStreak, .longestStreak, .seconds: true
        case .cards, .newCards, .learnedCards, .deletedCards, .box, .due, .overdue, .forecast: false
        }
    }

    /// Whether an event that counts is one of its answers.
    func counts(_ line: TimelineLine, days: Set<StudyDay>) -> Bool {
        guard line.type == (self == .practised ? "card_practised" : "card_reviewed") else { return false }
        return switch self {
        case .reviews(let grade): grade == nil || line.grade == grade
        case .day(let day): line.day == day
        case .hour(let hour): line.at.localHour == hour
        case .currentStreak, .longestStreak: days.contains(line.day)
        case .seconds: (line.tookMilliseconds ?? 0) > 0
        default: true
        }
    }

    /// Whether it counts the card.
    func holds(_ card: CardState, _ state: StudyState, today: StudyDay) -> Bool {
        let isLive = state.isLive(card)
        if self == .deletedCards { return !isLive }
        guard isLive else { return false }
        let scheduler = state.rules.current(in: card.deck).scheduler
        return switch self {
        case .newCards: !card.flags.contains(.reviewed)
        case .learnedCards: scheduler.isLearned(card)
        case .box(let wanted): scheduler.box(of: card.memory) == wanted
        case .due: state.isWanted(card, on: today)
        case .overdue: card.dueDay < today.days
        case .forecast(let day): card.dueDay == day.days
        default: true
        }
    }

    /// The event of a card's life that made it count.
    func cause(in lines: [TimelineLine]) -> TimelineLine? {
        switch self {
        case .cards, .newCards: lines.first { $0.type == "card_created" }
        case .deletedCards: lines.last { $0.type == "card_deleted" }
        default: lines.last { ["card_reviewed", "card_placed", "card_reset", "card_created"].contains($0.type) }
        }
    }
}
