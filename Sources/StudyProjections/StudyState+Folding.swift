package import EventCoding
internal import Scheduling
internal import StudyModel

extension StudyState {
    /// What a caller must do after handing over an event.
    package enum FoldOutcome: Hashable, Sendable {
        /// Nothing: the event is in the state.
        case folded
        /// The event comes before one of the same entity that was folded already: the entity must be folded anew.
        case late
        /// The event says how others count, or sets rules: it goes to ``admit(_:payload:)``.
        case control
    }

    /// Takes one event in. Pure: depends on the state, the event and nothing else. Complexity: constant on average.
    ///
    /// A type or version that isn't known, or a payload that doesn't obey its schema, is counted and passed over.
    package mutating func fold(_ header: EventHeader, payload: RawSpan, at position: EventPosition) -> FoldOutcome {
        if header.type.isControl { return .control }
        let order = header.foldOrder
        let verdict = controls.verdict(on: header)
        let outcome = fold(header, payload: payload, at: position, order: order, verdict: verdict)
        if outcome == .folded, latest < order, verdict != .held { latest = order }
        return outcome
    }

    /// What came of the events of batches.
    package struct BatchCounts: Hashable, Sendable {
        /// Events up to the limit, whatever became of them.
        package var taken = 0
        /// Events that came after a later one of their entity, and were left out.
        package var outOfOrder = 0

        package init() {}
    }

    /// Takes in the events of `batch`, but those later than `last` (milliseconds since 1970), and counts them.
    ///
    /// The same as ``fold(_:payload:at:)`` of one after the other, in less time.
    package mutating func fold(
        _ batch: borrowing EventBatch, until last: Int64, counts: inout BatchCounts
    ) throws(EventBatch.BatchError) {
        let places = cards.places(of: batch)
        let (reviewed, versions) = (CardReviewed.type, 1...CardReviewed.currentVersion)
        for index in 0..<batch.count {
            let frame = batch.frame(index)
            do throws(ByteError) {
                if let place = places[index], EventFrame.type(of: frame) == reviewed,
                    try takeReview(frame, ofCardAt: place, in: versions, until: last)
                {
                    counts.taken += 1
                    continue
                }
                let (header, payloadOffset) = try EventFrame.parse(frame)
                guard header.logicalTime.milliseconds <= last else { continue }
                counts.taken += 1
                let payload = frame.extracting(payloadOffset..<frame.byteCount)
                if fold(header, payload: payload, at: batch.position(index)) == .late { counts.outOfOrder += 1 }
            } catch { throw EventBatch.BatchError(position: batch.position(index), fault: error) }
        }
    }

    /// Takes in what nearly all events are, without the detours of the others: a review of a known card, in order, about which
    /// nothing else is said. False for every other review; nothing is changed then.
    @inline(__always)
    private mutating func takeReview(
        _ frame: RawSpan, ofCardAt place: Int, in versions: ClosedRange<UInt8>, until last: Int64
    ) throws(ByteError) -> Bool {
        let (header, payloadOffset) = try EventFrame.parse(frame)
        guard versions.contains(header.version), header.logicalTime.milliseconds <= last else { return false }
        let order = header.foldOrder
        guard cards[place].id == header.subject, cards[place].order < order, controls.isSilent(about: header), !rules.hasDeckRules else {
            return false
        }
        if let key = header.key, cards[place].hasTaken(key, at: header.logicalTime) { return false }
        let review: CardReviewed
        do throws(ByteError) {
            var reader = ByteReader(frame, at: payloadOffset)
            review = try CardReviewed(decoding: &reader, version: header.version)
            try reader.finish()
        } catch { return false }
        updateRulesCache(order)
        let moment = ZonedTime(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes)
        cards[place].order = order
        if let key = header.key { cards[place].note(key, at: order.logicalTime) }
        if rulesCache.isBoxes {
            cards[place].take(
                review, at: moment, in: rulesCache.boxes, rolloverHour: rulesCache.rules.rolloverHour, tallies: &tallies)
        } else {
            if rulesCache.rules.dating == .history { awaiting.insert(header.subject) }
            cards[place].take(review, at: moment, under: rulesCache.rules, tallies: &tallies, sign: 1)
        }
        if latest < order { latest = order }
        if !projections.isEmpty {
            projections.apply(
                ProjectedEvent(id: header.id, subject: header.subject, at: moment, content: .cardReviewed(review), order: order))
        }
        return true
    }

