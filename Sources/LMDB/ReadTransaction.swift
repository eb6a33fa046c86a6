package import FileSystem

/// One snapshot of a store, for as long as the closure of ``Environment/read(_:)`` runs.
///
/// It can't be copied, kept, captured by a task or held across a suspension. The spans that it hands out point into the map
/// and can't outlive it: copy what must leave. Keys have 1 to 511 bytes.
@safe
package struct ReadTransaction: ~Copyable, ~Escapable {
    let handle: TransactionHandle

    @_lifetime(borrow environment)
    init(_ pointer: OpaquePointer, of environment: borrowing Environment) {
        // The environment is alive for as long as the method of it that makes this transaction runs.
        let environment = copy environment
        unsafe handle = TransactionHandle(pointer, of: environment, isSnapshot: true)
    }

    @_lifetime(borrow transaction)
    init(viewOf transaction: borrowing WriteTransaction) {
        handle = transaction.handle
    }

    /// The number of the commit that this snapshot shows; in a write, the one that it will have.
    package var commitNumber: UInt64 { handle.identifier }

    /// Names the data file that this is a snapshot of.
    package var dataFileIdentity: FileIdentity { unsafe handle.environment._withUnsafeGuaranteedRef { $0.dataFileIdentity } }

    /// Number of entries, in constant time.
    package func count(in database: Database) throws(LMDBError) -> Int { try handle.entryCount(in: database) }
}

extension ReadTransaction {
    /// The value of a key, in the map; nil if there is none. Logarithmic in the number of entries.
    @_lifetime(copy self)
    package func value(for key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
        let found = try unsafe key.withUnsafeBytes { bytes throws(LMDBError) in
            unsafe try handle.value(for: bytes, in: database)
        }
        return unsafe span(over: found)
    }

    /// The value of a key of eight bytes, the most significant first.
    @_lifetime(copy self)
    package func value(for key: UInt64, in database: Database) throws(LMDBError) -> RawSpan? {
        let found = try unsafe withUnsafeBytes(of: key.bigEndian) { bytes throws(LMDBError) in
            unsafe try handle.value(for: bytes, in: database)
        }
        return unsafe span(over: found)
    }

    /// The value of a key, in the map; nil if there is none.
    @_lifetime(copy self)
    package func value(for key: [UInt8], in database: Database) throws(LMDBError) -> RawSpan? {
        try value(for: unsafe key.span.bytes, in: database)
    }

    /// The map keeps these bytes as they are until the transaction ends (or, in a write, until it next writes).
    @_lifetime(copy self)
    private func span(over bytes: UnsafeRawBufferPointer?) -> RawSpan? {
        guard let bytes = unsafe bytes else { return nil }
        return unsafe tied(RawSpan(_unsafeBytes: bytes), toLifetimeOf: self)
    }

    /// A cursor before the first entry of a database. Any number may be open at once.
    @_lifetime(borrow self)
    package func cursor(in database: Database) throws(LMDBError) -> Cursor {
        try unsafe tied(Cursor(in: database, of: handle), toBorrowOf: self)
    }
}

extension ReadTransaction {
    /// Where a walk over a database begins.
    package enum Start: Sendable {
        /// At the first entry, or at the last one of a walk backwards.
        case beginning
        /// At the first entry whose key is at least this one; backwards, the last one whose key is at most this one.
        case key([UInt8])
        /// The same for a key of eight bytes, the most significant first.
        case number(UInt64)
    }

    /// Calls `body` with each key and value in the order of the keys until it returns false.
    package func forEach<Failure: Error>(
        in database: Database, from start: Start = .beginning, reversed: Bool = false,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Bool
    ) throws(TransactionError<Failure>) {
        var failure: Failure?
        do throws(LMDBError) {
            var cursor = try cursor(in: database)
            var isThere = try cursor.begin(at: start, reversed: reversed)
            while isThere {
                do throws(Failure) {
                    guard try body(cursor.key, cursor.value) else { return }
                } catch {
                    failure = error
                    break
                }
                isThere = reversed ? try cursor.previous() : try cursor.next()
            }
        } catch {
            throw .storage(error)
        }
        if let failure { throw .body(failure) }
    }
}
