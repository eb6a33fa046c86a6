public import EventCoding
internal import EventLog
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections

/// An event that an action wants written, and what it is about.
struct PlannedEvent {
    let event: StudyEvent
    let subject: UniqueID
}

extension StudyStore {
    /// Does `action` at `moment`: checks it against the newest state, and writes it as one durable commit.
    ///
    /// - Parameters:
    ///   - action: what was done.
    ///   - moment: the wall clock and its zone at the time of the action.
    ///   - key: names the action. The same key again returns the first result and writes nothing, whenever and in whatever
    ///     process it comes, so a caller who doesn't know whether an action was taken can simply do it again.
    /// - Throws: ``StoreError``; nothing was changed then.
    /// - Complexity: one small commit; for a void or a correction, the events of its entity too.
    @discardableResult
    public func perform(_ action: Action, at moment: ZonedTime, key: String? = nil) throws(StoreError) -> ActionResult {
        var result = try perform(at: moment, key: key) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            try self.plan(action, at: moment, projection, transaction.reader)
        }
        if case .card(.erase) = action { result.isCleared = try isCleared() }
        return result
    }

    /// Takes back the last action of this device that still counts, whatever it was. Called again, the one before it.
    ///
    /// - Throws: ``StoreError/nothingToUndo`` where there is none.
    @discardableResult
    public func undo(at moment: ZonedTime, key: String? = nil) throws(StoreError) -> (result: ActionResult, targets: [EventID]) {
        var targets: [EventID] = []
        let result = try perform(at: moment, key: key) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            let last = try self.lastAction(projection, transaction.reader)
            targets = last.map(\.header.id)
            return last.map {
                PlannedEvent(event: .actionVoided(ActionVoided(target: $0.header.id, targetKey: $0.header.key)), subject: $0.header.subject)
            }
        }
        return (result, targets)
    }

    /// Writes what `plan` makes of the newest state, as one durable commit.
    @discardableResult
    func perform(
        at moment: ZonedTime, key: String? = nil,
        plan: (LiveProjection, inout WriteTransaction) throws(StoreError) -> [PlannedEvent]
    ) throws(StoreError) -> ActionResult {
        try check(moment)
        Interruption.shield { tryHeldAside(at: moment) }
        let actionKey = key.map { uniqueID(namespace: "action", [$0]) }
        return try writing { (transaction, projection) throws(StoreError) -> ActionResult in
            if let actionKey, let earlier = try inLog(self.result(ofAction: actionKey, transaction.reader)) { return earlier }
            let planned = try plan(projection, &transaction)
            guard let first = planned.first else { return ActionResult(events: [], subject: .none, isNew: false) }
            var heads = projection.heads
            let ids = try self.append(planned, at: moment, key: actionKey, heads: &heads, &transaction)
            return ActionResult(events: ids, subject: first.subject, isNew: true)
        } isThere: { result, heads in
            result.events.allSatisfy { heads[$0.origin].events >= $0.number }
        }
    }

    /// Throws where no event can have that time and zone.
    func check(_ moment: ZonedTime) throws(StoreError) {
        guard LogicalTime.wallMillisecondsRange.contains(moment.wallMilliseconds) else {
            throw .momentOutOfRange(milliseconds: moment.wallMilliseconds)
        }
        guard EventHeader.zoneRange.contains(moment.zoneMinutes) else {
            throw StoreError(.zoneOutOfRange(minutes: moment.zoneMinutes), path: path)
        }
    }

    /// Appends the events of one action of this device as one commit.
    func append(
        _ planned: [PlannedEvent], at moment: ZonedTime, key: UniqueID?, heads: inout LogHeads, _ transaction: inout WriteTransaction
    ) throws(StoreError) -> [EventID] {
        var events: [NewEvent] = []
        for item in planned {
            do throws(SchemaError) { try item.event.validate() } catch { throw StoreError(error) }
            events.append(
                NewEvent(
                    type: item.event.type, version: item.event.writtenVersion, subject: item.subject,
                    wallMilliseconds: moment.wallMilliseconds, zoneMinutes: moment.zoneMinutes,
                    payload: item.event.encodedPayload(version: item.event.writtenVersion)))
        }
        do throws(LogError) {
            let origin = try ownOrigin(&transaction)
            let erased = try cardsToErase(by: planned, transaction.reader)
            let ids = try log.append(events, origin: origin, key: key, heads: &heads, marking: mark, &transaction)
            _ = try eraseTexts(of: erased, &transaction)
            return ids
        } catch { throw StoreError(error, path: path) }
    }

    /// What of a new event may be erased one day, by its schema: every event that is written gets its mark here.
    func mark(_ event: NewEvent) -> Erasure? {
        let count = StudyEvent.erasableByteCount(type: event.type, version: event.version, payload: event.payload.rawSpan)
        return count > 0 ? .possible(count: count, salt: newID()) : nil
    }

    /// The origin of this device; a new one where the store is a copy of another that may go on by itself.
    func ownOrigin(_ transaction: inout WriteTransaction) throws(LogError) -> OriginID {
        let local = try log.localOrigin(transaction.reader)
        if let local, log.isOwn(local, transaction.reader), !local.origin.isPlaceholder { return local.origin }
        let origin = Self.newOrigin(configuration)
        try log.setLocalOrigin(origin, &transaction)
        return origin
    }

    private func result(ofAction key: UniqueID, _ transaction: borrowing ReadTransaction) throws(LogError) -> ActionResult? {
        guard let sequence = try log.sequence(ofAction: key, transaction) else { return nil }
        var ids: [EventID] = []
        var subject = UniqueID.none
        try log.forEachEvent(inCommits: sequence...sequence, transaction) { header, _, _ in
            if ids.isEmpty { subject = header.subject }
            ids.append(header.id)
        }
        return ActionResult(events: ids, subject: subject, isNew: false)
    }

    /// The events of this device's last action that still count and can be taken back.
    private func lastAction(_ projection: LiveProjection, _ transaction: borrowing ReadTransaction) throws(StoreError)
        -> [RecordedEvent]
    {
        let controls = projection.state.controls
        var found: [RecordedEvent] = []
        do throws(LogError) {
            guard let local = try log.localOrigin(transaction) else { throw .noStoreRecord(path: path) }
            try log.forEachCommitBackwards(transaction) { (sequence, commit) throws(LogError) in
                do throws(ByteError) {
                    var frames = try Commit.frames(of: commit)
                    while let frame = try frames.next() {
                        let event = try frame.intactEvent()
                        guard event.header.id.origin == local.origin else { return true }
                        if Self.isUndoable(event.header.type), controls.verdict(on: event.header) != .voided {
                            found.append(event.recorded(in: sequence))
                        }
                    }
                    try frames.finish()
                } catch { throw .malformed(sequence: sequence, error) }
                return found.isEmpty
            }
        } catch { throw StoreError(error, path: path) }
        guard !found.isEmpty else { throw .nothingToUndo }
        return found
    }

    /// Undo passes over what takes back, holds and releases, over accounts of imports, and over what can't be brought back.
    private static func isUndoable(_ type: EventType) -> Bool {
        switch type {
        case ActionVoided.type, EventHeld.type, EventReleased.type, HistoryImported.type, CardErased.type, SubjectErased.type: false
        default: true
        }
    }
}

extension StoreError {
    /// What a value that its schema doesn't allow is to somebody who asked for an action.
    init(_ fault: SchemaError) {
        self = .badValue(field: fault.field, value: "", allowed: fault.detail)
    }
}
