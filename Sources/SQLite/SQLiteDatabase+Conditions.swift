internal import CSQLite

/// What an expression that somebody else wrote may read, and how much work it may make.
package struct ConditionRights: Sendable {
    /// The tables that may be read.
    package var tables: Set<String>
    /// How many steps of SQLite's virtual machine it may take, over all rows. About a second's worth.
    package var steps = ConditionRights.stepsInSecond
    /// An end by the clock, for work that steps don't measure.
    package var deadline: Duration = .seconds(10)
    /// By so many bytes SQLite's memory may grow meanwhile.
    package var memoryBytes = 64 << 20

    package init(tables: some Sequence<String>) { self.tables = Set(tables.map { $0.lowercased() }) }

    /// About so many steps a second is what machines do.
    package static let stepsInSecond = 50_000_000

    /// Functions that look at values and change nothing, that grow no text, and give the same for the same.
    static let functions: Set<String> = [
        "abs", "avg", "coalesce", "count", "glob", "ifnull", "iif", "instr", "length", "like", "lower", "ltrim", "max", "min", "nullif",
        "round", "rtrim", "sign", "substr", "substring", "sum", "total", "trim", "typeof", "unicode", "upper",
    ]
}

extension SQLiteDatabase {
    /// Hands over each row of `columns` of `table` for which `condition`, an expression that nobody vouches for, is true.
    ///
    /// The expression can read what `rights` names and do nothing else: it can't attach, write, look at the schema, recur,
    /// or run for ever. Throws where it isn't one expression, would do more, or takes too long or too much memory.
    /// - Returns: the work that it took, in steps; time that steps don't measure counts as ``ConditionRights/stepsInSecond``.
    @discardableResult
    package func forEachRow(
        of table: String, columns: [String], where condition: String, rights: ConditionRights, _ body: (borrowing SQLiteStatement) -> Void
    ) throws(SQLiteError) -> Int {
        guard isOneExpression(condition) else {
            throw SQLiteError(code: .error, path: path, statement: condition, message: "it isn't one expression")
        }
        let list = columns.map { quotedName($0) }.joined(separator: ", ")
        // On a line of its own: a comment in the condition ends there.
        let query = "SELECT \(list) FROM \(quotedName(table)) WHERE (\n\(condition)\n)"
        return try guarded(by: rights) { () throws(SQLiteError) in
            var statement = try prepare(query)
            while try statement.step() { body(statement) }
        }
    }

    /// Runs `body` with every statement in it held to `rights`.
    private func guarded(by rights: ConditionRights, _ body: () throws(SQLiteError) -> Void) throws(SQLiteError) -> Int {
        let watch = ConditionWatch(rights)
        let limits: [(limit: Int32, value: Int32)] = [
            // Texts this long make no step of a comparison long.
            (SQLITE_LIMIT_LENGTH, 256 << 10), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_SQL_LENGTH, 80 << 10),
        ]
        let before = limits.map { limit, value in (limit, unsafe sqlite3_limit(connection, limit, value)) }
        // The watch lives until the end of this call, and nothing calls back after it.
        let context = unsafe Unmanaged.passUnretained(watch).toOpaque()
        _ = unsafe sqlite3_set_authorizer(
            connection,
            { context, action, first, second, _, _ in
                guard let context = unsafe context else { return SQLITE_DENY }
                let watch = unsafe Unmanaged<ConditionWatch>.fromOpaque(context).takeUnretainedValue()
                return watch.verdict(
                    on: action, unsafe first.map { unsafe String(cString: $0) }, unsafe second.map { unsafe String(cString: $0) })
            }, context)
        unsafe sqlite3_progress_handler(
            connection, ConditionWatch.stepsPerCall,
            { context in
                guard let context = unsafe context else { return 1 }
                return unsafe Unmanaged<ConditionWatch>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
            }, context)
        defer {
            _ = unsafe sqlite3_set_authorizer(connection, nil, nil)
            unsafe workMeter.watch(connection)
            for (limit, value) in before { _ = unsafe sqlite3_limit(connection, limit, value) }
            withExtendedLifetime(watch) {}
        }
        do throws(SQLiteError) { try body() } catch {
            // For a function SQLite has another code, and for a table that is one another message.
            guard !watch.hasOutgrown else {
                let limit = "it takes more than \(rights.memoryBytes) bytes of memory"
                throw SQLiteError(code: .tooBig, path: error.path, statement: error.statement, message: limit)
            }
            guard watch.hasDenied else { throw error }
            throw SQLiteError(code: .notAuthorised, path: error.path, statement: error.statement, message: error.message)
        }
        return watch.work
    }
}

