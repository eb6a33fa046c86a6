internal import CLMDB
internal import FileSystem
internal import Synchronization

/// What came of an attempt to put another data file in a store's place.
package enum Replacement: Hashable, Sendable {
    /// The store is the new one from now on. Whoever holds the old environment must let go of it and open the store again.
    case done
    /// What was made isn't to take the store's place; the store is as it was.
    case declined
    /// Another process has the store open; nothing was begun.
    case inUse
}

extension Environment {
    /// Whether this process has the store in the folder `path` open.
    package static func isOpen(path: String) -> Bool {
        guard let status = try? Files.status(of: StoreFiles.dataPath(in: path), followingLinks: true) else { return false }
        return EnvironmentRegistry.isOpen(status.identity)
    }

    /// Puts another data file in the place of this store's, all of it or nothing of it.
    ///
    /// While no other process has the store open, and none can open it, `build` makes a store in an empty folder inside the store's; this store
    /// can be read meanwhile, but nobody writes to it. Once the new store is closed, proved page by page and synced, its data
    /// file takes the old one's name by one rename. A crash at any moment leaves the old store or the new one, and what was left
    /// over beside it is removed by the next opener. The old file keeps a second name until the rename is on the disk.
    ///
    /// Afterwards every transaction of this environment fails with `.replaced`: all references to it must go. Other processes
    /// wait until then. The new data file keeps its inode. Where the environment is to go on, it opens the new file itself, and
    /// everybody who has it reads and writes there from then on; transactions that begin meanwhile wait.
    ///
    /// - Parameter goesOn: also see above. Then it is `.inUse` as well where a transaction of this process doesn't end within a second.
    /// - Parameter build: gets the folder; true if what it made shall take the store's place. It must have let go of every
    ///   environment that it opened there.
    /// - Throws: `.body` with what `build` threw; `.storage`, where `.commitOutcomeUnknown` says that the rename may not last.
    package func replaceData<Failure: Error>(
        goesOn: Bool = false, _ build: (_ folder: String) throws(Failure) -> Bool
    ) throws(TransactionError<Failure>) -> Replacement {
        do throws(LMDBError) {
            guard !isReadOnly else { throw failure(.readOnly, "rename") }
            guard try becomeAlone() else { return .inUse }
        } catch { throw .storage(error) }
        var wasReplaced = false
        // Alone until the environment is closed, once the data file is another's.
        defer { if !wasReplaced { shareAgain() } }
        do throws(LMDBError) { try takeTurn() } catch { throw .storage(error) }
        defer { giveTurn() }
        gate.withLock { $0.isBeingReplaced = true }
        defer { gate.withLock { $0.isBeingReplaced = false } }
        let work: WorkFolder
        let folder: String
        do throws(LMDBError) {
            work = try inFiles(WorkFolder.make(options.folder.replacements, in: path))
            folder = try inFiles(work.makeFolder(StoreFolder.made))
        } catch { throw .storage(error) }
        // What stays behind costs space only, until the next opener removes it.
        defer { work.remove() }
        let isWanted: Bool
        do throws(Failure) { isWanted = try build(folder) } catch { throw .body(error) }
        guard isWanted else { return .declined }
        do throws(LMDBError) { try Interruption.becomeFinal() } catch { throw .storage(error) }
        guard !goesOn || beginChangingFiles() else { return .inUse }
        do throws(LMDBError) {
            defer {
                gate.withLock { gate in
                    gate.wasReplaced = wasReplaced
                    gate.isChangingFiles = false
                }
            }
            try putInPlace(folder, work, keepsOld: !goesOn, &wasReplaced)
            if goesOn {
                try goOn()
                wasReplaced = false
            }
        } catch { throw .storage(error) }
        return .done
    }

