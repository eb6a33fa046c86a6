internal import CLMDB
internal import FileSystem
internal import Synchronization

extension Environment {
    /// Reads from one snapshot of the store. Nothing of it gets out of `body` but what `body` copies and returns.
    ///
    /// Keep it short: pages that a commit frees can't be used again while an older read is open.
    /// - Parameter isNested: whether it is inside another read or write of this thread, whose end it can't wait for.
    /// - Throws: `.storage` if the read can't begin, `.body` with what `body` threw.
    package func read<Result: ~Copyable, Failure: Error>(
        isNested: Bool = false, _ body: (borrowing ReadTransaction) throws(Failure) -> Result
    ) throws(TransactionError<Failure>) -> Result {
        let handle: OpaquePointer
        do throws(LMDBError) { unsafe handle = try begin(UInt32(MDB_RDONLY), isNested: isNested) } catch { throw .storage(error) }
        defer {
            unsafe mdb_txn_abort(handle)
            leave()
        }
        let transaction = unsafe ReadTransaction(handle, of: self)
        do throws(Failure) { return try body(transaction) } catch { throw .body(error) }
    }

    /// Writes all of what `body` does, or nothing. Waits its turn behind the other writers, of this process and of others.
    ///
    /// The commit is on the disk when this returns. If `body` throws, or anything in it failed to be written, nothing is.
    /// - Throws: `.body` with what `body` threw, or `.storage`: `.nestedWrite` inside another write on this thread,
    ///   `.commitOutcomeUnknown` where the commit failed and may yet be on the disk.
    package func write<Result: ~Copyable, Failure: Error>(
        _ body: (inout WriteTransaction) throws(Failure) -> Result
    ) throws(TransactionError<Failure>) -> Result {
        do throws(LMDBError) { try takeTurn() } catch { throw .storage(error) }
        defer { giveTurn() }
        let handle: OpaquePointer
        do throws(LMDBError) { unsafe handle = try begin(0) } catch { throw .storage(error) }
        defer { leave() }
        do throws(LMDBError) { try checkPages(.head(before: UInt64(unsafe mdb_txn_id(handle)))) } catch {
            unsafe mdb_txn_abort(handle)
            throw .storage(error)
        }
        var transaction = unsafe WriteTransaction(handle, of: self)
        let result: Result
        do throws(Failure) {
            result = try body(&transaction)
        } catch {
            unsafe mdb_txn_abort(handle)
            throw .body(error)
        }
        if let error = transaction.firstError {
            unsafe mdb_txn_abort(handle)
            throw .storage(error)
        }
        do throws(LMDBError) { try unsafe commit(handle) } catch {
            writeCheck.withLock { $0?.forget() }
            throw .storage(error)
        }
        writeCheck.withLock { $0?.noteCommit() }
        return result
    }
}

// MARK: - Beginning and ending

extension Environment {
    func checkProcess(_ operation: String) throws(LMDBError) {
        guard System.processID == processID else { throw failure(.forked, operation) }
    }

    /// Nothing is written to a store whose pages contradict each other.
    func checkPages(_ part: WriteCheck.Part) throws(LMDBError) {
        do throws(StoreFileError) {
            try writeCheck.withLock { check throws(StoreFileError) in
                if check == nil {
                    let appended = databases.values.filter(\.isAppended).map(\.name).sorted()
                    check = try WriteCheck.open(folder: path, identity: dataFileIdentity, appended: appended)
                }
                try check?.check(part)
            }
        } catch { throw failure(.unusable(error), "check before writing") }
    }

    /// Becomes the only writer: first of the threads, whose locks on a file would be one and the same, then of the processes.
    func takeTurn() throws(LMDBError) {
        try checkProcess("mdb_txn_begin")
        guard !isReadOnly else { throw failure(.readOnly, "mdb_txn_begin") }
        guard writerTurn.acquire() else { throw failure(.nestedWrite, "mdb_txn_begin") }
        do throws(SystemCode) {
            try files.lockWriter()
        } catch {
            writerTurn.release()
            throw failure(.failed(LMDBCode(error)), "flock")
        }
    }

