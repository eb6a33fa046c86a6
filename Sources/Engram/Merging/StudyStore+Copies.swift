internal import EventCoding
internal import EventLog
internal import LMDB
internal import StudyModel

extension StudyStore {
    /// What must be written where a salvaged copy of an event and the event itself have met: the copy is held back, so that every
    /// device counts the event once, and as others said of it. Complexity: O(events), and constant where nothing was ever salvaged.
    func copiesToHold(_ heads: LogHeads, _ transaction: borrowing ReadTransaction) throws(LogError) -> [PlannedEvent] {
        guard heads.origins.keys.contains(where: RescuedOrigin.isOne) else { return [] }
        var copies: [(id: EventID, subject: UniqueID)] = []
        var held: Set<EventID> = []
        try log.forEachEvent(inCommits: 1...max(1, heads.sequence), transaction) { header, payload, _ in
            if header.type == EventHeld.type {
                if let event = try? EventHeld.decode(payload, version: header.version) { held.insert(event.target) }
            } else if RescuedOrigin.isOne(header.id.origin), let key = header.key, let original = RescuedOrigin.event(of: key),
                heads[original.origin].events >= original.number
            {
                copies.append((header.id, header.subject))
            }
        }
        return copies.filter { !held.contains($0.id) }.map {
            PlannedEvent(event: .eventHeld(EventHeld(target: $0.id, reason: .copy)), subject: $0.subject)
        }
    }

    /// Appends events of this device, as many to a commit as an import has.
    func appendAll(
        _ planned: [PlannedEvent], at moment: ZonedTime, heads: inout LogHeads, _ transaction: inout WriteTransaction
    ) throws(StoreError) {
        for start in stride(from: 0, to: planned.count, by: CommitLog.eventsInBatch) {
            let part = Array(planned[start..<min(planned.count, start + CommitLog.eventsInBatch)])
            _ = try append(part, at: moment, key: nil, heads: &heads, &transaction)
        }
    }
}
