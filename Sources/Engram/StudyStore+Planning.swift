internal import EventCoding
internal import EventLog
internal import JSONText
internal import LMDB
internal import Scheduling
internal import StudyModel
internal import StudyProjections

/// What each action becomes, and when it isn't right. The events say what happened; whether it may happen is told here,
/// on the newest state, before anything is written.
extension StudyStore {
    func plan(
        _ action: Action, at moment: ZonedTime, _ projection: LiveProjection, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) -> [PlannedEvent] {
        let state = projection.state
        switch action {
        case .deck(let action): return [try plan(action, state)]
        case .card(let action): return [try plan(action, state, transaction)].compactMap(\.self)
        case .event(let action): return [try plan(action, at: moment, projection, transaction)]
        case .setFavourite(let id, let kind, let on):
            if kind == .card { _ = try liveCard(id, state) } else { try check(id, isItemOf: kind, state, transaction) }
            // What is so already needs no event.
            guard (state.item(id)?.isFavourite ?? false) != on else { return [] }
            return [PlannedEvent(event: .favouriteSet(FavouriteSet(kind: kind, on: on)), subject: id)]
        case .dismissMistake(let id, let kind):
            guard let item = state.item(id), item.isMistake, item.kind == kind else { throw .notFound(.item, name: id.description) }
            return [PlannedEvent(event: .mistakeDismissed(MistakeDismissed(kind: kind)), subject: id)]
        case .record(let event, let subject):
            try check(event, about: subject, state)
            return [PlannedEvent(event: .appEvent(event), subject: subject)]
        case .configureScheduler(let scheduler, let deck):
            guard scheduler.isKnown else {
                throw .badValue(field: "scheduler", value: scheduler.name, allowed: "one that this program knows")
            }
            let configured = SchedulerConfigured(
                scheduler: scheduler.name, revision: UInt64(scheduler.revision),
                parameters: scheduler.parameters.map { SchedulerParameter(name: $0.name, value: $0.value) },
                deck: try deck.map { (id) throws(StoreError) in try liveDeck(id, state).id })
            return [PlannedEvent(event: .schedulerConfigured(configured), subject: .none)]
        case .configureDay(let hour):
            guard (0...23).contains(hour) else {
                throw .badValue(field: "rollover hour", value: "\(hour)", allowed: "a whole hour from 0 to 23")
            }
            return [PlannedEvent(event: .dayConfigured(DayConfigured(rolloverHour: UInt64(hour))), subject: .none)]
        }
    }

    private func plan(_ action: DeckAction, _ state: StudyState) throws(StoreError) -> PlannedEvent {
        switch action {
        case .create(let title, let colour):
            try check(title, "the title", isRequired: true)
            return PlannedEvent(event: .deckCreated(DeckCreated(title: title, colour: colour.map { UInt64($0.rgb) })), subject: newID())
        case .rename(let id, let title):
            try check(title, "the title", isRequired: true)
            return PlannedEvent(event: .deckRenamed(DeckRenamed(title: title)), subject: try liveDeck(id, state).id)
        case .recolour(let id, let colour):
            let recoloured = DeckRecoloured(colour: colour.map { UInt64($0.rgb) })
            return PlannedEvent(event: .deckRecoloured(recoloured), subject: try liveDeck(id, state).id)
        case .delete(let id): return PlannedEvent(event: .deckDeleted(DeckDeleted()), subject: try liveDeck(id, state).id)
        }
    }

