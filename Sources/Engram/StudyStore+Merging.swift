public import EventCoding
internal import EventLog
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections

/// What a merge brought.
public struct MergeReport: Sendable {
    /// Events that weren't here.
    public let newEvents: Int
    /// Events that were here already.
    public let knownEvents: Int
    /// Of the new ones, those held back because their time lies more than a day ahead.
    public let quarantined: Int
    /// Digest of the state afterwards.
    public let digest: SHA256Digest
}

/// Counts what comes in, and notes what lies too far ahead.
struct Intake {
    private(set) var newEvents = 0
    private(set) var knownEvents = 0
    /// New events that lie too far ahead of the clock, with what they are about.
    private(set) var ahead: [(id: EventID, subject: UniqueID)] = []
    /// Events that some device has held back already.
    private(set) var held: Set<EventID> = []
    /// Cards that new events erase.
    private(set) var erasedCards: Set<UniqueID> = []
    private let limit: Int64

    init(now moment: Moment) {
        limit = moment.wallMilliseconds.addingReportingOverflow(CommitLog.clockToleranceMilliseconds).partialValue
    }

    mutating func note(_ header: borrowing EventHeader, payload: RawSpan, isNew: Bool) {
        guard isNew else {
            knownEvents += 1
            return
        }
        newEvents += 1
        if header.type == EventHeld.type, let held = try? EventHeld.decode(payload, version: header.version) {
            self.held.insert(held.target)
        }
        let isAhead = max(header.wallMilliseconds, header.logicalTime.milliseconds) > limit
        if isAhead, header.type != EventHeld.type { ahead.append((header.id, header.subject)) }
        if header.type == CardErased.type, !isAhead { erasedCards.insert(header.subject) }
    }

    mutating func noteKnown(_ count: Int) { knownEvents += count }

    /// What the receiver must write so that every device holds back the same.
    var holds: [PlannedEvent] {
        ahead.filter { !held.contains($0.id) }.map {
            PlannedEvent(event: .eventHeld(EventHeld(target: $0.id, reason: .aheadOfClock)), subject: $0.subject)
        }
    }
}

