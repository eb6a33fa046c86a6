internal import EventLog
internal import LMDB

/// What compacting a store came to.
public struct CompactReport: Hashable, Sendable {
    /// Whether the store lies in a new file now; it stays where nothing would be gained.
    public let isChanged: Bool
    /// Bytes of the data file before.
    public let bytesBefore: Int
    /// Bytes of the data file now.
    public let bytesAfter: Int
    /// Events in the store, before as after.
    public let events: Int
}

extension StudyStore {
    /// Writes the store anew without the space that nothing uses, proves the copy, and puts it in the store's place.
    ///
    /// Crash-safe at any moment: there is the old store or the new one, and what is left over beside it goes at the next
    /// opening. Nobody may have the store open, in this process or another.
    /// - Throws: ``StoreError/inUse(path:)`` where somebody has; ``StoreError/damaged(path:place:why:)`` where a copy of the store
    ///   doesn't prove itself, and then nothing was changed.
    /// - Complexity: O(size of the file).
    public static func compact(at path: String, configuration: Configuration = Configuration()) throws(StoreError) -> CompactReport {
        try checkFormat(at: path)
        // LMDB copies what it is led to.
        if let damage = CommitLog.pageDamage(path: path, companions: Self.companionDatabases) { throw StoreError(damage.error, path: path) }
        let bytesBefore = StoreFolder.dataLength(path)
        var events = 0
        var isChanged = false
        var wasRewritten = false
        try removeKeptCopiesIfMarked(path)
        try replace(at: path) { (log, folder) throws(LogError) in
            // Pages that are copied whole would bring what was erased along.
            let isMarked = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                try log.hasTextsToClear(transaction)
            }
            if isMarked {
                wasRewritten = true
                return try rewritten(log, in: folder)
            }
            let copy = try log.compactCopy(in: folder, random: configuration.randomness)
            wasRewritten = copy.isRewritten
            if wasRewritten {
                if let file = try? RawFile(path) { try carryContent(from: file, into: copy.log) }
                try writeCheckpoint(copy.log)
            }
            return copy.log
        } prove: { (report, folder) in
            events = report.events
            isChanged = wasRewritten || StoreFolder.dataLength(folder) < bytesBefore
            return isChanged
        }
        return CompactReport(
            isChanged: isChanged, bytesBefore: bytesBefore, bytesAfter: StoreFolder.dataLength(path), events: events)
    }

    /// Writes a checkpoint of a new log, so that nobody has to fold it from zero.
    static func writeCheckpoint(_ log: CommitLog) throws(LogError) {
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            var projection = try LiveProjection(log, transaction.reader, from: StudyState())
            try projection.catchUp(log, transaction.reader)
            try projection.writeCheckpoint(log, &transaction)
        }
    }

    /// Throws where the store has an older format, which is only ever carried over.
    static func checkFormat(at path: String) throws(StoreError) {
        let found = try inLog(of: path, CommitLog.open(path: path, companions: Self.companionDatabases, readOnly: true).storedFormat)
        guard found == CommitLog.format else { throw .olderFormat(path: path, found: found, known: CommitLog.format) }
    }

    /// Puts the store that `build` makes in the place of the one at `path`, once a deep verification of it found nothing.
    ///
    /// - Parameters:
    ///   - build: makes the new store in the folder that it gets, and returns its open log; `nil` leaves all as it is.
    ///   - prove: gets what the verification said, and the folder; false leaves all as it is.
    /// - Returns: whether the new store took the place.
    @discardableResult
    static func replace(
        at path: String, build: (_ log: CommitLog, _ folder: String) throws(LogError) -> CommitLog?,
        prove: (_ report: VerifyReport, _ folder: String) -> Bool = { _, _ in true }
    ) throws(StoreError) -> Bool {
        let log = try inLog(of: path, CommitLog.openAlone(path: path, companions: Self.companionDatabases))
        return try replace(log, build: build, prove: prove)
    }

    /// The same of an open log; where it goes on, so do all others of this process.
    @discardableResult
    static func replace(
        _ log: CommitLog, goesOn: Bool = false, build: (_ log: CommitLog, _ folder: String) throws(LogError) -> CommitLog?,
        prove: (_ report: VerifyReport, _ folder: String) -> Bool = { _, _ in true }
    ) throws(StoreError) -> Bool {
        let path = log.path
        var finding: StoreError?
        let wasReplaced: Bool
        do throws(LogError) {
            wasReplaced = try log.replaceStore(goesOn: goesOn) { (folder) throws(LogError) in
                try build(log, folder)
            } prove: { (folder) throws(LogError) in
                do throws(StoreError) {
                    let report = try verify(at: folder, level: .deep)
                    // Content is no history, and what events say, or still say, was so before.
                    let known = [VerifyReport.erasureIncomplete, LogFinding.Kind.payloadInvalid.rawValue]
                    guard let first = report.findings.first(where: { !$0.isAboutContent && !known.contains($0.kind) }) else {
                        return prove(report, folder)
                    }
                    finding = .damaged(path: path, place: first.place, why: "\(first.kind): \(first.message)")
                } catch { finding = error }
                return false
            }
        } catch { throw StoreError(error, path: path) }
        if let finding { throw finding }
        return wasReplaced
    }
}