    private mutating func fold(
        _ header: EventHeader, payload: RawSpan, at position: EventPosition, order: FoldOrder, verdict: Controls.Verdict
    ) -> FoldOutcome {
        guard let kind = StudyEventKind(rawValue: header.type.rawValue) else {
            unknownEvents += 1
            return .folded
        }
        var projected: ProjectedEvent?
        if !projections.isEmpty {
            if isLate(header) { return .late }
            let card = kind.subject == .card ? cards.row(of: header.subject) : nil
            projected = self.projected(header, payload: payload, verdict: verdict, after: card)
        }
        let outcome: CardStep.Outcome
        switch kind.subject {
        case .card:
            if rules.hasDeckRules, destinations == nil, kind.decidesDeck { return .late }
            let place = cards.placeOrInsert(header.subject)
            updateRulesCache(order)
            let rules = rules.hasDeckRules ? deckRules(of: cards[place], at: order) : rulesCache.rules
            if rules.dating == .history, kind == .cardReviewed { awaiting.insert(header.subject) }
            let step = CardStep(kind: kind, header: header, verdict: verdict, rules: rules, position: position, sign: 1)
            outcome = step.take(payload, inOrder: order, into: &cards[place], tallies: &tallies)
        case .deck: outcome = decks.take(header, payload: payload, verdict: verdict, at: position)
        case .item:
            outcome = items.take(header, payload: payload, verdict: verdict, at: position)
            if kind == .questionAnswered, outcome == .taken { answers.add(header, payload: payload, verdict: verdict) }
        case .session: outcome = sessions.take(header, payload: payload, verdict: verdict, at: position)
        case .pack: outcome = packs.take(header, payload: payload, verdict: verdict, at: position)
        case .quiz: outcome = quizzes.take(header, payload: payload, verdict: verdict, at: position)
        case .app: outcome = apps.take(header, payload: payload, verdict: verdict, at: position)
        // An account of an import changes nothing; the others are controls, which go another way.
        case .none, .target: outcome = .taken
        }
        switch outcome {
        case .taken: if let projected { projections.apply(projected) }
        case .late: return .late
        case .unknown: unknownEvents += 1
        case .unreadable: unreadableEvents += 1
        }
        return .folded
    }

    @inline(__always)
    private mutating func updateRulesCache(_ order: FoldOrder) {
        if rulesCache.start <= order, order < rulesCache.end { return }
        rulesCache = rules.cache(around: order)
    }
}

/// One step of a card's fold: a pure function of the card, the event and the rules in force at the event's time.
struct CardStep {
    let kind: StudyEventKind
    let header: EventHeader
    let verdict: Controls.Verdict
    let rules: Rules
    let position: EventPosition
    /// 1 adds the step's contributions to the tallies, -1 takes them off.
    let sign: Int64

    /// What became of an event.
    enum Outcome {
        case taken
        /// It comes before an event that the card has taken already; nothing was changed.
        case late
        /// Its version isn't known.
        case unknown
        /// Its payload doesn't obey its schema.
        case unreadable
    }

    /// Takes the event into `card`, unless the card is further in the order already.
    @inline(__always)
    func take(_ payload: RawSpan, inOrder order: FoldOrder, into card: inout CardState, tallies: inout Tallies) -> Outcome {
        guard card.order < order else { return .late }
        card.order = order
        do throws(ByteError) {
            return try take(payload, into: &card, tallies: &tallies) ? .taken : .unknown
        } catch {
            return .unreadable
        }
    }

