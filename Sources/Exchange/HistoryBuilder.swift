internal import EventCoding
internal import Hashing
internal import StudyModel
internal import TextFolding

/// Gathers what the rows of a file say, in any order, and makes of it a history in one order.
struct HistoryBuilder {
    /// A duration up to this is believed: one day.
    private static let maximumTookMilliseconds: Int64 = 86_400_000

    /// What became of one row of a review log. Small, since there may be millions.
    private struct Answer {
        let milliseconds: Int64
        let card: Int32
        /// −1 where unknown.
        let tookMilliseconds: Int32
        let zoneMinutes: Int16
        let kind: AnswerKind
        let grade: UInt8
        var ordinal: UInt16 = 0

        var counter: UInt16 {
            ImportedCounter.value(kind == .reset ? .cardReset : .cardAnswered, grade: grade, ordinal: Int(ordinal))
        }
    }

    /// What is known of the first answer to a card.
    struct FirstAnswer {
        let milliseconds: Int64
        let zoneMinutes: Int16
    }

    private var cardIDs: [UniqueID] = []
    private var answers: [Answer] = []
    private var firstAnswers: [FirstAnswer?] = []
    private var created: [ImportedEvent] = []
    private var decks: [ImportedDeck] = []
    private var cards: [ImportedCard] = []
    private var skipped: [SkipReason: Int] = [:]
    private var adjusted: [AdjustReason: Int] = [:]

    mutating func reserve(answers count: Int) { answers.reserveCapacity(count) }

    // MARK: Taking rows

    /// The place of a card that answers will refer to.
    mutating func addCard(_ id: UniqueID) -> Int32 {
        cardIDs.append(id)
        firstAnswers.append(nil)
        return Int32(truncatingIfNeeded: cardIDs.count - 1)
    }

    /// The earliest answer to the card at that place, if there is one.
    func firstAnswer(of card: Int32) -> FirstAnswer? { firstAnswers[Int(card)] }

    mutating func skip(_ reason: SkipReason) { skipped[reason, default: 0] += 1 }

    mutating func adjust(_ reason: AdjustReason) { adjusted[reason, default: 0] += 1 }

    /// Takes an answer (or reset), unless its time is one that no event can have.
    mutating func addAnswer(
        card: Int32, milliseconds: Int64, zoneMinutes: Int16, kind: AnswerKind, grade: UInt8, tookMilliseconds: Int64?
    ) {
        guard LogicalTime.wallMillisecondsRange.contains(milliseconds) else { return skip(.timeOutOfRange) }
        var took: Int32 = -1
        if let tookMilliseconds {
            if 0...Self.maximumTookMilliseconds ~= tookMilliseconds {
                took = Int32(tookMilliseconds)
            } else {
                adjust(.durationUnknown)
            }
        }
        answers.append(
            Answer(
                milliseconds: milliseconds, card: card, tookMilliseconds: took, zoneMinutes: zoneMinutes, kind: kind, grade: grade))
        if firstAnswers[Int(card)].map({ milliseconds < $0.milliseconds }) ?? true {
            firstAnswers[Int(card)] = FirstAnswer(milliseconds: milliseconds, zoneMinutes: zoneMinutes)
        }
    }

    /// Takes a deck that came to be then.
    mutating func addDeck(_ deck: ImportedDeck, milliseconds: Int64, zoneMinutes: Int16) {
        decks.append(deck)
        created.append(
            ImportedEvent(
                event: .deckCreated(DeckCreated(title: deck.title, colour: deck.colour.map { UInt64($0) })), subject: deck.id,
                wallMilliseconds: milliseconds,
                zoneMinutes: zoneMinutes, key: ImportKey.deckCreated(deck.id, title: deck.title),
                counter: ImportedCounter.value(.deckCreated)))
    }

    /// Takes a card that came to be then.
    mutating func addCard(_ card: ImportedCard, milliseconds: Int64, zoneMinutes: Int16) {
        cards.append(card)
        created.append(
            ImportedEvent(
                event: .cardCreated(CardCreated(deck: card.deck, front: card.front, back: card.back)), subject: card.id,
                wallMilliseconds: milliseconds, zoneMinutes: zoneMinutes, key: ImportKey.cardCreated(card),
                counter: ImportedCounter.value(.cardCreated)))
    }

    /// Takes where a card stood then.
    mutating func place(_ card: UniqueID, _ placed: CardPlaced, milliseconds: Int64, zoneMinutes: Int16) {
        // Of two placements of one moment, the one after more answers comes later.
        let answers = placed.passed.addingReportingOverflow(placed.failed).partialValue
        created.append(
            ImportedEvent(
                event: .cardPlaced(placed), subject: card, wallMilliseconds: milliseconds, zoneMinutes: zoneMinutes,
                key: ImportKey.cardPlaced(card, placed),
                counter: ImportedCounter.value(.cardChanged, ordinal: Int(min(answers, UInt64(ImportedCounter.maximumOrdinal))))))
    }

