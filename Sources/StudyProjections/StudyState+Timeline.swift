public import EventCoding
internal import Scheduling
public import StudyModel

/// How a card stood before or after an event.
public struct CardStanding: Hashable, Sendable {
    /// The level, in steps of 0.5.
    public let level: Double
    /// The box, from 0 up.
    public let box: Int
    /// The interval, in days.
    public let intervalDays: Int
    /// The due day; `nil` before anything has set one.
    public let due: StudyDay?
}

/// One event of a card's life.
public struct TimelineLine: Hashable, Sendable {
    /// Its identity.
    public let event: EventID
    /// Name of its type, or `type_N` where this program doesn't know it.
    public let type: String
    /// When it happened.
    public let at: Moment
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
    public let before: CardStanding
    /// How the card stood after.
    public let after: CardStanding
}

extension StudyState {
    /// The life of a card, told by the fold itself: each event of its timeline in fold order, with how the card stood
    /// before and after it. Complexity: O(n log n) for n events.
    package func timeline(of subject: UniqueID, _ events: [RecordedEvent]) -> [TimelineLine] {
        var card = CardState(id: subject)
        var scratch = Tallies()
        return events.sorted { $0.header.foldOrder < $1.header.foldOrder }.map { event in
            let header = event.header
            let period = rules.rules(at: header.foldOrder)
            let before = standing(of: card)
            let verdict = controls.verdict(on: header)
            let known = card
            if let kind = header.type.kind(about: .card) {
                let step = CardStep(kind: kind, header: header, verdict: verdict, rules: period, position: event.position, sign: 1)
                _ = try? step.take(event.payload.rawSpan, into: &card, tallies: &scratch)
            }
            let isCopy = header.key.map { known.rowTime == header.logicalTime && known.rowKey == $0.low } ?? false
            let content = content(of: event, verdict: verdict)
            return TimelineLine(
                event: header.id, type: StudyEvent.name(of: header.type) ?? "type_\(header.type.rawValue)",
                at: Moment(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes),
                day: StudyDay.of(
                    wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes, rolloverHour: period.rolloverHour),
                grade: content.grade, tookMilliseconds: content.took, isVoided: verdict == .voided || verdict == .held || isCopy,
                target: content.target, before: before, after: standing(of: card))
        }
    }

    private func standing(of card: CardState) -> CardStanding {
        CardStanding(
            level: card.level.value, box: rules.current.scheduler.box(of: card.level), intervalDays: Int(card.intervalDays),
            due: card.flags.contains(.scheduled) ? card.memory.due : nil)
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