    /// `nil` where there is nothing left to do.
    private func plan(
        _ action: CardAction, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) -> PlannedEvent? {
        switch action {
        case .create(let deck, let front, let back):
            try check(front, "the front", isRequired: true)
            try check(back, "the back", isRequired: false)
            let created = CardCreated(deck: try liveDeck(deck, state).id, front: front, back: back)
            return PlannedEvent(event: .cardCreated(created), subject: newID())
        case .edit(let id, let front, let back):
            guard front != nil || back != nil else { throw .emptyText(field: "the edit: give a front, a back or both; it") }
            if let front { try check(front, "the front", isRequired: true) }
            if let back { try check(back, "the back", isRequired: false) }
            return PlannedEvent(event: .cardEdited(CardEdited(front: front, back: back)), subject: try liveCard(id, state).id)
        case .move(let id, let deck):
            let moved = CardMoved(deck: try liveDeck(deck, state).id)
            return PlannedEvent(event: .cardMoved(moved), subject: try liveCard(id, state).id)
        case .delete(let id): return PlannedEvent(event: .cardDeleted(CardDeleted()), subject: try liveCard(id, state).id)
        case .restore(let id): return try planRestoring(id, state)
        case .erase(let id): return try planErasing(id, state, transaction)
        case .place(let id, let placed): return PlannedEvent(event: .cardPlaced(placed), subject: try liveCard(id, state).id)
        case .reset(let id): return PlannedEvent(event: .cardReset(CardReset()), subject: try liveCard(id, state).id)
        case .review(let id, let grade, let took, let turned):
            try checkDuration(took)
            try checkDuration(turned, within: took)
            let review = CardReviewed(
                grade: grade, tookMilliseconds: took.map { UInt64($0) }, turnedMilliseconds: turned.map { UInt64($0) })
            return PlannedEvent(event: .cardReviewed(review), subject: try liveCard(id, state).id)
        case .practise(let id, let grade, let took):
            try checkDuration(took)
            let practice = CardPractised(grade: grade, tookMilliseconds: took.map { UInt64($0) })
            return PlannedEvent(event: .cardPractised(practice), subject: try liveCard(id, state).id)
        }
    }

    private func planRestoring(_ id: UniqueID, _ state: StudyState) throws(StoreError) -> PlannedEvent {
        guard let card = state.card(id), card.flags.contains(.created) else { throw .notFound(.card, name: id.description) }
        guard !card.flags.contains(.erased) else {
            throw .badValue(field: "card", value: id.description, allowed: "one whose texts weren't erased: nothing is left to restore")
        }
        guard card.flags.contains(.deleted) else {
            throw .badValue(
                field: "card", value: id.description, allowed: "one that was deleted by itself; undo or void the deletion of its deck")
        }
        return PlannedEvent(event: .cardRestored(CardRestored()), subject: id)
    }

    /// Where nothing is left to do nothing is said. Where something is, an event must say that others have moved.
    private func planErasing(
        _ id: UniqueID, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) -> PlannedEvent? {
        let isOfApp = state.card(id) == nil && state.hasAppEvents(about: id)
        let event = PlannedEvent(event: isOfApp ? .subjectErased(SubjectErased()) : .cardErased(CardErased()), subject: id)
        try check(id, isKnown: state, transaction)
        guard state.isErased(id) else { return event }
        let isDone: Bool
        do throws(LogError) { isDone = try log.countTexts(of: [id], by: Self.textRules, transaction) == 0 } catch {
            throw StoreError(error, path: path)
        }
        return isDone ? nil : event
    }

    /// Throws where nothing of a card is known, neither by the state nor by an event that doesn't count.
    private func check(
        _ card: UniqueID, isKnown state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) {
        guard state.card(card) == nil else { return }
        let found = try inLog(log.subjectsOfTexts(by: Self.textRules, transaction) { $0 == card })
        guard !found.isEmpty else { throw .notFound(.card, name: card.description) }
    }

    private func plan(
        _ action: EventAction, at moment: ZonedTime, _ projection: LiveProjection, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) -> PlannedEvent {
        let state = projection.state
        switch action {
        case .void(let id):
            let target = try event(id, transaction)
            guard target.header.type != HistoryImported.type else {
                throw .notCorrectable(id, why: "it only tells of an import; void the imported events themselves")
            }
            guard !target.header.type.isErasure else {
                throw .notCorrectable(id, why: "it erased texts, and they are gone")
            }
            guard target.header.type != EventHeld.type, target.header.type != EventReleased.type else {
                throw .notCorrectable(id, why: "it holds an event back or lets it go; release that event")
            }
            guard state.controls.verdict(on: target.header) != .voided else {
                throw .notCorrectable(id, why: "it is voided already; void the void to bring it back")
            }
            try check(target, isBefore: moment, projection.heads, transaction)
            return PlannedEvent(
                event: .actionVoided(ActionVoided(target: id, targetKey: target.header.key)), subject: target.header.subject)
        case .correct(let id, let grade):
            let target = try event(id, transaction)
            guard target.header.type == CardReviewed.type || target.header.type == CardPractised.type else {
                throw .notCorrectable(id, why: "only an answer has a grade")
            }
            try check(target, isBefore: moment, projection.heads, transaction)
            return PlannedEvent(
                event: .answerCorrected(AnswerCorrected(target: id, grade: grade, targetKey: target.header.key)),
                subject: target.header.subject)
        case .release(let id):
            let target = try event(id, transaction)
            guard state.controls.verdict(on: target.header) == .held else {
                throw .notCorrectable(id, why: "it isn't held back")
            }
            return PlannedEvent(event: .eventReleased(EventReleased(target: id)), subject: target.header.subject)
        }
    }

