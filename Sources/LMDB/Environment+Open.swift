internal import CLMDB
internal import FileSystem
internal import Synchronization

extension Environment {
    /// Opens the store in the folder `path`, or returns the environment that this process has open for it already, however
    /// the path is spelt.
    ///
    /// Before anything is mapped the file is checked by plain reads (see ``StoreFileError``). A folder that can't be written to
    /// is opened for reading. Reader slots of processes that have died are freed.
    /// - Throws: ``LMDBError``; its fault is `.unusable` where the files aren't those of a sound store.
    package static func open(path: String, options: Options) throws(LMDBError) -> Environment {
        try checkLibrary(path)
        // LMDB opens files of its own.
        OwnedFile.expectsFileSizeLimit
        if options.createIfMissing, !options.readOnly { try makeFolder(path) }
        let environment = try EnvironmentRegistry.environment(
            identifiedBy: { () throws(LMDBError) in try identity(of: StoreFiles.dataPath(in: path)) },
            open: { () throws(LMDBError) in try openOnce(path, options) })
        try environment.checkMembership(options, path: path)
        return environment
    }

    /// Names the file; nil where there is none. That the system can't say isn't taken for that: the store would be opened twice.
    private static func identity(of dataPath: String) throws(LMDBError) -> FileIdentity? {
        try attempt("stat", dataPath) { () throws(SystemCode) in
            try Files.statusIfThere(of: dataPath, followingLinks: true)?.identity
        }
    }

    /// Nothing is written to: what is asked of an environment that was open already must be what it offers.
    private func checkMembership(_ options: Options, path: String) throws(LMDBError) {
        try checkProcess("mdb_env_open")
        let (isUnusable, wasReplaced) = gate.withLock { ($0.isUnusable, $0.wasReplaced) }
        if isUnusable { throw LMDBError(.panicked, operation: "mdb_env_open", path: path) }
        if wasReplaced { throw LMDBError(.replaced, operation: "mdb_env_open", path: path) }
        if isReadOnly, !options.readOnly, Files.isWritable(path), Files.isWritable(StoreFiles.dataPath(in: path)) {
            throw LMDBError(.alreadyOpenReadOnly, operation: "mdb_env_open", path: path)
        }
        for name in options.databases where databases[name] == nil {
            throw LMDBError(.unknownDatabase(name), operation: "mdb_dbi_open", path: path)
        }
    }

    /// The file format and the locks are those of 0.9; another line would refuse the file or, worse, change it.
    private static func checkLibrary(_ path: String) throws(LMDBError) {
        var major: Int32 = 0
        var minor: Int32 = 0
        var patch: Int32 = 0
        unsafe _ = mdb_version(&major, &minor, &patch)
        guard major == 0, minor == 9, patch < 90 else {
            throw LMDBError(.unsupportedLibrary(version: "\(major).\(minor).\(patch)"), operation: "mdb_version", path: path)
        }
    }

    /// Makes the folder, for its owner only, and its name durable.
    private static func makeFolder(_ path: String) throws(LMDBError) {
        do throws(SystemCode) {
            try Files.makeDirectory(path)
        } catch {
            if error == .entryExists || (try? Files.isDirectory(path)) == true { return }
            throw LMDBError(.failed(LMDBCode(error)), operation: "mkdir", path: path)
        }
        try attempt("fsync", path, Files.syncDirectory(path + "/.."))
    }

    private static func openOnce(_ path: String, _ options: Options) throws(LMDBError) -> Environment {
        let dataPath = StoreFiles.dataPath(in: path)
        let isDirectory = try attempt("stat", path, Files.isDirectory(path))
        guard isDirectory else { throw LMDBError(.unusable(.notAStore(path: path)), operation: "open", path: path) }
        if options.mustBeNew { try options.folder.checkIsFree(path) }
        try options.folder.checkFiles(path)
        let exists = try attempt("lstat", dataPath, Files.exists(dataPath))
        guard exists || (options.createIfMissing && !options.readOnly) else {
            throw LMDBError(.unusable(.notAStore(path: dataPath)), operation: "open", path: path)
        }
        let readOnly = options.readOnly || (exists && !(Files.isWritable(path) && Files.isWritable(dataPath)))
        if exists, !readOnly, !options.createIfMissing { try checkIsOurs(path, options) }
        let files = try StoreFiles.open(options.folder, in: path, readOnly: readOnly)
        let isNew = try checkFiles(files, path: path, readOnly: readOnly, mayMake: options.createIfMissing)
        // Nobody else opens or closes the store from here on; dropped with `files` if anything fails.
        try attempt("flock", path, files.directory.lock(.exclusive, waiting: true))
        // Whoever was making it, if anybody was, has done so or is gone.
        if isNew, !readOnly { try files.clearInterruptedMaking(path: path, isTornToo: options.createIfMissing) }
        try checkSpace(path, isNew: isNew && !readOnly)
        let mapped = try EnvironmentHandle.open(path: path, options: options, readOnly: readOnly)
        unsafe _ = mdb_reader_check(mapped.pointer, nil)
        let databases = try openDatabases(mapped, files, options, path: path, readOnly: readOnly, isNew: isNew)
        let identity = try attempt("fstat", dataPath, mapped.dataFileIdentity())
        if isNew { try makeDurable(mapped, files, path: path, marked: options.createIfMissing && !options.mustBeNew) }
        try attempt("flock", path, files.directory.lock(.none, waiting: false))
        let handle = unsafe mapped.take()
        return unsafe Environment(
            path: path, identity: identity, isReadOnly: readOnly, handle: handle, options: options, databases: databases, files: files)
    }

