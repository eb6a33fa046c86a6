internal import FileSystem

/// The files of a store that are this room's own and stay open with it, and where LMDB's are.
struct StoreFiles: ~Copyable, Sendable {
    /// The folder; locked while a store is being opened or closed.
    let directory: OwnedFile
    /// Which names they have.
    let folder: StoreFolder
    /// Locked in shared mode for as long as the store is open. Absent where a read-only folder lacks it.
    let guardFile: OwnedFile
    /// `writer.lock`: locked around each write. Absent in a read-only store.
    let writerFile: OwnedFile

    static func dataPath(in path: String) -> String { path + "/data.mdb" }
    static func writerPath(in path: String) -> String { path + "/writer.lock" }
    /// LMDB's own lock file, whose name this room asks about and which it never opens.
    static func lockPath(in path: String) -> String { path + "/lock.mdb" }

    /// Opens and locks what a store of this access needs; the shared lock waits for somebody who is alone with the store.
    static func open(_ folder: StoreFolder, in path: String, readOnly: Bool) throws(LMDBError) -> StoreFiles {
        let directory = try attempt("open", path, OwnedFile.open(path, .directory))
        let guardPath = path + "/" + folder.guardFile
        guard !readOnly else {
            let hasGuard = try attempt("lstat", guardPath, Files.exists(guardPath))
            guard hasGuard else { return StoreFiles(directory: directory, folder: folder, guardFile: .absent, writerFile: .absent) }
            let guardFile = try attempt("open", guardPath, OwnedFile.open(guardPath, .read))
            try attempt("flock", guardPath, guardFile.lock(.shared, waiting: true))
            return StoreFiles(directory: directory, folder: folder, guardFile: guardFile, writerFile: .absent)
        }
        let guardFile = try attempt("open", guardPath, OwnedFile.open(guardPath, .create))
        let writerPath = writerPath(in: path)
        let writerFile = try attempt("open", writerPath, OwnedFile.open(writerPath, .create))
        try attempt("flock", guardPath, guardFile.lock(.shared, waiting: true))
        return StoreFiles(directory: directory, folder: folder, guardFile: guardFile, writerFile: writerFile)
    }
}

extension StoreFiles {
    /// `writer.lock` of a store that is only read; absent where it can't be opened.
    static func writerForReading(in path: String) -> OwnedFile {
        (try? OwnedFile.open(writerPath(in: path), .read)) ?? .absent
    }

    func lockWriter() throws(SystemCode) {
        if writerFile.isOpen { try writerFile.lock(.exclusive, waiting: true) }
    }

    var hasGuard: Bool { guardFile.isOpen }

    func lockGuard(_ mode: OwnedFile.LockMode, waiting: Bool) throws(SystemCode) {
        if guardFile.isOpen { try guardFile.lock(mode, waiting: waiting) }
    }

    /// Changes the shared lock of the guard to an exclusive one, if nobody else has it. A change of an `flock` that fails
    /// leaves none, so the shared one is taken again; the lock of the folder keeps two processes from trying at once. Who
    /// finds that one taken isn't alone, and doesn't wait: its owner may be waiting for a write of this process.
    func becomeAlone() throws(SystemCode) -> Bool {
        guard try didLock(directory, .exclusive) else { return false }
        defer { try? directory.lock(.none, waiting: false) }
        if try didLock(guardFile, .exclusive) { return true }
        try guardFile.lock(.shared, waiting: true)
        return false
    }

    private func didLock(_ file: borrowing OwnedFile, _ mode: OwnedFile.LockMode) throws(SystemCode) -> Bool {
        do throws(SystemCode) {
            try file.lock(mode, waiting: false)
            return true
        } catch {
            guard error == .wouldBlock else { throw error }
            return false
        }
    }

    func unlockWriter() {
        // Dropping a lock fails only for a descriptor that isn't one.
        if writerFile.isOpen { try? writerFile.lock(.none, waiting: false) }
    }

    /// Notes that the store has been made and is on the disk; until then the guard is empty.
    func markMade() throws(SystemCode) {
        if guardFile.isOpen { try guardFile.replaceContents(with: folder.mark) }
    }

    /// Whether nobody was ever told that the store was made, as far as ``markMade()`` knows.
    func isUnmarked(path: String) throws(LMDBError) -> Bool {
        guard guardFile.isOpen else { return false }
        return try attempt("fstat", path, guardFile.status().length == 0)
    }

