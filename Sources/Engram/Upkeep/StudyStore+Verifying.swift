public import EventCoding
internal import EventLog
internal import LMDB
internal import StudyModel
public import StudyProjections
internal import Synchronization

extension StudyStore {
    /// Proves the store in the folder at `path`, without trusting any part of it: the file is walked by plain reads before
    /// anything maps it.
    ///
    /// Never stops at a finding, as long as the next level can be read at all.
    /// - Parameters:
    ///   - path: the store's folder.
    ///   - level: how deep to look.
    ///   - part: how much of the log is proved, at the levels that prove it.
    ///   - expected: heads that somebody noted, in a backup or on another device: each must be the head of its origin, or stand in its
    ///     chain. That it doesn't is a finding, so that an end that was cut off is noticed.
    ///   - schedulers: those that the program knows.
    ///   - projections: the app's own; stored ones of others are passed over with a remark.
    ///   - progress: called now and then with the number of commits that were proved.
    /// - Throws: ``StoreError`` where there is no store, or the file can't be read.
    /// - Complexity: O(size of the file); constant at the level `quick`, unless the file is shorter than it should be.
    public static func verify(
        at path: String, level: VerifyLevel, part: VerifyPart = .everything,
        expecting expected: [(origin: OriginID, digest: SHA256Digest)] = [], under schedulers: KnownSchedulers = .builtIn,
        projections: [any Projection.Type] = [], progress: @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) -> VerifyReport {
        var report = VerifyReport(level: level, path: path)
        guard try checkPages(path, level, &report) else {
            if !expected.isEmpty { report.remarks.append("the expected heads weren't looked for: the file can't be read that far") }
            return report
        }
        guard level == .log || level == .deep || !expected.isEmpty else { return report }
        let log: CommitLog
        do throws(LogError) { log = try CommitLog.open(path: path, companions: Self.companionDatabases, readOnly: true) } catch {
            let error = StoreError(error, path: path)
            if case .damaged(_, let place, let why) = error {
                report.add("store_unreadable", at: place, why)
                return report
            }
            throw error
        }
        do throws(LogError) {
            if level == .log || level == .deep {
                let beginning = StudyState(schedulers: schedulers, projections: ProjectionSet(projections))
                try verify(log, part, &report, from: beginning, progress: progress)
                try lookAtHeldAside(log, &report)
                try verifyContent(of: log, &report)
                try lookForTextsToClear(log, &report)
            }
            try look(for: expected, in: log, &report)
        } catch {
            if case .storage(let error) = error, error.code == nil { throw StoreError(error, path: path) }
            report.add("log_unreadable", at: path, "\(error)")
        }
        return report
    }

    /// Proves this store as `verify(at:level:part:expecting:under:projections:progress:)` does, under the schedulers and with the projections
    /// that it was opened with.
    public func verify(level: VerifyLevel = .deep) throws(StoreError) -> VerifyReport {
        try Self.verify(at: path, level: level, under: configuration.schedulers, projections: configuration.projections)
    }

