package import EventCoding
package import StudyModel

/// A study session as the fold of its own timeline leaves it: what was picked, and whether it has ended.
///
/// What was answered in it isn't kept here: answers are about cards, and the log tells which came when.
package struct SessionState: TimelineEntity, Hashable, Sendable {
    package let id: UniqueID
    /// `nil` until its start is known.
    package var mode: SessionMode?
    /// The decks that were picked; none stands for all.
    package var decks: [UniqueID] = []
    package var seed: UInt64 = 0
    package var startedAt = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    package var endedAt: ZonedTime?
    package var endReason: SessionEndReason?
    /// Where its start lies in this store's log, and the identity of that event.
    package var startPosition = EventPosition.none
    package var startEvent = EventID(origin: OriginID(rawValue: 0), number: 0)
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Whether it began and hasn't ended.
    package var isOpen: Bool { mode != nil && endedAt == nil }

    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition) {
        switch event {
        case .sessionStarted(let started):
            // A session begins once; an end that came before its start, from a clock that is behind, still ends it.
            guard mode == nil else { break }
            mode = started.mode
            decks = started.decks
            seed = started.seed
            startedAt = header.moment
            startPosition = position
            startEvent = header.id
        case .sessionEnded(let ended):
            guard endedAt == nil else { break }
            endedAt = header.moment
            endReason = ended.reason
        default: break
        }
    }
}

extension SessionState: DescribedRow {
    var isVisible: Bool { mode != nil }

    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("mode", &mode)
        var count = UInt64(decks.count)
        try coder.unsigned("decks", &count)
        // A count that lies ends where the bytes do.
        for index in 0..<Int(clamping: count) {
            if index == decks.count { decks.append(.none) }
            try coder.id("deck", &decks[index])
        }
        try coder.unsigned("seed", &seed)
        try coder.moment("started at", &startedAt)
        try coder.choice("end", &endReason)
        if endReason != nil {
            var end = endedAt ?? startedAt
            try coder.moment("ended at", &end)
            endedAt = end
        }
        guard Coder.isComplete else { return }
        try coder.position("start position", &startPosition)
        try coder.event("start event", &startEvent)
        try coder.order("last event", &order)
    }
}

extension StudyState {
    /// Sessions of which the start is known, in no order.
    package var knownSessions: [SessionState] { sessions.rows.filter { $0.mode != nil } }

    /// The session of that identity, if its start is known.
    package func session(_ id: UniqueID) -> SessionState? {
        sessions.row(of: id).flatMap { $0.mode == nil ? nil : $0 }
    }

    /// The last session that `origin` began and hasn't ended.
    ///
    /// - Complexity: O(sessions).
    package func openSession(of origin: OriginID) -> SessionState? {
        sessions.rows.filter { $0.isOpen && $0.startEvent.origin == origin }.max { $0.startEvent.number < $1.startEvent.number }
    }
}
