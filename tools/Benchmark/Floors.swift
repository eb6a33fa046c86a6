import CCrypto
import CLMDB
import CSQLite
import EventCoding
import Foundation

/// What the same work costs through the C interfaces alone, on a copy of the same file: the floors.
@safe
final class RawLog {
    private let environment: OpaquePointer
    private var commits: MDB_dbi = 0

    init(copying store: String, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: store + "/data.mdb", toPath: folder + "/data.mdb")
        var created: OpaquePointer?
        let code = unsafe mdb_env_create(&created)
        guard let created = unsafe created else { throw Failure(code: code) }
        unsafe environment = unsafe created
        try unsafe check(mdb_env_set_mapsize(environment, 1 << 36))
        try unsafe check(mdb_env_set_maxdbs(environment, 8))
        try unsafe check(mdb_env_open(environment, folder, UInt32(MDB_NOTLS), 0o600))
        var transaction: OpaquePointer?
        try unsafe check(mdb_txn_begin(environment, nil, 0, &transaction))
        try unsafe check(mdb_dbi_open(transaction, "commits", 0, &commits))
        try unsafe check(mdb_txn_commit(transaction))
    }

    deinit { unsafe mdb_env_close(environment) }

    struct Failure: Error { let code: Int32 }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Failure(code: code) }
    }

    private func scan(_ body: (UnsafeRawBufferPointer) -> Void) throws {
        var transaction: OpaquePointer?
        try unsafe check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { unsafe mdb_txn_abort(transaction) }
        var cursor: OpaquePointer?
        try unsafe check(mdb_cursor_open(transaction, commits, &cursor))
        defer { unsafe mdb_cursor_close(cursor) }
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        while unsafe mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
            unsafe body(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
        }
    }

    /// Reads every byte of every commit: the sum of its eight-byte words.
    func scan() throws -> UInt64 {
        var sum: UInt64 = 0
        try unsafe scan { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                unsafe sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            while offset < bytes.count {
                unsafe sum &+= UInt64(bytes[offset])
                offset += 1
            }
        }
        return sum
    }

    /// The same, and SHA-256 over each commit, one hash each.
    func scanAndHash() throws -> UInt64 {
        let library = unsafe EVP_MD_fetch(nil, "SHA256", nil)
        let context = unsafe EVP_MD_CTX_new()
        defer {
            unsafe EVP_MD_CTX_free(context)
            unsafe EVP_MD_free(library)
        }
        var sum: UInt64 = 0
        var digest = [UInt8](repeating: 0, count: 32)
        try unsafe scan { bytes in
            unsafe _ = EVP_DigestInit_ex2(context, library, nil)
            unsafe _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            unsafe digest.withUnsafeMutableBufferPointer { unsafe _ = EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
            sum &+= UInt64(digest[0])
        }
        return sum &+ (try scan())
    }

    private var nextKey: UInt64 = 1 << 40

    /// One durable commit of one record of that size.
    func commit(bytes count: Int) throws {
        var record = [UInt8](repeating: 7, count: count)
        var bigEndian = nextKey.bigEndian
        nextKey += 1
        var transaction: OpaquePointer?
        try unsafe check(mdb_txn_begin(environment, nil, 0, &transaction))
        try unsafe record.withUnsafeMutableBytes { record in
            try unsafe withUnsafeMutableBytes(of: &bigEndian) { key in
                var keyValue = unsafe MDB_val(mv_size: 8, mv_data: key.baseAddress)
                var value = unsafe MDB_val(mv_size: record.count, mv_data: record.baseAddress)
                try unsafe check(mdb_put(transaction, commits, &keyValue, &value, UInt32(MDB_APPEND)))
            }
        }
        try unsafe check(mdb_txn_commit(transaction))
    }

    /// Bytes of the pages that hold the log, and the number of commits.
    func size() throws -> (bytes: Int, commits: Int) {
        var transaction: OpaquePointer?
        try unsafe check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        defer { unsafe mdb_txn_abort(transaction) }
        var statistics = MDB_stat()
        try unsafe check(mdb_stat(transaction, commits, &statistics))
        let pages = statistics.ms_branch_pages + statistics.ms_leaf_pages + statistics.ms_overflow_pages
        return (pages * Int(statistics.ms_psize), statistics.ms_entries)
    }
}

/// The same reviews as rows of SQLite, written durably (WAL, synchronous=FULL).
@safe
final class ReviewTable {
    private var database: OpaquePointer?
    private var insert: OpaquePointer?

    init(path: String, rows: [(card: UniqueID, at: Int64, grade: UInt8, took: Int64)]) throws {
        try unsafe check(sqlite3_open(path, &database))
        try run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
        try run(
            "CREATE TABLE reviews(card BLOB NOT NULL, at INTEGER NOT NULL, zone INTEGER NOT NULL, grade INTEGER NOT NULL, took INTEGER)")
        try unsafe check(sqlite3_prepare_v2(database, "INSERT INTO reviews VALUES(?, ?, 60, ?, ?)", -1, &insert, nil))
        try run("BEGIN")
        for row in rows { try add(row) }
        try run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")
    }

    deinit {
        unsafe sqlite3_finalize(insert)
        unsafe sqlite3_close(database)
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK || code == SQLITE_DONE else { throw RawLog.Failure(code: code) }
    }

    private func run(_ sql: String) throws { try unsafe check(sqlite3_exec(database, sql, nil, nil, nil)) }

    /// Inserts one review; outside a transaction, durably.
    func add(_ row: (card: UniqueID, at: Int64, grade: UInt8, took: Int64)) throws {
        let card = row.card.bytes
        unsafe sqlite3_reset(insert)
        unsafe _ = card.withUnsafeBytes { unsafe sqlite3_bind_blob(insert, 1, $0.baseAddress, 16, engram_sqlite_transient()) }
        unsafe sqlite3_bind_int64(insert, 2, row.at)
        unsafe sqlite3_bind_int(insert, 3, Int32(row.grade))
        unsafe sqlite3_bind_int64(insert, 4, row.took)
        try unsafe check(sqlite3_step(insert))
    }

    /// Reads every column of every row.
    func scan() throws -> Int64 {
        var statement: OpaquePointer?
        try unsafe check(sqlite3_prepare_v2(database, "SELECT card, at, zone, grade, took FROM reviews", -1, &statement, nil))
        defer { unsafe sqlite3_finalize(statement) }
        var sum: Int64 = 0
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            if let card = unsafe sqlite3_column_blob(statement, 0) { unsafe sum &+= card.loadUnaligned(as: Int64.self) }
            unsafe sum &+= sqlite3_column_int64(statement, 1) &+ sqlite3_column_int64(statement, 2)
            unsafe sum &+= sqlite3_column_int64(statement, 3) &+ sqlite3_column_int64(statement, 4)
        }
        return sum
    }
}
