internal import CLMDB

/// What LMDB says of an environment.
package struct EnvironmentFacts: Hashable, Sendable {
    /// Bytes of address space that the data may fill.
    package let mapSize: Int
    /// Bytes of a page.
    package let pageSize: Int
    /// The highest page number in use.
    package let lastPage: UInt64
    /// The number of the last commit.
    package let lastTransaction: UInt64
    /// Reader slots that have been used at some time since the first process opened the store.
    package let usedReaderSlots: Int
    /// Reader slots that there are.
    package let maxReaders: Int
}

extension Environment {
    /// What LMDB says of the store at this moment.
    package func facts() throws(LMDBError) -> EnvironmentFacts {
        try checkProcess("mdb_env_info")
        try enter()
        defer { leave() }
        var info = unsafe MDB_envinfo()
        var statistics = MDB_stat()
        var code = unsafe mdb_env_info(handle, &info)
        if code == 0 { code = unsafe mdb_env_stat(handle, &statistics) }
        guard code == 0 else { throw failure(.failed(LMDBCode(rawValue: code)), "mdb_env_info") }
        return unsafe EnvironmentFacts(
            mapSize: info.me_mapsize, pageSize: Int(statistics.ms_psize), lastPage: UInt64(info.me_last_pgno),
            lastTransaction: UInt64(info.me_last_txnid), usedReaderSlots: Int(info.me_numreaders),
            maxReaders: Int(info.me_maxreaders))
    }

    /// Frees the reader slots of processes that have died, which would keep pages from being used again; tells how many.
    @discardableResult
    package func clearDeadReaders() -> Int {
        guard (try? enter()) != nil else { return 0 }
        defer { leave() }
        var count: Int32 = 0
        let code = unsafe mdb_reader_check(handle, &count)
        return code == 0 ? Int(count) : 0
    }

    /// Bytes of address space that the data may fill. A transaction must be open.
    var mapSize: Int {
        var info = unsafe MDB_envinfo()
        return unsafe mdb_env_info(handle, &info) == 0 ? info.me_mapsize : 0
    }
}
