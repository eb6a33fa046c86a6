public import EventCoding
package import Scheduling
public import StudyModel

/// How a card stood before or after an event.
public struct CardSnapshot: Equatable, Sendable {
    /// The level, in steps of 0.5; `nil` where the scheduler has none.
    public let level: Double?
    /// The box, from 0 up; `nil` where the scheduler has none.
    public let box: Int?
    /// What the scheduler remembers, by name.
    public let memory: CardMemory
    /// The interval, in days.
    public let intervalDays: Int
    /// The due day; `nil` before anything has set one.
    public let due: StudyDay?
}

/// What a scheduler remembers of a card, as people see it.
public struct CardMemory: Equatable, Sendable {
    /// Names in snake case with exact values, in the scheduler's order; none where the scheduler isn't known.
    public let figures: [(name: String, value: Double)]

    /// What `scheduler` makes of the words that it keeps.
    package init(_ memory: SchedulerMemory, of scheduler: ConfiguredScheduler) { figures = scheduler.figures(of: memory) }

    /// Equal where all figures are.
    public static func == (left: CardMemory, right: CardMemory) -> Bool { left.figures.elementsEqual(right.figures, by: ==) }
}

/// One event of a card's life.
public struct TimelineLine: Equatable, Sendable {
    /// Its identity.
    public let event: EventID
    /// Name of its type, or `type_N` where this program doesn't know it.
    public let type: String
    /// When it happened.
    public let at: ZonedTime
    /// The study day on which it happened, under the rules in force then.
    public let day: StudyDay
    /// The grade that counts, for an answer or its correction.
    public let grade: Grade?
    /// How long the answer took, in milliseconds.
    public let tookMilliseconds: Int64?
    /// Whether it doesn't count: voided, held back, or a copy of a row that counted already.
    public let isVoided: Bool
    /// The event that it voids or corrects.
    public let target: EventID?
    /// How the card stood before.
    public let before: CardSnapshot
    /// How the card stood after.
    public let after: CardSnapshot
}

extension StudyState {
    /// The life of a card, told by the fold itself: each event of its timeline in fold order, with how the card stood
    /// before and after it. Complexity: O(n log n) for n events.
    package func timeline(of subject: UniqueID, _ events: [RecordedEvent]) -> [TimelineLine] {
        var card = CardState(id: subject)
        // Schedulers of earlier times with memories of their own: how the card stood then is told by them.
        let events = events.sorted { $0.header.foldOrder < $1.header.foldOrder }
        let deck = destination(of: events)
        let current = rules.current(in: deck).scheduler
        var others = rules.othersWithMemory(in: deck).map { (scheduler: $0, card: CardState(id: subject)) }
        var scratch = Tallies()
        return events.map { event in
            let header = event.header
            let period = rules.rules(at: header.foldOrder, in: card.deck, now: deck)
            let other = period.dating == .history ? others.firstIndex { $0.scheduler == period.scheduler } : nil
            func standing() -> CardSnapshot {
                other.map { Self.standing(of: others[$0].card, by: others[$0].scheduler) }
                    ?? Self.standing(of: card, by: current)
            }
            let before = standing()
            let verdict = controls.verdict(on: header)
            let known = card
            apply(event, under: period, to: &card, &scratch)
            for index in others.indices {
                let rules = Rules(scheduler: others[index].scheduler, rolloverHour: period.rolloverHour)
                apply(event, under: rules, to: &others[index].card, &scratch)
            }
            let isCopy = header.key.map { known.rowTime == header.logicalTime && known.rowKey == $0.low } ?? false
            let content = content(of: event, verdict: verdict)
            return TimelineLine(
                event: header.id, type: StudyEvent.name(of: header.type) ?? "type_\(header.type.rawValue)",
                at: ZonedTime(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes),
                day: StudyDay.of(
                    wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes, rolloverHour: period.rolloverHour),
                grade: content.grade, tookMilliseconds: content.took, isVoided: verdict == .voided || verdict == .held || isCopy,
                target: content.target, before: before, after: standing())
        }
    }

    private static func standing(of card: CardState, by scheduler: ConfiguredScheduler) -> CardSnapshot {
        CardSnapshot(
            level: scheduler.level(of: card.memory)?.value, box: scheduler.box(of: card.memory),
            memory: CardMemory(card.memory, of: scheduler), intervalDays: Int(card.intervalDays),
            due: card.flags.contains(.scheduled) ? card.due : nil)
    }

    private func content(of event: RecordedEvent, verdict: Controls.Verdict) -> (grade: Grade?, took: Int64?, target: EventID?) {
        let header = event.header
        guard
            let decoded = try? StudyEvent.decode(header, payload: event.payload.rawSpan)
        else { return (nil, nil, nil) }
        var corrected: Grade?
        if case .corrected(let grade) = verdict { corrected = grade }
        switch decoded {
        case .cardReviewed(let review): return (corrected ?? review.grade, review.tookMilliseconds.map { Int64(clamping: $0) }, nil)
        case .cardPractised(let practice): return (practice.grade, practice.tookMilliseconds.map { Int64(clamping: $0) }, nil)
        case .actionVoided(let voided): return (nil, nil, voided.target)
        case .answerCorrected(let correction): return (correction.grade, nil, correction.target)
        case .eventHeld(let held): return (nil, nil, held.target)
        case .eventReleased(let released): return (nil, nil, released.target)
        default: return (nil, nil, nil)
        }
    }
}
