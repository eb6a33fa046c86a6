package import EventCoding
package import StudyModel
package import StudyProjections

/// Finds out what of a file is new to a store.
package struct ImportPlanner {
    private let history: ImportedHistory
    private let moment: ZonedTime
    private let limit: Int64
    package private(set) var report: ImportReport
    /// What is new, in fold order.
    package private(set) var events: [NewEvent] = []
    /// Which of them lie too far ahead of the clock.
    package private(set) var ahead: [Int] = []
    /// Creations that were passed over since the texts of their cards were erased.
    private var erasedCount = 0
    /// Cards that are placed anew.
    private var placed: Set<UniqueID> = []

    /// What lies more than `tolerance` milliseconds ahead of `moment` is to be held back.
    package init(_ history: ImportedHistory, now moment: ZonedTime, tolerance: Int64) {
        self.history = history
        self.moment = moment
        limit = moment.wallMilliseconds.addingReportingOverflow(tolerance).partialValue
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

    /// Plans what is new. `state` is `nil` for a store without events, the common case, which knows nothing; `timeline` gives the events of
    /// an entity.
    package mutating func plan<Failure: Error>(
        _ state: StudyState?, timeline: (UniqueID) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) {
        var known: [UniqueID: Known] = [:]
        events.reserveCapacity(history.events.count)
        for event in history.events {
            if let state, known[event.subject] == nil {
                var entry = Self.known(try timeline(event.subject))
                entry.isErased = state.card(event.subject)?.flags.contains(.erased) ?? false
                known[event.subject] = entry
            }
            add(event, known: known[event.subject])
        }
        if state != nil {
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

    /// Decks that the file has otherwise than the last import had them.
    private mutating func addDeckChanges(_ known: [UniqueID: Known]) {
        guard history.decksHaveIdentities else { return }
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