    func giveTurn() {
        files.unlockWriter()
        writerTurn.release()
    }

    /// Begins a transaction and counts it.
    private func begin(_ flags: UInt32, isNested: Bool = false) throws(LMDBError) -> OpaquePointer {
        try checkProcess("mdb_txn_begin")
        try Interruption.check()
        var mayClearReaders = true
        while true {
            try enter()
            var begun: OpaquePointer?
            let code = unsafe mdb_txn_begin(handle, nil, flags, &begun)
            if code == 0, let transaction = unsafe begun { return unsafe transaction }
            leave()
            switch LMDBCode(rawValue: code) {
            case .mapResized where !isNested:
                try adoptMapSize()
            case .readersFull where mayClearReaders:
                mayClearReaders = false
                clearDeadReaders()
            case .panic:
                gate.withLock { $0.isUnusable = true }
                throw failure(.panicked, "mdb_txn_begin")
            case let code:
                throw failure(.failed(code), "mdb_txn_begin")
            }
        }
    }

    /// Counts one who uses the file; waits while another file takes its place.
    func enter() throws(LMDBError) {
        while true {
            let isIn = try gate.withLock { gate throws(LMDBError) -> Bool in
                guard !gate.isUnusable else { throw failure(.panicked, "mdb_txn_begin") }
                guard !gate.wasReplaced else { throw failure(.replaced, "mdb_txn_begin") }
                guard !gate.isChangingFiles else { return false }
                gate.openTransactions += 1
                return true
            }
            if isIn { return }
            System.sleep(milliseconds: 1)
        }
    }

    func leave() {
        gate.withLock { $0.openTransactions -= 1 }
    }

    /// Follows another process that let the data grow beyond this map. The map may only change while no transaction of this
    /// process is open; those that are get five seconds to end.
    private func adoptMapSize() throws(LMDBError) {
        for _ in 0..<1000 {
            let isDone = try gate.withLock { gate throws(LMDBError) -> Bool in
                guard gate.openTransactions == 0, !gate.isChangingFiles else { return false }
                let code = unsafe mdb_env_set_mapsize(handle, 0)
                guard code == 0 else {
                    // The old map is gone and the new one was refused: LMDB would crash in the next transaction.
                    gate.isUnusable = true
                    throw failure(.failed(LMDBCode(rawValue: code)), "mdb_env_set_mapsize")
                }
                return true
            }
            if isDone { return }
            System.sleep(milliseconds: 5)
        }
        throw failure(.mapResized, "mdb_txn_begin")
    }

    /// Codes of a commit that failed before anything was written.
    private static let harmlessCommitFailures: Set<LMDBCode> = [.badTransaction, .transactionFull]

    private func commit(_ transaction: OpaquePointer) throws(LMDBError) {
        let code = LMDBCode(rawValue: unsafe mdb_txn_commit(transaction))
        switch code.rawValue {
        case 0: return
        case MDB_MAP_FULL: throw failure(.mapFull(mapSize: mapSize), "mdb_txn_commit")
        case _ where Environment.harmlessCommitFailures.contains(code): throw failure(.failed(code), "mdb_txn_commit")
        default: throw failure(.commitOutcomeUnknown(code), "mdb_txn_commit")
        }
    }

    /// Takes the exclusive lock, if nobody else has the store open.
    func becomeAlone() throws(LMDBError) -> Bool {
        try checkProcess("flock")
        do throws(SystemCode) {
            return try gate.withLock { gate throws(SystemCode) -> Bool in
                guard files.hasGuard else { return false }
                if gate.exclusiveUses == 0 {
                    guard try files.becomeAlone() else { return false }
                }
                gate.exclusiveUses += 1
                return true
            }
        } catch {
            throw failure(.failed(LMDBCode(error)), "flock")
        }
    }

    func shareAgain() {
        gate.withLock { gate in
            gate.exclusiveUses -= 1
            // From exclusive to shared there is nothing to wait for.
            if gate.exclusiveUses == 0 { try? files.lockGuard(.shared, waiting: true) }
        }
    }
}
