public import EventCoding
internal import EventLog
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections
internal import Synchronization

/// What a merge brought.
public struct MergeReport: Sendable {
    /// Events that weren't here.
    public let newEvents: Int
    /// Events that were here already.
    public let knownEvents: Int
    /// Of the new ones, those held back because their time lies more than a day ahead.
    public let quarantined: Int
    /// Commits of the other store or file that are held aside here, by this merge or an earlier one: they don't fit what this program
    /// knows, or follow on such a one. They are kept and passed on, and come in when a program runs that can read them.
    public let heldAside: [HeldAside]
    /// Origins of which nothing more was taken, and why. All others were.
    public let refused: [Refusal]
    /// Cards whose texts other devices had erased, and this one does now.
    public let erasedCards: Int
    /// Events that lost their texts: those of such cards that were here, and those of any erased card that came with this merge.
    public let erasedEvents: Int
    /// Whether nothing of erased texts lies in unused parts of the store's file; false where others have the store open, until the next
    /// write of whoever is alone with it.
    public let isCleared: Bool
    /// Digest of the state afterwards; nil where it couldn't be told, as ``remark`` says.
    public let digest: SHA256Digest?
    /// What was left undone after all of it was on the disk, for a person; nothing of that is lost.
    public let remark: String?

    /// An origin of which nothing more was taken.
    public struct Refusal: Hashable, Sendable {
        /// Whose commits.
        public let origin: OriginID
        /// Where it began.
        public let commit: UInt64
        /// Why.
        public let reason: String
    }
}

/// A commit from elsewhere that is kept beside the log, since it doesn't fit what this program knows.
public struct HeldAside: Hashable, Sendable {
    /// Whose it says that it is; 0 where that can't be read.
    public let origin: OriginID
    /// Its number in its origin; 0 where that can't be read.
    public let commit: UInt64
    /// Why, as a word for scripts.
    public let reason: String
    /// Why, for people.
    public let message: String

    init(_ held: HeldCommit) {
        (origin, commit, reason, message) = (held.origin, held.number, held.reason, held.message)
    }
}

/// Counts what comes in, and notes what lies too far ahead.
struct MergeResult {
    private(set) var newEvents = 0
    private(set) var knownEvents = 0
    /// New events that lie too far ahead of the clock, with what they are about.
    private(set) var ahead: [(id: EventID, subject: UniqueID)] = []
    /// Events that some device has held back already.
    private(set) var held: Set<EventID> = []
    /// Cards that new events erase.
    private(set) var erasedCards: Set<UniqueID> = []
    /// Events that were held back, and count from now on.
    private(set) var released: [EventID] = []
    /// Events that lost their texts, as they came or where they lay here.
    private(set) var erasedEvents = 0
    private let limit: Int64

    init(now moment: ZonedTime) {
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
        if header.type == EventReleased.type, let released = try? EventReleased.decode(payload, version: header.version) {
            self.released.append(released.target)
        }
        let isAhead = max(header.wallMilliseconds, header.logicalTime.milliseconds) > limit
        if isAhead, header.type != EventHeld.type { ahead.append((header.id, header.subject)) }
        if header.type.isErasure, !isAhead { erasedCards.insert(header.subject) }
    }

    mutating func noteKnown(_ count: Int) { knownEvents += count }

    /// Takes note of events that lost their texts.
    mutating func noteErased(_ events: Int) { erasedEvents += events }

    /// Takes note of a card whose erasure counts from now on.
    mutating func noteErased(_ card: UniqueID) { erasedCards.insert(card) }

    /// What the receiver must write so that every device holds back the same.
    var holds: [PlannedEvent] {
        ahead.filter { !held.contains($0.id) }.map {
            PlannedEvent(event: .eventHeld(EventHeld(target: $0.id, reason: .aheadOfClock)), subject: $0.subject)
        }
    }
}

