internal import CSQLite

/// A foreign SQLite database, open for reading only and trusted in nothing.
///
/// Not `Sendable`: one thread at a time. Statements keep it open.
@safe package final class SQLiteDatabase {
    /// The file, or the name that stands for bytes in memory.
    package let path: String
    let connection: OpaquePointer
    /// What ends a statement that would run for ever.
    let workMeter: WorkMeter
    /// A private copy of the file and its journal, where the journal had to be read.
    private let copy: PrivateCopy?
    private let heapShare: HeapShare

    /// Takes over `connection` to a database of `size` bytes, its journal among them. It is closed here, also where this throws.
    init(connection: OpaquePointer, path: String, size: Int, copy: PrivateCopy? = nil) throws(SQLiteError) {
        self.path = path
        unsafe self.connection = unsafe connection
        self.copy = copy
        heapShare = HeapShare(size: size)
        workMeter = unsafe WorkMeter(watching: connection, readLimit: ForeignLimits.readBytes(size: size))
        try harden()
        // SQLite looks at a file only when it is first asked something.
        var probe = try prepare("SELECT count(*) FROM sqlite_schema")
        _ = try probe.step()
    }

    deinit {
        unsafe workMeter.release(connection)
        // Never fails: what is still in use is closed by whoever finishes it last.
        _ = unsafe sqlite3_close_v2(connection)
    }

    /// A statement that reads, ready to be stepped through.
    ///
    /// Throws where the text isn't one statement, or would write.
    package func prepare(_ text: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(text, in: self)
    }

    /// Whether there is a table (not a view) of that name.
    package func hasTable(_ name: String) throws(SQLiteError) -> Bool {
        var statement = try prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE")
        try statement.bind(name, at: 1)
        return try statement.step()
    }

    /// The names of the tables that hold content, in order; SQLite's own are left out.
    package func tables() throws(SQLiteError) -> [String] {
        var statement = try prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name")
        var names: [String] = []
        while try statement.step() { names.append(statement.text(at: 0) ?? "") }
        return names
    }

    /// The names of the columns of a table, in order; none where there is no such table.
    package func columns(of table: String) throws(SQLiteError) -> [String] {
        var statement = try prepare("SELECT name FROM pragma_table_info(?1)")
        try statement.bind(table, at: 1)
        var names: [String] = []
        while try statement.step() { names.append(statement.text(at: 0) ?? "") }
        return names
    }

    /// The error that `code` and the connection's last message make.
    func fault(_ code: Int32, _ statement: String? = nil) -> SQLiteError {
        let extended = unsafe sqlite3_extended_errcode(connection)
        // The extended code is that of the last call; it refines `code` only if it agrees with it.
        let exact = extended & 0xFF == code & 0xFF ? extended : code
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? ""
        return SQLiteError(code: SQLiteCode(rawValue: exact), path: path, statement: statement, message: message)
    }
}

/// Counts the steps of SQLite's virtual machine since a row was last asked for, and stops it at a limit: a tampered
/// file can make a statement run for ever. Counts the bytes of values, too, since it can also say the same over and over.
@safe final class WorkMeter {
    private struct State {
        var taken = 0
        /// Ten thousand million steps take minutes; a row of an honest file takes a few dozen.
        var limit = 10_000_000_000
        var bytesLeft: Int
    }

    private static let stepsPerCall: Int32 = 1_000_000
    private let state: UnsafeMutablePointer<State>

    init(watching connection: OpaquePointer, readLimit: Int) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State(bytesLeft: readLimit))
        unsafe watch(connection)
    }

    /// Puts the meter on, again where something else was put on meanwhile.
    func watch(_ connection: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            connection, Self.stepsPerCall,
            { context in
                guard let state = unsafe context?.assumingMemoryBound(to: State.self) else { return 0 }
                unsafe state.pointee.taken += Int(WorkMeter.stepsPerCall)
                return unsafe state.pointee.taken > state.pointee.limit ? 1 : 0
            }, state)
    }

    deinit { unsafe state.deallocate() }

    /// How many steps a statement may take from one row to the next.
    var limit: Int {
        get { unsafe state.pointee.limit }
        set { unsafe state.pointee.limit = newValue }
    }

    func restart() { unsafe state.pointee.taken = 0 }

    /// Counts a value that was read.
    func count(bytes: Int) { unsafe state.pointee.bytesLeft -= bytes }

    /// Whether more was read than any honest database of its size holds.
    var isOverRead: Bool { unsafe state.pointee.bytesLeft < 0 }

    /// Takes the meter off, before it goes.
    func release(_ connection: OpaquePointer) { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
}
