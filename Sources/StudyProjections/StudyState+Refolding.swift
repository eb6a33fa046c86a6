package import EventCoding
package import Scheduling
internal import StudyModel

extension StudyState {
    /// What a control event touches.
    package enum ControlReach: Hashable, Sendable {
        /// The entity of that identity: retract it before ``admit(_:payload:)``, fold it anew after.
        case entity(UniqueID)
        /// Nothing that was folded so far: admit it and go on.
        case nothing
        /// Rules under which events were folded already: everything must be folded anew.
        case everything
    }

    /// What a control event will touch once it is admitted.
    package func reach(of header: EventHeader, payload: RawSpan) -> ControlReach {
        guard let event = try? StudyEvent.decode(header, payload: payload) else { return .nothing }
        switch event {
        case .actionVoided, .answerCorrected, .eventHeld, .eventReleased:
            return mayTouchRules(header) ? .everything : .entity(header.subject)
        case .schedulerConfigured, .dayConfigured:
            return latest < header.foldOrder && !changesMemories(event) ? .nothing : .everything
        default: return .nothing
        }
    }

    /// Whether cards have to be folded again under what an event sets, if it comes to be in force.
    private func changesMemories(_ event: StudyEvent) -> Bool {
        guard case .schedulerConfigured(let configured) = event, !rules.isOverridden else { return false }
        let scheduler = scheduler(of: configured)
        let current = configured.deck.map { rules.current(in: $0).scheduler } ?? rules.current.scheduler
        return scheduler != current && (rules.isReadByCurrent || !scheduler.hasSameMemory(as: current))
    }

    private func scheduler(of configured: SchedulerConfigured) -> ConfiguredScheduler {
        schedulers.recorded(
            name: configured.scheduler, revision: Int(clamping: configured.revision),
            parameters: configured.parameters.map { ($0.name, $0.value) })
    }

    /// Whether a control may be about a setting, or about a control of one. Settings are about the whole store, but nothing
    /// keeps another program from writing one under some subject.
    private func mayTouchRules(_ header: EventHeader) -> Bool {
        header.subject == .none || rules.hasSetting(about: header.subject)
    }

    /// Takes a control event in: from now on events count as it says.
    package mutating func admit(_ header: EventHeader, payload: RawSpan) {
        if latest < header.foldOrder { latest = header.foldOrder }
        let event: StudyEvent?
        do throws(ByteError) {
            event = try StudyEvent.decode(header, payload: payload)
        } catch {
            unreadableEvents += 1
            return
        }
        switch event {
        case .actionVoided(let voided): admit(.void, voided.target, voided.targetKey, header)
        case .answerCorrected(let corrected): admit(.correct(corrected.grade), corrected.target, corrected.targetKey, header)
        case .eventHeld(let held): admit(.hold, held.target, nil, header)
        case .eventReleased(let released): admit(.release, released.target, nil, header)
        case .schedulerConfigured(let configured):
            let scheduler = scheduler(of: configured)
            if !scheduler.isKnown { unknownEvents += 1 }
            insert(.scheduler(scheduler), deck: configured.deck, header)
        case .dayConfigured(let configured): insert(.rolloverHour(UInt8(clamping: configured.rolloverHour)), header)
        case nil: unknownEvents += 1
        default: break
        }
    }

    private mutating func admit(_ effect: Control.Effect, _ target: EventID, _ key: UniqueID?, _ header: EventHeader) {
        controls.insert(
            Control(effect: effect, target: target, targetKey: key, subject: header.subject, order: header.foldOrder))
        if mayTouchRules(header) { rebuildRules() }
    }

    private mutating func insert(_ change: Setting.Change, deck: UniqueID? = nil, _ header: EventHeader) {
        rules.insert(Setting(change: change, deck: deck, header: header), controls: controls)
        rulesCache = RulesCache()
    }

    private mutating func rebuildRules() {
        rules.rebuild(controls: controls)
        rulesCache = RulesCache()
    }

    /// Takes off all that the entity of `subject` has contributed, given every event of its timeline that was folded.
    ///
    /// Call it before anything changes, then ``refold(_:timeline:)``. Complexity: O(events of the entity).
    package mutating func retract(_ subject: UniqueID, timeline: [RecordedEvent]) {
        let timeline = timeline.sorted { $0.header.foldOrder < $1.header.foldOrder }
        var scratch = CardState(id: subject)
        foldCard(timeline, into: &scratch, sign: -1)
        if !projections.isEmpty { projections.retract(projected(timeline)) }
        for event in timeline where event.header.type == QuestionAnswered.type {
            let header = event.header
            let decoded = try? StudyEvent.decode(header, payload: event.payload.rawSpan)
            if case .questionAnswered(let answered) = decoded { answers.remove(header.foldOrder, from: answered.quiz) }
        }
    }