extension StudyStore {
    /// Takes in every event of another store, or of a file that `exportLog(_:)` made: the union of both.
    ///
    /// Merging is commutative, associative and idempotent, and never asks anybody to choose. All that is new is taken, or nothing; where
    /// both numbered different events of an origin alike, all other origins are taken, and the report names it.
    ///
    /// The other log is read to its end, proved and judged before the store is locked for writing.
    /// - Throws: ``StoreError/damagedInput(path:place:why:)`` or ``StoreError/badInput(path:place:why:)`` where the other one isn't what was
    ///   written.
    /// - Complexity: O(bytes of the other one); what is new is folded.
    public func merge(with other: String, at moment: ZonedTime) throws(StoreError) -> MergeReport {
        if let lines = try LineReader(path: other) {
            return try importLog(path: other, at: moment) { () throws(StoreError) in try lines.next() }
        }
        try Self.checkPages(ofSource: other)
        let source: CommitLog
        do throws(LogError) { source = try CommitLog.open(path: other, companions: Self.companionDatabases, readOnly: true) } catch {
            throw StoreError(source: error, path: other)
        }
        guard try inLog(storage(source.environment !== log.environment)) else {
            // A store merged with itself adds nothing.
            let known = try reading { (_, projection) throws(LogError) in Int(clamping: projection.heads.eventCount) }
            return MergeReport(
                MergeOutcome(known: known, heads: LogHeads()), isCleared: try !hasTextsToClear(), digest: try digest(), remark: nil)
        }
        return try take(at: moment, path: other) { (incoming) throws(StoreError) in
            var failure: StoreError?
            do throws(LogError) {
                try source.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                    try source.forEveryCommit(transaction) { (sequence, commit) throws(LogError) in
                        do throws(StoreError) { try incoming.take(commit, at: "commit \(sequence)") } catch { failure = error }
                        return failure == nil
                    }
                    guard failure == nil else { return }
                    try source.forEachHeldAside(transaction) { (_, held) throws(LogError) in
                        guard let held else { return true }
                        do throws(StoreError) { try incoming.take(aside: held) } catch { failure = error }
                        return failure == nil
                    }
                }
            } catch { throw StoreError(source: error, path: other) }
            if let failure { throw failure }
        }
    }

    /// Walks the pages of another store by plain reads, since LMDB trusts them.
    private static func checkPages(ofSource path: String) throws(StoreError) {
        let check: PageCheck
        do throws(StoreFileError) { check = try PageCheck.run(storePath: path) } catch {
            throw StoreError(source: .storage(LMDBError(.unusable(error), operation: "read", path: path)), path: path)
        }
        guard let first = check.findings.first(where: { $0.kind != .leakedPages }) else { return }
        throw .damagedInput(path: path, place: "page \(first.page)", why: first.detail)
    }

    /// Takes in what `read` brings, all of it or nothing, and holds back what lies too far ahead.
    func take(
        at moment: ZonedTime, path other: String, reading read: (_ incoming: Incoming) throws(StoreError) -> Void
    ) throws(StoreError) -> MergeReport {
        try checkIsWritable()
        try check(moment)
        let (known, index) = try reading { (_, projection) throws(LogError) in (projection.heads, projection.commits) }
        let incoming = Incoming(path: other, known: known, spools: { Spool(in: self.path, random: self.configuration.randomness) }) {
            (origin, number) throws(LogError) in
            try self.log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                try self.log.digests(ofCommits: [origin: number], by: index, transaction)[origin]
            }
        }
        try read(incoming)
        try settle(incoming, known, index)
        let outcome = incoming.isEmpty ? MergeOutcome(heads: known) : try append(incoming, at: moment)
        // From here on all of it is on the disk: what fails now is a remark.
        var remark = checkpointAfterBulk(outcome.new)
        var digest: SHA256Digest?
        var isCleared = false
        do throws(StoreError) {
            isCleared = try !hasTextsToClear()
            if !isCleared, let why = clearingFailure.withLock({ $0 }) {
                remark = remark ?? "the file couldn't be written anew to clear what was erased: \(why)"
            }
            digest = try self.digest()
        } catch { remark = remark ?? "the state can't be told: \(error)" }
        var whole = outcome
        whole.known += incoming.knownEvents
        whole.refusals = incoming.refusals + outcome.refusals
        return MergeReport(whole, isCleared: isCleared, digest: digest, remark: remark)
    }

    /// Looks what this store has to say of what came: other commits of the same numbers, and what it held aside before.
    private func settle(_ incoming: Incoming, _ known: LogHeads, _ index: CommitIndex) throws(StoreError) {
        var failure: StoreError?
        var keys: [[UInt8]] = []
        do throws(LogError) {
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                let shorter = incoming.shorter.mapValues(\.commits)
                incoming.compare(try log.digests(ofCommits: shorter, by: index, transaction))
                keys = try log.heldAsideKeys(known, transaction).open
            }
            for key in keys {
                let held = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                    try log.heldAside(key, transaction)
                }
                guard let held else { continue }
                do throws(StoreError) { try incoming.take(ownAside: held, key: key) } catch {
                    failure = error
                    break
                }
            }
        } catch { throw StoreError(error, path: path) }
        if let failure { throw failure }
    }

    /// Writes what came, in one transaction.
    private func append(_ incoming: Incoming, at moment: ZonedTime) throws(StoreError) -> MergeOutcome {
        try writing { (transaction, projection) throws(StoreError) -> MergeOutcome in
            // Written again where the first try found the file too small, say.
            incoming.rewind()
            var merge = MergeInProgress(
                heads: projection.heads, intake: MergeResult(now: moment), erased: projection.state.erasedSubjects)
            let wasEmpty = projection.heads.sequence == 0
            while true {
                let item = try incoming.next()
                guard let item else { break }
                try inLog(merge.append(item, self.log, &transaction))
            }
            do throws(LogError) {
                for event in merge.intake.released {
                    if let card = try self.erasedCard(by: event, transaction.reader) { merge.intake.noteErased(card) }
                }
                merge.intake.noteErased(try self.eraseTexts(of: merge.intake.erasedCards, wasEmpty: wasEmpty, &transaction))
                try merge.forks.check(self.log, projection.commits, transaction.reader, &merge.refusals)
                for key in try self.log.heldAsideKeys(merge.heads, transaction.reader).known { try self.log.release(key, &transaction) }
            } catch { throw StoreError(error, path: path) }
            let copies = merge.intake.newEvents > 0 ? try inLog(self.copiesToHold(merge.heads, transaction.reader)) : []
            try self.appendAll(merge.intake.holds + copies, at: moment, heads: &merge.heads, &transaction)
            return MergeOutcome(
                new: merge.intake.newEvents, known: merge.intake.knownEvents, quarantined: merge.intake.ahead.count,
                erasedCards: merge.intake.erasedCards.count, erasedEvents: merge.intake.erasedEvents, heads: merge.heads,
                heldAside: merge.heldAside, refusals: merge.refusals)
        } isThere: { outcome, heads in
            outcome.heads == heads
        }
    }

    /// After many events at once a checkpoint saves every later opening the folding. Where it can't be written, the events are
    /// on the disk all the same: then this says what was left undone.
    func checkpointAfterBulk(_ events: Int) -> String? {
        guard events >= 256 else { return nil }
        do throws(StoreError) { try checkpoint() } catch {
            return "all of it is in the store, but the checkpoint that saves time wasn't written: \(error)"
        }
        return nil
    }
}

