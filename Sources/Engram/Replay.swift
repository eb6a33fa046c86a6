internal import Dispatch
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
        /// Events that were taken.
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
    static func fold(
        _ log: CommitLog, _ transaction: borrowing ReadTransaction, until limit: Int64? = nil, overriding scheduler: Scheduler? = nil
    ) throws(LogError) -> Result {
        let outline = try log.outline(transaction)
        let last = limit ?? .max
        var state = StudyState(overriding: scheduler)
        for sequence in outline.controlCommits {
            try log.forEachEvent(inCommits: sequence...sequence, transaction) { header, payload, _ in
                if header.type.isControl, header.logicalTime.milliseconds <= last { state.admit(header, payload: payload) }
            }
        }
        let beginning = Result(state: state, outline: outline)
        guard outline.events >= eventsForTwoCores else {
            return try fold(.all, log, transaction, until: last, from: beginning)
        }
        // Another process may append meanwhile; the outline says where this fold ends.
        let halves = Mutex<[Swift.Result<Result, LogError>?]>([nil, nil])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            let half: Swift.Result<Result, LogError>
            do throws(LogError) {
                half = .success(
                    try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                        try fold(EntityShare(index: UInt8(index), count: 2), log, transaction, until: last, from: beginning)
                    })
            } catch { half = .failure(error) }
            halves.withLock { $0[index] = half }
        }
        var joined = beginning
        for case let half? in halves.withLock({ $0 }) {
            switch half {
            case .success(let part):
                joined.state.join(part.state)
                joined.events += part.events
                joined.misplaced += part.misplaced
            case .failure(let error): throw error
            }
        }
        return joined
    }

    private static func fold(
        _ share: EntityShare, _ log: CommitLog, _ transaction: borrowing ReadTransaction, until last: Int64, from beginning: Result
    ) throws(LogError) -> Result {
        // What the control events counted stays with the beginning, so that it isn't added once a share.
        var state = share == .all ? beginning.state : beginning.state.withoutCounts
        var misplaced = 0
        var events = 0
        try log.forEachEventInFoldOrder(beginning.outline, of: share, transaction) { header, payload, position in
            guard header.logicalTime.milliseconds <= last else { return }
            events += 1
            if state.fold(header, payload: payload, at: position) == .late { misplaced += 1 }
        }
        return Result(state: state, outline: beginning.outline, misplaced: misplaced, events: events)
    }
}
