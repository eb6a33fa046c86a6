internal import EventCoding
internal import EventLog
internal import FileSystem
internal import LMDB
internal import Synchronization

/// Texts that were erased from the log are gone from it, and still lie in pages and parts of pages that nothing uses, in a copy that a
/// migration kept, in a backup's open form. Clearing writes the file anew, record by record, and removes those copies.
extension StudyStore {
    /// Whether texts that were erased may still lie in the store's file or beside it, since others had the store open.
    public func hasTextsToClear() throws(StoreError) -> Bool {
        try reading { (transaction, _) throws(LogError) in try log.hasTextsToClear(transaction) }
    }

    /// Writes the store at `path` anew, record by record, proves it, and puts it in the old one's place: what had been erased is then
    /// nowhere in the file any more. A compaction wouldn't do: it copies pages whole, with what lies in them unused.
    ///
    /// - Throws: ``StoreError/inUse(path:)`` where somebody has the store open; nothing was changed then.
    /// - Complexity: O(size of the file).
    public static func rewrite(at path: String, configuration: Configuration = Configuration()) throws(StoreError) {
        try checkFormat(at: path)
        try removeKeptCopiesIfMarked(path)
        try replace(at: path) { (log, folder) throws(LogError) in
            try rewritten(log, in: folder, random: configuration.randomness)
        }
    }

    /// Where pages of the store's file are damaged, but none of those with the log or with content: writes the store anew from these,
    /// proves it, and puts it in the old one's place. Damaged pages must not be written to, and so can't be mended where they lie.
    ///
    /// - Returns: false where no page is damaged.
    /// - Throws: ``StoreError/damaged(path:place:why:)`` where the log itself is; ``StoreError/inUse(path:)`` where somebody has the store
    ///   open. Nothing was changed then.
    /// - Complexity: O(size of the file).
    public static func rewriteDamaged(at path: String) throws(StoreError) -> Bool {
        guard let damage = CommitLog.pageDamage(path: path, companions: Self.companionDatabases) else { return false }
        guard !damage.isOfLog else { throw StoreError(damage.error, path: path) }
        try rewrite(at: path)
        return true
    }

    /// Clears what was erased, if something is left to be cleared and nobody else has the store open. That the file can't be written anew
    /// leaves the mark for the next write.
    func clear() throws(StoreError) {
        try checkIsWritable()
        let isMarked = try inLog(
            log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try log.hasTextsToClear(transaction) })
        guard isMarked else { return }
        do throws(StoreError) {
            try Self.removeKeptCopies(path)
            try Self.replace(log, goesOn: true) { (log, folder) throws(LogError) in
                try Self.rewritten(log, in: folder)
            }
        } catch {
            guard case .inUse = error else {
                clearingFailure.withLock { $0 = error }
                throw error
            }
        }
    }

    /// A copy of the log, record by record, with a checkpoint of its own.
    static func rewritten(
        _ log: CommitLog, in folder: String, random: () -> UInt64 = { .random(in: .min ... .max) }
    ) throws(LogError) -> CommitLog {
        let copy = try log.upgradedCopy(in: folder, random: random, erasableCount: { _, _ in 0 })
        try writeCheckpoint(copy)
        return copy
    }

    // MARK: - Copies that the store keeps

    /// Where a backup is made, restored and taken in again.
    static let backups = CommitLog.storeFolder.work("backup", folders: ["drill", "import"])
    /// Where a salvaged store is made.
    static let salvages = CommitLog.storeFolder.work("salvage")

    /// Names in the store's folder that hold copies of its texts: the stores of before a migration, and a backup's open form.
    var keptCopies: [String] { Self.keptCopies(path) }

    private static func keptCopies(_ path: String) -> [String] {
        let formats = (CommitLog.oldestFormat..<CommitLog.format).flatMap { StoreFolder.keptDataFiles(of: path, in: "format-\($0)") }
        return formats + [CommitLog.ndjsonName].filter { (try? StoreFolder.exists(path + "/" + $0)) == true }
    }

    static func removeKeptCopiesIfMarked(_ path: String) throws(StoreError) {
        let isMarked: Bool
        do throws(LogError) {
            let log = try CommitLog.open(path: path, companions: Self.companionDatabases, readOnly: true)
            isMarked = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in try log.hasTextsToClear(transaction) }
        } catch { throw StoreError(error, path: path) }
        if isMarked { try removeKeptCopies(path) }
    }

    /// Removes what killed runs left in the store's folder and beside it; false where a living one makes a copy of a store there.
    @discardableResult
    static func clearLeftovers(_ path: String) -> Bool {
        // A store's path may be a link: beside it is also beside what it leads to.
        let folders = [Files.folder(of: trimmed(path)), path + "/..", path]
        let kinds = CommitLog.storeFolder.kinds + [backups, salvages, OutputFile.exports]
        return folders.map { WorkFolder.clearLeftovers(kinds, in: $0) }.allSatisfy { $0 }
    }

    /// Whether erased texts are neither in the file nor in a copy beside it.
    func isCleared() throws(StoreError) -> Bool {
        guard try !hasTextsToClear() else { return false }
        return Self.clearLeftovers(path)
    }

    private static func removeKeptCopies(_ path: String) throws(StoreError) {
        guard clearLeftovers(path) else { throw .inUse(path: path) }
        for name in keptCopies(path) {
            try onDisk(path + "/" + name, CommitLog.storeFolder.removeCopy(path + "/" + name))
        }
    }
}
