public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections

/// What erasing a card came to.
public struct EraseReport: Hashable, Sendable {
    /// The event that says so; `nil` where the card had been erased before and nothing was left to do.
    public let event: EventID?
    /// Events that lost their texts.
    public let events: Int
    /// Events that still have them: they can't be erased without taking other events with them.
    public let left: Int
    /// Whether nothing of them lies in unused parts of the store's file any more. Where others have the store open that isn't so yet: it
    /// is done with the next write of whoever is alone with it, and a finding of every verification until then.
    public internal(set) var isCleared = false
    /// Names in the store's folder that held older copies of its texts and were removed.
    public internal(set) var removed: [String] = []

    /// Whether the texts are nowhere in the store any more.
    public var isGone: Bool { isCleared && left == 0 }
}

extension StudyStore {
    /// Deletes a card and erases its texts for good: from every event of the log, from all that was made of them, and from unused parts
    /// of the file, which is written anew for that. What was answered stays, and so does the proof of it: a commit's digest is taken
    /// over digests of texts.
    ///
    /// It can't be undone, and it holds: texts of the card that come later, by whatever way, are cleared as they come. Every device that
    /// merges with this one erases them too. Copies that the store itself keeps (of before a migration, a backup's open form) are
    /// removed; backups and exports that were made elsewhere are out of its reach.
    ///
    /// ``perform(_:at:key:)`` with ``Action/eraseCard(_:)`` does the same and tells less.
    /// - Throws: ``StoreError/notFound(_:name:)`` where nothing of such a card is known. One whose making doesn't count (undone, voided,
    ///   held aside) can be erased. Erasing again does what was left to do.
    /// - Complexity: O(size of the file).
    @discardableResult
    public func erase(_ card: UniqueID, at moment: ZonedTime) throws(StoreError) -> EraseReport {
        try checkIsWritable()
        let copies = keptCopies
        // Before anything else: a run that was killed may have left some beside a store that has nothing to clear.
        Self.clearLeftovers(path)
        var report = try writing(clears: false) { (transaction, projection) throws(StoreError) -> (report: EraseReport, heads: LogHeads) in
            var heads = projection.heads
            let planned = try self.plan(.eraseCard(card), at: moment, projection, transaction.reader)
            var (event, count): (EventID?, Int) = (nil, 0)
            if !planned.isEmpty {
                let before = try self.count(of: [card], transaction.reader)
                event = try self.append(planned, at: moment, key: nil, heads: &heads, &transaction).first
                count = try before - self.count(of: [card], transaction.reader)
            }
            let left = try self.count(of: [card], transaction.reader)
            return (EraseReport(event: event, events: count, left: left), heads)
        } isThere: { result, heads in
            heads == result.heads
        }.report
        try clear()
        report.isCleared = try isCleared()
        // Where the file is written anew, so is its checkpoint.
        if !report.isCleared { try checkpoint() }
        let left = keptCopies
        report.removed = copies.filter { !left.contains($0) }
        return report
    }

    /// The card that `name` names, for an erasure: as ``card(named:)``, and also one whose making doesn't count.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    /// - Complexity: O(events).
    public func erasableCard(named name: String) throws(StoreError) -> UniqueID {
        let id = UniqueID(name)
        let ids = try reading { (transaction, projection) throws(LogError) in
            func isMeant(_ card: UniqueID) -> Bool { id.map { $0 == card } ?? Self.begins(card, with: name) }
            let known = Set(projection.state.knownCards.map(\.id).filter(isMeant))
            return known.union(try log.subjectsOfTexts(by: Self.textRules, transaction, where: isMeant))
        }
        return try Self.only(ids.map { ($0, $0.description) }, .card, name)
    }

    private func count(of cards: Set<UniqueID>, _ transaction: borrowing ReadTransaction) throws(StoreError) -> Int {
        try inLog(log.countTexts(of: cards, by: Self.textRules, transaction))
    }

    /// Of which cards the texts are to be gone by events that are about to be written: one that erases, or one that lets one count which
    /// was held back.
    func cardsToErase(
        by planned: [PlannedEvent], _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Set<UniqueID> {
        var cards: Set<UniqueID> = []
        for item in planned {
            switch item.event {
            case .cardErased, .subjectErased: cards.insert(item.subject)
            case .eventReleased(let released):
                if let card = try erasedCard(by: released.target, transaction) { cards.insert(card) }
            default: break
            }
        }
        return cards
    }

    /// The card that the event of that identity erases, if it does that to one.
    func erasedCard(by event: EventID, _ transaction: borrowing ReadTransaction) throws(LogError) -> UniqueID? {
        guard let found = try log.event(event, transaction), found.header.type.isErasure else { return nil }
        return found.header.subject
    }

    /// Erases the texts of cards in this transaction, and marks the file as one that is to be written anew. The log must say in the same
    /// transaction that they were erased: whoever has it open learns from that event that others have moved.
    ///
    /// - Parameter wasEmpty: the log held nothing before this transaction, so that a text which it doesn't hold now was never in the file.
    /// - Returns: how many events lost their texts.
    func eraseTexts(
        of cards: Set<UniqueID>, wasEmpty: Bool = false, _ transaction: inout WriteTransaction
    ) throws(LogError) -> Int {
        guard !cards.isEmpty else { return 0 }
        let count = try log.eraseTexts(of: cards, by: Self.textRules, &transaction)
        _ = try log.eraseHeldAside(of: cards, by: Self.textRules, &transaction)
        if count > 0 || !wasEmpty { try log.markTextsToClear(&transaction) }
        return count
    }

    /// What of an event is text, by its schema.
    static let textRules = TextRules { header, payload in
        guard let kind = StudyEventKind(rawValue: header.type.rawValue), (1...kind.currentVersion).contains(header.version) else {
            return nil
        }
        guard kind.erasableFields(version: header.version) > 0 else { return 0 }
        let count = StudyEvent.erasableByteCount(type: header.type, version: header.version, payload: payload)
        // One that doesn't follow its schema can't be judged by it.
        return count > 0 ? count : nil
    } bearsTexts: { type in
        guard let kind = StudyEventKind(rawValue: type.rawValue) else { return false }
        return kind.erasableFields(version: kind.currentVersion) > 0
    } isFree: { header, payload in
        StudyEvent.isFreeOfTexts(header, payload: payload)
    }
}
