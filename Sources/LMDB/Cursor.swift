internal import CLMDB

/// A place in a database, inside a transaction: moves over the entries in the order of their keys.
///
/// A step costs what LMDB's own does, over values within pages less, and allocates nothing. ``key`` and ``value`` are those of
/// the present entry; the spans stay good when the cursor moves on, until the transaction ends. Where a move returned false,
/// there is no present entry and both are empty.
///
/// - Warning: Never assign a cursor to a variable outside of the transaction's closure. The compiler refuses to let any other
///   handle or span out that way, but (as of Swift 6.3) overlooks values that can be neither copied nor kept.
@safe
@usableFromInline
package struct Cursor: ~Copyable, ~Escapable {
    // Nil for a database that isn't there, which reads as an empty one.
    private let pointer: OpaquePointer?
    private let transaction: TransactionHandle
    @usableFromInline var keyBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    @usableFromInline var valueBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// The page of the present entry, where moves on go without LMDB's cursor, which stays behind.
    @usableFromInline var leaf: LeafPage?
    /// Where LMDB's cursor stands already, on a long walk: on the first entry of the page after that one, or at the end.
    private var ahead: Ahead?
    /// The key to which LMDB's cursor led last on the way forwards. Each is greater than the one before it, or pages lead in a
    /// circle.
    private var turn = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    @safe
    private enum Ahead {
        case entry(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        case end
    }

    /// The caller ties it to the transaction.
    @_lifetime(immortal)
    init(in database: Database, of transaction: TransactionHandle) throws(LMDBError) {
        self.transaction = transaction
        unsafe pointer = try transaction.openCursor(in: database)
    }

    deinit {
        if let pointer = unsafe pointer { unsafe mdb_cursor_close(pointer) }
    }

    /// The key of the present entry.
    package var key: RawSpan {
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        get { unsafe tied(RawSpan(_unsafeBytes: keyBytes), toLifetimeOf: self) }
    }

    /// The value of the present entry.
    package var value: RawSpan {
        @inlinable
        @inline(__always)
        @_lifetime(copy self)
        get { unsafe tied(RawSpan(_unsafeBytes: valueBytes), toLifetimeOf: self) }
    }

    /// The key of the present entry as a number, its most significant byte first; nil unless it has eight bytes.
    @inlinable
    @inline(__always)
    package var number: UInt64? {
        guard unsafe keyBytes.count == 8 else { return nil }
        return unsafe UInt64(bigEndian: keyBytes.loadUnaligned(as: UInt64.self))
    }
}

extension Cursor {
    /// Moves to the first entry; false if there is none.
    @_lifetime(self: copy self)
    package mutating func first() throws(LMDBError) -> Bool {
        begin()
        return try move(MDB_FIRST)
    }

    /// Moves to the last entry; false if there is none.
    @_lifetime(self: copy self)
    package mutating func last() throws(LMDBError) -> Bool {
        begin()
        return try move(MDB_LAST)
    }

    /// Moves on by one, at first to the first entry; false at the end.
    @_lifetime(self: copy self)
    @inlinable
    @inline(__always)
    package mutating func next() throws(LMDBError) -> Bool {
        if let entry = unsafe leaf?.next() {
            unsafe keyBytes = entry.key
            unsafe valueBytes = entry.value
            return true
        }
        return try moveToNextPage()
    }

    /// Passes over the next entry without a look at it, if that costs nothing; false, and nothing is passed over, where it would.
    /// ``key`` and ``value`` stay those of the entry before until the next move.
    @inlinable
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func skip() -> Bool { leaf?.skip() ?? false }

    /// Moves back by one, at first to the last entry; false at the beginning.
    @_lifetime(self: copy self)
    package mutating func previous() throws(LMDBError) -> Bool {
        try bringUp()
        begin()
        return try move(MDB_PREV)
    }

    /// Moves to the first entry whose key is at least `key`; false if there is none.
    @_lifetime(self: copy self)
    package mutating func seek(_ key: RawSpan) throws(LMDBError) -> Bool {
        let bytes = unsafe key.withUnsafeBytes { unsafe $0 }
        return unsafe try seek(toBytes: bytes)
    }

    /// Moves to the first entry whose key is at least this number, its most significant byte first.
    @_lifetime(self: copy self)
    package mutating func seek(_ number: UInt64) throws(LMDBError) -> Bool {
        begin()
        var bigEndian = number.bigEndian
        var key = unsafe MDB_val()
        let code = unsafe withUnsafeMutableBytes(of: &bigEndian) { bytes in
            unsafe key = MDB_val(UnsafeRawBufferPointer(bytes))
            return unsafe move(MDB_SET_RANGE, &key)
        }
        if code == 0 { return true }
        return try stop(code)
    }

    @_lifetime(self: copy self)
    private mutating func seek(toBytes bytes: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
        begin()
        var key = unsafe MDB_val(bytes)
        let code = unsafe move(MDB_SET_RANGE, &key)
        if code == 0 { return true }
        return try stop(code)
    }

    /// Where a walk begins, forwards or backwards.
    @_lifetime(self: copy self)
    mutating func begin(at start: ReadTransaction.Start, reversed: Bool) throws(LMDBError) -> Bool {
        switch start {
        case .beginning:
            return try reversed ? last() : first()
        case .number(let number):
            let isThere = try seek(number)
            return reversed ? try stepBack(isThere, unless: self.number == number) : isThere
        case .key(let bytes):
            let isThere = try seek(unsafe bytes.span.bytes)
            let isExact = unsafe keyBytes.elementsEqual(bytes)
            return reversed ? try stepBack(isThere, unless: isExact) : isThere
        }
    }

    /// From the first entry that isn't below a key to the last one that isn't above it.
    @_lifetime(self: copy self)
    private mutating func stepBack(_ isThere: Bool, unless isExact: Bool) throws(LMDBError) -> Bool {
        guard isThere else { return try last() }
        return isExact ? true : try previous()
    }

    /// Moves on by LMDB's own cursor, and looks at the page where that has led.
    @usableFromInline
    @_lifetime(self: copy self)
    mutating func moveToNextPage() throws(LMDBError) -> Bool {
        let isLongWalk = leaf?.isDone ?? false
        if isLongWalk, let ahead {
            switch ahead {
            case .entry(let key, let value):
                unsafe keyBytes = key
                unsafe valueBytes = value
            case .end:
                leaf = nil
                return try stop(MDB_NOTFOUND)
            }
        } else {
            try bringUp()
            guard try move(MDB_NEXT) else { return false }
        }
        guard unsafe turn.isEmpty || PageBytes(turn).compare(PageBytes(keyBytes)) < 0 else { throw disagreement }
        unsafe turn = unsafe keyBytes
        leaf = unsafe LeafPage(around: keyBytes, size: transaction.mappedPageSize)
        ahead = nil
        if isLongWalk { lookAhead() }
        return true
    }

    /// Moves LMDB's cursor on to the page after the present one, whose entries need it no more, and has that page fetched
    /// while they are being looked at. Where that fails, the walk meets the failure when it comes there.
    @_lifetime(self: copy self)
    private mutating func lookAhead() {
        guard let pointer = unsafe pointer, let last = unsafe leaf?.lastKey, unsafe place(pointer, at: last) == 0 else { return }
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        switch unsafe mdb_cursor_get(pointer, &key, &value, MDB_NEXT) {
        case 0:
            unsafe ahead = .entry(key: UnsafeRawBufferPointer(key), value: UnsafeRawBufferPointer(value))
            unsafe LeafPage.prefetch(around: UnsafeRawBufferPointer(key), size: transaction.mappedPageSize)
        case MDB_NOTFOUND: ahead = .end
        default: break
        }
    }

    /// Brings LMDB's own cursor to the present entry, where that was reached without it.
    @_lifetime(self: copy self)
    private mutating func bringUp() throws(LMDBError) {
        guard let leaf else { return }
        self.leaf = nil
        ahead = nil
        guard let pointer = unsafe pointer, let key = unsafe leaf.presentKey else { throw disagreement }
        let code = unsafe place(pointer, at: key)
        guard code == 0 else { throw code == MDB_NOTFOUND ? disagreement : transaction.failure(code, "mdb_cursor_get") }
    }

    /// Places LMDB's cursor at the entry whose key lies there in the map. The entry is on the page that leads there, or the tree
    /// and its leaf don't agree, and whatever else is found under that key is not it.
    private func place(_ pointer: OpaquePointer, at key: UnsafeRawBufferPointer) -> Int32 {
        var found = unsafe MDB_val(key)
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(pointer, &found, &value, MDB_SET_KEY)
        return unsafe code == 0 && UnsafeRawPointer(found.mv_data) != key.baseAddress ? MDB_NOTFOUND : code
    }

    private var disagreement: LMDBError { transaction.failure(MDB_CORRUPTED, "mdb_cursor_get") }

    /// A move that doesn't follow on the one before it.
    @_lifetime(self: copy self)
    private mutating func begin() {
        leaf = nil
        ahead = nil
        unsafe turn = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        var key = unsafe MDB_val()
        let code = unsafe move(operation, &key)
        if code == 0 { return true }
        return try stop(code)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func move(_ operation: MDB_cursor_op, _ key: inout MDB_val) -> Int32 {
        guard let pointer = unsafe pointer else { return MDB_NOTFOUND }
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(pointer, &key, &value, operation)
        if code == 0 {
            unsafe keyBytes = UnsafeRawBufferPointer(key)
            unsafe valueBytes = UnsafeRawBufferPointer(value)
        }
        return code
    }

    /// No entry there: false. Anything else is an error.
    @_lifetime(self: copy self)
    private mutating func stop(_ code: Int32) throws(LMDBError) -> Bool {
        unsafe keyBytes = UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe valueBytes = UnsafeRawBufferPointer(start: nil, count: 0)
        guard code == MDB_NOTFOUND else { throw transaction.failure(code, "mdb_cursor_get") }
        return false
    }
}
