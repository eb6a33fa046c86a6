internal import EventCoding
internal import EventLog
internal import LMDB
internal import Scheduling
internal import StudyModel
internal import StudyProjections

/// The state at the head of the log: the last checkpoint and the tail since, folded by the one fold there is.
///
/// Cards of the checkpoint are read when they are asked for, each block in a short read of its own. Where another process has replaced it
/// meanwhile, or a block is damaged, the state says so (``StudyState/hasLostCards``): whoever asked throws the answer away, and the next
/// ``catchUp(_:_:wholly:)`` makes the state again.
struct LiveProjection: Sendable {
    private(set) var state: StudyState
    /// What tells the checkpoint from others whose cards the state reads.
    private var stamp: UInt64?
    private var timelines = Timelines()
    var heads: LogHeads { timelines.heads }
    /// Where the commits of each origin lie.
    var commits: CommitIndex { timelines.commits }
    /// Where the events lie that came after the last checkpoint.
    var tail: TimelineTail { timelines.tail }
    /// Whether no stored checkpoint was used.
    var isWithoutCheckpoint: Bool { timelines.base == 0 }

    /// The state before any event.
    init(from beginning: StudyState) { state = beginning }

    /// The state of the last checkpoint; without a usable one, that of the `beginning`. Complexity: O(decks, days and the like).
    init(_ log: CommitLog, _ transaction: borrowing ReadTransaction, from beginning: StudyState) throws(LogError) {
        self.init(from: beginning)
        guard let (heads, count) = try log.checkpointHeads(transaction) else { return }
        let source = StoredBlocks(log: log)
        guard let read = try? Self.read(count, { (try? log.checkpointBlock($0, transaction)) ?? nil }, source, from: beginning) else {
            return
        }
        (state, stamp) = (read.state, try log.checkpointStamp(transaction))
        timelines = Timelines(heads: heads, commits: read.commits, base: heads.sequence)
    }

    /// The same with all cards, as `transaction` sees them; the `beginning` where one of them is damaged. Complexity: O(cards).
    init(wholly log: CommitLog, _ transaction: borrowing ReadTransaction, from beginning: StudyState) throws(LogError) {
        self.init(from: beginning)
        guard let checkpoint = try log.checkpoint(transaction), let read = try? Self.read(checkpoint, from: beginning) else { return }
        state = read.state
        timelines = Timelines(heads: checkpoint.heads, commits: read.commits, base: checkpoint.heads.sequence)
    }

    /// What the blocks of a checkpoint hold: those of the state, and the index of commits.
    private static func read(
        _ count: Int, _ block: (Int) -> [UInt8]?, _ source: some CheckpointSource, from beginning: StudyState
    ) throws(CheckpointError) -> (state: StudyState, commits: CommitIndex) {
        let state = try StudyState(from: beginning, checkpoint: { $0 < count - 1 ? block($0) : nil }, cards: source)
        do throws(ByteError) { return (state, try CommitIndex(decoding: block(count - 1) ?? [])) } catch { throw .malformed(error) }
    }

    private static func read(
        _ checkpoint: Checkpoint, from beginning: StudyState
    ) throws(CheckpointError) -> (state: StudyState, commits: CommitIndex) {
        let blocks = checkpoint.blocks
        let read = try read(blocks.count, { blocks.indices.contains($0) ? blocks[$0] : nil }, BlockList(blocks), from: beginning)
        if let fault = read.state.loadCards() { throw .malformed(fault) }
        return read
    }

    /// What is wrong with the blocks of a checkpoint that is whole by its checksums and of this program's version; `nil` where
    /// it can be used, or is another version's.
    static func fault(of checkpoint: Checkpoint, from beginning: StudyState) -> ByteError? {
        do throws(CheckpointError) { _ = try read(checkpoint, from: beginning) } catch {
            if case .malformed(let fault) = error { return fault }
        }
        return nil
    }

    /// Folds the commits that have come since, of this process or of another.
    ///
    /// An event that comes late, or says how others count, folds its entity again. Complexity: O(new events), and for each
    /// entity that is folded again its own events. Where the checkpoint was replaced, the state goes on from the newer one; where it is
    /// damaged, O(events).
    ///
    /// - Parameter wholly: reads all cards too, so that nothing can get lost any more.
    mutating func catchUp(_ log: CommitLog, _ transaction: borrowing ReadTransaction, wholly: Bool = false) throws(LogError) {
        if state.hasLostCards {
            self = try LiveProjection(wholly: log, transaction, from: state.beginning())
        } else if !state.hasAllCards, try log.checkpointStamp(transaction) != stamp {
            self = try LiveProjection(log, transaction, from: state.beginning())
        }
        try takeNew(log, transaction)
        if wholly { state.loadCards() }
        guard state.hasLostCards else { return }
        self = try LiveProjection(wholly: log, transaction, from: state.beginning())
        try takeNew(log, transaction)
    }