    /// Takes the event into `card` and what it contributes into `tallies`. False where its version isn't known.
    @inline(__always)
    func take(_ payload: RawSpan, into card: inout CardState, tallies: inout Tallies) throws(ByteError) -> Bool {
        // No schema ever had a version 0; a verification calls it invalid too.
        guard header.version >= 1 else { throw ByteError(.unknownFormat, offset: 0) }
        let doesCount = verdict.counts
        // A copy that doesn't count itself stands for no other.
        if doesCount, let key = header.key {
            if card.hasTaken(key, at: header.logicalTime) { return true }
            card.note(key, at: header.logicalTime)
        }
        var reader = ByteReader(payload)
        switch kind {
        case .cardReviewed:
            guard header.version <= CardReviewed.currentVersion else { return false }
            let review = try CardReviewed(decoding: &reader, version: header.version)
            try reader.finish()
            guard doesCount else { return true }
            self.review(review, &card, &tallies)
        case .cardPractised:
            guard header.version <= CardPractised.currentVersion else { return false }
            _ = try CardPractised(decoding: &reader, version: header.version)
            try reader.finish()
            guard doesCount else { return true }
            card.practised += 1
            tallies.countPractice(sign: sign)
        case .cardReset:
            guard header.version <= CardReset.currentVersion else { return false }
            try reader.finish()
            guard doesCount else { return true }
            comeNew(&card)
            card.flags.subtract([.passedLast, .failedLast])
        case .cardPlaced:
            guard header.version <= CardPlaced.currentVersion else { return false }
            let placed = try CardPlaced(decoding: &reader, version: header.version)
            try reader.finish()
            guard doesCount else { return true }
            place(placed, &card)
        default:
            guard try takeContent(payload, into: &card, counts: doesCount) else { return false }
            guard doesCount else { return true }
        }
        card.flags.insert(.known)
        return true
    }

    /// Creation, texts, deck, deletion: what the card is, not how it is learned.
    @inline(never)
    private func takeContent(_ payload: RawSpan, into card: inout CardState, counts: Bool) throws(ByteError) -> Bool {
        guard let event = try StudyEvent.decode(header, payload: payload) else { return false }
        guard counts else { return true }
        switch event {
        case .cardCreated(let created): create(created, &card)
        case .cardEdited(let edited):
            if edited.front != nil { card.frontAt = position }
            if edited.back != nil { card.backAt = position }
        case .cardMoved(let moved): card.deck = moved.deck
        case .cardDeleted: card.flags.insert(.deleted)
        case .cardRestored: card.flags.remove(.deleted)
        case .cardErased: card.flags.formUnion([.deleted, .erased])
        default: break
        }
        return true
    }

    private var studyDay: StudyDay {
        StudyDay.of(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes, rolloverHour: rules.rolloverHour)
    }

    private var moment: ZonedTime { ZonedTime(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes) }

    @inline(__always)
    private func review(_ review: CardReviewed, _ card: inout CardState, _ tallies: inout Tallies) {
        var review = review
        if case .corrected(let other) = verdict { review.grade = other }
        card.take(review, at: moment, under: rules, tallies: &tallies, sign: sign)
    }

    private func create(_ created: CardCreated, _ card: inout CardState) {
        // A second creation is a copy of the first, or an import of a card that is there: the first one stands.
        guard !card.flags.contains(.created) else { return }
        card.flags.insert(.created)
        card.deck = created.deck
        card.frontAt = position
        card.backAt = position
        card.createdAt = moment
        if !card.flags.contains(.scheduled) { comeNew(&card) }
    }

    private func comeNew(_ card: inout CardState) {
        card.memory = rules.current.newCard(on: studyDay)
        card.setDue(0, after: studyDay)
        card.flags.insert(.scheduled)
    }

    private func place(_ placed: CardPlaced, _ card: inout CardState) {
        let due = StudyDay(days: Int32(clamping: placed.dueDay))
        card.memory = rules.current.memory(
            placed: Placement(
                levelHalfSteps: Int64(clamping: placed.levelHalfSteps), intervalDays: Int(clamping: placed.intervalDays), due: due,
                day: studyDay))
        card.setDue(0, after: due)
        card.intervalDays = Int32(clamping: placed.intervalDays)
        card.flags.subtract([.passedLast, .failedLast])
        if placed.lastReviewedMilliseconds != nil, placed.intervalDays > 0 { card.flags.insert(.passedLast) }
        card.passed = Int64(clamping: placed.passed)
        card.failed = Int64(clamping: placed.failed)
        card.flags.insert(.scheduled)
        if let last = placed.lastReviewedMilliseconds {
            card.lastReviewedAt = ZonedTime(wallMilliseconds: last, zoneMinutes: header.zoneMinutes)
            card.flags.insert(.reviewed)
        }
    }
}

