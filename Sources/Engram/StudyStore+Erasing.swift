public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections

/// What erasing a card came to.
public struct EraseReport: Hashable, Sendable {
    /// The event that says so; `nil` where the card had been erased before.
    public let event: EventID?
    /// Events that lost their texts.
    public let events: Int
}

extension StudyStore {
    /// Deletes a card and erases its texts for good: from every event of the log, and with the next checkpoint from all that was
    /// made of them. What was answered stays, and so does the proof of it: a commit's digest is taken over digests of texts.
    ///
    /// It can't be undone. Every device that merges with this one erases them too. Parts of the file that nothing uses may still
    /// hold the texts: ``rewrite(at:configuration:)`` is what clears them. Backups and exports that were made before are out of its reach.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where there never was such a card. Erasing again does what was left to do.
    /// - Complexity: O(commits).
    @discardableResult
    public func erase(_ card: UniqueID, at moment: Moment) throws(StoreError) -> EraseReport {
        let report = try writing { (transaction, projection) throws(WriteError) -> (report: EraseReport, heads: LogHeads) in
            var heads = projection.heads
            do throws(LogError) {
                let isErased = projection.state.card(card)?.flags.contains(.erased) ?? false
                if isErased, try self.log.countTexts(of: [card], transaction.reader) == 0 {
                    return (EraseReport(event: nil, events: 0), heads)
                }
            } catch { throw .log(error) }
            // Whoever has the log open learns from the event that events have moved, so there is one whenever some do.
            let planned = try self.plan(.eraseCard(card), at: moment, projection, transaction.reader)
            let event = try self.append(planned, at: moment, key: nil, heads: &heads, &transaction).first
            do throws(LogError) {
                _ = try self.log.eraseHeldAside(of: [card], &transaction, mayHoldTexts: Self.mayHoldTexts)
                return (EraseReport(event: event, events: try self.log.eraseTexts(of: [card], &transaction)), heads)
            } catch { throw .log(error) }
        } isThere: { result, heads in
            heads == result.heads
        }.report
        try checkpoint()
        return report
    }

    /// Writes the store at `path` anew, record by record, proves it, and puts it in the old one's place: what had been erased is then
    /// nowhere in the file any more. A compaction wouldn't do: it copies pages whole, with what lies in them unused.
    ///
    /// - Throws: ``StoreError/inUse(path:)`` where somebody has the store open; nothing was changed then.
    /// - Complexity: O(size of the file).
    public static func rewrite(at path: String, configuration: Configuration = Configuration()) throws(StoreError) {
        try checkFormat(at: path)
        var failure: StoreError?
        try replace(at: path) { (log, folder) throws(LogError) in
            let copy = try log.upgradedCopy(in: folder, random: configuration.randomness, erasableCount: { _, _ in 0 })
            do throws(StoreError) {
                try StudyStore.checkpoint(copy)
                return copy
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
    }

    /// Where pages of the store's file are damaged, but none of those with the log or with content: writes the store anew from these,
    /// proves it, and puts it in the old one's place. Damaged pages must not be written to, and so can't be mended where they lie.
    ///
    /// - Returns: false where no page is damaged.
    /// - Throws: ``StoreError/damaged(path:place:why:)`` where the log itself is; ``StoreError/inUse(path:)`` where somebody has the store
    ///   open. Nothing was changed then.
    /// - Complexity: O(size of the file).
    public static func rewriteDamaged(at path: String) throws(StoreError) -> Bool {
        guard let damage = CommitLog.pageDamage(path: path) else { return false }
        guard !damage.isOfLog else { throw StoreError(damage.error, path: path) }
        try rewrite(at: path)
        return true
    }

    /// Writes the first checkpoint of a log that was just made.
    private static func checkpoint(_ log: CommitLog) throws(StoreError) {
        let store: StudyStore
        do throws(LogError) { store = try StudyStore(log: log) } catch { throw StoreError(error, path: log.path) }
        try store.checkpoint()
    }

    /// The cards whose texts are to be gone.
    static func erasedCards(_ state: StudyState) -> Set<UniqueID> {
        Set(state.knownCards.filter { $0.flags.contains(.erased) }.map(\.id))
    }
}
