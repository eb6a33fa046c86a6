internal import EventCoding
internal import EventLog
public import Exchange
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections

/// What an import brought, or would bring.
public struct ImportReport: Sendable {
    /// Name of the format.
    public let source: String
    /// Cards that weren't here.
    public internal(set) var newCards = 0
    /// Cards whose texts or deck were changed in the file since the last import.
    public internal(set) var updatedCards = 0
    /// Cards that are here as the file has them.
    public internal(set) var unchangedCards = 0
    /// Scheduled reviews that weren't here.
    public internal(set) var newReviews = 0
    /// Scheduled reviews that were here already.
    public internal(set) var knownReviews = 0
    /// Practice answers that weren't here.
    public internal(set) var newPractice = 0
    /// Practice answers that were here already.
    public internal(set) var knownPractice = 0
    /// Rows that became no event, by reason.
    public internal(set) var skipped: [(reason: String, count: Int)] = []
    /// Rows that became one with something left out or put right, by reason.
    public internal(set) var adjusted: [(reason: String, count: Int)] = []
    /// New events held back because their time lies more than a day ahead.
    public internal(set) var quarantined = 0
}

extension StudyStore {
    /// Takes in another program's cards and review history.
    ///
    /// What a row says is its identity: importing again, or a later copy, or a part that overlaps, adds only what is new. All
    /// of it is one transaction: it is there as a whole, or not at all.
    /// - Parameters:
    ///   - path: the file; it is only read.
    ///   - format: the file's format; found by content where there is none.
    ///   - deckTitle: the deck of cards that come without one; the file's name where there is none.
    ///   - zone: minutes that the local clock was ahead of UTC at an instant; the file's own rule, or UTC, where there is none.
    ///   - isDryRun: tells the same and writes nothing.
    ///   - moment: the time of the import; rows that lie more than a day ahead of it are held back.
    ///   - progress: called now and then with how much is done of how much.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the file isn't right; nothing is changed then.
    public func importHistory(
        at path: String, format: ImportFormat? = nil, deckTitle: String? = nil, zone: ((Int64) -> Int16?)? = nil,
        isDryRun: Bool = false, moment: Moment, progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> ImportReport {
        let history: ImportedHistory
        do throws(ImportError) {
            history = try ImportedHistory.read(path: path, format: format, deckTitle: deckTitle, zone: zone, progress: progress)
        } catch { throw StoreError(error) }
        if isDryRun {
            return try reading { (transaction, projection) throws(LogError) in
                var planner = ImportPlanner(history, now: moment)
                try planner.plan(projection, log, transaction)
                return planner.report
            }
        }
        let (report, count) = try writing { (transaction, projection) throws(WriteError) -> (ImportReport, Int) in
            var planner = ImportPlanner(history, now: moment)
            do throws(LogError) { try planner.plan(projection, log, transaction.reader) } catch { throw .log(error) }
            guard !planner.events.isEmpty else { return (planner.report, 0) }
            try self.write(planner, history, at: moment, heads: projection.heads, &transaction)
            return (planner.report, planner.events.count)
        } isThere: { _, _ in
            // Which of the import's events came through is told by the next import of the same file.
            false
        }
        try checkpointAfterBulk(count)
        return report
    }

    /// Appends the events of an import under an origin of its own, then what tells of it and holds back what lies ahead.
    private func write(
        _ planner: ImportPlanner, _ history: ImportedHistory, at moment: Moment, heads: LogHeads, _ transaction: inout WriteTransaction
    ) throws(WriteError) {
        var heads = heads
        let origin = Self.newOrigin(configuration)
        do throws(LogError) {
            try log.appendBatches(planner.events.map(erasable), origin: origin, heads: &heads, &transaction)
        } catch { throw .log(error) }
        let report = planner.report
        let told = HistoryImported(
            source: report.source, name: history.name.prefix(utf8: FieldLimit.textBytes), digest: history.digest,
            cards: UInt64(report.newCards), reviews: UInt64(report.newReviews), skipped: UInt64(history.skippedCount),
            quarantined: UInt64(report.quarantined))
        var planned = [PlannedEvent(event: .historyImported(told), subject: .none)]
        // The origin is new, so its events are numbered from 1 in the order in which they were planned.
        for index in planner.ahead {
            let target = EventID(origin: origin, number: UInt64(index + 1))
            planned.append(
                PlannedEvent(
                    event: .eventHeld(EventHeld(target: target, reason: .aheadOfClock)), subject: planner.events[index].subject))
        }
        for start in stride(from: 0, to: planned.count, by: 1000) {
            _ = try append(
                Array(planned[start..<min(start + 1000, planned.count)]), at: moment, key: nil, heads: &heads, &transaction)
        }
    }
}

extension String {
    /// As much of the beginning as fits in `limit` bytes, whole characters.
    fileprivate func prefix(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var result = ""
        var count = 0
        for character in self {
            count += character.utf8.count
            guard count <= limit else { break }
            result.append(character)
        }
        return result
    }
}

extension StoreError {
    /// What a file that can't be imported is to somebody who uses a store.
    init(_ error: ImportError) {
        // The error's own words name the file and the place.
        var why = "\(error)"
        if why.hasPrefix("\(error.path): ") { why.removeFirst(error.path.count + 2) }
        self = .badInput(path: error.path, place: "", why: why)
    }
}

/// Finds out what of a file is new to a store.
struct ImportPlanner {
    private let history: ImportedHistory
    private let limit: Int64
    private(set) var report: ImportReport
    /// What is new, in fold order.
    private(set) var events: [NewEvent] = []
    /// Which of them lie too far ahead of the clock.
    private(set) var ahead: [Int] = []

