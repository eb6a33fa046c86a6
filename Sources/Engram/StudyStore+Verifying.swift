internal import Dispatch
public import EventCoding
internal import EventLog
internal import LMDB
internal import StudyModel
internal import StudyProjections
internal import Synchronization

/// How deep a verification goes; each level includes the one before.
public enum VerifyLevel: String, CaseIterable, Sendable {
    /// The file's meta pages, roots and size: milliseconds at any size.
    case quick
    /// Every page of the file: reachable, free, or a finding.
    case pages
    /// Every commit and event: digests, checksums, numbers, times, schemas, indexes.
    case log
    /// Every projection equals a fold from zero.
    case deep
}

/// What a verification found.
public struct VerifyReport: Sendable {
    /// One thing that is wrong.
    public struct Finding: Hashable, Sendable {
        /// What is wrong, as a word for scripts.
        public let kind: String
        /// Where: a page, a sequence number, an event, a card.
        public let place: String
        /// What was expected and found, for people.
        public let message: String
    }

    /// How deep it went.
    public let level: VerifyLevel
    /// What is wrong; of each kind the first hundred.
    public internal(set) var findings: [Finding] = []
    /// How many things are wrong, those that aren't listed included.
    public internal(set) var findingCount = 0
    /// Pages that were walked.
    public internal(set) var pages = 0
    /// Commits that were proved.
    public internal(set) var commits = 0
    /// Events that were proved.
    public internal(set) var events = 0
    /// Projections that were held against a fold from zero.
    public internal(set) var projections = 0
    /// Events of types or versions that this program doesn't know: kept, vouched for, and passed over by folds.
    public internal(set) var unknownEvents = 0
    /// Digest of the last commit of each origin, in the order of the origins.
    public internal(set) var heads: [(origin: OriginID, digest: SHA256Digest)] = []

    /// Whether nothing is wrong.
    public var isSound: Bool { findingCount == 0 }

    private var counts: [String: Int] = [:]
    private static let limitOfKind = 100

    init(level: VerifyLevel) { self.level = level }

    mutating func add(_ kind: String, at place: String, _ message: String) {
        findingCount += 1
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= Self.limitOfKind { findings.append(Finding(kind: kind, place: place, message: message)) }
    }
}

extension StudyStore {
    /// Proves the store in the folder at `path`, without trusting any part of it: the file is walked by plain reads before
    /// anything maps it.
    ///
    /// Never stops at a finding, as long as the next level can be read at all.
    /// - Throws: ``StoreError`` where there is no store, or the file can't be read.
    /// - Complexity: O(size of the file).
    public static func verify(
        at path: String, level: VerifyLevel, progress: @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) -> VerifyReport {
        var report = VerifyReport(level: level)
        guard try checkPages(path, level, &report) else { return report }
        guard level == .log || level == .deep else { return report }
        let log: CommitLog
        do throws(LogError) { log = try CommitLog.open(path: path, readOnly: true) } catch {
            let error = StoreError(error, path: path)
            if case .damaged(_, let place, let why) = error {
                report.add("store_unreadable", at: place, why)
                return report
            }
            throw error
        }
        do throws(LogError) {
            try verify(log, &report, progress: progress)
        } catch {
            if case .storage(let error) = error, error.code == nil { throw StoreError(error, path: path) }
            report.add("log_unreadable", at: path, "\(error)")
        }
        return report
    }

    /// Whether the file may be mapped.
    private static func checkPages(_ path: String, _ level: VerifyLevel, _ report: inout VerifyReport) throws(StoreError) -> Bool {
        do throws(StoreFault) {
            try StoreCheck.quickCheck(path)
            guard level != .quick else { return true }
            let check = try PageCheck.run(storePath: path)
            report.pages = check.pagesChecked
            for finding in check.findings { report.add(finding.kind.rawValue, at: "page \(finding.page)", finding.detail) }
            report.findingCount = max(report.findingCount, check.findingCount)
            return check.isSound
        } catch {
            switch error {
            case .notAStore: throw .noStore(path: path)
            case .unreadable(let path, let code): throw .storage(path: path, operation: "read", why: "\(code)")
            default:
                report.add("file_damaged", at: "data.mdb", "\(error)")
                return false
            }
        }
    }

