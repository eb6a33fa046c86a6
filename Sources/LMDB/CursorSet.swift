internal import CLMDB

/// Any number of cursors in one transaction, by index: for merging ranges whose number isn't known beforehand.
///
/// Each is what a ``Cursor`` is, and moves by itself. An index that there is no cursor for has no entries.
@safe
package struct CursorSet: ~Copyable, ~Escapable {
    @safe
    private struct Place {
        let pointer: OpaquePointer?
        var key = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        var value = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private let transaction: TransactionHandle
    private var places: [Place]

    /// The caller ties it to the transaction.
    @_lifetime(immortal)
    init(_ count: Int, in database: Database, of transaction: TransactionHandle) throws(LMDBError) {
        var places: [Place] = []
        places.reserveCapacity(max(0, count))
        for _ in 0..<max(0, count) {
            do throws(LMDBError) {
                unsafe places.append(Place(pointer: try transaction.openCursor(in: database)))
            } catch {
                CursorSet.close(places)
                throw error
            }
        }
        self.transaction = transaction
        self.places = places
    }

    deinit { CursorSet.close(places) }

    private static func close(_ places: [Place]) {
        for place in places {
            if let pointer = unsafe place.pointer { unsafe mdb_cursor_close(pointer) }
        }
    }

    /// How many cursors there are.
    package var count: Int { places.count }

    /// The key of a cursor's present entry.
    @_lifetime(copy self)
    package func key(at index: Int) -> RawSpan {
        let bytes = unsafe places.indices.contains(index) ? places[index].key : UnsafeRawBufferPointer(start: nil, count: 0)
        return unsafe tied(RawSpan(_unsafeBytes: bytes), toLifetimeOf: self)
    }

    /// The value of a cursor's present entry.
    @_lifetime(copy self)
    package func value(at index: Int) -> RawSpan {
        let bytes = unsafe places.indices.contains(index) ? places[index].value : UnsafeRawBufferPointer(start: nil, count: 0)
        return unsafe tied(RawSpan(_unsafeBytes: bytes), toLifetimeOf: self)
    }

    /// The key of a cursor's present entry as a number; nil unless it has eight bytes.
    package func number(at index: Int) -> UInt64? {
        guard places.indices.contains(index), unsafe places[index].key.count == 8 else { return nil }
        return unsafe UInt64(bigEndian: places[index].key.loadUnaligned(as: UInt64.self))
    }

    /// Moves a cursor to the first entry whose key is at least this number; false if there is none.
    @_lifetime(self: copy self)
    package mutating func seek(_ number: UInt64, at index: Int) throws(LMDBError) -> Bool {
        var bigEndian = number.bigEndian
        let code = unsafe withUnsafeBytes(of: &bigEndian) { unsafe move(index, MDB_SET_RANGE, to: $0) }
        return try isThere(code, index)
    }

    /// Moves a cursor to the first entry whose key is at least `key`; false if there is none.
    @_lifetime(self: copy self)
    package mutating func seek(_ key: RawSpan, at index: Int) throws(LMDBError) -> Bool {
        let bytes = unsafe key.withUnsafeBytes { unsafe $0 }
        return try isThere(unsafe move(index, MDB_SET_RANGE, to: bytes), index)
    }

    /// Moves a cursor on by one, at first to the first entry; false at the end.
    @_lifetime(self: copy self)
    package mutating func next(at index: Int) throws(LMDBError) -> Bool {
        try isThere(unsafe move(index, MDB_NEXT, to: UnsafeRawBufferPointer(start: nil, count: 0)), index)
    }

    @_lifetime(self: copy self)
    private mutating func move(_ index: Int, _ operation: MDB_cursor_op, to start: UnsafeRawBufferPointer) -> Int32 {
        guard places.indices.contains(index), let pointer = unsafe places[index].pointer else { return MDB_NOTFOUND }
        var key = unsafe MDB_val(start)
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(pointer, &key, &value, operation)
        if code == 0 {
            unsafe places[index].key = UnsafeRawBufferPointer(key)
            unsafe places[index].value = UnsafeRawBufferPointer(value)
        }
        return code
    }

    /// No entry there: false, and no present entry. Anything else is an error.
    @_lifetime(self: copy self)
    private mutating func isThere(_ code: Int32, _ index: Int) throws(LMDBError) -> Bool {
        if code == 0 { return true }
        guard code == MDB_NOTFOUND else { throw transaction.failure(code, "mdb_cursor_get") }
        if places.indices.contains(index) {
            unsafe places[index].key = UnsafeRawBufferPointer(start: nil, count: 0)
            unsafe places[index].value = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return false
    }
}

extension ReadTransaction {
    /// As many cursors as asked for, each before the first entry of a database.
    @_lifetime(borrow self)
    package func cursors(_ count: Int, in database: Database) throws(LMDBError) -> CursorSet {
        try unsafe tied(CursorSet(count, in: database, of: handle), toBorrowOf: self)
    }
}
