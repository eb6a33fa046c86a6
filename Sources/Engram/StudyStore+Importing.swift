internal import EventCoding
internal import EventLog
public import Exchange
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections
internal import TextFolding

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
    /// What became of each row of a list; of other formats nothing is told by the row.
    public internal(set) var rows: [ImportedRow] = []
    /// What was left undone after all of it was on the disk, for a person; nothing of that is lost.
    public internal(set) var remark: String?
}

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
    ///   - isRaw: whether the cells of a list are taken as they are. Else the apostrophe comes off that ``export(_:toFile:overwriting:isRaw:at:progress:)``
    ///     puts before cells that a spreadsheet would run.
    ///   - isDryRun: tells the same and writes nothing.
    ///   - moment: the time of the import; rows that lie more than a day ahead of it are held back.
    ///   - progress: called now and then with how much is done of how much.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the file isn't right; nothing is changed then.
    public func importHistory(
        at path: String, format: ImportFormat? = nil, deckTitle: String? = nil, zone: ((Int64) -> Int16?)? = nil,
        isRaw: Bool = false, isDryRun: Bool = false, moment: ZonedTime, progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> ImportReport {
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
            history = try ImportedHistory.read(path: path, format: wanted, deckTitle: deckTitle, zone: zone, progress: progress)
        } catch { throw StoreError(error) }
        if isDryRun {
            return try reading { (transaction, projection) throws(LogError) in
                var planner = ImportPlanner(history, now: moment)
                try planner.plan(projection, log, transaction)
                return planner.report
            }
        }
        let (report, count) = try writing(wholly: true) { (transaction, projection) throws(StoreError) -> (ImportReport, Int) in
            var planner = ImportPlanner(history, now: moment)
            try inLog(planner.plan(projection, log, transaction.reader))
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

/// Finds out what of a file is new to a store.
struct ImportPlanner {
    private let history: ImportedHistory
    private let moment: ZonedTime
    private let limit: Int64
    private(set) var report: ImportReport
    /// What is new, in fold order.
    private(set) var events: [NewEvent] = []
    /// Which of them lie too far ahead of the clock.
    private(set) var ahead: [Int] = []
    /// Creations that were passed over since the texts of their cards were erased.
    private var erasedCount = 0
    /// Cards that are placed anew.
    private var placed: Set<UniqueID> = []

    init(_ history: ImportedHistory, now moment: ZonedTime) {
        self.history = history
        self.moment = moment
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
        /// Title and colour of a deck, likewise.
        var title = ""
        var colour: UInt64?
        /// Logical time of the last placement.
        var placedAt: LogicalTime?
        /// Its texts were erased: no file brings them back.
        var isErased = false
    }

    mutating func plan(
        _ projection: LiveProjection, _ log: CommitLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        // A store without events, the common case, knows nothing.
        let isEmpty = projection.heads.sequence == 0
        var known: [UniqueID: Known] = [:]
        events.reserveCapacity(history.events.count)
        for event in history.events {
            if !isEmpty, known[event.subject] == nil {
                var entry = try Self.known(projection.timeline(of: event.subject, log, transaction))
                entry.isErased = projection.state.card(event.subject)?.flags.contains(.erased) ?? false
                known[event.subject] = entry
            }
            add(event, known: known[event.subject])
        }
        if !isEmpty {
            addChanges(known)
            addDeckChanges(known)
        }
        events.sort { Self.comesBefore($0, $1) }
        ahead = events.indices.filter { max(events[$0].wallMilliseconds, events[$0].logicalTime?.milliseconds ?? 0) > limit }
        report.quarantined = ahead.count
        if erasedCount > 0 { report.skipped.append((SkipReason.erased.rawValue, erasedCount)) }
    }

    /// What has no time of its own gets one from the clock, so it comes after all that has one.
    private static func comesBefore(_ left: NewEvent, _ right: NewEvent) -> Bool {
        switch (left.logicalTime, right.logicalTime) {
        case (let first?, let second?): (first, left.subject) < (second, right.subject)
        case (nil, nil): left.subject < right.subject
        case (let first, _): first != nil
        }
    }

    private static func known(_ timeline: [RecordedEvent]) -> Known {
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
            case .deckCreated(let created):
                guard result.createdAt == nil else { break }
                result.createdAt = event.header.logicalTime
                result.title = created.title
                result.colour = created.colour
            case .deckRenamed(let renamed): result.title = renamed.title
            case .deckRecoloured(let recoloured): result.colour = recoloured.colour
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
            case .cardPlaced: result.placedAt = event.header.logicalTime
            default: break
            }
        }
        return result
    }

    private mutating func add(_ event: ImportedEvent, known: Known?) {
        var isKnown = known?.keys.contains(event.key) ?? false
        switch event.event {
        case .deckCreated, .cardCreated:
            if known?.isErased ?? false {
                erasedCount += 1
                return
            }
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
        case .cardPlaced:
            // An older copy than the one that was imported last tells nothing new.
            if let last = known?.placedAt, let time = event.logicalTime, time < last { isKnown = true }
            if !isKnown { placed.insert(event.subject) }
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
            guard !known.keys.isEmpty, !known.isErased else {
                report.unchangedCards += 1
                continue
            }
            var isChanged = placed.contains(card.id)
            if card.front != known.front || card.back != known.back {
                let edited = CardEdited(front: card.front, back: card.back)
                isChanged =
                    addChange(.cardEdited(edited), of: card.id, key: ImportKey.cardEdited(card), at: card.textModifiedMilliseconds, known)
                    || isChanged
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

    /// Decks that a file whose decks have identities of their own has otherwise than the last import had them.
    private mutating func addDeckChanges(_ known: [UniqueID: Known]) {
        guard history.format == .coreData else { return }
        for deck in history.decks {
            guard let known = known[deck.id], known.createdAt != nil, !known.keys.isEmpty else { continue }
            let colour = deck.colour.map { UInt64($0) }
            if deck.title != known.title {
                let key = ImportKey.deckChanged(deck.id, "title", deck.title)
                _ = addChange(.deckRenamed(DeckRenamed(title: deck.title)), of: deck.id, key: key, at: 0, known)
            }
            if colour != known.colour {
                let key = ImportKey.deckChanged(deck.id, "colour", colour.map { String($0) } ?? "")
                _ = addChange(.deckRecoloured(DeckRecoloured(colour: colour)), of: deck.id, key: key, at: 0, known)
            }
        }
    }

    /// Adds what the file changed, at the time that it says; at that of the import where it says none.
    private mutating func addChange(
        _ event: StudyEvent, of subject: UniqueID, key: UniqueID, at milliseconds: Int64, _ known: Known
    ) -> Bool {
        var change = NewEvent(
            type: event.type, version: event.version, subject: subject, wallMilliseconds: moment.wallMilliseconds,
            zoneMinutes: moment.zoneMinutes, key: key, payload: event.encodedPayload())
        if milliseconds != 0 {
            guard !known.keys.contains(key),
                let time = LogicalTime(milliseconds: milliseconds, counter: ImportedCounter.value(.cardChanged))
            else { return false }
            change.wallMilliseconds = milliseconds
            change.zoneMinutes = 0
            change.logicalTime = time
        }
        events.append(change)
        return true
    }
}
