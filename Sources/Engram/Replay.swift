internal import EventCoding
internal import EventLog
internal import LMDB
internal import Scheduling
internal import StudyProjections
internal import Synchronization

/// The fold from zero.
enum Replay {
    struct Result: Sendable {
        var state: StudyState
        var outline: LogOutline
        /// Events that came out of order within their entity, which no sound log has.
        var misplaced = 0
        /// Events up to the limit, control events among them.
        var events = 0
    }

    /// From so many events on it pays to fold on two cores.
    private static let eventsForTwoCores = 20_000

    /// Folds the log from its first event: first what says how events count and by which rules, then all in fold order.
    ///
    /// Folds of different entities don't touch, so a long log is folded in two halves of the entities, each with a read of
    /// its own, and joined: tables are put together, tallies added.
    /// - Parameters:
    ///   - limit: events after this moment, in milliseconds since 1970, are as if they hadn't happened.
    ///   - scheduler: stands in for whatever the log records.
    ///   - isAlone: false where another core proves the log meanwhile, so that this one only folds.
    static func fold(
        _ log: CommitLog, _ transaction: borrowing ReadTransaction, until limit: Int64? = nil, overriding scheduler: Scheduler? = nil,
        isAlone: Bool = true
    ) throws(LogError) -> Result {
        let outline = isAlone ? try outline(log, transaction) : try log.outline(transaction)
        let last = limit ?? .max
        var state = StudyState(overriding: scheduler)
        for control in outline.controls where control.header.logicalTime.milliseconds <= last {
            state.admit(control.header, payload: control.payload.rawSpan)
        }
        let beginning = Result(state: state, outline: outline)
        guard isAlone, outline.events >= eventsForTwoCores else {
            return try fold(.all, log, transaction, until: last, from: beginning, isProving: isAlone)
        }
        // Another process may append meanwhile; the outline says where this fold ends.
        var (joined, other) = try onTwoCores(log) { (index, transaction) throws(LogError) in
            try fold(EntityShare(index: UInt8(index), count: 2), log, transaction, until: last, from: beginning)
        }
        joined.state.join(other.state)
        joined.events += other.events
        joined.misplaced += other.misplaced
        return joined
    }

    /// The outline of the whole log; that of a long one is made of two halves.
    private static func outline(_ log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) -> LogOutline {
        let last = try log.lastSequence(transaction)
        guard last >= UInt64(eventsForTwoCores) else { return try log.outline(transaction) }
        let middle = last / 2 & ~63
        let halves = [1...middle, middle + 1...last]
        var (outline, rest) = try onTwoCores(log) { (index, transaction) throws(LogError) in
            try log.outline(transaction, of: halves[index])
        }
        outline.append(rest)
        return outline
    }

    /// What `body` comes to for 0 and for 1, each with a read of its own, and on a core where there is one for it.
    private static func onTwoCores<Value: Sendable>(
        _ log: CommitLog, _ body: @Sendable (_ index: Int, _ transaction: borrowing ReadTransaction) throws(LogError) -> Value
    ) throws(LogError) -> (Value, Value) {
        let results = Mutex<[Swift.Result<Value, LogError>?]>([nil, nil])
        TwoThreads.run { index in
            let result: Swift.Result<Value, LogError>
            do throws(LogError) {
                result = .success(
                    try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try body(index, transaction) })
            } catch { result = .failure(error) }
            results.withLock { $0[index] = result }
        }
        let both = results.withLock { $0 }
        guard let first = both[0], let second = both[1] else { throw .missingCommit(sequence: 0) }
        return (try first.get(), try second.get())
    }

    private static func fold(
        _ share: EntityShare, _ log: CommitLog, _ transaction: borrowing ReadTransaction, until last: Int64, from beginning: Result,
        isProving: Bool = true
    ) throws(LogError) -> Result {
        // What the control events counted stays with one share, so that it isn't added once for each.
        var state = share.index == 0 ? beginning.state : beginning.state.withoutCounts
        var counts = StudyState.BatchCounts()
        try log.forEachBatchInFoldOrder(
            beginning.outline, of: share, isProving: isProving, transaction
        ) { (batch) throws(EventBatch.Fault) in
            try state.fold(batch, until: last, counts: &counts)
        }
        return Result(state: state, outline: beginning.outline, misplaced: counts.misplaced, events: counts.taken)
    }
}
