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
        SchedulerConfigured(scheduler: "fixed", revision: 1, parameters: [SchedulerParameter(name: "days", value: "1/4/20")]),
        SchedulerConfigured(scheduler: "fixed", revision: 1, parameters: [SchedulerParameter(name: "days", value: "2/2/9/30")]),
        SchedulerConfigured(scheduler: "yet-to-come", revision: 1, parameters: []),
    ]

    /// What only an app knows.
    private static let ofApp = [UniqueID(high: 0xA99, low: 1), UniqueID(high: 0xA99, low: 2)]

    /// An event that isn't about another event, and what it is about.
    func plainEvent(about subject: inout UniqueID, using generator: inout SeededGenerator) -> StudyEvent {
        let kind = generator.below(130)
        switch kind {
        case ..<58: subject = generator.element(of: cards) ?? .none
        case ..<74: subject = generator.element(of: decks) ?? .none
        case ..<90: subject = generator.element(of: cards + words) ?? .none
        case 100..<112: subject = generator.element(of: quizzes) ?? .none
        case 112..<120: subject = generator.element(of: packs) ?? .none
        case 120...: subject = generator.element(of: cards + words + Self.ofApp) ?? .none
        default: subject = .none
        }
        if shape.isHostile, generator.chance(1, in: 12) {
            subject = generator.element(of: decks + cards + words + quizzes + packs) ?? .none
        }
        return switch kind {
        case ..<58: cardEvent(kind, using: &generator)
        case ..<74: deckEvent(kind - 58, using: &generator)
        case ..<90: itemEvent(kind - 74, using: &generator)
        case ..<93: .dayConfigured(DayConfigured(rolloverHour: UInt64(generator.element(of: [4, 0, 3, 23]) ?? 4)))
        case ..<96: .schedulerConfigured(schedulerSetting(using: &generator))
        case ..<100: sessionEvent(about: &subject, using: &generator)
        case ..<112: quizEvent(kind - 100, using: &generator)
        case ..<120: packEvent(kind - 112, using: &generator)
        default: appEvent(using: &generator)
        }
    }

    /// A setting for the store, or for a deck.
    private func schedulerSetting(using generator: inout SeededGenerator) -> SchedulerConfigured {
        var configured = generator.element(of: Self.schedulers) ?? Self.schedulers[0]
        if generator.chance(1, in: 2) { configured.deck = generator.element(of: decks) }
        return configured
    }

    private func appEvent(using generator: inout SeededGenerator) -> StudyEvent {
        if generator.chance(1, in: 12) { return .subjectErased(SubjectErased()) }
        let isText = generator.chance(2, in: 3)
        let event = AppEvent(
            name: "note \(generator.below(3))", revision: 1, text: isText ? "{\"n\": \(generator.below(100))}" : nil,
            bytes: isText ? nil : [UInt8(generator.below(256))])
        return .appEvent(event)
    }

    private func quizEvent(_ kind: Int, using generator: inout SeededGenerator) -> StudyEvent {
        let questions = (0..<1 + generator.below(3)).map { number in
            QuizQuestion(
                question: UniqueID(high: 0x9E57, low: UInt64(number + 1)), item: generator.element(of: words) ?? .none,
                prompt: "question \(number)", options: ["a", "b", "c"], right: UInt64(generator.below(3)))
        }
        return switch kind {
        case ..<8:
            .quizStarted(
                QuizStarted(
                    pack: generator.chance(1, in: 2) ? generator.element(of: packs) : nil, testType: "type \(generator.below(3))",
                    seed: UInt64(generator.below(1000)), questions: questions))
        default:
            .quizFinished(
                QuizFinished(right: UInt64(generator.below(4)), total: 3, abandoned: generator.chance(1, in: 3)))
        }
    }

    private func packEvent(_ kind: Int, using generator: inout SeededGenerator) -> StudyEvent {
        let digest = SHA256Digest(bytes: [UInt8](repeating: UInt8(generator.below(3)), count: 32)) ?? .zero
        return switch kind {
        case ..<3:
            .packInstalled(
                PackInstalled(
                    name: "pack \(generator.below(9))", digest: digest, words: UInt64(generator.below(99)),
                    questions: UInt64(generator.below(99)), types: UInt64(generator.below(9))))
        case ..<5: .packRemoved(PackRemoved())
        default: .testTypeSelected(TestTypeSelected(testType: "type \(generator.below(3))"))
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
                    quiz: generator.element(of: quizzes) ?? .none,
                    // A question that makes itself a mistake, or one about a word.
                    question: generator.chance(1, in: 3)
                        ? generator.element(of: words) ?? .none : UniqueID(high: 0x9E57, low: UInt64(1 + generator.below(3))),
                    chosen: UInt64(generator.below(3)), correct: generator.chance(1, in: 3), tookMilliseconds: generator.duration()))
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
