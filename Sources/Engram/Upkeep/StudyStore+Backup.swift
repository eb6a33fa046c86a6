internal import EventCoding
internal import EventLog
internal import FileSystem
internal import LMDB
internal import StudyModel

/// What a backup came to.
public struct BackupReport: Hashable, Sendable {
    /// The folder of the backup, which is a store like any other.
    public let path: String
    /// Events in it.
    public let events: Int
    /// Commits in it.
    public let commits: Int
    /// Bytes of its data file.
    public let bytes: Int
    /// Digest of its state.
    public let digest: SHA256Digest
    /// What restoring it to another place and folding it gave; `nil` where that wasn't asked for.
    public let drill: SHA256Digest?
}

extension StudyStore {
    /// Copies the store to the new folder `target`, while others read and write.
    ///
    /// The copy is made beside it under another name, synced, proved by a deep verification, held against this store's chain of
    /// digests, and only then given its name. It is a store: it can be opened, verified, merged, or copied back. A copy goes on
    /// under an origin of its own once it is written to.
    ///
    /// - Parameters:
    ///   - target: nothing may have that name.
    ///   - ndjson: also writes all events as NDJSON into the folder, as `events.ndjson`.
    ///   - isDrill: also restores the backup to another place, folds it, and compares the digests.
    /// - Throws: ``StoreError/storeExists(path:)`` where something has that name; ``StoreError/damaged(path:place:why:)`` where the
    ///   copy doesn't prove itself, which is then removed.
    /// - Complexity: O(size of the file).
    public func backup(to target: String, ndjson: Bool = false, drill isDrill: Bool = false) throws(StoreError) -> BackupReport {
        let target = Self.trimmed(target)
        let isThere: Bool
        do throws(LMDBError) { isThere = try StoreFolder.exists(target) } catch { throw StoreError(error, path: target) }
        guard !isThere else { throw .storeExists(path: target) }
        let work = try Self.inFiles(target) { () throws(FileError) in
            try WorkFolder.make(Self.backups, in: Files.folder(of: target))
        }
        defer { work.remove() }
        let copy = try Self.inFiles(target, work.makeFolder(StoreFolder.made))
        try copyData(to: copy)
        let report = try prove(copy: copy)
        let digest = try Self.open(at: copy, readOnly: true).digest()
        if ndjson { try Self.writeOpenForm(of: copy) }
        let restored = isDrill ? try Self.drill(copy, in: work, ndjson: ndjson, expecting: digest) : nil
        try Self.onDisk(target, CommitLog.storeFolder.removeLocks(copy))
        try Self.putInPlace(work, as: target)
        return BackupReport(
            path: target, events: report.events, commits: report.commits, bytes: StoreFolder.dataLength(target), digest: digest,
            drill: restored)
    }

    /// Puts the store that was made in a work folder on the disk, then under the name `target`, which nothing must have.
    static func putInPlace(_ work: WorkFolder, as target: String) throws(StoreError) {
        try inLog(of: target, storage(Interruption.becomeFinal()))
        try inFiles(target) { () throws(FileError) in
            try work.sync(StoreFolder.made)
            try work.put(StoreFolder.made, as: Files.name(of: target))
            try work.syncParent()
        }
    }

    /// Runs what can fail in the file system; where a name is taken, that of `target` is.
    static func inFiles<Result: ~Copyable>(_ target: String, _ body: () throws(FileError) -> Result) throws(StoreError) -> Result {
        do throws(FileError) { return try body() } catch {
            guard error.code != .entryExists else { throw .storeExists(path: target) }
            throw .storage(path: target, operation: error.operation, why: "\(error.code)")
        }
    }

    /// The same for one call.
    static func inFiles<Result: ~Copyable>(
        _ target: String, _ call: @autoclosure () throws(FileError) -> Result
    ) throws(StoreError) -> Result {
        try inFiles(target, call)
    }

    /// Copies the file; where it may still hold texts that were erased, what is in use of it, record by record.
    private func copyData(to folder: String) throws(StoreError) {
        guard try hasTextsToClear() else {
            return try Self.onDisk(folder, log.environment.copyData(to: folder + "/data.mdb"))
        }
        do throws(LogError) { _ = try Self.rewritten(log, in: folder) } catch { throw StoreError(error, path: folder) }
    }

    static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.last == "/" { path.removeLast() }
        return path
    }

    static func onDisk<Result: ~Copyable>(
        _ path: String, _ call: @autoclosure () throws(LMDBError) -> Result
    ) throws(StoreError) -> Result {
        do throws(LMDBError) { return try call() } catch { throw StoreError(error, path: path) }
    }

    /// Verifies a copy deeply, and that its chains are the beginnings of this store's.
    private func prove(copy path: String) throws(StoreError) -> VerifyReport {
        let report = try Self.verify(at: path, level: .deep)
        // Content is no history: what is wrong with it can be installed again, here and there. A text that can't be erased is no damage.
        if let first = report.findings.first(where: { !$0.isAboutContent && $0.kind != VerifyReport.erasureIncomplete }) {
            throw .damaged(path: self.path, place: first.place, why: "its copy has a finding: \(first.kind): \(first.message)")
        }
        let copied = try Self.open(at: path, readOnly: true).reading { (_, projection) throws(LogError) in projection.heads }
        let own = try reading { (transaction, projection) throws(LogError) in
            try self.log.digests(ofCommits: copied.origins.mapValues(\.commits), by: projection.commits, transaction)
        }
        for (origin, head) in copied.sorted where own[origin] != head.digest {
            throw .damaged(path: path, place: "origin \(origin)", why: "the copy isn't the beginning of what was copied")
        }
        return report
    }

    private static func writeOpenForm(of path: String) throws(StoreError) {
        let store = try open(at: path, readOnly: true)
        let file = path + "/" + CommitLog.ndjsonName
        var lines = try onDisk(file, NewFile(file))
        try store.exportLog { line in lines.write(line + [UInt8(ascii: "\n")]) }
        do throws(LMDBError) { try lines.finish() } catch { throw StoreError(error, path: file) }
    }

    /// Restores a backup as somebody would, in a place that goes away again: its file copied by plain reads, its open form
    /// imported into an empty store. Both must fold to the same state.
    private static func drill(
        _ backup: String, in work: WorkFolder, ndjson: Bool, expecting digest: SHA256Digest
    ) throws(StoreError) -> SHA256Digest {
        let scratch = try inFiles(backup, work.makeFolder("drill"))
        try onDisk(scratch, StoreFolder.copyDataFile(of: backup, to: scratch))
        let moment = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
        let restored = try open(at: scratch).replay(at: moment)
        guard restored.isEqual == true, restored.digest == digest else {
            throw .damaged(path: backup, place: "drill", why: "restored, it folds to \(restored.digest), and should to \(digest)")
        }
        guard ndjson else { return restored.digest }
        let file = backup + "/" + CommitLog.ndjsonName
        let imported = try inFiles(backup, work.makeFolder("import"))
        guard let lines = try LineReader(path: file) else { throw .noStore(path: file) }
        let store = try create(at: imported)
        // As late as a moment can be, so that nothing is held back that the backup doesn't hold back.
        let latest = ZonedTime(wallMilliseconds: LogicalTime.wallMillisecondsRange.upperBound, zoneMinutes: 0)
        let report = try store.importLog(path: file, at: latest) { () throws(StoreError) in try lines.next() }
        guard report.digest == digest else {
            throw .damaged(
                path: backup, place: "drill",
                why: "its open form folds to \(report.digest.map { "\($0)" } ?? "nothing"), and should to \(digest)")
        }
        return restored.digest
    }
}
