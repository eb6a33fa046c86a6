internal import CLMDB

/// The one write that is going on in a store, for as long as the closure of ``Environment/write(_:)`` runs.
///
/// It reads what it wrote. Spans that it handed out must be done with before it writes again, which the compiler sees to:
/// LMDB may move them. An error of storage in it dooms it, even if the closure goes on: nothing is committed then.
/// Keys have 1 to 511 bytes; values less than 2 GiB.
@safe
package struct WriteTransaction: ~Copyable, ~Escapable {
    /// What becomes of a key that is there already.
    package enum PutMode: Sendable {
        /// Its value is replaced.
        case upsert
        /// It is an error with the code `.keyExists`, and the value stays.
        case insertOnly
        /// The key must be greater than every other, or it is an error with the code `.keyExists`. Packs pages full.
        case append

        fileprivate var flags: UInt32 {
            switch self {
            case .upsert: 0
            case .insertOnly: UInt32(MDB_NOOVERWRITE)
            case .append: UInt32(MDB_APPEND)
            }
        }
    }

    let handle: TransactionHandle
    /// The first failure after which LMDB wants a transaction aborted.
    private(set) var firstError: LMDBError?
    /// Whether all pages that were there before have been walked.
    private var isProved = false

    @_lifetime(borrow environment)
    init(_ pointer: OpaquePointer, of environment: borrowing Environment) {
        // The environment is alive for as long as the method of it that makes this transaction runs.
        let environment = copy environment
        unsafe handle = TransactionHandle(pointer, of: environment, isSnapshot: false)
    }

    /// Everything that a read can do, on the state that this write has reached.
    package var reader: ReadTransaction {
        @_lifetime(borrow self)
        get { ReadTransaction(viewOf: self) }
    }

    /// The number that the commit will have.
    package var commitNumber: UInt64 { handle.identifier }
}

// MARK: - Reading

extension WriteTransaction {
    /// Number of entries, in constant time.
    package func count(in database: Database) throws(LMDBError) -> Int { try handle.entryCount(in: database) }

    /// The value of a key, in the map; nil if there is none.
    @_lifetime(borrow self)
    package func value(for key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
        try reader.value(for: key, in: database)
    }

    /// The value of a key of eight bytes, the most significant first.
    @_lifetime(borrow self)
    package func value(for key: UInt64, in database: Database) throws(LMDBError) -> RawSpan? {
        try reader.value(for: key, in: database)
    }

    /// The value of a key, in the map; nil if there is none.
    @_lifetime(borrow self)
    package func value(for key: [UInt8], in database: Database) throws(LMDBError) -> RawSpan? {
        try reader.value(for: key, in: database)
    }

    /// A cursor before the first entry of a database; it must be gone before the next write.
    @_lifetime(borrow self)
    package func cursor(in database: Database) throws(LMDBError) -> Cursor {
        try unsafe tied(Cursor(in: database, of: handle), toBorrowOf: self)
    }

    /// Calls `body` with each key and value in the order of the keys until it returns false.
    package func forEach<Failure: Error>(
        in database: Database, from start: ReadTransaction.Start = .beginning, reversed: Bool = false,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Bool
    ) throws(TransactionError<Failure>) {
        try reader.forEach(in: database, from: start, reversed: reversed, body)
    }
}

// MARK: - Writing

extension WriteTransaction {
    /// Writes a value under a key.
    @_lifetime(self: copy self)
    package mutating func put(
        _ key: RawSpan, _ value: RawSpan, in database: Database, mode: PutMode = .upsert
    ) throws(LMDBError) {
        let handle = handle
        try recording(in: database, mode) { () throws(LMDBError) in
            try unsafe key.withUnsafeBytes { key throws(LMDBError) in
                try unsafe value.withUnsafeBytes { value throws(LMDBError) in
                    try unsafe handle.put(key, value, in: database, mode.flags)
                }
            }
        }
    }