    /// Whether the file may be mapped.
    private static func checkPages(_ path: String, _ level: VerifyLevel, _ report: inout VerifyReport) throws(StoreError) -> Bool {
        do throws(StoreFileError) {
            try StoreCheck.headCheck(path)
            guard level != .quick else {
                try StoreCheck.checkNames(CommitLog.requiredDatabaseNames, in: path)
                return true
            }
            let check = try PageCheck.run(storePath: path)
            report.pages = check.pagesChecked
            report.pageFigures = check.snapshots.map {
                VerifyReport.PageFigures(commit: $0.commitNumber, used: $0.usedPages, free: $0.freePages, leaked: $0.leakedPages)
            }
            for finding in check.findings { report.add(finding.kind.rawValue, at: "page \(finding.page)", finding.detail) }
            for kind in PageCheck.Kind.allCases {
                report.count((check.counts[kind] ?? 0) - check.findings.count { $0.kind == kind }, of: kind.rawValue)
            }
            noteDatabases(check, &report)
            if let hidden = check.hiddenCommit, check.isSound {
                report.remarks.append(
                    "commit \(hidden) of the storage failed at its last step, or was hidden by a changed number: the file doesn't say which"
                )
            }
            // Pages that nobody uses only waste space.
            return check.counts.keys.allSatisfy { $0 == .leakedPages }
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
    private static func verify(
        _ log: CommitLog, _ part: VerifyPart, _ report: inout VerifyReport, from beginning: StudyState,
        progress: @Sendable (Int) -> Void
    ) throws(LogError) {
        var isDeep = report.level == .deep
        if case .until = part, isDeep {
            isDeep = false
            report.remarks.append("projections weren't checked: a verification within a time proves the log alone")
        }
        let proof = Mutex<Result<LogVerification, LogError>?>(nil)
        let fold = Mutex<Result<ProjectionCheck, LogError>?>(nil)
        let timelines = Mutex<TimelineIndex?>(nil)
        // Where both halves are done on one thread, the proof comes first and adds up the index by itself.
        @Sendable func half(_ index: Int) {
            if index == 0 {
                let result = attempt { () throws(LogError) in
                    try prove(log, part, timelineIndex: { timelines.withLock { $0 } }, progress: progress)
                }
                proof.withLock { $0 = result }
            } else {
                let result = attempt { () throws(LogError) in try checkProjections(log, from: beginning) }
                fold.withLock { $0 = result }
                // The proof takes longer than the fold, so this core adds up the index for it. Where it can't, the proof says why.
                guard case .everything = part, proof.withLock({ $0 == nil }) else { return }
                let sum = try? log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try log.timelineIndex(transaction) }
                timelines.withLock { $0 = sum }
            }
        }
        Threads.run(isDeep ? 2 : 1) { half($0) }
        guard let result = try proof.withLock({ $0 })?.get() else { return }
        note(result, part, of: log, &report)
        // What isn't a log can't be folded.
        guard isDeep, !result.counts.keys.contains(where: \.forbidsFolding), let check = try fold.withLock({ $0 })?.get() else { return }
        note(check, of: log, &report)
    }

    private static func prove(
        _ log: CommitLog, _ part: VerifyPart, timelineIndex: () -> TimelineIndex?, progress: @Sendable (Int) -> Void
    ) throws(LogError) -> LogVerification {
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            let scope: VerificationScope
            switch part {
            case .everything: scope = .everything
            case .percent(let percent, let seed): scope = .sample(share: share(percent / 100), seed: seed)
            case .commits(let count, let seed):
                let total = try log.lastSequence(transaction)
                scope = total == 0 ? .everything : .sample(share: share(Double(count) / Double(total)), seed: seed)
            case .until(let isEnough):
                scope = .after(try VerificationProgress.remembered(of: log, transaction), isEnough: isEnough)
            }
            let result = try log.verify(
                transaction, scope: scope, payloadVerdict: verdict(on:payload:), timelineIndex: timelineIndex,
                progress: progress)
            // What has findings is looked at again the next time.
            if case .until = part, result.counts.isEmpty { VerificationProgress.remember(result.heads, of: log, transaction) }
            return result
        }
    }

    private static func share(_ part: Double) -> UInt64 {
        guard part < 1 else { return 1 << 32 }
        return part > 0 ? UInt64(part * 4_294_967_296) : 0
    }

    private static func note(_ result: LogVerification, _ part: VerifyPart, of log: CommitLog, _ report: inout VerifyReport) {
        report.commits = result.commits
        report.events = result.events
        report.unknownEvents = result.unknownEvents
        if result.withdrawnCommits > 0 {
            let (commits, stand) = result.withdrawnCommits == 1 ? ("commit", "stands") : ("commits", "stand")
            report.remarks.append(
                "\(result.withdrawnCommits) \(commits) \(stand) by the recorded digest alone: texts of theirs were erased that bore no mark"
            )
        }
        report.heads = result.heads.sorted.map { ($0.origin, $0.head.digest) }
        if !result.isComplete {
            let isContinuous = if case .until = part { true } else { false }
            report.part = VerifyReport.Range(first: result.first, last: result.last, total: result.total, isContinuous: isContinuous)
            report.remarks.append("the indexes weren't checked: that needs every commit")
        }
        for finding in result.findings {
            let place = [finding.event.map { "event \($0)" }, finding.sequence.map { "commit \($0)" }].compactMap(\.self)
            report.add(finding.kind.rawValue, at: place.isEmpty ? log.path : place.joined(separator: ", "), finding.message)
        }
        for kind in LogFinding.Kind.allCases {
            report.count((result.counts[kind] ?? 0) - result.findings.count { $0.kind == kind }, of: kind.rawValue)
        }
    }

    private static func note(_ check: ProjectionCheck, of log: CommitLog, _ report: inout VerifyReport) {
        report.projections = check.projections
        if let fault = check.fault {
            report.add(
                "checkpoint_damaged", at: log.path,
                "byte \(fault.offset) of a block: \(fault.kind.rawValue)")
        } else if check.projections == 0 {
            report.remarks.append("no projection is stored yet, so none can differ from the log, which folds without a fault")
        }
        for difference in check.differences { report.add("projection_differs", at: difference.place, difference.message) }
        if check.unerased > 0 {
            report.add(
                VerifyReport.erasureIncomplete, at: log.path,
                "\(check.unerased) events still have texts of cards that were erased")
        }
        for spec in check.unknownSchedulers {
            report.remarks.append("the log names a scheduler that this program doesn't know, \(spec): under it nothing is scheduled")
        }
        for name in check.unknownProjections {
            report.remarks.append("a projection that this program doesn't know, \(name), is stored and wasn't compared with the log")
        }
        if check.outOfOrder > 0 {
            report.add("fold_order", at: log.path, "\(check.outOfOrder) events stand out of order within their entity")
        }
    }

