internal import CLMDB
package import FileSystem

/// A result code of LMDB (negative) or of the system (positive, an `errno`). Codes that have no name here survive.
package struct LMDBCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// A code of the system.
    package init(_ code: SystemCode) { rawValue = code.rawValue }

    /// A key that must be new is there already, or isn't greater than the last one.
    package static let keyExists = LMDBCode(rawValue: MDB_KEYEXIST)
    /// No such key or database.
    package static let notFound = LMDBCode(rawValue: MDB_NOTFOUND)
    /// A page number that no page has: the file is damaged.
    package static let pageNotFound = LMDBCode(rawValue: MDB_PAGE_NOTFOUND)
    /// A page of the wrong kind: the file is damaged.
    package static let corrupted = LMDBCode(rawValue: MDB_CORRUPTED)
    /// A failed write has left the environment unusable until it is opened again.
    package static let panic = LMDBCode(rawValue: MDB_PANIC)
    /// The data or lock file is of another version of LMDB.
    package static let versionMismatch = LMDBCode(rawValue: MDB_VERSION_MISMATCH)
    /// Not a file of LMDB.
    package static let invalid = LMDBCode(rawValue: MDB_INVALID)
    /// The map has no room for the pages of a transaction.
    package static let mapFull = LMDBCode(rawValue: MDB_MAP_FULL)
    /// More named databases than were announced.
    package static let databasesFull = LMDBCode(rawValue: MDB_DBS_FULL)
    /// Every reader slot is taken.
    package static let readersFull = LMDBCode(rawValue: MDB_READERS_FULL)
    /// A transaction changes too many pages.
    package static let transactionFull = LMDBCode(rawValue: MDB_TXN_FULL)
    /// Another process has let the data grow beyond this map.
    package static let mapResized = LMDBCode(rawValue: MDB_MAP_RESIZED)
    /// Page accounting or database flags are not what they should be.
    package static let incompatible = LMDBCode(rawValue: MDB_INCOMPATIBLE)
    /// A transaction that must be aborted after an error in it.
    package static let badTransaction = LMDBCode(rawValue: MDB_BAD_TXN)
    /// A key that is empty or longer than 511 bytes, or a value that is too long.
    package static let badValueSize = LMDBCode(rawValue: MDB_BAD_VALSIZE)

    /// No memory or no address space.
    package static let noMemory = LMDBCode(.noMemory)
    /// The disk is full.
    package static let noSpace = LMDBCode(.noSpace)
    /// No permission.
    package static let accessDenied = LMDBCode(.accessDenied)
    /// The file system is read-only.
    package static let readOnlyFileSystem = LMDBCode(.readOnlyFileSystem)
    /// No such file or folder.
    package static let noEntry = LMDBCode(.noEntry)
    /// The file or folder is there already.
    package static let entryExists = LMDBCode(.entryExists)
    /// The lock is held by somebody else.
    package static let wouldBlock = LMDBCode(.wouldBlock)
    /// Something on the path isn't a folder.
    package static let notADirectory = LMDBCode(.notADirectory)
}

extension LMDBCode {
    /// Whether it says that a page isn't what leads to it, in a program that calls LMDB rightly: trees that are too deep, keys or flags
    /// that can't be.
    package var isOfDamage: Bool {
        [
            MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_CURSOR_FULL, MDB_PAGE_FULL, MDB_INCOMPATIBLE, MDB_BAD_TXN, MDB_BAD_VALSIZE,
            MDB_BAD_DBI, mdbProblem,
        ].contains(rawValue)
    }

    /// `MDB_PROBLEM`, which older headers don't name.
    private var mdbProblem: Int32 { -30779 }
}

extension LMDBCode: CustomStringConvertible {
    /// What LMDB or the system calls it, and its number.
    package var description: String {
        guard rawValue < 0 else { return SystemCode(rawValue: rawValue).description }
        let text = unsafe mdb_strerror(rawValue).map { unsafe String(cString: $0) } ?? "unknown error"
        return "\(text) (\(rawValue))"
    }
}