    private mutating func takeNew(_ log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) {
        guard try log.lastSequence(transaction) > heads.sequence else { return }
        if heads.sequence == 0 { return try rebuild(log, transaction) }
        do throws(LogError) {
            var catching = CatchUp()
            // Where texts were erased events lie elsewhere now, so that nothing which was known of their positions holds.
            var needsReload = false
            try log.forEachCommit(from: heads.sequence + 1, transaction) { (sequence, commit) throws(LogError) in
                try Commit.forEachEvent(of: commit, sequence: sequence) { (header, payload, position) throws(LogError) in
                    if header.type.isErasure { needsReload = true }
                    guard !needsReload else { return }
                    try catching.apply(header, payload: payload, at: position, to: &state) { (subject, state) throws(LogError) in
                        try timelines.wholeTimeline(of: subject, in: state, before: position, log, transaction)
                    }
                    self.timelines.append(position, of: header.subject)
                }
                try timelines.advance(by: commit, sequence: sequence, log)
                return true
            }
            if needsReload { return try rebuild(log, transaction) }
            let beginning = state.beginning()
            try catching.finish(&state) { (subject) throws(LogError) in
                try timelines.timeline(of: subject, log, transaction)
            } replay: { () throws(LogError) in
                try Replay.fold(log, transaction, from: beginning).state
            }
        } catch {
            // Half a step was taken (copying the state first would cost more than the step): begin again next time.
            self = LiveProjection(from: state.beginning())
            throw error
        }
    }

    /// Every event of an entity that was taken so far, in the order of arrival. Complexity: O(events of the entity).
    func timeline(
        of subject: UniqueID, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [RecordedEvent] { try timelines.timeline(of: subject, log, transaction) }

    /// The same, where the card's texts prove that the index of timelines knows the card's events.
    func wholeTimeline(
        of subject: UniqueID, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [RecordedEvent] { try timelines.wholeTimeline(of: subject, in: state, log, transaction) }

    /// Folds everything from zero, and notes where every event lies.
    mutating func rebuild(_ log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) {
        var timelines = Timelines()
        try log.forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            try Commit.forEachEvent(of: commit, sequence: sequence) { header, _, position in
                timelines.append(position, of: header.subject)
            }
            try timelines.advance(by: commit, sequence: sequence, log)
            return true
        }
        state = try Replay.fold(log, transaction, from: state.beginning()).state
        self.timelines = timelines
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
        try catchUp(log, transaction.reader, wholly: true)
        var stored = isAnew ? 0 : try log.checkpointSequence(transaction.reader) ?? 0
        if stored < timelines.base {
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
        try log.write(Checkpoint(heads: heads, blocks: state.settleIntoCheckpoint() + [commits.encoded]), &transaction)
    }

    /// The stored timelines reach up to that commit from now on.
    mutating func didCheckpoint(at sequence: UInt64) { timelines.didCheckpoint(at: sequence) }
}

/// The blocks of the stored checkpoint, each in a read of its own: nothing is held open for a state that is held.
private struct StoredBlocks: CheckpointSource {
    let log: CommitLog

    func read(_ number: Int, _ body: (RawSpan) -> Void) -> Bool {
        let isThere = try? log.read(isNested: true) { (transaction: borrowing ReadTransaction) throws(LogError) in
            try log.readCheckpointBlock(number, transaction, body)
        }
        return isThere ?? false
    }
}

/// How far the log was folded, and where the events of each entity lie up to there.
private struct Timelines: Sendable {
    private(set) var heads = LogHeads()
    private(set) var commits = CommitIndex()
    /// Where the events lie that came after ``base``.
    private(set) var tail = TimelineTail()
    /// Sequence number up to which the stored timelines are relied on; 0 where the tail covers the log from its first event.
    private(set) var base: UInt64 = 0

    mutating func append(_ position: EventPosition, of subject: UniqueID) { tail.append(position, of: subject) }

    mutating func advance(by commit: RawSpan, sequence: UInt64, _ log: CommitLog) throws(LogError) {
        let origin = try log.advance(&heads, by: commit, sequence: sequence)
        commits.append(heads[origin].commits, of: origin, at: sequence)
    }

    mutating func didCheckpoint(at sequence: UInt64) {
        guard heads.sequence >= sequence, sequence > base else { return }
        tail = tail.after(sequence)
        base = sequence
    }

    /// Every event of an entity up to `end`, in the order of arrival. Complexity: O(events of the entity).
    ///
    /// Another process may have written a checkpoint since, so that the stored timelines reach into the tail, or beyond
    /// what was taken: what both list counts once, and what lies at `end` or after it not at all.
    func timeline(
        of subject: UniqueID, before end: EventPosition? = nil, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [RecordedEvent] {
        let end = end ?? EventPosition(sequence: heads.sequence + 1, offset: 0)
        var positions = base == 0 ? [] : try log.positions(of: subject, transaction).filter { $0 < end }
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

    /// The same, where the texts of the card in `state` prove that the index of timelines knows its events.
    func wholeTimeline(
        of subject: UniqueID, in state: StudyState, before end: EventPosition? = nil, _ log: CommitLog,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [RecordedEvent] {
        let events = try timeline(of: subject, before: end, log, transaction)
        guard let card = state.card(subject) else { return events }
        for text in [card.frontAt, card.backAt] where text != .none && !events.contains(where: { $0.position == text }) {
            throw log.damagedTimelines("read a timeline")
        }
        return events
    }
}
