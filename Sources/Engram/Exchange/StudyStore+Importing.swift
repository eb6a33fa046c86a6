internal import EventCoding
internal import EventLog
public import Exchange
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections
internal import TextFolding

extension StudyStore {
    /// Takes in another program's cards and review history.
    ///
    /// What a row says is its identity: importing again, or a later copy, or a part that overlaps, adds only what is new. All
    /// of it is one transaction: it is there as a whole, or not at all.
    /// - Parameters:
    ///   - path: the file; it is only read.
    ///   - format: the file's format; found by content where there is none.
    ///   - deckTitle: the deck of cards that come without one; the file's name where there is none. For a list, the deck of
    ///     all its cards: an identity, an unambiguous start of one, or a title.
    ///   - zone: minutes that the local clock was ahead of UTC at an instant; the file's own rule, or UTC, where there is none.
    ///   - isRaw: whether the cells of a list are taken as they are. Else the apostrophe comes off that `export(_:toFile:overwriting:isRaw:at:progress:)`
    ///     puts before cells that a spreadsheet would run.
    ///   - isDryRun: tells the same and writes nothing.
    ///   - moment: the time of the import; rows that lie more than a day ahead of it are held back.
    ///   - progress: called now and then with how much is done of how much.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the file isn't right; nothing is changed then.
    public func importHistory(
        at path: String, format: ImportFormat? = nil, deckTitle: String? = nil, zone: ((Int64) -> Int16?)? = nil,
        isRaw: Bool = false, isDryRun: Bool = false, moment: ZonedTime, progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> ImportReport {
        try check(moment)
        let wanted: ImportFormat
        do throws(ImportError) {
            if let format { wanted = format } else { wanted = try ImportFormat.find(path: path) }
        } catch { throw StoreError(error) }
        if wanted == .list {
            return try importList(
                at: path, deck: deckTitle, isFound: format == nil, isRaw: isRaw, isDryRun: isDryRun, moment: moment, progress: progress)
        }
        let history: ImportedHistory
        do throws(ImportError) {
            history = try ImportedHistory.read(
                path: path, format: wanted, deckTitle: deckTitle, zone: zone, progress: Self.reading(path, progress))
        } catch { throw StoreError(error) }
        if isDryRun {
            return try reading { (transaction, projection) throws(LogError) in
                try plan(history, at: moment, projection, transaction).report
            }
        }
        let (report, count) = try writing(wholly: true) { (transaction, projection) throws(StoreError) -> (ImportReport, Int) in
            let planner = try inLog(self.plan(history, at: moment, projection, transaction.reader))
            guard !planner.events.isEmpty else { return (planner.report, 0) }
            let told = self.account(planner.report, name: history.name, digest: history.digest, skipped: history.skippedCount)
            try self.write(planner.events, ahead: planner.ahead, told, at: moment, heads: projection.heads, &transaction)
            return (planner.report, planner.events.count)
        } isThere: { _, _ in
            // Which of the import's events came through is told by the next import of the same file.
            false
        }
        var whole = report
        whole.remark = checkpointAfterBulk(count)
        return whole
    }

    private func plan(
        _ history: ImportedHistory, at moment: ZonedTime, _ projection: LiveProjection, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> ImportPlanner {
        var planner = ImportPlanner(history, now: moment, tolerance: CommitLog.clockToleranceMilliseconds)
        try planner.plan(projection.heads.sequence == 0 ? nil : projection.state) { subject throws(LogError) in
            try storage(Interruption.check())
            return try projection.timeline(of: subject, log, transaction)
        }
        // A zone that the caller answered is looked at in a dry run as well.
        for event in planner.events { try event.checkRanges() }
        return planner
    }

    /// Tells how far the reading of a file is, and ends it where the import is to end.
    static func reading(_ path: String, _ progress: ((_ done: Int, _ total: Int) -> Void)?) -> ReadingProgress {
        { (done, total) throws(ImportError) in
            guard !Interruption.isRequested else { throw ImportError(path: path, reason: .cancelled) }
            progress?(done, total)
        }
    }

    /// What the log keeps of an import itself.
    func account(_ report: ImportReport, name: String, digest: SHA256Digest, skipped: Int) -> HistoryImported {
        HistoryImported(
            source: report.source, name: name.prefix(utf8Count: FieldLimit.textBytes), digest: digest, cards: UInt64(report.newCards),
            reviews: UInt64(report.newReviews), skipped: UInt64(skipped), quarantined: UInt64(report.quarantined))
    }

    /// Appends the events of an import under an origin of its own, then what tells of it and holds back what lies ahead.
    func write(
        _ events: [NewEvent], ahead: [Int], _ told: HistoryImported, at moment: ZonedTime, heads: LogHeads,
        _ transaction: inout WriteTransaction, progress: (_ done: Int) -> Void = { _ in }
    ) throws(StoreError) {
        var heads = heads
        let origin = Self.newOrigin(configuration)
        try inLog(log.appendBatches(events, origin: origin, heads: &heads, marking: mark, &transaction, progress: progress))
        var planned = [PlannedEvent(event: .historyImported(told), subject: .none)]
        // The origin is new, so its events are numbered from 1 in the order in which they were planned.
        for index in ahead {
            let target = EventID(origin: origin, number: UInt64(index + 1))
            planned.append(
                PlannedEvent(event: .eventHeld(EventHeld(target: target, reason: .aheadOfClock)), subject: events[index].subject))
        }
        for start in stride(from: 0, to: planned.count, by: 1000) {
            _ = try append(
                Array(planned[start..<min(start + 1000, planned.count)]), at: moment, key: nil, heads: &heads, &transaction)
        }
    }
}

extension StoreError {
    /// What a file that can't be imported is to somebody who uses a store.
    init(_ error: ImportError) {
        guard error.reason != .cancelled else {
            self = .cancelled
            return
        }
        let (path, place) =
            switch error.place {
            case .file: (error.path, "")
            case .member(let name), .table(let name): (error.path, name)
            // As compilers write it, so that editors find the place.
            case .line(let line, let field): ("\(error.path):\(line)", field ?? "")
            }
        self = .badInput(path: path, place: place, why: "\(error.reason)")
    }
}
