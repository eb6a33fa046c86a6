internal import CSQLite

/// How SQLite stores a value.
package enum StorageClass: Sendable {
    case integer
    case real
    case text
    case blob
    case null
}

/// A prepared statement and the row that it stands on.
///
/// SQLite's columns have no fixed types: a program meets numbers stored as reals or as text. The readers below say
/// what each takes. A column that doesn't exist reads as null.
@safe package struct SQLiteStatement: ~Copyable {
    private let statement: OpaquePointer
    private let database: SQLiteDatabase
    private let query: String

    init(_ query: String, in database: SQLiteDatabase) throws(SQLiteError) {
        var prepared: OpaquePointer?
        var isWhole = true
        var query = query
        let status = query.withUTF8 { units in
            unsafe units.withMemoryRebound(to: CChar.self) { text in
                var rest: UnsafePointer<CChar>?
                let status = unsafe sqlite3_prepare_v3(
                    database.connection, text.baseAddress, Int32(clamping: text.count), 0, &prepared, &rest)
                if let rest = unsafe rest, let start = text.baseAddress { isWhole = unsafe rest - start == text.count }
                return status
            }
        }
        self.database = database
        self.query = query
        guard status == SQLITE_OK else { throw database.fault(status, query) }
        guard let prepared = unsafe prepared else { throw Self.refusal(of: query, in: database, "no statement") }
        guard isWhole, unsafe sqlite3_stmt_readonly(prepared) != 0 else {
            _ = unsafe sqlite3_finalize(prepared)
            throw Self.refusal(of: query, in: database, isWhole ? "a statement that writes" : "more than one statement")
        }
        unsafe statement = unsafe prepared
    }

    deinit { _ = unsafe sqlite3_finalize(statement) }

    private static func refusal(of query: String, in database: SQLiteDatabase, _ message: String) -> SQLiteError {
        SQLiteError(code: .readOnly, path: database.path, statement: query, message: message)
    }

    /// Gives the parameter of that number, from 1, its value.
    package mutating func bind(_ value: String, at parameter: Int32) throws(SQLiteError) {
        let status = unsafe sqlite3_bind_text(statement, parameter, value, Int32(clamping: value.utf8.count), engram_sqlite_transient())
        guard status == SQLITE_OK else { throw database.fault(status, query) }
    }

    /// Gives the parameter of that number, from 1, its value.
    package mutating func bind(_ value: Int64, at parameter: Int32) throws(SQLiteError) {
        let status = unsafe sqlite3_bind_int64(statement, parameter, value)
        guard status == SQLITE_OK else { throw database.fault(status, query) }
    }

    /// Goes to the next row. `false` where there is none.
    package mutating func step() throws(SQLiteError) -> Bool {
        database.workMeter.restart()
        guard !database.workMeter.isOverRead else {
            let message = "it says the same over and over: more than any database of its size holds"
            throw SQLiteError(code: .corrupt, path: database.path, statement: query, message: message)
        }
        let status = unsafe sqlite3_step(statement)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.fault(status, query)
        }
    }

    /// Starts again before the first row, with the same parameters.
    package mutating func reset() { _ = unsafe sqlite3_reset(statement) }

    /// How the column's value is stored.
    package func storageClass(at column: Int32) -> StorageClass {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// An integer, or a real rounded to the nearest one and clamped to 64 bits, or text that spells an integer.
    package func integer(at column: Int32) -> Int64? {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: unsafe sqlite3_column_int64(statement, column)
        case SQLITE_FLOAT: rounded(unsafe sqlite3_column_double(statement, column))
        case SQLITE_TEXT: text(at: column).flatMap { Int64($0) }
        default: nil
        }
    }

    /// A real or an integer.
    package func real(at column: Int32) -> Double? {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER, SQLITE_FLOAT: unsafe sqlite3_column_double(statement, column)
        default: nil
        }
    }

    /// Text, or a blob or number read as text. Bytes that are no UTF-8 become U+FFFD.
    package func text(at column: Int32) -> String? {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: String(unsafe sqlite3_column_int64(statement, column))
        default: withBytes(at: column) { bytes in unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// The bytes of text or of a blob; empty for null.
    package func bytes(at column: Int32) -> [UInt8] {
        withBytes(at: column) { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    /// Lends the bytes of text or of a blob to `body`; none for null.
    package func withBytes<Result>(at column: Int32, _ body: (RawSpan) -> Result) -> Result {
        // The pointer must be asked for before the count: asking converts the value to UTF-8.
        let start: UnsafeRawPointer? =
            switch unsafe sqlite3_column_type(statement, column) {
            case SQLITE_BLOB, SQLITE_NULL: unsafe sqlite3_column_blob(statement, column)
            default: unsafe sqlite3_column_text(statement, column).map { unsafe UnsafeRawPointer($0) }
            }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        let buffer = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, count))
        database.workMeter.count(bytes: buffer.count)
        return unsafe body(buffer.bytes)
    }
}

/// The nearest integer, halves away from zero, clamped to 64 bits; `nil` for what is no number.
func rounded(_ value: Double) -> Int64? {
    guard !value.isNaN else { return nil }
    let whole = value.rounded()
    return Int64(exactly: whole) ?? (whole < 0 ? .min : .max)
}