/// What a merge came to, inside its transaction.
private struct MergeOutcome: Sendable {
    var new = 0
    var known = 0
    var quarantined = 0
    var erasedCards = 0
    var erasedEvents = 0
    var heads: LogHeads
    var heldAside: [HeldAside] = []
    var refusals: [OriginRefusal] = []
}

extension MergeReport {
    fileprivate init(_ outcome: MergeOutcome, isCleared: Bool, digest: SHA256Digest?, remark: String?) {
        self.init(
            newEvents: outcome.new, knownEvents: outcome.known, quarantined: outcome.quarantined, heldAside: outcome.heldAside,
            refused: outcome.refusals.map { Refusal(origin: $0.origin, commit: $0.commit, reason: $0.why) },
            erasedCards: outcome.erasedCards, erasedEvents: outcome.erasedEvents, isCleared: isCleared, digest: digest, remark: remark)
    }
}

/// A merge inside its transaction. Meanwhile others may have taken in the same, or something else, under the same numbers.
private struct MergeInProgress: ~Copyable {
    var heads: LogHeads
    var intake: MergeResult
    let erased: Set<UniqueID>
    private var budget: HeldAsideBudget?
    var forks: ForkCheck
    var heldAside: [HeldAside] = []
    var refusals: [OriginRefusal] = []
    private var refused: Set<OriginID> = []
    private var hasher = SHA256Hasher()