    /// Writes a value under a key of eight bytes, the most significant first.
    @_lifetime(self: copy self)
    package mutating func put(
        _ key: UInt64, _ value: RawSpan, in database: Database, mode: PutMode = .upsert
    ) throws(LMDBError) {
        let handle = handle
        try recording(in: database, mode) { () throws(LMDBError) in
            try unsafe withUnsafeBytes(of: key.bigEndian) { key throws(LMDBError) in
                try unsafe value.withUnsafeBytes { value throws(LMDBError) in
                    try unsafe handle.put(key, value, in: database, mode.flags)
                }
            }
        }
    }

    /// Writes a value under a key.
    @_lifetime(self: copy self)
    package mutating func put(
        _ key: [UInt8], _ value: [UInt8], in database: Database, mode: PutMode = .upsert
    ) throws(LMDBError) {
        try put(unsafe key.span.bytes, unsafe value.span.bytes, in: database, mode: mode)
    }

    /// Writes a value under a key of eight bytes, the most significant first.
    @_lifetime(self: copy self)
    package mutating func put(
        _ key: UInt64, _ value: [UInt8], in database: Database, mode: PutMode = .upsert
    ) throws(LMDBError) {
        try put(key, unsafe value.span.bytes, in: database, mode: mode)
    }

    /// Writes a value of `count` bytes straight into LMDB's page: `fill` must write all of them.
    @_lifetime(self: copy self)
    package mutating func put(
        _ key: RawSpan, reserving count: Int, in database: Database, mode: PutMode = .upsert,
        _ fill: (inout OutputRawSpan) -> Void
    ) throws(LMDBError) {
        let handle = handle
        try recording(in: database, mode) { () throws(LMDBError) in
            let room = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
                unsafe try handle.reserve(key, count, in: database, mode.flags)
            }
            var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
            fill(&output)
            let written = unsafe output.finalize(for: room)
            guard written == count else { throw handle.failure(.valueNotFilled(expected: count, written: written), "mdb_put") }
        }
    }

    /// Deletes a key; false if it isn't there.
    @_lifetime(self: copy self)
    @discardableResult
    package mutating func delete(_ key: RawSpan, in database: Database) throws(LMDBError) -> Bool {
        let handle = handle
        return try recording(in: database) { () throws(LMDBError) in
            try unsafe key.withUnsafeBytes { key throws(LMDBError) in unsafe try handle.delete(key, in: database) }
        }
    }

    /// Deletes a key of eight bytes, the most significant first; false if it isn't there.
    @_lifetime(self: copy self)
    @discardableResult
    package mutating func delete(_ key: UInt64, in database: Database) throws(LMDBError) -> Bool {
        let handle = handle
        return try recording(in: database) { () throws(LMDBError) in
            try unsafe withUnsafeBytes(of: key.bigEndian) { key throws(LMDBError) in unsafe try handle.delete(key, in: database) }
        }
    }

    /// Deletes a key; false if it isn't there.
    @_lifetime(self: copy self)
    @discardableResult
    package mutating func delete(_ key: [UInt8], in database: Database) throws(LMDBError) -> Bool {
        try delete(unsafe key.span.bytes, in: database)
    }

    /// Deletes every entry of a database, and leaves it there, empty.
    @_lifetime(self: copy self)
    package mutating func deleteAll(in database: Database) throws(LMDBError) {
        let handle = handle
        try recording(in: database) { () throws(LMDBError) in try handle.deleteAll(in: database) }
    }

    /// Proves the pages that `operation` may touch, and remembers a failure that leaves the transaction fit for nothing but to be aborted.
    @_lifetime(self: copy self)
    private mutating func recording<Result>(
        in database: Database, _ mode: PutMode? = nil, _ operation: () throws(LMDBError) -> Result
    ) throws(LMDBError) -> Result {
        do throws(LMDBError) {
            if mode != .append || !database.isAppended, !isProved {
                try handle.checkAllPages()
                isProved = true
            }
            return try operation()
        } catch {
            if firstError == nil, error.code != .keyExists, error.code != .badValueSize { firstError = error }
            throw error
        }
    }
}
