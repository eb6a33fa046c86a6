internal import EventCoding
internal import LMDB

extension CommitLog {
    /// Opens the store at `path` to put another in its place: nobody else may have it open, in this process either.
    ///
    /// - Throws: `.storage` with the fault `.inUse` where this process has it open.
    package static func openAlone(path: String, companions: [String]) throws(LogError) -> CommitLog {
        guard !Environment.isOpen(path: path) else { throw .storage(LMDBError(.inUse, operation: "open", path: path)) }
        // It is only read until another takes its place.
        return try open(path: path, companions: companions, makesDatabases: false)
    }

    /// Puts another store in this one's place, all of it or nothing of it: see ``Environment/replaceData(_:)``.
    ///
    /// This log can be read from in `build`. Its device goes on under its origin in the new store: that is recorded here, in
    /// the log that `build` returns, which must lie in `folder`.
    ///
    /// - Parameter goesOn: this log, and all others of this process that have the store open, go on in the new file.
    /// - Parameter build: makes the new store in `folder` and returns its open log; `nil` if all shall stay as it is.
    /// - Parameter prove: looks at the new store once it is closed; false if it isn't fit to take the place.
    /// - Returns: whether the new store took the place; then let go of this log, and open the store again.
    /// - Throws: `.storage` with the fault `.inUse` where another process has the store open.
    package func replaceStore(
        goesOn: Bool = false, _ build: (_ folder: String) throws(LogError) -> CommitLog?,
        prove: (_ folder: String) throws(LogError) -> Bool = { _ in true }
    ) throws(LogError) -> Bool {
        let local = try read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try localOrigin(transaction).flatMap { isOwn($0, transaction) && !$0.origin.isPlaceholder ? $0.origin : nil }
        }
        let environment = try storage(self.environment)
        let outcome: Replacement
        do throws(TransactionError<LogError>) {
            outcome = try environment.replaceData(goesOn: goesOn) { (folder) throws(LogError) in
                do {
                    guard let log = try build(folder) else { return false }
                    if let local {
                        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
                            try log.setLocalOrigin(local, &transaction)
                        }
                    }
                }
                return try prove(folder)
            }
        } catch { throw LogError(error) }
        guard outcome != .inUse else { throw .storage(LMDBError(.inUse, operation: "rename", path: path)) }
        return outcome == .done
    }

    /// Writes the newest state of the store to a data file in `folder`, without the space that nothing uses, and opens it.
    ///
    /// LMDB refuses where pages are leaked. Then the commits are written into a new log one by one, and all else follows from them.
    /// Nobody may write to this log meanwhile.
    package func compactCopy(in folder: String, random: @escaping @Sendable () -> UInt64) throws(LogError) -> (
        log: CommitLog, isRewritten: Bool
    ) {
        do throws(LMDBError) {
            do throws(LMDBError) {
                try environment.copyData(to: folder + "/data.mdb", compacting: true)
            } catch {
                guard error.code == .incompatible else { throw error }
                try Self.storeFolder.empty(folder)
            }
        } catch { throw .storage(error) }
        if StoreFolder.dataLength(folder) > 0 { return (try Self.open(path: folder, companions: companions), false) }
        return (try rewritten(in: folder, random: random), true)
    }

    private func rewritten(in folder: String, random: @escaping @Sendable () -> UInt64) throws(LogError) -> CommitLog {
        let file: RawFile
        do throws(StoreFileError) { file = try RawFile(path) } catch {
            throw .storage(LMDBError(.unusable(error), operation: "read", path: path))
        }
        let copy = try Self.create(path: folder, origin: .new(from: random()), companions: companions)
        // This is done because pages are leaked, and a search would bring up what was never committed.
        let survey = SalvageSurvey([file], provingPages: false)
        let none = ReferenceRules { _, _ in
            nil
        } retargeted: { _, _, _ in
            nil
        }
        let result = try copy.takeSalvage(survey, rules: none, random: random)
        // What isn't whole is no matter of compacting.
        guard survey.isWhole, result.rescuedEvents == 0, result.lost == 0 else { throw .missingCommit(sequence: 0) }
        try copy.takeHeldAside(from: file)
        return copy
    }
}
