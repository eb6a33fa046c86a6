internal import EventCoding
internal import Scheduling
internal import StudyModel

extension HistoryBuilder {
    /// Settings of the scheduler that histories go through, one of which this program doesn't know.
    private static let schedulers: [SchedulerConfigured] = [
        SchedulerConfigured(scheduler: "boxes", revision: 1, parameters: []),
        SchedulerConfigured(
            scheduler: "boxes", revision: 1,
            parameters: [
                SchedulerParameter(name: "count", value: "3"), SchedulerParameter(name: "first", value: "1"),
                SchedulerParameter(name: "multiplier", value: "2/1"),
            ]),
        SchedulerConfigured(scheduler: "boxes", revision: 1, parameters: [SchedulerParameter(name: "multiplier", value: "3/2")]),
        SchedulerConfigured(scheduler: "yet-to-come", revision: 1, parameters: []),
    ]

    /// An event that isn't about another event, and what it is about.
    func plainEvent(about subject: inout UniqueID, using generator: inout SeededGenerator) -> StudyEvent {
        let kind = generator.below(100)
        switch kind {
        case ..<58: subject = generator.element(of: cards) ?? .none
        case ..<74: subject = generator.element(of: decks) ?? .none
        case ..<90: subject = generator.element(of: cards + words) ?? .none
        default: subject = .none
        }
        if shape.isHostile, generator.chance(1, in: 12) {
            subject = generator.element(of: decks + cards + words) ?? .none
        }
        return switch kind {
        case ..<58: cardEvent(kind, using: &generator)
        case ..<74: deckEvent(kind - 58, using: &generator)
        case ..<90: itemEvent(kind - 74, using: &generator)
        case ..<93: .dayConfigured(DayConfigured(rolloverHour: UInt64(generator.element(of: [4, 0, 3, 23]) ?? 4)))
        case ..<96: .schedulerConfigured(generator.element(of: Self.schedulers) ?? Self.schedulers[0])
        default: sessionEvent(about: &subject, using: &generator)
        }
    }

    /// The start or the end of one of two sessions.
    private func sessionEvent(about subject: inout UniqueID, using generator: inout SeededGenerator) -> StudyEvent {
        subject = UniqueID(high: 5, low: 1 + UInt64(generator.below(2)))
        let mode = generator.element(of: SessionMode.allCases) ?? .spaced
        return generator.chance(1, in: 2)
            ? .sessionStarted(SessionStarted(mode: mode, decks: Array(decks.prefix(generator.below(3))), seed: UInt64(generator.below(9))))
            : .sessionEnded(SessionEnded(reason: generator.element(of: SessionEndReason.allCases) ?? .left))
    }

    private func cardEvent(_ kind: Int, using generator: inout SeededGenerator) -> StudyEvent {
        let deck = generator.element(of: decks) ?? .none
        let text = "text \(generator.below(1000))"
        return switch kind {
        case ..<26: .cardReviewed(CardReviewed(grade: generator.grade(), tookMilliseconds: generator.duration()))
        case ..<29: .cardPractised(CardPractised(grade: generator.grade(), tookMilliseconds: generator.duration()))
        case ..<38: .cardCreated(CardCreated(deck: deck, front: text, back: "back of \(text)"))
        case ..<42: .cardEdited(CardEdited(front: generator.chance(2, in: 3) ? text : nil, back: generator.chance(1, in: 2) ? text : nil))
        case ..<46: .cardMoved(CardMoved(deck: deck))
        case ..<49: .cardDeleted(CardDeleted())
        case ..<52: .cardRestored(CardRestored())
        case ..<55: .cardReset(CardReset())
        default: .cardPlaced(placement(using: &generator))
        }
    }

    private func placement(using generator: inout SeededGenerator) -> CardPlaced {
        let counters: [UInt64] = [0, 3, 17, UInt64(Int64.max)]
        return CardPlaced(
            levelHalfSteps: UInt64(generator.below(20)), intervalDays: UInt64(generator.below(400)),
            dueDay: generator.number(in: 19_700...20_200), passed: generator.element(of: counters) ?? 0,
            failed: generator.element(of: counters) ?? 0,
            lastReviewedMilliseconds: generator.chance(1, in: 2) ? 1_700_000_000_000 : nil, source: "elsewhere")
    }

    private func deckEvent(_ kind: Int, using generator: inout SeededGenerator) -> StudyEvent {
        let colour: UInt64? = generator.chance(1, in: 2) ? UInt64(generator.below(0x100_0000)) : nil
        return switch kind {
        case ..<6: .deckCreated(DeckCreated(title: "deck \(generator.below(1000))", colour: colour))
        case ..<10: .deckRenamed(DeckRenamed(title: "title \(generator.below(1000))"))
        case ..<13: .deckRecoloured(DeckRecoloured(colour: colour))
        default: .deckDeleted(DeckDeleted())
        }
    }

    private func itemEvent(_ kind: Int, using generator: inout SeededGenerator) -> StudyEvent {
        let item = generator.element(of: ItemKind.allCases) ?? .word
        return switch kind {
        case ..<6: .favouriteSet(FavouriteSet(kind: item, on: generator.chance(2, in: 3)))
        case ..<9: .mistakeDismissed(MistakeDismissed(kind: item))
        default:
            .questionAnswered(
                QuestionAnswered(
                    quiz: UniqueID(high: 1, low: 1), question: UniqueID(high: 1, low: 2), chosen: 0, correct: generator.chance(1, in: 3)))
        }
    }

    /// An event about another event, what it is about, and the logical time of its target.
    func control(using generator: inout SeededGenerator) -> (event: StudyEvent, about: UniqueID, target: LogicalTime?) {
        // Mostly about what happened just now, or about another control.
        let recent = generator.chance(1, in: 2) ? Array(events.suffix(4)) : events
        let controls = generator.chance(1, in: 3) ? recent.filter { $0.header.type.isControl } : []
        let header = (generator.element(of: controls.isEmpty ? recent : controls) ?? events[0]).header
        var target = header.id
        if generator.chance(1, in: 12) { target = EventID(origin: target.origin, number: target.number + 1 + UInt64(generator.below(3))) }
        let key = target == header.id ? header.key : nil
        var subject = header.subject
        if shape.isHostile, generator.chance(1, in: 25) { subject = generator.element(of: cards + decks + [.none]) ?? .none }
        let event: StudyEvent =
            switch generator.below(14) {
            case ..<6: .actionVoided(ActionVoided(target: target, targetKey: key))
            case ..<9: .answerCorrected(AnswerCorrected(target: target, grade: generator.grade(), targetKey: key))
            case ..<12: .eventHeld(EventHeld(target: target, reason: .aheadOfClock))
            default: .eventReleased(EventReleased(target: target))
            }
        return (event, subject, target == header.id ? header.logicalTime : nil)
    }
}