    /// No file that holds more than its making has as few pages.
    private static let pagesOfMaking = 4

    /// Pages of a store that was just made.
    private static let pagesOfMade = 6

    /// Whether the data file of a store that isn't marked as made can hold nothing but what the beginning of a making leaves: it is
    /// short, none of its meta pages knows a second transaction, and neither does the note beside it.
    static func holdsNothingCommitted(in path: String) throws(LMDBError) -> Bool {
        if let note = CommitNote.read(inStore: path), note.transaction > 1 { return false }
        let dataPath = dataPath(in: path)
        let exists = try attempt("lstat", dataPath, Files.exists(dataPath))
        guard exists else { return true }
        do throws(StoreFileError) {
            let file = try PageFile.open(dataPath)
            guard try file.length() <= pagesOfMade * System.pageSize else { return false }
            for position in 0...1 {
                if let meta = try file.meta(position, at: position * System.pageSize), meta.hasMagic, meta.transaction > 1 { return false }
            }
            return true
        } catch {
            throw LMDBError(.unusable(error), operation: "pread", path: path)
        }
    }

    /// Whether a process or the machine died between making the data file and acknowledging the store, and left a file
    /// behind in which nothing was ever committed: an empty one or, where `isTornToo`, one of a few pages that don't add up.
    /// The same of a store that was once acknowledged is damage, and not taken for a new one.
    func makingWasInterrupted(path: String, isTornToo: Bool) throws(LMDBError) -> Bool {
        guard try isUnmarked(path: path) else { return false }
        let dataPath = StoreFiles.dataPath(in: path)
        let data = try attempt("lstat", dataPath) { () throws(SystemCode) in
            try Files.status(of: dataPath, followingLinks: false)
        }
        guard data.isRegular, data.length > 0 else { return data.isRegular }
        guard isTornToo, data.length <= StoreFiles.pagesOfMaking * System.pageSize else { return false }
        return try StoreFiles.holdsNothingCommitted(in: path) && (try? StoreCheck.quickCheck(path)) == nil
    }

    /// Cuts what an interrupted making left behind, if one did, so that LMDB begins afresh. The folder must be locked: the
    /// making could be going on.
    func clearInterruptedMaking(path: String, isTornToo: Bool) throws(LMDBError) {
        let dataPath = StoreFiles.dataPath(in: path)
        let exists = try attempt("lstat", dataPath, Files.exists(dataPath))
        guard exists, try makingWasInterrupted(path: path, isTornToo: isTornToo) else { return }
        let length = try attempt("lstat", dataPath) { () throws(SystemCode) in
            try Files.status(of: dataPath, followingLinks: false).length
        }
        guard length > 0 else { return }
        // Another run that is past this may be writing what comes next, and then nothing was interrupted.
        let isAlone = try attempt("flock", path, didLock(guardFile, .exclusive))
        // A change of a lock that fails leaves none.
        defer { try? guardFile.lock(.shared, waiting: true) }
        guard isAlone else { throw LMDBError(.unusable(.busy(path: dataPath)), operation: "open", path: path) }
        try attempt("ftruncate", dataPath, OwnedFile.open(dataPath, .readWrite).cut())
    }
}

/// Runs what can fail in the file system, and says the same as an error of the storage.
func inFiles<Result: ~Copyable>(_ body: () throws(FileError) -> Result) throws(LMDBError) -> Result {
    do throws(FileError) { return try body() } catch { throw LMDBError(error) }
}

/// The same for one call.
func inFiles<Result: ~Copyable>(_ call: @autoclosure () throws(FileError) -> Result) throws(LMDBError) -> Result {
    try inFiles(call)
}

/// Runs a system call and says of its failure which it was, and where.
func attempt<Result: ~Copyable>(
    _ operation: String, _ path: String, _ body: () throws(SystemCode) -> Result
) throws(LMDBError) -> Result {
    do throws(SystemCode) { return try body() } catch { throw LMDBError(.failed(LMDBCode(error)), operation: operation, path: path) }
}

/// The same for one call.
func attempt<Result: ~Copyable>(
    _ operation: String, _ path: String, _ call: @autoclosure () throws(SystemCode) -> Result
) throws(LMDBError) -> Result {
    try attempt(operation, path, call)
}
