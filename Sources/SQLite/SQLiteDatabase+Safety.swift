internal import CSQLite

extension SQLiteDatabase {
    /// Turns off whatever a foreign schema could make SQLite do, and sets a limit to everything.
    func harden() throws(SQLiteError) {
        let switches: [(option: Int32, isOn: Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        for (option, isOn) in switches {
            let status = unsafe engram_sqlite_switch(connection, option, isOn)
            guard status == SQLITE_OK else { throw fault(status) }
        }
        let limits: [(limit: Int32, value: Int32)] = [
            (SQLITE_LIMIT_LENGTH, Int32(clamping: ForeignLimits.valueBytes)), (SQLITE_LIMIT_SQL_LENGTH, 256 << 10),
            (SQLITE_LIMIT_COLUMN, 200),
            (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 20), (SQLITE_LIMIT_VDBE_OP, 100_000),
            (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
            (SQLITE_LIMIT_VARIABLE_NUMBER, 100), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { _ = unsafe sqlite3_limit(connection, limit, value) }
        _ = unsafe sqlite3_extended_result_codes(connection, 1)
        // Long enough for another program to finish a write; a program that keeps its lock is named in the error.
        _ = unsafe sqlite3_busy_timeout(connection, 1000)
        try registerUnicase()
        // A page that lies about its cells is then an error, not a read past its end.
        for pragma in ["cell_size_check = ON", "query_only = ON", "mmap_size = 0", "temp_store = MEMORY"] {
            let text = "PRAGMA \(pragma)"
            let status = unsafe sqlite3_exec(connection, text, nil, nil, nil)
            guard status == SQLITE_OK else { throw fault(status, text) }
        }
    }

    /// Anki declares columns with a collation of its own, `unicase`, without which SQLite refuses to use their indexes.
    private func registerUnicase() throws(SQLiteError) {
        let status = unsafe sqlite3_create_collation_v2(
            connection, "unicase", SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                let leftText = unsafe text(left, count: leftCount)
                let rightText = unsafe text(right, count: rightCount)
                return compareIgnoringCase(leftText, rightText)
            }, nil)
        guard status == SQLITE_OK else { throw fault(status) }
    }
}

private func text(_ start: UnsafeRawPointer?, count: Int32) -> String {
    guard let start = unsafe start, count > 0 else { return "" }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
}

/// −1, 0 or 1: the order of two texts by the lower-case forms of their characters.
func compareIgnoringCase(_ left: String, _ right: String) -> Int32 {
    var leftFolded = left.unicodeScalars.lazy.flatMap(\.properties.lowercaseMapping.unicodeScalars).makeIterator()
    var rightFolded = right.unicodeScalars.lazy.flatMap(\.properties.lowercaseMapping.unicodeScalars).makeIterator()
    while true {
        switch (leftFolded.next(), rightFolded.next()) {
        case (nil, nil): return 0
        case (nil, _): return -1
        case (_, nil): return 1
        case (let first?, let second?) where first != second: return first < second ? -1 : 1
        default: continue
        }
    }
}