/// `name` as an identifier of SQL, whatever is in it.
package func quotedName(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

/// Holds a condition to its rights while it runs.
private final class ConditionWatch {
    /// So few that no text function can make the clock wait long.
    static let stepsPerCall: Int32 = 100

    private let rights: ConditionRights
    private var stepsLeft: Int
    private let start = ContinuousClock.now
    private let end: ContinuousClock.Instant
    /// Whether anything was asked for that the rights don't give.
    private(set) var hasDenied = false
    /// Whether it took more memory than it may.
    private(set) var hasOutgrown = false
    private let memoryBefore = sqlite3_memory_used()

    init(_ rights: ConditionRights) {
        self.rights = rights
        stepsLeft = rights.steps
        end = start + rights.deadline
    }

    func verdict(on action: Int32, _ first: String?, _ second: String?) -> Int32 {
        let isGranted: Bool =
            switch action {
            case SQLITE_SELECT: true
            case SQLITE_READ: rights.tables.contains((first ?? "").lowercased())
            case SQLITE_FUNCTION: ConditionRights.functions.contains((second ?? "").lowercased())
            default: false
            }
        if !isGranted { hasDenied = true }
        return isGranted ? SQLITE_OK : SQLITE_DENY
    }

    /// What was done so far.
    var work: Int {
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        return max(rights.steps - stepsLeft, seconds * ConditionRights.stepsInSecond)
    }

    func isOver() -> Bool {
        stepsLeft -= Int(Self.stepsPerCall)
        // What others of the process take meanwhile counts as well, which refuses too much rather than too little.
        if sqlite3_memory_used() - memoryBefore > Int64(rights.memoryBytes) { hasOutgrown = true }
        return hasOutgrown || stepsLeft < 0 || ContinuousClock.now > end
    }
}

/// Whether `text`, put between parentheses, stays between them: it closes what it opens and nothing else, ends its quotes
/// and comments, and holds no end of a statement.
func isOneExpression(_ text: String) -> Bool {
    var depth = 0
    var hasContent = false
    var units = Array(text.utf8)[...]
    /// Passes over everything up to and with `end`; false where that isn't there.
    func skip(past end: [UInt8]) -> Bool {
        while !units.isEmpty {
            if units.starts(with: end) {
                units = units.dropFirst(end.count)
                return true
            }
            units = units.dropFirst()
        }
        return false
    }
    while let unit = units.first {
        if units.starts(with: Array("--".utf8)) {
            guard skip(past: [UInt8(ascii: "\n")]) else { return hasContent && depth == 0 }
            continue
        }
        if units.starts(with: Array("/*".utf8)) {
            units = units.dropFirst(2)
            guard skip(past: Array("*/".utf8)) else { return false }
            continue
        }
        units = units.dropFirst()
        switch unit {
        case 0, UInt8(ascii: ";"): return false
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            // A doubled quote inside reads as the end of one text and the beginning of the next.
            guard skip(past: [unit]) else { return false }
            hasContent = true
        case UInt8(ascii: "["):
            guard skip(past: [UInt8(ascii: "]")]) else { return false }
            hasContent = true
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"):
            depth -= 1
            guard depth >= 0 else { return false }
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
        default: hasContent = true
        }
    }
    return hasContent && depth == 0
}
