internal import CSQLite

/// A value for a column.
package enum SQLiteValue: Sendable {
    case integer(Int64)
    case text(String)
}

/// Makes a new database in memory, whose bytes are then a file. It never touches a database of anybody else's.
///
/// Not `Sendable`: one thread at a time.
@safe package final class SQLiteMaker {
    // Owned: made by `init`, closed by `deinit`, never handed out.
    private let connection: OpaquePointer
    private static let name = "a new database"

    package init() throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        let status = unsafe sqlite3_open_v2(":memory:", &opened, flags, nil)
        guard status == SQLITE_OK, let connection = unsafe opened else {
            _ = unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: SQLiteCode(rawValue: status), path: Self.name, message: "no memory for a database")
        }
        unsafe self.connection = unsafe connection
    }

    deinit { _ = unsafe sqlite3_close_v2(connection) }

    /// Runs statements without values.
    package func run(_ statements: String) throws(SQLiteError) {
        let status = unsafe sqlite3_exec(connection, statements, nil, nil, nil)
        guard status == SQLITE_OK else { throw fault(status, statements) }
    }

    /// Runs a statement once for each row of `rows`, with the row's values as its parameters.
    package func run(_ statement: String, for rows: some Sequence<[SQLiteValue]>) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let status = unsafe sqlite3_prepare_v2(connection, statement, -1, &prepared, nil)
        guard status == SQLITE_OK, let prepared = unsafe prepared else { throw fault(status, statement) }
        defer { _ = unsafe sqlite3_finalize(prepared) }
        for row in rows {
            var parameter: Int32 = 0
            for value in row {
                parameter += 1
                let bound =
                    switch value {
                    case .integer(let number): unsafe sqlite3_bind_int64(prepared, parameter, number)
                    case .text(let text):
                        unsafe sqlite3_bind_text(prepared, parameter, text, Int32(clamping: text.utf8.count), engram_sqlite_transient())
                    }
                guard bound == SQLITE_OK else { throw fault(bound, statement) }
            }
            let done = unsafe sqlite3_step(prepared)
            guard done == SQLITE_DONE else { throw fault(done, statement) }
            _ = unsafe sqlite3_reset(prepared)
        }
    }

    /// The database as the bytes of a file.
    package func bytes() throws(SQLiteError) -> [UInt8] {
        var count: sqlite3_int64 = 0
        guard let image = unsafe sqlite3_serialize(connection, "main", &count, 0) else { throw fault(SQLITE_NOMEM, nil) }
        defer { unsafe sqlite3_free(image) }
        return unsafe Array(UnsafeBufferPointer(start: image, count: Int(count)))
    }

    private func fault(_ code: Int32, _ statement: String?) -> SQLiteError {
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? ""
        return SQLiteError(code: SQLiteCode(rawValue: code), path: Self.name, statement: statement, message: message)
    }
}