    /// Throws where an event of `moment` would come before `target` in the order of folds, so that it couldn't touch it: the
    /// target was released although its time lies ahead.
    private func check(
        _ target: RecordedEvent, isBefore moment: ZonedTime, _ heads: LogHeads, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) {
        let local = try inLog(log.localOrigin(transaction))
        let origin = local.flatMap { log.isOwn($0, transaction) ? $0.origin : nil } ?? OriginID(rawValue: 0)
        let time = heads.nextLogicalTime(
            of: origin, wallMilliseconds: moment.wallMilliseconds, tolerance: CommitLog.clockToleranceMilliseconds)
        guard let time, time > target.header.logicalTime else {
            throw .notCorrectable(target.header.id, why: "its time lies more than a day ahead; it can be once the clock is there")
        }
    }

    private func event(_ id: EventID, _ transaction: borrowing ReadTransaction) throws(StoreError) -> RecordedEvent {
        let found = try inLog(log.event(id, transaction))
        guard let found else { throw .notFound(.event, name: id.description) }
        return found
    }

    private func liveDeck(_ id: UniqueID, _ state: StudyState) throws(StoreError) -> DeckState {
        guard let deck = state.deck(id) else { throw .notFound(.deck, name: id.description) }
        guard deck.isLive else { throw .deleted(.deck, id: id) }
        return deck
    }

    private func liveCard(_ id: UniqueID, _ state: StudyState) throws(StoreError) -> CardState {
        guard let card = state.card(id), card.flags.contains(.created) else { throw .notFound(.card, name: id.description) }
        guard state.isLive(card) else { throw .deleted(.card, id: id) }
        return card
    }

    private func check(_ text: String, _ field: String, isRequired: Bool) throws(StoreError) {
        let count = text.utf8.count
        guard count <= FieldLimit.textBytes else { throw .textTooLong(field: field, bytes: count, limit: FieldLimit.textBytes) }
        guard !isRequired || text.showsSomething else { throw .emptyText(field: field) }
    }

    private func check(_ event: AppEvent, about subject: UniqueID, _ state: StudyState) throws(StoreError) {
        try check(event.name, "the event's name", isRequired: true)
        guard subject != .none else { throw .badValue(field: "subject", value: subject.description, allowed: "the identity of something") }
        guard !state.isErased(subject) else {
            throw .badValue(field: "subject", value: subject.description, allowed: "one whose texts weren't erased for good")
        }
        guard event.text == nil || event.bytes == nil else {
            throw .badValue(field: "bytes", value: "\(event.bytes?.count ?? 0) bytes", allowed: "none beside a text")
        }
        guard let text = event.text else { return }
        try check(text, "the text", isRequired: false)
        do throws(JSONError) { _ = try JSONValue(parsing: Array(text.utf8)) } catch {
            throw .badValue(field: "text", value: "", allowed: "JSON: \(error.description)")
        }
    }

    /// Throws where no answer can take so long, or where a part of one would take longer than `whole`.
    func checkDuration(_ milliseconds: Int64?, within whole: Int64? = nil) throws(StoreError) {
        guard let milliseconds else { return }
        let longest = whole ?? Self.longestAnswerMilliseconds
        guard (0...longest).contains(milliseconds) else {
            throw .badValue(field: "the duration", value: "\(milliseconds)", allowed: "from 0 to \(longest) milliseconds")
        }
    }
}

extension StudyStore {
    /// An answer takes a day at most.
    public static let longestAnswerMilliseconds: Int64 = 86_400_000
}

extension String {
    /// Whether it has more than white space and characters that nobody sees.
    fileprivate var showsSomething: Bool {
        unicodeScalars.contains {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
        }
    }
}
