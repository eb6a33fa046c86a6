internal import CLMDB

/// The operations of LMDB on an open transaction, under its two faces ``ReadTransaction`` and ``WriteTransaction``.
///
/// The pointers that come out of it point into the map: they are good until the transaction ends or next writes. The faces
/// hand them out as spans with just that lifetime.
@safe
struct TransactionHandle {
    /// Values from 2 GiB on can't be committed by every release of the 0.9 line.
    static let maxValueSize = Int(Int32.max)

    let pointer: OpaquePointer
    let environment: Unmanaged<Environment>
    /// The size of the map's pages where all that is read lies in the map, each page at a multiple of its size; 0 where not.
    let mappedPageSize: Int

    /// - Parameter isSnapshot: whether the transaction only reads.
    init(_ pointer: OpaquePointer, of environment: Environment, isSnapshot: Bool) {
        unsafe self.pointer = pointer
        mappedPageSize = unsafe isSnapshot ? environment.mappedPageSize : 0
        // The environment is alive: its own method calls the closure that everything here happens in.
        unsafe self.environment = .passUnretained(environment)
    }

    func failure(_ fault: LMDBError.Reason, _ operation: String) -> LMDBError {
        unsafe environment._withUnsafeGuaranteedRef { $0.failure(fault, operation) }
    }

    func failure(_ code: Int32, _ operation: String) -> LMDBError {
        unsafe environment._withUnsafeGuaranteedRef { environment in
            let code = LMDBCode(rawValue: code)
            let fault: LMDBError.Reason = code == .mapFull ? .mapFull(mapSize: environment.mapSize) : .failed(code)
            return environment.failure(fault, operation)
        }
    }

    /// Throws unless all pages of the commit that the transaction began with are right.
    func checkAllPages() throws(LMDBError) {
        let failure = unsafe environment._withUnsafeGuaranteedRef { environment -> LMDBError? in
            do throws(LMDBError) {
                try environment.checkPages(.all)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }

    var identifier: UInt64 { UInt64(unsafe mdb_txn_id(pointer)) }

    func entryCount(in database: Database) throws(LMDBError) -> Int {
        guard !database.isMissing else { return 0 }
        var statistics = MDB_stat()
        let code = unsafe mdb_stat(pointer, database.handle, &statistics)
        guard code == 0 else { throw failure(code, "mdb_stat") }
        return Int(statistics.ms_entries)
    }

    func value(for key: UnsafeRawBufferPointer, in database: Database) throws(LMDBError) -> UnsafeRawBufferPointer? {
        guard !database.isMissing else { return nil }
        var wanted = unsafe MDB_val(key)
        var found = unsafe MDB_val()
        let code = unsafe mdb_get(pointer, database.handle, &wanted, &found)
        if code == 0 { return unsafe UnsafeRawBufferPointer(found) }
        guard code == MDB_NOTFOUND else { throw failure(code, "mdb_get") }
        return nil
    }

    /// A cursor of LMDB, nil for a database that isn't there; the caller closes it before the transaction ends.
    func openCursor(in database: Database) throws(LMDBError) -> OpaquePointer? {
        guard !database.isMissing else { return nil }
        var opened: OpaquePointer?
        let code = unsafe mdb_cursor_open(pointer, database.handle, &opened)
        guard code == 0 else { throw failure(code, "mdb_cursor_open") }
        return unsafe opened
    }

    func put(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in database: Database, _ flags: UInt32
    ) throws(LMDBError) {
        guard value.count <= TransactionHandle.maxValueSize else { throw failure(MDB_BAD_VALSIZE, "mdb_put") }
        var key = unsafe MDB_val(key)
        var value = unsafe MDB_val(value)
        let code = unsafe mdb_put(pointer, database.handle, &key, &value, flags)
        guard code == 0 else { throw failure(code, "mdb_put") }
    }

    /// Makes room for a value of `count` bytes in LMDB's own page.
    func reserve(
        _ key: UnsafeRawBufferPointer, _ count: Int, in database: Database, _ flags: UInt32
    ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
        guard (0...TransactionHandle.maxValueSize).contains(count) else { throw failure(MDB_BAD_VALSIZE, "mdb_put") }
        var key = unsafe MDB_val(key)
        var value = unsafe MDB_val(mv_size: count, mv_data: nil)
        let code = unsafe mdb_put(pointer, database.handle, &key, &value, flags | UInt32(MDB_RESERVE))
        guard code == 0 else { throw failure(code, "mdb_put") }
        return unsafe UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    /// False if the key isn't there.
    func delete(_ key: UnsafeRawBufferPointer, in database: Database) throws(LMDBError) -> Bool {
        var key = unsafe MDB_val(key)
        let code = unsafe mdb_del(pointer, database.handle, &key, nil)
        guard code == 0 || code == MDB_NOTFOUND else { throw failure(code, "mdb_del") }
        return code == 0
    }

    func deleteAll(in database: Database) throws(LMDBError) {
        let code = unsafe mdb_drop(pointer, database.handle, 0)
        guard code == 0 else { throw failure(code, "mdb_drop") }
    }
}

extension MDB_val {
    /// LMDB takes keys and values through mutable pointers and doesn't write to them.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}

extension UnsafeRawBufferPointer {
    init(_ value: MDB_val) {
        unsafe self.init(start: value.mv_data, count: value.mv_size)
    }
}