    /// Names what is held aside; what isn't as it was put there is a finding.
    private static func lookAtHeldAside(_ log: CommitLog, _ report: inout VerifyReport) throws(LogError) {
        var damaged = 0
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try log.forEachHeldAside(transaction) { (_, held) throws(LogError) in
                if let held { report.heldAside.append(HeldAside(held)) } else { damaged += 1 }
                return true
            }
        }
        guard damaged > 0 else { return }
        report.add(
            "held_aside_damaged", at: log.path,
            "\(damaged) commits that are held aside aren't as they came; merging with the device that they came from brings them again")
    }

    /// Texts that were erased and may still lie in the file are no secret of the store's.
    private static func lookForTextsToClear(_ log: CommitLog, _ report: inout VerifyReport) throws(LogError) {
        let isMarked = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try log.hasTextsToClear(transaction) }
        guard isMarked else { return }
        report.add(
            VerifyReport.textsNotCleared, at: log.path,
            "texts that were erased may still lie in unused parts of the file: others had the store open; the next command that writes "
                + "while nobody else has it open clears them")
    }

    /// Looks for heads that somebody noted in the chains of their origins.
    private static func look(
        for expected: [(origin: OriginID, digest: SHA256Digest)], in log: CommitLog, _ report: inout VerifyReport
    ) throws(LogError) {
        guard !expected.isEmpty else { return }
        let wanted = Dictionary(grouping: expected, by: \.origin).mapValues { Set($0.map(\.digest)) }
        let (found, heads, former) = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            var projection = try LiveProjection(log, transaction, from: StudyState())
            try projection.catchUp(log, transaction)
            return (try log.numbers(ofDigests: wanted, transaction), projection.heads, try log.formerHeads(transaction))
        }
        for (origin, digest) in expected {
            let head = heads[origin]
            // A head of before the store was carried over to another format: the migration proved that nothing was missing.
            if let number = former.first(where: { $0.origin == origin && $0.digest == digest })?.commits, number <= head.commits {
                report.knownHeads.append(VerifyReport.KnownHead(origin: origin, digest: digest, commitsSince: head.commits - number))
                continue
            }
            guard let number = found[digest], number <= head.commits else {
                let has = head.commits == 0 ? "it has none of its commits" : "its chain of \(head.commits) commits ends in \(head.digest)"
                report.add("head_missing", at: "origin \(origin)", "no commit of the origin has the digest \(digest): \(has)")
                continue
            }
            report.knownHeads.append(
                VerifyReport.KnownHead(origin: origin, digest: digest, commitsSince: head.commits - number))
        }
    }

    private static func attempt<Value>(_ body: () throws(LogError) -> Value) -> Result<Value, LogError> {
        do throws(LogError) { return .success(try body()) } catch { return .failure(error) }
    }

    /// Folds the log from zero and holds the stored projections against it.
    private static func checkProjections(_ log: CommitLog, from beginning: StudyState) throws(LogError) -> ProjectionCheck {
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            var check = ProjectionCheck()
            let replay = try Replay.fold(log, transaction, from: beginning, plan: Replay.Plan(parts: 1, isProving: false))
            check.outOfOrder = replay.outOfOrder
            check.unerased = try log.countTexts(of: replay.state.erasedSubjects, by: textRules, transaction)
            check.unknownSchedulers = replay.state.rules.unknownSchedulers
            let checkpoint = try log.checkpoint(transaction)
            let known = Set(beginning.projections.encoded.map(\.name))
            check.unknownProjections = StudyState.projections(storedIn: checkpoint?.blocks ?? []).map(\.name).filter { !known.contains($0) }
            var stored = try LiveProjection(wholly: log, transaction, from: beginning)
            // Without a checkpoint nothing is stored beside the log that could differ from it.
            guard !stored.isWithoutCheckpoint else {
                check.fault = checkpoint.flatMap { LiveProjection.fault(of: $0, from: beginning) }
                return check
            }
            try stored.catchUp(log, transaction)
            check.projections = stored.state.comparedCount
            check.differences = stored.state.differences(from: replay.state)
            if stored.commits != CommitIndex(replay.outline) {
                check.differences.append(
                    StateDifference(place: "index of commits", message: "where each origin's commits lie isn't what the log says"))
            }
            return check
        }
    }
}

/// How the stored projections compare with a fold from zero.
private struct ProjectionCheck: Sendable {
    /// How many were compared; none where nothing is stored.
    var projections = 0
    var differences: [StateDifference] = []
    /// Why the stored projections can't be read.
    var fault: ByteError?
    var outOfOrder = 0
    var unknownSchedulers: [String] = []
    var unknownProjections: [String] = []
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