    init(_ history: ImportedHistory, now moment: Moment) {
        self.history = history
        limit = moment.wallMilliseconds.addingReportingOverflow(CommitLog.clockToleranceMilliseconds).partialValue
        report = ImportReport(source: history.format.rawValue)
        report.skipped = history.skipped.map { ($0.reason.rawValue, $0.count) }
        report.adjusted = history.adjusted.map { ($0.reason.rawValue, $0.count) }
    }

    /// What the log knows of an entity from imports.
    private struct Known {
        var keys: Set<UniqueID> = []
        /// Logical time of the creation that counts; `nil` where none is known.
        var createdAt: LogicalTime?
        /// Texts and deck as the last import had them, whatever was done here since.
        var front = ""
        var back = ""
        var deck = UniqueID.none
    }

    mutating func plan(
        _ projection: borrowing LiveProjection, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        // A store without events, the common case, knows nothing.
        let isEmpty = projection.heads.sequence == 0
        var known: [UniqueID: Known] = [:]
        events.reserveCapacity(history.events.count)
        for event in history.events {
            if !isEmpty, known[event.subject] == nil {
                known[event.subject] = try Self.known(projection.timeline(of: event.subject, log, transaction))
            }
            add(event, known: known[event.subject])
        }
        if !isEmpty { addChanges(known) }
        events.sort { ($0.logicalTime ?? .distantPast, $0.subject) < ($1.logicalTime ?? .distantPast, $1.subject) }
        ahead = events.indices.filter { max(events[$0].wallMilliseconds, events[$0].logicalTime?.milliseconds ?? 0) > limit }
        report.quarantined = ahead.count
    }

    private static func known(_ timeline: [TimelineEvent]) -> Known {
        var result = Known()
        for event in timeline.sorted(by: { $0.header.foldOrder < $1.header.foldOrder }) {
            guard let key = event.header.key else {
                // A deck or card of that identity that wasn't imported is there all the same.
                if event.header.type == DeckCreated.type || event.header.type == CardCreated.type {
                    result.createdAt = result.createdAt ?? event.header.logicalTime
                }
                continue
            }
            result.keys.insert(key)
            let payload = event.payload.rawSpan
            switch try? StudyEvent.decode(event.header, payload: payload) {
            case .deckCreated: result.createdAt = result.createdAt ?? event.header.logicalTime
            case .cardCreated(let created):
                guard result.createdAt == nil else { break }
                result.createdAt = event.header.logicalTime
                result.front = created.front
                result.back = created.back
                result.deck = created.deck
            case .cardEdited(let edited):
                result.front = edited.front ?? result.front
                result.back = edited.back ?? result.back
            case .cardMoved(let moved): result.deck = moved.deck
            default: break
            }
        }
        return result
    }

    private mutating func add(_ event: ImportedEvent, known: Known?) {
        var isKnown = known?.keys.contains(event.key) ?? false
        switch event.event {
        case .deckCreated, .cardCreated:
            if let createdAt = known?.createdAt {
                // Of several creations the earliest counts. A part of a log that reaches further back may hold it, and the
                // state is then the same in whatever order the parts came.
                guard let time = event.logicalTime, time < createdAt else { return }
                isKnown = false
            } else if case .cardCreated = event.event {
                report.newCards += 1
            }
        case .cardReviewed:
            if isKnown { report.knownReviews += 1 } else { report.newReviews += 1 }
        case .cardPractised:
            if isKnown { report.knownPractice += 1 } else { report.newPractice += 1 }
        default: break
        }
        guard !isKnown else { return }
        events.append(
            NewEvent(
                type: event.event.type, version: event.event.version, subject: event.subject,
                wallMilliseconds: event.wallMilliseconds, zoneMinutes: event.zoneMinutes, key: event.key,
                logicalTime: event.logicalTime, payload: event.event.encodedPayload()))
    }

    /// Cards that the file has otherwise than the last import had them.
    private mutating func addChanges(_ known: [UniqueID: Known]) {
        for card in history.cards {
            guard let known = known[card.id], known.createdAt != nil else { continue }
            // A card made here and not imported has no keys: the file can't have changed it.
            guard !known.keys.isEmpty else {
                report.unchangedCards += 1
                continue
            }
            var isChanged = false
            if card.front != known.front || card.back != known.back {
                let edited = CardEdited(front: card.front, back: card.back)
                isChanged = addChange(
                    .cardEdited(edited), of: card.id, key: ImportKey.cardEdited(card), at: card.textModifiedMilliseconds, known)
            }
            if card.deck != known.deck {
                let moved = CardMoved(deck: card.deck)
                isChanged =
                    addChange(.cardMoved(moved), of: card.id, key: ImportKey.cardMoved(card), at: card.cardModifiedMilliseconds, known)
                    || isChanged
            }
            if isChanged { report.updatedCards += 1 } else { report.unchangedCards += 1 }
        }
    }

    private mutating func addChange(
        _ event: StudyEvent, of card: UniqueID, key: UniqueID, at milliseconds: Int64, _ known: Known
    ) -> Bool {
        guard !known.keys.contains(key) else { return false }
        let counter = ImportedCounter.value(.cardChanged)
        guard let time = LogicalTime(milliseconds: milliseconds, counter: counter) else { return false }
        events.append(
            NewEvent(
                type: event.type, version: event.version, subject: card, wallMilliseconds: milliseconds, zoneMinutes: 0, key: key,
                logicalTime: time, payload: event.encodedPayload()))
        return true
    }
}
