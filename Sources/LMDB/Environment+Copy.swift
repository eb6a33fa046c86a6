internal import CLMDB
internal import FileSystem

extension Environment {
    /// Copies the newest commit to a new data file, while others read and write, and returns when it is on the disk.
    ///
    /// A plain copy of a data file that is being written to is broken, rarely enough to pass tests. The copy carries the name
    /// `path` from the start: copy to a name of its own, check it, and then rename it.
    /// - Parameter compacting: Leaves free pages out; fails with `.incompatible` where pages are leaked.
    /// - Throws: `.failed`, with the code `.entryExists` if something has that name already.
    package func copyData(to path: String, compacting: Bool = false) throws(LMDBError) {
        try checkProcess("mdb_env_copy")
        let file = try attempt("open", path, OwnedFile.open(path, .createNew))
        // A long read, on a slot of its own: it counts as one.
        do throws(TransactionError<LMDBError>) {
            try read { _ throws(LMDBError) in
                let code = unsafe mdb_env_copyfd2(handle, file.descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
                // A compacting copy is written by a thread of its own.
                guard code != SystemCode.wouldBlock.rawValue else { throw failure(.noThread, "mdb_env_copy") }
                guard code == 0 else { throw failure(.failed(LMDBCode(rawValue: code)), "mdb_env_copy") }
            }
        } catch {
            throw error.error
        }
        try attempt("fsync", path) { () throws(SystemCode) in
            try file.sync()
            try Files.syncDirectory(Files.folder(of: path))
        }
    }
}
