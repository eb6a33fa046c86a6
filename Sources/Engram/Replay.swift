internal import EventCoding
internal import EventLog
internal import LMDB
internal import Scheduling
internal import StudyProjections
internal import Synchronization

/// The fold from zero.
enum Replay {
    /// In how many parts a log is folded. The result is the same for every number of them.
    struct Plan: Hashable, Sendable {
        /// Parts of the entities, each of which is folded by itself, where there is a core for it beside the others; from 1 to
        /// ``Partition/maximumCount``.
        var parts: Int
        /// A log of fewer events is folded in one part: threads cost more than they win.
        var minimumEvents = 20_000
        /// Whether checksums are proved; false where another thread proves the log meanwhile.
        var isProving = true

        /// A part a processor.
        static var automatic: Plan { Plan(parts: min(Threads.processorCount, Partition.maximumCount)) }
        /// One part, whatever the size: what results of several parts are held against.
        static let onePart = Plan(parts: 1)
    }

    struct Result: Sendable {
        var state: StudyState
        var outline: LogOutline
        /// Events that came out of order within their entity, which no sound log has.
        var outOfOrder = 0
        /// Events up to the limit, control events among them.
        var events = 0
    }

    /// Folds the log from its first event: first what says how events count and by which rules, then all in fold order.
    ///
    /// Folds of different entities don't touch, so a long log is folded in parts of the entities, each with a read of
    /// its own, and joined: tables are put together, tallies added.
    /// - Parameters:
    ///   - beginning: the state before any event.
    ///   - plan: in how many parts; the result doesn't depend on it.
    ///   - limit: events after this time, in milliseconds since 1970, are as if they hadn't happened.
    ///   - scheduler: stands in for whatever the log records.
    static func fold(
        _ log: CommitLog, _ transaction: borrowing ReadTransaction, from beginning: StudyState, plan: Plan = .automatic,
        until limit: Int64? = nil, overriding scheduler: ConfiguredScheduler? = nil
    ) throws(LogError) -> Result {
        let outline = try outline(log, transaction, plan)
        func fold(_ state: StudyState) throws(LogError) -> Result {
            try self.fold(log, transaction, outline, from: state, plan, until: limit ?? .max)
        }
        var result = try fold(scheduler.map { beginning.beginning(overriding: $0) } ?? beginning)
        try result.state.settle { (other) throws(LogError) in
            try fold(StudyState(schedulers: beginning.schedulers, overriding: other)).state
        }
        return result
    }

    private static func fold(
        _ log: CommitLog, _ transaction: borrowing ReadTransaction, _ outline: LogOutline, from state: StudyState, _ plan: Plan,
        until last: Int64
    ) throws(LogError) -> Result {
        var state = state
        for control in outline.controls where control.header.logicalTime.milliseconds <= last {
            state.admit(control.header, payload: control.payload.rawSpan)
        }
        let beginning = Result(state: state, outline: outline)
        guard plan.parts > 1, outline.events >= plan.minimumEvents, state.projections.isSplit else {
            return try fold(.all, log, transaction, until: last, from: beginning, isProving: plan.isProving)
        }
        // Another process may append meanwhile; the outline says where this fold ends.
        let parts = try sideBySide(plan.parts, log) { (index, transaction) throws(LogError) in
            let partition = Partition(index: index, count: plan.parts)
            return try fold(partition, log, transaction, until: last, from: beginning, isProving: plan.isProving)
        }
        var joined = beginning
        joined.state = StudyState.joining(parts.map(\.state))
        joined.events = parts.reduce(0) { $0 + $1.events }
        joined.outOfOrder = parts.reduce(0) { $0 + $1.outOfOrder }
        return joined
    }

    /// The outline of the whole log; that of a long one is made of parts.
    private static func outline(
        _ log: CommitLog, _ transaction: borrowing ReadTransaction, _ plan: Plan
    ) throws(LogError) -> LogOutline {
        let last = try log.lastSequence(transaction)
        let ranges = ranges(of: last, parts: plan.parts)
        guard ranges.count > 1, last >= UInt64(clamping: plan.minimumEvents) else {
            return try log.outline(transaction, partitions: plan.parts)
        }
        let outlines = try sideBySide(ranges.count, log) { (index, transaction) throws(LogError) in
            try log.outline(transaction, of: ranges[index], partitions: plan.parts)
        }
        var outline = outlines[0]
        for next in outlines.dropFirst() { outline.append(next) }
        return outline
    }

    /// The commits up to `last` in so many ranges, fewer where there are few: all but the last begin and end with a whole word of 64.
    static func ranges(of last: UInt64, parts: Int) -> [ClosedRange<UInt64>] {
        let words = (last + 63) / 64
        let bounds = (0...UInt64(parts)).map { words * $0 / UInt64(parts) }
        return zip(bounds, bounds.dropFirst()).compactMap { start, end in
            start < end ? start * 64 + 1...min(end * 64, last) : nil
        }
    }

    /// What `body` comes to for each number below `count`, each with a read of its own, and on a core where there is one for it.
    private static func sideBySide<Value: Sendable>(
        _ count: Int, _ log: CommitLog,
        _ body: @Sendable (_ index: Int, _ transaction: borrowing ReadTransaction) throws(LogError) -> Value
    ) throws(LogError) -> [Value] {
        let results = Mutex<[Swift.Result<Value, LogError>?]>(Array(repeating: nil, count: count))
        Threads.run(count) { index in
            let result: Swift.Result<Value, LogError>
            do throws(LogError) {
                result = .success(
                    try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try body(index, transaction) })
            } catch { result = .failure(error) }
            results.withLock { $0[index] = result }
        }
        var values: [Value] = []
        for result in results.withLock({ $0 }) {
            guard let result else { throw .missingCommit(sequence: 0) }
            values.append(try result.get())
        }
        return values
    }

    private static func fold(
        _ partition: Partition, _ log: CommitLog, _ transaction: borrowing ReadTransaction, until last: Int64, from beginning: Result,
        isProving: Bool
    ) throws(LogError) -> Result {
        // What the control events counted stays with one part, so that it isn't added once for each.
        var state = partition.index == 0 ? beginning.state : beginning.state.withoutCounts
        var counts = StudyState.BatchCounts()
        if state.needsDestinations {
            try log.forEachBatchInFoldOrder(
                beginning.outline, of: partition, isProving: false, transaction
            ) { (batch) throws(EventBatch.BatchError) in
                try state.findDestinations(batch, until: last)
            }
        }
        try log.forEachBatchInFoldOrder(
            beginning.outline, of: partition, isProving: isProving, transaction
        ) { (batch) throws(EventBatch.BatchError) in
            try state.fold(batch, until: last, counts: &counts)
        }
        state.forgetDestinations()
        return Result(state: state, outline: beginning.outline, outOfOrder: counts.outOfOrder, events: counts.taken)
    }
}