    /// `text`, or as much of it as an event can hold.
    mutating func fitted(_ text: String) -> String {
        guard text.utf8.count > FieldLimit.textBytes else { return text }
        adjust(.textCut)
        return text.prefix(utf8Count: FieldLimit.textBytes)
    }

    // MARK: Finishing

    /// The history that all of it makes.
    consuming func finish(format: ImportFormat, name: String, digest: SHA256Digest) -> ImportedHistory {
        numberEqualAnswers()
        var counts: [AnswerKind: Int] = [:]
        let events = merge(counting: &counts)
        return ImportedHistory(
            format: format, name: name, digest: digest, events: events, decks: decks.sorted { $0.id < $1.id },
            cards: cards.sorted { $0.id < $1.id }, reviewCount: counts[.reviewed] ?? 0, practiceCount: counts[.practised] ?? 0,
            resetCount: counts[.reset] ?? 0,
            skipped: SkipReason.allCases.compactMap { reason in skipped[reason].map { Remark(reason: reason, count: $0) } },
            adjusted: AdjustReason.allCases.compactMap { reason in adjusted[reason].map { Remark(reason: reason, count: $0) } })
    }

    /// Puts the answers in order and tells equal ones apart by number. Their durations decide which is which, so that
    /// the order of the rows doesn't.
    private mutating func numberEqualAnswers() {
        let ids = cardIDs
        func isBefore(_ left: Answer, _ right: Answer) -> Bool {
            if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
            if left.counter != right.counter { return left.counter < right.counter }
            if left.card != right.card { return ids[Int(left.card)] < ids[Int(right.card)] }
            if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
            return left.tookMilliseconds < right.tookMilliseconds
        }
        let isSorted = zip(answers, answers.dropFirst()).allSatisfy { !isBefore($1, $0) }
        if !isSorted { answers.sort(by: isBefore) }

        var equalCount = 0
        var kept = 0
        for index in answers.indices {
            let answer = answers[index]
            let isRepeated =
                kept > 0 && answers[kept - 1].milliseconds == answer.milliseconds && answers[kept - 1].card == answer.card
                && answers[kept - 1].kind == answer.kind && answers[kept - 1].grade == answer.grade
            equalCount = isRepeated ? equalCount + 1 : 0
            guard equalCount <= ImportedCounter.maximumOrdinal else {
                skip(.tooManyEqualRows)
                continue
            }
            answers[kept] = answer
            answers[kept].ordinal = UInt16(equalCount)
            kept += 1
        }
        answers.removeLast(answers.count - kept)
    }

    /// All events in order.
    private mutating func merge(counting counts: inout [AnswerKind: Int]) -> [ImportedEvent] {
        created.sort(by: ImportedEvent.isBefore)
        var events: [ImportedEvent] = []
        events.reserveCapacity(created.count + answers.count)
        var keys = AnswerKeyMaker()
        var nextCreated = 0
        var tally: [3 of Int] = [0, 0, 0]
        for answer in answers {
            while nextCreated < created.count,
                (created[nextCreated].wallMilliseconds, created[nextCreated].counter) <= (answer.milliseconds, answer.counter)
            {
                events.append(created[nextCreated])
                nextCreated += 1
            }
            events.append(event(answer, &keys))
            tally[Int(answer.kind.rawValue) - 1] += 1
        }
        events.append(contentsOf: created[nextCreated...])
        for kind in [AnswerKind.reset, .reviewed, .practised] { counts[kind] = tally[Int(kind.rawValue) - 1] }
        // What is left to order are several answers of one millisecond: rare.
        let isSorted = zip(events, events.dropFirst()).allSatisfy { !ImportedEvent.isBefore($1, $0) }
        if !isSorted { events.sort(by: ImportedEvent.isBefore) }
        return events
    }

    private func event(_ answer: Answer, _ keys: inout AnswerKeyMaker) -> ImportedEvent {
        let id = cardIDs[Int(answer.card)]
        let took = answer.tookMilliseconds < 0 ? nil : UInt64(answer.tookMilliseconds)
        let event: StudyEvent
        switch (answer.kind, Grade(rawValue: answer.grade)) {
        case (.reviewed, let grade?): event = .cardReviewed(CardReviewed(grade: grade, tookMilliseconds: took))
        case (.practised, let grade?): event = .cardPractised(CardPractised(grade: grade, tookMilliseconds: took))
        default: event = .cardReset(CardReset())
        }
        let key = keys.key(
            card: id, milliseconds: answer.milliseconds, kind: answer.kind, grade: answer.grade, ordinal: Int(answer.ordinal))
        return ImportedEvent(
            event: event, subject: id, wallMilliseconds: answer.milliseconds, zoneMinutes: answer.zoneMinutes, key: key,
            counter: answer.counter)
    }
}

extension ImportedEvent {
    /// The order of a history: wall time, counter, subject, key.
    static func isBefore(_ left: ImportedEvent, _ right: ImportedEvent) -> Bool {
        if left.wallMilliseconds != right.wallMilliseconds { return left.wallMilliseconds < right.wallMilliseconds }
        if left.counter != right.counter { return left.counter < right.counter }
        if left.subject != right.subject { return left.subject < right.subject }
        return left.key < right.key
    }
}
