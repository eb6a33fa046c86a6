internal import EventCoding
internal import EventLog
internal import LMDB
internal import Scheduling
internal import StudyModel
internal import StudyProjections

/// The state at the head of the log: the last checkpoint and the tail since, folded by the one fold there is.
struct LiveProjection: Sendable {
    private(set) var heads = LogHeads()
    private(set) var state: StudyState
    /// Where the events lie that came after ``base``.
    private(set) var tail = TimelineTail()
    /// Sequence number up to which the stored timelines are relied on; 0 where the tail covers the log from its first event.
    private(set) var base: UInt64 = 0
    /// Whether no stored checkpoint was used.
    var isWithoutCheckpoint: Bool { base == 0 }

    /// So many entities that need folding anew are dearer than folding everything.
    private static let refoldLimit = 2000

    /// The state of the last checkpoint; without a usable one, that of the beginning.
    init(_ log: CommitLog, _ transaction: borrowing ReadTransaction, under schedulers: KnownSchedulers) throws(LogError) {
        self.init(under: schedulers)
        guard let checkpoint = try log.checkpoint(transaction) else { return }
        guard
            let state = try? StudyState(
                schedulers: schedulers, checkpoint: { checkpoint.blocks.indices.contains($0) ? checkpoint.blocks[$0] : nil })
        else { return }
        heads = checkpoint.heads
        self.state = state
        base = heads.sequence
    }

    /// What is wrong with the blocks of a checkpoint that is whole by its checksums and of this program's version; `nil` where
    /// it can be used, or is another version's.
    static func fault(of checkpoint: Checkpoint, under schedulers: KnownSchedulers) -> ByteError? {
        do throws(CheckpointError) {
            _ = try StudyState(schedulers: schedulers, checkpoint: { checkpoint.blocks.indices.contains($0) ? checkpoint.blocks[$0] : nil })
        } catch {
            if case .malformed(let fault) = error { return fault }
        }
        return nil
    }

    /// Folds the commits that have come since, of this process or of another.
    ///
    /// An event that comes late, or says how others count, folds its entity anew. Complexity: O(new events), and for each
    /// entity that is folded anew its own events.
    mutating func catchUp(_ log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) {
        guard try log.lastSequence(transaction) > heads.sequence else { return }
        if heads.sequence == 0 { return try rebuild(log, transaction) }
        do throws(LogError) {
            var catching = CatchUp()
            try log.forEachCommit(from: heads.sequence + 1, transaction) { (sequence, commit) throws(LogError) in
                try take(commit, sequence: sequence, log, transaction, &catching)
                return true
            }
            if catching.needsReload { return try rebuild(log, transaction) }
            if catching.needsRebuild || catching.pending.count > Self.refoldLimit {
                state = try Replay.fold(log, transaction, under: state.schedulers).state
            } else {
                for subject in catching.pending {
                    state.refold(subject, timeline: try timeline(of: subject, log, transaction))
                }
                if state.isAwaitingHistory {
                    var settled = state
                    try settled.settle { (subject) throws(LogError) in try timeline(of: subject, log, transaction) }
                    state = settled
                }
            }
        } catch {
            // Half a step was taken (copying the state first would cost more than the step): begin anew next time.
            self = LiveProjection(under: state.schedulers)
            throw error
        }
    }

    /// The state before any event.
    init(under schedulers: KnownSchedulers) { state = StudyState(schedulers: schedulers) }

    /// What is left to settle when all new commits are taken.
    private struct CatchUp {
        var needsRebuild = false
        /// Texts were erased: events lie elsewhere now, so that nothing which was known of their places holds.
        var needsReload = false
        /// Entities that were retracted and must be folded anew, in the order in which that came up.
        var pending: [UniqueID] = []
        var isPending: Set<UniqueID> = []
    }

    private mutating func take(
        _ commit: RawSpan, sequence: UInt64, _ log: CommitLog, _ transaction: borrowing ReadTransaction, _ catching: inout CatchUp
    ) throws(LogError) {
        try Commit.forEachEvent(of: commit, sequence: sequence) { (header, payload, position) throws(LogError) in
            try take(header, payload, position, log, transaction, &catching)
        }
        try log.advance(&heads, by: commit, sequence: sequence)
    }

