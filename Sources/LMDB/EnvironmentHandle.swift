internal import CLMDB
internal import FileSystem

/// LMDB's environment while it is being opened: closed again if the rest of the opening fails.
@safe
struct EnvironmentHandle: ~Copyable {
    let pointer: OpaquePointer

    private init(pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe mdb_env_close(pointer)
    }

    /// Hands the environment over to somebody who closes it.
    consuming func take() -> OpaquePointer {
        let pointer = unsafe pointer
        discard self
        return unsafe pointer
    }

    /// Opens and maps the store with the largest map that the system grants, from the one that was asked for downwards.
    static func open(path: String, options: Environment.Options, readOnly: Bool) throws(LMDBError) -> EnvironmentHandle {
        let smallest = 1 << 20
        let step = 1 << 16
        // Under a limit of address space the map leaves most of it to the rest of the program.
        let most = Shortage.addressSpaceLimit.map { max(smallest, $0 / 4) } ?? .max
        var mapSize = max(step, min(options.mapSize, most) / step * step)
        var patience = 20
        while true {
            do throws(LMDBError) {
                return try open(path: path, options: options, readOnly: readOnly, mapSize: mapSize)
            } catch {
                // LMDB raises a size that is below what the data need, so this ends with a true shortage.
                if error.code == .noMemory, mapSize / 2 >= smallest {
                    mapSize = mapSize / 2 / step * step
                } else if patience > 0, error.code.map(isPassing) == true {
                    patience -= 1
                    System.sleep(milliseconds: 10)
                } else {
                    throw error
                }
            }
        }
    }

    /// Failures that another program which opens or closes the same store at this moment may cause.
    private static func isPassing(_ code: LMDBCode) -> Bool {
        [SystemCode.wouldBlock, .interrupted, .busy].contains(SystemCode(rawValue: code.rawValue))
    }

    private static func open(
        path: String, options: Environment.Options, readOnly: Bool, mapSize: Int
    ) throws(LMDBError) -> EnvironmentHandle {
        func check(_ code: Int32, _ operation: String) throws(LMDBError) {
            guard code != 0 else { return }
            throw LMDBError(.failed(LMDBCode(rawValue: code)), operation: operation, path: path)
        }
        var created: OpaquePointer?
        try check(unsafe mdb_env_create(&created), "mdb_env_create")
        guard let pointer = unsafe created else { throw LMDBError(.failed(.noMemory), operation: "mdb_env_create", path: path) }
        let mapped = unsafe EnvironmentHandle(pointer: pointer)
        try check(unsafe mdb_env_set_mapsize(pointer, mapSize), "mdb_env_set_mapsize")
        try check(unsafe mdb_env_set_maxreaders(pointer, UInt32(clamping: max(1, options.maxReaders))), "mdb_env_set_maxreaders")
        try check(unsafe mdb_env_set_maxdbs(pointer, UInt32(clamping: options.databases.count)), "mdb_env_set_maxdbs")
        // Readers belong to transactions, not threads. No flag that weakens durability, and no writable map: a full disk
        // would kill the process. Fresh pages are zeroed, so that no memory of the program reaches the file.
        var flags = UInt32(MDB_NOTLS)
        if readOnly {
            flags |= UInt32(MDB_RDONLY)
            let canLock = try attempt("lstat", path, System.canLock(in: path))
            if !canLock { flags |= UInt32(MDB_NOLOCK) }
        }
        try check(unsafe mdb_env_open(pointer, path, flags, 0o600), "mdb_env_open")
        return mapped
    }

    /// Which file is mapped, whatever its path leads to by now.
    func dataFileIdentity() throws(SystemCode) -> FileIdentity {
        var descriptor: Int32 = -1
        let code = unsafe mdb_env_get_fd(pointer, &descriptor)
        guard code == 0 else { throw SystemCode(rawValue: code) }
        return try Files.status(ofDescriptor: descriptor).identity
    }

    /// How many named databases the newest snapshot has, known ones or not.
    func nameCount(path: String) throws(LMDBError) -> Int {
        var begun: OpaquePointer?
        let beginning = unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &begun)
        guard beginning == 0, let transaction = unsafe begun else {
            throw LMDBError(.failed(LMDBCode(rawValue: beginning)), operation: "mdb_txn_begin", path: path)
        }
        defer { unsafe mdb_txn_abort(transaction) }
        var main: UInt32 = 0
        var statistics = MDB_stat()
        var code = unsafe mdb_dbi_open(transaction, nil, 0, &main)
        if code == 0 { code = unsafe mdb_stat(transaction, main, &statistics) }
        guard code == 0 else { throw LMDBError(.failed(LMDBCode(rawValue: code)), operation: "mdb_stat", path: path) }
        return statistics.ms_entries
    }

    /// Opens databases in one transaction; those that are missing are made, or marked as missing.
    func openDatabases(
        _ names: [String], appended: [String], creating: Bool, path: String
    ) throws(LMDBError) -> [String: Database] {
        func failed(_ code: Int32, _ operation: String) -> LMDBError {
            LMDBError(.failed(LMDBCode(rawValue: code)), operation: operation, path: path)
        }
        var begun: OpaquePointer?
        let beginning = unsafe mdb_txn_begin(pointer, nil, creating ? 0 : UInt32(MDB_RDONLY), &begun)
        guard beginning == 0, let transaction = unsafe begun else { throw failed(beginning, "mdb_txn_begin") }
        var databases: [String: Database] = [:]
        for name in names {
            var handle: UInt32 = 0
            let code = unsafe mdb_dbi_open(transaction, name, creating ? UInt32(MDB_CREATE) : 0, &handle)
            if code == MDB_NOTFOUND, !creating {
                handle = Database.missingHandle
            } else if code != 0 {
                unsafe mdb_txn_abort(transaction)
                throw failed(code, "mdb_dbi_open")
            }
            databases[name] = Database(name: name, handle: handle, isAppended: appended.contains(name))
        }
        // Committed even where it only read: handles of an aborted transaction are closed with it.
        let code = unsafe mdb_txn_commit(transaction)
        guard code == 0 else { throw failed(code, "mdb_txn_commit") }
        return databases
    }
}