    /// A folder without the guard may be another program's, and then no lock is put into it either.
    private static func checkIsOurs(_ path: String, _ options: Options) throws(LMDBError) {
        guard (try? Files.exists(path + "/" + options.folder.guardFile)) == false else { return }
        do throws(StoreFileError) { try StoreCheck.checkNames(options.required, in: path) } catch {
            throw LMDBError(.unusable(error), operation: "open", path: path)
        }
    }

    /// LMDB makes its lock file by length alone and then writes to its map, which kills a process where the disk has no block for
    /// it; and a new store needs some pages, too.
    private static func checkSpace(_ path: String, isNew: Bool) throws(LMDBError) {
        let lockPath = StoreFiles.lockPath(in: path)
        let hasLockFile = try attempt("lstat", lockPath, Files.exists(lockPath))
        guard isNew || !hasLockFile, let free = Shortage.freeBytes(at: path) else { return }
        guard free >= Shortage.leastFreeBytes else { throw LMDBError(.failed(.noSpace), operation: "mdb_env_open", path: path) }
    }

    /// Checks an existing data file; true if there is none yet, or none of a store that was ever acknowledged.
    private static func checkFiles(
        _ files: borrowing StoreFiles, path: String, readOnly: Bool, mayMake: Bool
    ) throws(LMDBError) -> Bool {
        let dataPath = StoreFiles.dataPath(in: path)
        let exists = try attempt("lstat", dataPath, Files.exists(dataPath))
        guard exists else { return true }
        // A store whose making was interrupted holds nothing: LMDB starts an empty file afresh.
        if !readOnly, try files.makingWasInterrupted(path: path, isTornToo: mayMake) { return true }
        do throws(StoreFileError) {
            if readOnly {
                // A writer that is at work is held off while all pages are read, as far as its lock can be reached.
                try StoreCheck.check(dataPath: dataPath, writerFile: StoreFiles.writerForReading(in: path))
            } else {
                try StoreCheck.check(dataPath: dataPath, writerFile: files.writerFile)
            }
        } catch {
            throw LMDBError(.unusable(error), operation: "open", path: path)
        }
        // Its making may have failed after the file was whole, and before its name was on the disk.
        return readOnly ? false : try files.isUnmarked(path: path)
    }

    /// Puts a new store on the disk for good, its name too, and only then says that it was made; where more is to be written before
    /// that is true, whoever writes it calls ``markMade()``.
    private static func makeDurable(
        _ mapped: borrowing EnvironmentHandle, _ files: borrowing StoreFiles, path: String, marked: Bool
    ) throws(LMDBError) {
        let code = unsafe mdb_env_sync(mapped.pointer, 1)
        guard code == 0 else {
            throw LMDBError(.failed(LMDBCode(rawValue: code)), operation: "mdb_env_sync", path: path)
        }
        try attempt("fsync", path) { () throws(SystemCode) in
            try Files.syncDirectory(path)
            try Files.syncDirectory(path + "/..")
            if marked { try files.markMade() }
        }
    }

    /// Says that the store was made, where nothing says so yet: no damage makes its folder a free one from then on.
    package func markMade() throws(LMDBError) {
        guard !isReadOnly, try files.isUnmarked(path: path) else { return }
        try attempt("fsync", path, files.markMade())
    }

    /// Opens all named databases at once and for good: later, other transactions could be in the way. Writes only where one
    /// has to be made.
    private static func openDatabases(
        _ mapped: borrowing EnvironmentHandle, _ files: borrowing StoreFiles, _ options: Options, path: String, readOnly: Bool,
        isNew: Bool
    ) throws(LMDBError) -> [String: Database] {
        var found = try mapped.openDatabases(options.databases, appended: options.appended, creating: false, path: path)
        if options.mustBeNew {
            let there = found.values.count { !$0.isMissing }
            // Nothing is made in another program's file, nor in a store that is one already.
            guard try mapped.nameCount(path: path) == there, there == 0 || there == found.count else {
                throw LMDBError(.failed(.entryExists), operation: "create", path: path)
            }
        }
        guard found.values.contains(where: \.isMissing) else { return found }
        let lost = options.createIfMissing ? nil : options.required.first { found[$0]?.isMissing == true }
        if let lost {
            let fault = StoreFileError.missingDatabase(path: StoreFiles.dataPath(in: path), name: lost)
            throw LMDBError(.unusable(fault), operation: "mdb_dbi_open", path: path)
        }
        // A name that nobody knows where one is missing is that one, changed: what it leads to must not be taken for never made.
        if let missing = options.databases.first(where: { found[$0]?.isMissing == true }),
            try mapped.nameCount(path: path) > found.values.count(where: { !$0.isMissing })
        {
            let fault = StoreFileError.missingDatabase(path: StoreFiles.dataPath(in: path), name: missing)
            throw LMDBError(.unusable(fault), operation: "mdb_dbi_open", path: path)
        }
        guard !readOnly, options.makesDatabases, files.writerFile.isOpen else { return found }
        try attempt("flock", path, files.lockWriter())
        defer { files.unlockWriter() }
        if !isNew || !options.createIfMissing {
            // An older store lacks what came later. A damaged one hides what it has, and must not be written to.
            do throws(StoreFileError) { try StoreCheck.checkAllPages(StoreFiles.dataPath(in: path)) } catch {
                throw LMDBError(.unusable(error), operation: "mdb_dbi_open", path: path)
            }
        }
        found = try mapped.openDatabases(options.databases, appended: options.appended, creating: true, path: path)
        return found
    }
}