extension CardState {
    /// Takes a scheduled review in that counts, and what it contributes into `tallies`: 1 adds it, -1 takes it off.
    mutating func take(_ review: CardReviewed, at moment: ZonedTime, under rules: Rules, tallies: inout Tallies, sign: Int64) {
        let (day, hour) = moment.studyDayAndHour(rolloverHour: rules.rolloverHour)
        let box = rules.reader.box(of: memory)
        memory = rules.current.memory(after: Answer(review.grade, on: day), from: memory)
        switch rules.dating {
        case .memory: setDue(rules.reader.interval(of: memory), after: day)
        case .history: awaitHistory(in: rules.period)
        case .none: becomeUndated()
        }
        count(review, at: moment, day, hour, box: box, tallies: &tallies, sign: sign)
    }

    /// The same under boxes that were in force then as they are now, without a detour: nearly all of a long history.
    @inline(__always)
    fileprivate mutating func take(
        _ review: CardReviewed, at moment: ZonedTime, in boxes: borrowing BoxScheduler, rolloverHour: UInt8, tallies: inout Tallies
    ) {
        let (day, hour) = moment.studyDayAndHour(rolloverHour: rolloverHour)
        let box = boxes.box(of: boxes.level(of: memory))
        memory = boxes.memory(after: Answer(review.grade, on: day), from: memory)
        setDue(boxes.interval(of: memory), after: day)
        count(review, at: moment, day, hour, box: box, tallies: &tallies, sign: 1)
    }

    @inline(__always)
    private mutating func count(
        _ review: CardReviewed, at moment: ZonedTime, _ day: StudyDay, _ hour: Int, box: Int?, tallies: inout Tallies, sign: Int64
    ) {
        // A placement may have set a counter to the largest number there is.
        let isFailed: Int64 = review.grade == .again ? 1 : 0
        failed = failed.advancedUpToMaximum(by: isFailed)
        passed = passed.advancedUpToMaximum(by: 1 - isFailed)
        lastReviewedAt = moment
        // Written without branches, as a level is: nothing foretells a grade.
        let last = isFailed == 1 ? Flags.failedLast : Flags.passedLast
        flags = flags.subtracting([.passedLast, .failedLast]).union([.known, .scheduled, .reviewed]).union(last)
        tallies.count(
            review.grade, inBox: box, on: day, hour: hour, milliseconds: Int64(clamping: review.tookMilliseconds ?? 0),
            sign: sign)
        if let turned = review.turnedMilliseconds { tallies.countTurn(milliseconds: Int64(clamping: turned), sign: sign) }
    }

    /// The scheduler of that period will say when the card is due.
    @inline(never)
    private mutating func awaitHistory(in period: Int) {
        flags.remove(.undated)
        flags.insert(.awaitsHistory)
        intervalDays = Int32(clamping: period)
    }

    @inline(never)
    private mutating func becomeUndated() {
        intervalDays = 0
        dueDay = .max
        flags.remove(.awaitsHistory)
        flags.insert(.undated)
    }

    /// Whether the row of `key` was taken already, by way of another origin.
    ///
    /// All copies of a row have one logical time, and no two rows of a card do, so they come one after the other.
    @inline(__always)
    func hasTaken(_ key: UniqueID, at time: LogicalTime) -> Bool { rowTime == time && rowKey == key.low }

    @inline(__always)
    mutating func note(_ key: UniqueID, at time: LogicalTime) {
        rowTime = time
        rowKey = key.low
    }
}

extension Int64 {
    /// That much more, 0 or 1; the largest number stays itself.
    fileprivate func advancedUpToMaximum(by step: Int64) -> Int64 { self == .max ? self : self &+ step }
}