    /// Folds the entity of `subject` from the beginning of its `timeline`, whose events may come in any order.
    ///
    /// Complexity: O(n log n) for n events of the entity.
    package mutating func refold(_ subject: UniqueID, timeline: [RecordedEvent]) {
        let timeline = timeline.sorted { $0.header.foldOrder < $1.header.foldOrder }
        var card = CardState(id: subject)
        foldCard(timeline, into: &card, sign: 1)
        for event in timeline {
            let header = event.header
            let verdict = controls.verdict(on: header)
            if latest < header.foldOrder, verdict != .held { latest = header.foldOrder }
            if header.type == QuestionAnswered.type { answers.add(header, payload: event.payload.rawSpan, verdict: verdict) }
        }
        cards.replace(card)
        decks.refold(subject, timeline, .deck, controls)
        items.refold(subject, timeline, .item, controls)
        sessions.refold(subject, timeline, .session, controls)
        packs.refold(subject, timeline, .pack, controls)
        quizzes.refold(subject, timeline, .quiz, controls)
        apps.refold(subject, timeline, .app, controls)
        if !projections.isEmpty { for event in projected(timeline) { projections.apply(event) } }
    }

    /// Folds the events of a timeline, which is in fold order, that a card's own fold takes.
    private mutating func foldCard(_ timeline: [RecordedEvent], into card: inout CardState, sign: Int64) {
        let deck = destination(of: timeline)
        for event in timeline {
            let rules = rules.rules(at: event.header.foldOrder, in: card.deck, now: deck)
            apply(event, under: rules, to: &card, &tallies, sign: sign)
        }
        settle(&card, timeline)
    }

    /// Applies an event of a card's timeline, if it belongs to the card's own fold.
    func apply(_ event: RecordedEvent, under rules: Rules, to card: inout CardState, _ tallies: inout Tallies, sign: Int64 = 1) {
        guard let kind = event.header.type.kind(about: .card) else { return }
        let step = CardStep(
            kind: kind, header: event.header, verdict: controls.verdict(on: event.header), rules: rules, position: event.position,
            sign: sign)
        _ = try? step.take(event.payload.rawSpan, into: &card, tallies: &tallies)
        card.order = event.header.foldOrder
    }

    /// Finds the due day of a card whose last answer was given under a scheduler that keeps another memory than the one in force now:
    /// that scheduler folds the whole history up to that answer. Complexity: O(events of the card).
    private func settle(_ card: inout CardState, _ timeline: [RecordedEvent]) {
        guard card.flags.contains(.awaitsHistory) else { return }
        let then = standing(by: rules.rules(ofPeriod: Int(card.intervalDays)).scheduler, after: timeline)
        card.setDue(then)
    }

    /// How a card stands after the events of its timeline where one scheduler was always in force.
    func standing(by scheduler: ConfiguredScheduler, after timeline: some Sequence<RecordedEvent>) -> CardState {
        var card = CardState(id: .none)
        var scratch = Tallies()
        for event in timeline {
            let rules = Rules(scheduler: scheduler, rolloverHour: rules.rules(at: event.header.foldOrder).rolloverHour)
            apply(event, under: rules, to: &card, &scratch)
        }
        return card
    }

    /// Finds the due days that take a card's history, once all new events are folded: those of few cards.
    ///
    /// - Parameter timeline: gives every event of a card, in any order.
    package mutating func settle<Failure: Error>(
        timeline: (UniqueID) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) {
        for id in awaiting.sorted() {
            guard let index = cards.place(of: id), cards[index].flags.contains(.awaitsHistory) else { continue }
            settle(&cards[index], try timeline(id).sorted { $0.header.foldOrder < $1.header.foldOrder })
        }
        awaiting = []
    }

    /// The same for the cards of a whole log.
    ///
    /// - Parameter state: gives the state of the same log folded under one scheduler from beginning to end.
    /// - Complexity: a fold for each scheduler under which cards were answered last, and which keeps a memory of its own.
    package mutating func settle<Failure: Error>(
        byFolding state: (ConfiguredScheduler) throws(Failure) -> StudyState
    ) throws(Failure) {
        var waiting: [ConfiguredScheduler: [Int]] = [:]
        for id in awaiting {
            guard let index = cards.place(of: id), cards[index].flags.contains(.awaitsHistory) else { continue }
            waiting[rules.rules(ofPeriod: Int(cards[index].intervalDays)).scheduler, default: []].append(index)
        }
        for (scheduler, indices) in waiting {
            let other = try state(scheduler)
            for index in indices { if let card = other.cards.row(of: cards[index].id) { cards[index].setDue(card) } }
        }
        awaiting = []
    }
}

extension EventType {
    /// The kind of an event of this type, if it belongs to the fold of such a thing; `nil` for every other type.
    func kind(about subject: EventSubject) -> StudyEventKind? {
        StudyEventKind(rawValue: rawValue).flatMap { $0.subject == subject ? $0 : nil }
    }
}