    init(heads: LogHeads, intake: MergeResult, erased: Set<UniqueID>) {
        self.heads = heads
        self.intake = intake
        self.erased = erased
        forks = ForkCheck(heads: heads)
    }

    mutating func append(_ item: Incoming.Item, _ log: CommitLog, _ transaction: inout WriteTransaction) throws(LogError) {
        switch item {
        case .commit(let bytes): try append(bytes, log, &transaction)
        case .released(let bytes, let key):
            try append(bytes, log, &transaction)
            try log.release(key, &transaction)
        case .aside(let held): try hold(held, log, &transaction)
        }
    }

    private mutating func append(_ commit: [UInt8], _ log: CommitLog, _ transaction: inout WriteTransaction) throws(LogError) {
        let sequence = heads.sequence + 1
        let gone = erased.union(intake.erasedCards)
        var erasedEvents = 0
        let isNew: Bool
        do throws(LogError) {
            isNew = try log.appendForeign(commit.rawSpan, heads: &heads, hasher: &hasher, &transaction) {
                (commit, previous) throws(ByteError) in
                // Texts of cards that are erased don't come in again by another device's copy.
                guard !gone.isEmpty else { return nil }
                let without = try Commit.erasing(commit, after: previous, by: StudyStore.textRules) { gone.contains($0.subject) }
                erasedEvents = without.events
                return without.bytes
            }
        } catch {
            // It followed on what was here a moment ago: another process has taken in something else since.
            switch error {
            case .forked(let origin, let number): return refuse(.forked(origin, commit: number))
            case .doesNotFollow(let origin, let number, let why):
                return refuse(OriginRefusal(origin: origin, commit: number, why: why))
            default: throw error
            }
        }
        intake.noteErased(erasedEvents)
        forks.note(commit.rawSpan, isKnown: !isNew)
        try Commit.forEachEvent(of: commit.rawSpan, sequence: sequence) { header, payload, _ in
            intake.note(header, payload: payload, isNew: isNew)
        }
    }

    private mutating func hold(_ held: HeldCommit, _ log: CommitLog, _ transaction: inout WriteTransaction) throws(LogError) {
        guard let bytes = HeldCommit.withoutTexts(held.bytes, of: erased, by: StudyStore.textRules) else { return }
        let kept = HeldCommit(
            origin: held.origin, number: held.number, reason: held.reason, message: held.message, bytes: bytes)
        var room: HeldAsideBudget
        if let budget { room = budget } else { room = try log.heldAsideBudget(transaction.reader) }
        defer { budget = room }
        switch try log.hold(kept, &room, &transaction) {
        case .held, .wasHeld: heldAside.append(HeldAside(kept))
        case .noRoom:
            refuse(
                OriginRefusal(
                    origin: held.origin, commit: held.number,
                    why: "it would have to be held aside, and \(HeldAsideBudget.ofOrigin >> 20) MiB of an origin, "
                        + "\(HeldAsideBudget.ofAll >> 20) MiB and \(HeldAsideBudget.commits) commits in all, are the most"))
        }
    }

    private mutating func refuse(_ refusal: OriginRefusal) {
        if refused.insert(refusal.origin).inserted { refusals.append(refusal) }
    }
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

    func check(
        _ log: CommitLog, _ index: CommitIndex, _ transaction: borrowing ReadTransaction, _ refusals: inout [OriginRefusal]
    ) throws(LogError) {
        var wanted: [OriginID: UInt64] = [:]
        for (origin, header) in last where header.number < heads[origin].commits { wanted[origin] = header.number }
        let own = try log.digests(ofCommits: wanted, by: index, transaction)
        for (origin, number) in wanted.sorted(by: { $0.key < $1.key }) where own[origin] != last[origin]?.digest {
            refusals.append(.forked(origin, commit: number))
        }
    }
}

extension StoreError {
    /// What an error of a log that is only read, as a source of commits, is to somebody who merges it: wrong input, with its place.
    init(source error: LogError, path: String) {
        switch error {
        case .unknownFormat(_, let found):
            self = .badInput(
                path: path, place: "", why: "has format \(found), and this program knows \(CommitLog.format); use a newer engram")
        default: self.init(error, path: path)
        }
        if case .damaged(_, let place, let why) = self {
            self = .damagedInput(path: path, place: place, why: why)
        }
    }
}