extension StudyStore {
    /// Takes in every event of another store, or of a file that ``exportLog(_:)`` made: the union of both.
    ///
    /// Merging is commutative, associative and idempotent, and never asks anybody to choose. Nothing is taken where a commit
    /// doesn't prove itself.
    /// - Throws: ``StoreError/forked(origin:commit:)`` where both numbered different events alike.
    /// - Complexity: O(commits of both); what is new is folded.
    public func merge(with other: String, at moment: Moment) throws(StoreError) -> MergeReport {
        if let lines = try LineReader(path: other) {
            return try importLog(path: other, at: moment) { () throws(StoreError) in try lines.next() }
        }
        let source: CommitLog
        do throws(LogError) { source = try CommitLog.open(path: other, readOnly: true) } catch { throw StoreError(error, path: other) }
        guard source.environment !== log.environment else {
            // A store merged with itself adds nothing.
            let known = try reading { (_, projection) throws(LogError) in Int(clamping: projection.heads.eventCount) }
            return MergeReport(newEvents: 0, knownEvents: known, quarantined: 0, digest: try digest())
        }
        return try take(at: moment, path: other) { (take) throws(WriteError) in
            do throws(LogError) {
                try source.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                    try source.forEveryCommit(transaction) { (_, commit) throws(LogError) in
                        try take(commit)
                        return true
                    }
                }
            } catch { throw .log(error) }
        }
    }

    /// Appends foreign commits that `source` hands over, all of them or none, and holds back what lies too far ahead.
    func take(
        at moment: Moment, path other: String,
        from source: (_ take: (RawSpan) throws(LogError) -> Void) throws(WriteError) -> Void
    ) throws(StoreError) -> MergeReport {
        let counts = try writing { (transaction, projection) throws(WriteError) -> MergeCounts in
            var heads = projection.heads
            let known = heads
            var hasher = SHA256Hasher()
            var intake = Intake(now: moment)
            var forks = ForkCheck(heads: known)
            var upgrade = CommitUpgrade { StudyEvent.erasableByteCount(type: $0.type, version: $0.version, payload: $1) }
            let erased = Self.erasedCards(projection.state)
            // Texts of cards that are erased here don't come in again by another device's copy.
            func takeErased(_ commit: RawSpan) throws(LogError) {
                let without: (bytes: [UInt8], events: Int)?
                do throws(ByteFault) {
                    without = erased.isEmpty ? nil : try Commit.erasing(commit) { erased.contains($0.subject) }
                } catch { throw .malformed(sequence: heads.sequence + 1, error) }
                if let without { try takeOne(without.bytes.rawSpan) } else { try takeOne(commit) }
            }
            func takeOne(_ commit: RawSpan) throws(LogError) {
                let isNew = try self.log.appendForeign(commit, heads: &heads, hasher: &hasher, &transaction)
                forks.note(commit, isKnown: !isNew)
                do throws(EventWalkError<ByteFault>) {
                    try Commit.forEachEvent(of: commit, sequence: heads.sequence) { (header, payload, _) throws(ByteFault) in
                        // What this program knows must obey its schema; what it doesn't know is kept as it is.
                        if isNew { _ = try StudyEvent.decode(header, payload: payload) }
                        intake.note(header, payload: payload, isNew: isNew)
                        return true
                    }
                } catch {
                    switch error {
                    case .malformed(let fault), .body(let fault): throw .malformed(sequence: heads.sequence, fault)
                    }
                }
            }
            try source { (commit) throws(LogError) in
                if let upgraded = try upgrade.takeIfOlder(commit, sequence: heads.sequence + 1) {
                    try takeErased(upgraded.rawSpan)
                } else {
                    try takeErased(commit)
                }
            }
            do throws(LogError) { _ = try self.log.eraseTexts(of: intake.erasedCards, &transaction) } catch { throw .log(error) }
            do throws(LogError) { try forks.check(self.log, transaction.reader) } catch { throw .log(error) }
            let copies = intake.newEvents > 0 ? try self.copiesToHold(heads, transaction.reader) : []
            try self.appendAll(intake.holds + copies, at: moment, heads: &heads, &transaction)
            return MergeCounts(new: intake.newEvents, known: intake.knownEvents, quarantined: intake.ahead.count, heads: heads)
        } isThere: { counts, heads in
            counts.heads == heads
        }
        try checkpointAfterBulk(counts.new)
        return MergeReport(newEvents: counts.new, knownEvents: counts.known, quarantined: counts.quarantined, digest: try digest())
    }

    /// After many events at once a checkpoint saves every later opening the folding.
    func checkpointAfterBulk(_ events: Int) throws(StoreError) {
        if events >= 256 { try checkpoint() }
    }
}

/// What a merge came to, inside its transaction.
private struct MergeCounts: Sendable {
    let new: Int
    let known: Int
    let quarantined: Int
    let heads: LogHeads
}

/// Finds out whether commits that both sides number alike are the same: since each digest vouches for all before it, one
/// comparison an origin is enough, at the last number that both have.
private struct ForkCheck {
    private let heads: LogHeads
    private var last: [OriginID: Commit.Header] = [:]

    init(heads: LogHeads) { self.heads = heads }

    mutating func note(_ commit: RawSpan, isKnown: Bool) {
        guard isKnown, let header = try? Commit.header(of: commit), let summary = try? CommitSummary(checking: commit) else { return }
        if header.number >= last[summary.origin]?.number ?? 0 { last[summary.origin] = header }
    }

    func check(_ log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) {
        var wanted: [OriginID: UInt64] = [:]
        for (origin, header) in last where header.number < heads[origin].commits { wanted[origin] = header.number }
        let own = try log.digests(ofCommits: wanted, transaction)
        for (origin, number) in wanted.sorted(by: { $0.key < $1.key }) {
            guard own[origin] == last[origin]?.digest else { throw .forked(origin: origin, commit: number) }
        }
    }
}