    private func putInPlace(_ folder: String, _ work: WorkFolder, keepsOld: Bool, _ wasReplaced: inout Bool) throws(LMDBError) {
        let new = StoreFiles.dataPath(in: folder)
        let identity = try attempt("stat", new, Files.status(of: new, followingLinks: false).identity)
        guard !EnvironmentRegistry.isOpen(identity) else { throw LMDBError(.inUse, operation: "rename", path: folder) }
        try Self.prove(folder)
        try attempt("fsync", new) { () throws(SystemCode) in
            let file = try OwnedFile.open(new, .readWrite)
            try file.sync()
        }
        try inFiles(work.sync(StoreFolder.made))
        // A file system without second names still renames in one step.
        // Where the environment goes on, what lies in the old file is to be gone with it.
        if keepsOld { _ = work.addName("previous", to: "data.mdb") }
        // It speaks of the old file. Without one, the next writer walks all pages, also where the rename doesn't come to pass.
        CommitNote.remove(fromStore: path)
        gate.withLock { $0.successor = identity }
        EnvironmentRegistry.add(identity, for: self)
        do throws(LMDBError) {
            try inFiles(work.put("data.mdb", of: StoreFolder.made, replacing: "data.mdb"))
        } catch {
            EnvironmentRegistry.forget(identity)
            gate.withLock { $0.successor = nil }
            throw error
        }
        wasReplaced = true
        // The new file's own note; that it stays behind costs the next writer a walk.
        try? work.put(CommitNote.name, of: StoreFolder.made, replacing: CommitNote.name)
        do throws(FileError) { try work.syncParent() } catch {
            throw failure(.commitOutcomeUnknown(LMDBCode(error.code)), "fsync")
        }
    }

    /// Nothing takes a store's place that couldn't be opened as one.
    private static func prove(_ folder: String) throws(LMDBError) {
        do throws(StoreFileError) {
            try StoreCheck.quickCheck(folder)
            let check = try PageCheck.run(storePath: folder)
            guard let first = check.findings.first else { return }
            throw .damaged(path: folder, first: first, count: check.findingCount)
        } catch { throw LMDBError(.unusable(error), operation: "rename", path: folder) }
    }

    /// Lets nobody begin a transaction from now on, once those that are open have ended; false where one doesn't within a second.
    private func beginChangingFiles() -> Bool {
        for _ in 0..<200 {
            let isDone = gate.withLock { gate in
                gate.isChangingFiles = gate.openTransactions == 0
                return gate.isChangingFiles
            }
            if isDone { return true }
            System.sleep(milliseconds: 5)
        }
        return false
    }

    /// Closes the old data file and opens the one that has its name now, with the same handles of databases. Nobody uses either.
    private func goOn() throws(LMDBError) {
        let names = databases.values.filter { !$0.isMissing }.sorted { $0.handle < $1.handle }.map(\.name)
        var former: FileIdentity?
        try gate.withLock { gate throws(LMDBError) in
            try attempt("flock", path, files.directory.lock(.exclusive, waiting: true))
            defer { try? files.directory.lock(.none, waiting: false) }
            if let old = unsafe handle { unsafe mdb_env_close(old) }
            unsafe handle = nil
            let mapped = try EnvironmentHandle.open(path: path, options: options, readOnly: false)
            let opened = try mapped.openDatabases(names, appended: options.appended, creating: false, path: path)
            let identity = try attempt("fstat", path, mapped.dataFileIdentity())
            // Databases get their handles in the order in which they are opened, and tables remember them.
            guard identity == gate.successor, names.allSatisfy({ opened[$0] == databases[$0] }) else {
                throw failure(.replaced, "mdb_dbi_open")
            }
            let pointer = unsafe mapped.take()
            unsafe mappedPageSize = unsafe Self.mappedPageSize(of: pointer)
            unsafe handle = pointer
            former = gate.identity
            gate.identity = identity
            gate.successor = nil
        }
        // What was known of the old file's pages says nothing of these.
        writeCheck.withLock { $0 = nil }
        if let former { EnvironmentRegistry.forget(former) }
    }

    /// Removes what interrupted runs left behind in the store's folder, as far as their marks prove it.
    ///
    /// Earlier versions made a folder `replacement` and a file `data.mdb.previous`, which nothing proves: those stay, except for a second
    /// name of the very data file.
    package func clearLeftovers() {
        guard !isReadOnly else { return }
        WorkFolder.clearLeftovers(options.folder.kinds, in: path)
        guard let folder = try? Folder.open(path), let former = (try? folder.status(of: "data.mdb.previous")) ?? nil,
            former.isRegular, former.identity == dataFileIdentity
        else { return }
        try? folder.removeFile("data.mdb.previous")
    }
}
