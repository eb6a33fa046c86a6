public import EventCoding
internal import EventLog
internal import Hashing
internal import LMDB
public import Scheduling
public import StudyModel
public import StudyProjections
internal import Synchronization

/// What a fold from zero came to.
public struct ReplayReport: Sendable {
    /// Events that were folded.
    public let events: Int
    /// Commits in the log.
    public let commits: Int
    /// Origins in the log.
    public let origins: Int
    /// Decks that are there.
    public let decks: Int
    /// Cards that are there.
    public let cards: Int
    /// Scheduled reviews that count.
    public let reviews: Int
    /// Digest of the folded state.
    public let digest: SHA256Digest
    /// Digest of the stored state; `nil` where the fold was of other events or by other rules.
    public let storedDigest: SHA256Digest?
    /// The figures that result.
    public let statistics: Statistics

    /// Whether the stored state is what the log says; `nil` where the fold was of other events or by other rules.
    public var isEqual: Bool? { storedDigest.map { $0 == digest } }
}

extension StudyStore {
    /// Folds the log from its first event, in memory, and holds the result against the stored state.
    ///
    /// - Parameters:
    ///   - moment: the day that the figures are about.
    ///   - limit: events after it are as if they hadn't happened.
    ///   - scheduler: stands in for whatever the log records.
    /// - Complexity: O(events); memory O(cards).
    public func replay(
        at moment: ZonedTime, until limit: ZonedTime? = nil, scheduler: ConfiguredScheduler? = nil
    ) throws(StoreError) -> ReplayReport {
        try reading { (transaction, projection) throws(LogError) in
            let isComparable = limit == nil && scheduler == nil
            // The stored state may come from a fold in parts, so what it is compared with never does.
            let replay = try Replay.fold(
                log, transaction, from: configuration.beginning, plan: isComparable ? .onePart : .automatic,
                until: limit?.wallMilliseconds, overriding: scheduler)
            let statistics = replay.state.statistics(today: replay.state.studyDay(of: moment))
            return ReplayReport(
                events: replay.events, commits: replay.outline.commits, origins: Set(replay.outline.runs.map(\.origin)).count,
                decks: replay.state.liveDecks.count, cards: statistics.cards.total, reviews: statistics.reviews.total,
                digest: try digest(of: replay.state, transaction),
                storedDigest: isComparable ? try digest(of: projection.state, transaction) : nil, statistics: statistics)
        }
    }

    /// Digest of the newest state: equal on two devices exactly where what people see is.
    public func digest() throws(StoreError) -> SHA256Digest {
        try reading { (transaction, projection) throws(LogError) in try digest(of: projection.state, transaction) }
    }

    /// Makes the checkpoint, and the index of each card's events, anew from the log.
    public func rebuild() throws(StoreError) {
        try checkIsWritable()
        let state = try inLog(
            log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                var state = LiveProjection(from: configuration.beginning)
                try state.rebuild(log, transaction)
                return state
            })
        try inLog(storage(Interruption.becomeFinal()))
        try inLog(writeCheckpoint(anew: state))
        try? clear()
    }

    /// Writes a checkpoint now, so that the next opening folds nothing.
    public func checkpoint() throws(StoreError) {
        try checkIsWritable()
        try inLog(writeCheckpoint())
    }

    /// SHA-256 over the canonical encoding of a state, card texts included.
    func digest(of state: StudyState, _ transaction: borrowing ReadTransaction) throws(LogError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        var failure: LogError?
        state.writeCanonical { card in
            do throws(LogError) { return try texts(of: card, transaction) } catch {
                failure = failure ?? error
                return nil
            }
        } to: { piece in
            hasher.update(piece)
        }
        if let failure { throw failure }
        return hasher.finish()
    }
}

extension StudyStore {
    /// The fold from zero alone, as ``replay(at:until:scheduler:)`` does it, without any digest: what is measured as "a replay".
    package func foldFromZero(at moment: ZonedTime) throws(StoreError) -> (events: Int, statistics: Statistics) {
        do throws(LogError) {
            return try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                let replay = try Replay.fold(log, transaction, from: configuration.beginning)
                return (replay.events, replay.state.statistics(today: replay.state.studyDay(of: moment)))
            }
        } catch { throw StoreError(error, path: path) }
    }
}
