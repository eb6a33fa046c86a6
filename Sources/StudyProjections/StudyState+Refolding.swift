package import EventCoding
internal import Scheduling
internal import StudyModel

/// An event with bytes of its own, as a timeline holds it.
package struct TimelineEvent: Sendable {
    package let header: EventHeader
    package let payload: [UInt8]
    package let position: EventPosition

    package init(header: EventHeader, payload: [UInt8], position: EventPosition) {
        self.header = header
        self.payload = payload
        self.position = position
    }
}

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
        guard let event = try? StudyEvent.decode(type: header.type, version: header.version, payload: payload) else { return .nothing }
        switch event {
        case .actionVoided, .answerCorrected, .eventHeld, .eventReleased:
            return header.subject == .none ? .everything : .entity(header.subject)
        case .schedulerConfigured, .dayConfigured:
            return latest < header.foldOrder ? .nothing : .everything
        default: return .nothing
        }
    }

    /// Takes a control event in: from now on events count as it says.
    package mutating func admit(_ header: EventHeader, payload: RawSpan) {
        if latest < header.foldOrder { latest = header.foldOrder }
        let event: StudyEvent?
        do throws(ByteFault) {
            event = try StudyEvent.decode(type: header.type, version: header.version, payload: payload)
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
            let scheduler = try? Scheduler(
                name: configured.scheduler, revision: Int(clamping: configured.revision),
                parameters: configured.parameters.map { ($0.name, $0.value) })
            if let scheduler { insert(.scheduler(scheduler), header) } else { unknownEvents += 1 }
        case .dayConfigured(let configured): insert(.rolloverHour(UInt8(clamping: configured.rolloverHour)), header)
        case nil: unknownEvents += 1
        default: break
        }
    }

    private mutating func admit(_ effect: Control.Effect, _ target: EventID, _ key: UniqueID?, _ header: EventHeader) {
        controls.insert(
            Control(effect: effect, target: target, targetKey: key, subject: header.subject, order: header.foldOrder))
        // A control about the whole store may be about a setting.
        if header.subject == .none { rebuildRules() }
    }

    private mutating func insert(_ change: Setting.Change, _ header: EventHeader) {
        rules.insert(Setting(change: change, header: header), controls: controls)
        rulesCache = RulesCache()
    }

    private mutating func rebuildRules() {
        rules.rebuild(controls: controls)
        rulesCache = RulesCache()
    }

    /// Takes off all that the entity of `subject` has contributed, given every event of its timeline that was folded.
    ///
    /// Call it before anything changes, then ``refold(_:timeline:)``. Complexity: O(events of the entity).
    package mutating func retract(_ subject: UniqueID, timeline: [TimelineEvent]) {
        var scratch = CardState(id: subject)
        foldCard(timeline, into: &scratch, sign: -1)
    }

    /// Folds the entity of `subject` from the beginning of its `timeline`, whose events may come in any order.
    ///
    /// Complexity: O(n log n) for n events of the entity.
    package mutating func refold(_ subject: UniqueID, timeline: [TimelineEvent]) {
        var card = CardState(id: subject)
        var deck = DeckState(id: subject)
        var item = ItemState(id: subject)
        foldCard(timeline, into: &card, sign: 1)
        for event in timeline.sorted(by: { $0.header.foldOrder < $1.header.foldOrder }) {
            let header = event.header
            let verdict = controls.verdict(on: header)
            if latest < header.foldOrder, verdict != .held { latest = header.foldOrder }
            let bytes = event.payload
            switch header.type {
            case DeckCreated.type, DeckRenamed.type, DeckRecoloured.type, DeckDeleted.type:
                _ = try? deck.take(header, payload: bytes.rawSpan, verdict: verdict)
                deck.order = header.foldOrder
            case FavouriteSet.type, MistakeDismissed.type, QuestionAnswered.type:
                _ = try? item.take(header, payload: bytes.rawSpan, verdict: verdict)
                item.order = header.foldOrder
            default: break
            }
        }
        if let place = cards.place(of: subject) { cards[place] = card } else if card.flags.contains(.known) { add(card) }
        if let place = decks.place(of: subject) { decks[place] = deck } else if deck.isCreated { add(deck) }
        if let place = items.place(of: subject) { items[place] = item } else if item.kind != nil || item.isListed { add(item) }
    }

    private mutating func add(_ card: CardState) {
        let place = cards.placeOrInsert(card.id)
        cards[place] = card
    }

    private mutating func add(_ deck: DeckState) {
        let place = decks.placeOrInsert(deck.id)
        decks[place] = deck
    }

    private mutating func add(_ item: ItemState) {
        let place = items.placeOrInsert(item.id)
        items[place] = item
    }

    private mutating func foldCard(_ timeline: [TimelineEvent], into card: inout CardState, sign: Int64) {
        for event in timeline.sorted(by: { $0.header.foldOrder < $1.header.foldOrder }) where Self.isOfCard(event.header.type) {
            let step = CardStep(
                header: event.header, verdict: controls.verdict(on: event.header), rules: rules.rules(at: event.header.foldOrder),
                position: event.position, sign: sign)
            let bytes = event.payload
            _ = try? step.take(bytes.rawSpan, into: &card, tallies: &tallies)
            card.order = event.header.foldOrder
        }
    }

    static func isOfCard(_ type: EventType) -> Bool {
        switch type {
        case CardReviewed.type, CardPractised.type, CardCreated.type, CardEdited.type, CardMoved.type, CardDeleted.type,
            CardRestored.type, CardPlaced.type, CardReset.type:
            true
        default: false
        }
    }
}