    /// The log is proved on one core while another folds it; what the fold says counts where the log allows folding at all.
    private static func verify(_ log: CommitLog, _ report: inout VerifyReport, progress: @Sendable (Int) -> Void) throws(LogError) {
        let isDeep = report.level == .deep
        let proof = Mutex<Result<LogVerification, LogError>?>(nil)
        let fold = Mutex<Result<ProjectionCheck, LogError>?>(nil)
        DispatchQueue.concurrentPerform(iterations: isDeep ? 2 : 1) { index in
            if index == 0 {
                let result = attempt { () throws(LogError) in
                    try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                        try log.verify(transaction, payloadVerdict: verdict(on:payload:), progress: progress)
                    }
                }
                proof.withLock { $0 = result }
            } else {
                let result = attempt { () throws(LogError) in try checkProjections(log) }
                fold.withLock { $0 = result }
            }
        }
        guard let result = try proof.withLock({ $0 })?.get() else { return }
        report.commits = result.commits
        report.events = result.events
        report.unknownEvents = result.unknownEvents
        report.heads = result.heads.sorted.map { ($0.origin, $0.head.digest) }
        for finding in result.findings {
            let place = [finding.event.map { "event \($0)" }, finding.sequence.map { "commit \($0)" }].compactMap(\.self)
            report.add(finding.kind.rawValue, at: place.isEmpty ? log.path : place.joined(separator: ", "), finding.message)
        }
        // What isn't a log can't be folded.
        guard !result.findings.contains(where: { $0.kind.forbidsFolding }), let check = try fold.withLock({ $0 })?.get() else { return }
        report.projections = check.projections
        if let fault = check.fault {
            report.add(
                "checkpoint_damaged", at: log.path,
                "byte \(fault.offset) of a block: \(fault.kind.rawValue); engram rebuild makes it again")
        }
        for difference in check.differences { report.add("projection_differs", at: difference.place, difference.message) }
        if check.unerased > 0 {
            report.add(
                "erasure_incomplete", at: log.path,
                "\(check.unerased) events still have texts of cards that were erased; engram card erase does it again")
        }
        if check.misplaced > 0 {
            report.add("fold_order", at: log.path, "\(check.misplaced) events stand out of order within their entity")
        }
    }

    private static func attempt<Value>(_ body: () throws(LogError) -> Value) -> Result<Value, LogError> {
        do throws(LogError) { return .success(try body()) } catch { return .failure(error) }
    }

    private static func verdict(on header: borrowing EventHeader, payload: RawSpan) -> PayloadVerdict {
        do throws(ByteFault) {
            return try StudyEvent.decode(header, payload: payload) == nil ? .unknown : .valid
        } catch { return .invalid(error) }
    }

    /// Folds the log from zero and holds the stored projections against it.
    private static func checkProjections(_ log: CommitLog) throws(LogError) -> ProjectionCheck {
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            var check = ProjectionCheck()
            var stored = try LiveProjection(log, transaction)
            // Without a checkpoint nothing is stored beside the log that could differ from it.
            guard !stored.isWithoutCheckpoint else {
                check.fault = try log.checkpoint(transaction).flatMap(LiveProjection.fault(of:))
                return check
            }
            try stored.catchUp(log, transaction)
            let replay = try Replay.fold(log, transaction)
            check.projections = 7
            check.unerased = try log.countTexts(of: erasedCards(replay.state), transaction)
            check.differences = stored.state.differences(from: replay.state)
            check.misplaced = replay.misplaced
            return check
        }
    }
}

/// How the stored projections compare with a fold from zero.
private struct ProjectionCheck: Sendable {
    /// Cards, decks, items, packs, tests, tallies and settings; none where nothing is stored.
    var projections = 0
    var differences: [StateDifference] = []
    /// Why the stored projections can't be read.
    var fault: ByteFault?
    var misplaced = 0
    /// Events that still have the texts of cards which were erased.
    var unerased = 0
}

extension LogFinding.Kind {
    /// Whether folding the log would meet what it can't read.
    var forbidsFolding: Bool {
        switch self {
        case .malformedCommit, .malformedEvent, .sequenceGap: true
        default: false
        }
    }
}
