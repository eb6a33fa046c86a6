internal import CLMDB
package import FileSystem
internal import Synchronization

/// An open store: one per store and process, shared by everybody who opens it, closed when the last one lets go.
///
/// - Important: The rules of LMDB that this type keeps, and what happens where they are broken:
///   a store is opened once a process (a second open would wipe the first one's locks); readers belong to transactions, not
///   threads (`MDB_NOTLS`); a write begins and ends on one thread, never inside another write (it would wait for itself);
///   nothing is used after `fork()`; no flag weakens durability; the map never changes while a transaction is open;
///   nobody opens LMDB's lock file (`lock.mdb`): closing any descriptor of it would drop every lock of the process.
///
/// Files beside `data.mdb` and `lock.mdb`: the guard (``StoreFolder/guardFile``) is locked in shared mode for as long as the store is open and
/// exclusively by whoever must be alone; `writer.lock` is locked exclusively around each write. Both are `flock`s, which
/// survive what drops LMDB's own. The folder itself is locked while a store is being opened or closed, so that no process
/// takes up LMDB's locks while another one tears them down.
@safe
package final class Environment: Sendable {
    /// What a store is opened with.
    package struct Options: Sendable {
        /// How the files are called.
        package var folder: StoreFolder
        /// The named databases, all of them: they are opened (and made, where they are missing) at once.
        package var databases: [String]
        /// Those of them that every store has from its making on: they are never made in one that is there.
        package var required: [String]
        /// Those of them that are written to at their ends, so often that a write there doesn't wait for a walk over all pages.
        package var appended: [String]
        /// Bytes of address space for the map; halved until the system grants them, never below what the data need.
        package var mapSize: Int
        /// Reader slots: how many read transactions may be open at once, over all processes.
        package var maxReaders: Int
        /// Nothing will be written. A folder that can't be written to is opened this way in any case.
        package var readOnly: Bool
        /// A store that isn't there is made.
        package var createIfMissing: Bool
        /// Databases that a store lacks, since it was made before there were any, are made.
        package var makesDatabases: Bool
        /// It is made, in a folder that holds nothing but what an interrupted making left, or that isn't there.
        package var mustBeNew = false

        package init(
            folder: StoreFolder, databases: [String], required: [String] = [], appended: [String] = [],
            mapSize: Int = Options.generousMapSize, maxReaders: Int = 256, readOnly: Bool = false, createIfMissing: Bool = true,
            makesDatabases: Bool = true
        ) {
            self.folder = folder
            self.databases = databases
            self.required = required
            self.appended = appended
            self.mapSize = mapSize
            self.maxReaders = maxReaders
            self.readOnly = readOnly
            self.createIfMissing = createIfMissing
            self.makesDatabases = makesDatabases
        }

        /// 64 GiB where addresses have 64 bits: it costs nothing, as the file grows with the data only.
        package static var generousMapSize: Int { Int.bitWidth >= 64 ? Int(1) << 36 : Int(1) << 29 }
    }

    /// Whether transactions may begin, and how many are open.
    struct Gate {
        var openTransactions = 0
        var isUnusable = false
        /// How many replacements hold the exclusive lock; it is given up with the last.
        var exclusiveUses = 0
        /// Another data file is being made to take this one's place.
        var isBeingReplaced = false
        /// Another data file took this one's place, so that nothing which is written here would be found again.
        var wasReplaced = false
        /// The data file that took this one's place.
        var successor: FileIdentity?
        /// Names the data file.
        var identity: FileIdentity
        /// Another data file takes this one's place at this moment: who wants to begin a transaction waits.
        var isChangingFiles = false

        init(identity: FileIdentity) { self.identity = identity }
    }

    /// The folder, as it was spelt when the store was first opened.
    package let path: String
    /// Names the data file.
    package var dataFileIdentity: FileIdentity { gate.withLock { $0.identity } }
    /// Nothing can be written: asked for, or because the folder can't be written to.
    package let isReadOnly: Bool

    // A pointer isn't Sendable by itself. This one is: LMDB lets any number of threads use an environment, and it is closed in deinit,
    // when nobody has a reference any more. It is changed once a data file, inside the gate and while no transaction is open; whoever
    // uses it has passed the gate and is counted there. `nil` where the store couldn't be opened again after that.
    nonisolated(unsafe) var handle: OpaquePointer?
    /// What the store was opened with.
    let options: Options
    let databases: [String: Database]
    let files: StoreFiles
    let processID: Int32
    /// The size of the file's pages where each lies in the map at a multiple of it; 0 where the system's pages are smaller. It changes
    /// with ``handle``.
    nonisolated(unsafe) var mappedPageSize: Int
    let writerTurn = ThreadLock()
    let gate: Mutex<Gate>
    /// What is known of the pages; made by the first write.
    let writeCheck = Mutex<WriteCheck?>(nil)

    init(
        path: String, identity: FileIdentity, isReadOnly: Bool, handle: OpaquePointer, options: Options,
        databases: [String: Database], files: consuming StoreFiles
    ) {
        self.path = path
        self.gate = Mutex(Gate(identity: identity))
        self.isReadOnly = isReadOnly
        self.options = options
        unsafe self.handle = handle
        self.databases = databases
        self.files = files
        self.processID = System.processID
        unsafe mappedPageSize = Self.mappedPageSize(of: handle)
    }

    static func mappedPageSize(of handle: OpaquePointer) -> Int {
        var statistics = MDB_stat()
        let code = unsafe mdb_env_stat(handle, &statistics)
        let pageSize = Int(statistics.ms_psize)
        return code == 0 && pageSize <= System.pageSize && pageSize & (pageSize - 1) == 0 ? pageSize : 0
    }

    // No transaction is open here: each holds a reference for as long as it lasts.
    deinit {
        // In a forked child everything still belongs to the parent, locks included.
        guard System.processID == processID else { return }
        EnvironmentRegistry.remove(gate.withLock { [$0.identity, $0.successor].compactMap(\.self) }) {
            // Without this lock the store is still closed properly, only less politely towards somebody who opens it now.
            let hasTurn = (try? files.directory.lock(.exclusive, waiting: true)) != nil
            if let handle = unsafe handle { unsafe mdb_env_close(handle) }
            if hasTurn { try? files.directory.lock(.none, waiting: false) }
        }
    }

    /// The database of this name, which must be one of those that the store was opened with.
    package func database(_ name: String) throws(LMDBError) -> Database {
        guard let database = databases[name] else { throw failure(.unknownDatabase(name), "mdb_dbi_open") }
        return database
    }

    func failure(_ fault: LMDBError.Reason, _ operation: String) -> LMDBError {
        LMDBError(fault.explained(byFileAt: StoreFiles.dataPath(in: path)), operation: operation, path: path)
    }
}

/// A named database of an environment.
package struct Database: Hashable, Sendable {
    package let name: String
    let handle: UInt32
    /// Its end is checked before every write, so that what is put there needs no walk over all pages.
    let isAppended: Bool

    /// Stands for a database that a read-only store doesn't have; it reads as an empty one.
    static let missingHandle = UInt32.max
    var isMissing: Bool { handle == Database.missingHandle }
}