    private mutating func take(
        _ header: borrowing EventHeader, _ payload: RawSpan, _ position: EventPosition, _ log: CommitLog,
        _ transaction: borrowing ReadTransaction, _ catching: inout CatchUp
    ) throws(LogError) {
        let subject = header.subject
        if header.type == CardErased.type { catching.needsReload = true }
        guard !catching.needsReload else { return }
        defer { tail.append(position, of: subject) }
        guard !catching.needsRebuild else { return }
        if header.type.isControl {
            switch state.reach(of: header, payload: payload) {
            case .entity(let entity): try retract(entity, before: position, log, transaction, &catching)
            case .everything: catching.needsRebuild = true
            case .nothing: break
            }
            state.admit(header, payload: payload)
        } else if !catching.isPending.contains(subject), state.fold(header, payload: payload, at: position) == .late {
            try retract(subject, before: position, log, transaction, &catching)
        }
    }

    private mutating func retract(
        _ subject: UniqueID, before position: EventPosition, _ log: CommitLog, _ transaction: borrowing ReadTransaction,
        _ catching: inout CatchUp
    ) throws(LogError) {
        guard catching.isPending.insert(subject).inserted else { return }
        catching.pending.append(subject)
        guard catching.pending.count <= Self.refoldLimit else { return }
        state.retract(subject, timeline: try wholeTimeline(of: subject, before: position, log, transaction))
    }

    /// Every event of an entity that was taken so far, in the order of arrival. Complexity: O(events of the entity).
    ///
    /// Another process may have written a checkpoint since, so that the stored timelines reach into the tail, or beyond
    /// what this projection has taken: what both list counts once, and what lies at `end` or after it not at all.
    func timeline(
        of subject: UniqueID, before end: EventPosition? = nil, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [RecordedEvent] {
        let end = end ?? EventPosition(sequence: heads.sequence + 1, offset: 0)
        var positions = isWithoutCheckpoint ? [] : try log.positions(of: subject, transaction).filter { $0 < end }
        let stored = positions.last ?? .none
        positions += (tail.positions[subject] ?? []).filter { $0 > stored && $0 < end }
        var events: [RecordedEvent] = []
        events.reserveCapacity(positions.count)
        for position in positions {
            let event = try log.event(at: position, transaction)
            guard event.header.subject == subject else {
                throw .malformed(sequence: position.sequence, ByteError(.badValue, offset: position.offset))
            }
            events.append(event)
        }
        return events
    }

    /// The same, where the card's texts prove that the index of timelines knows the card's events.
    func wholeTimeline(
        of subject: UniqueID, before end: EventPosition? = nil, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [RecordedEvent] {
        let events = try timeline(of: subject, before: end, log, transaction)
        guard let card = state.card(subject) else { return events }
        for text in [card.frontAt, card.backAt] where text != .none && !events.contains(where: { $0.position == text }) {
            throw log.damagedTimelines("read a timeline")
        }
        return events
    }

    /// Folds everything from zero, and notes where every event lies.
    mutating func rebuild(_ log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) {
        var heads = LogHeads()
        var tail = TimelineTail()
        try log.forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            try Commit.forEachEvent(of: commit, sequence: sequence) { header, _, position in tail.append(position, of: header.subject) }
            try log.advance(&heads, by: commit, sequence: sequence)
            return true
        }
        state = try Replay.fold(log, transaction, under: state.schedulers).state
        self.heads = heads
        self.tail = tail
        base = 0
    }

    /// Writes the state as the checkpoint, with where each entity's events lie, in this transaction.
    ///
    /// Call ``didCheckpoint(at:)`` once the transaction is on the disk. Another process may have written a checkpoint since the
    /// one that this projection began with: then only what came after that one is added to the timelines.
    ///
    /// - Parameter isAnew: trusts nothing that is stored: the timelines are made from the log too.
    mutating func writeCheckpoint(
        _ log: CommitLog, _ transaction: inout WriteTransaction, isAnew: Bool = false
    ) throws(LogError) {
        var stored = isAnew ? 0 : try log.checkpointSequence(transaction.reader) ?? 0
        if stored < base {
            // The checkpoint that this one would build on is gone: make the timelines anew too.
            try rebuild(log, transaction.reader)
            stored = 0
        }
        if stored > 0, try !log.isSealed(transaction.reader) {
            // The indexes of an older store have no checksums: they are made again, once.
            try rebuild(log, transaction.reader)
            stored = 0
        }
        if stored == 0 {
            try log.sealRecords(&transaction)
            try log.deleteTimelines(&transaction)
            try log.rewriteActions(&transaction)
        }
        try log.write(tail.after(stored), &transaction)
        try log.write(Checkpoint(heads: heads, blocks: state.checkpoint()), &transaction)
    }

    /// The stored timelines reach up to that commit from now on.
    mutating func didCheckpoint(at sequence: UInt64) {
        guard heads.sequence >= sequence, sequence > base else { return }
        tail = tail.after(sequence)
        base = sequence
    }
}
