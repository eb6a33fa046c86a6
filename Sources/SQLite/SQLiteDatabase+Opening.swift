internal import CSQLite
internal import FileSystem

extension SQLiteDatabase {
    /// The first sixteen bytes of every SQLite database.
    package static let magic: [UInt8] = Array("SQLite format 3\0".utf8)

    /// Opens the file at `path` for reading, and never writes to it or beside it.
    ///
    /// A write-ahead log or a hot journal beside the file is part of its content, but SQLite reads one only by
    /// writing beside it: then both are copied into a private folder, which goes when the database does.
    package static func open(path: String) throws(SQLiteError) -> SQLiteDatabase {
        let header = try readHeader(path)
        guard header.starts(with: magic) else {
            throw SQLiteError(code: .notADatabase, path: path, message: "no SQLite database")
        }
        let size = Files.size(of: path, followingLinks: false)
        for suffix in ["-wal", "-journal"] where Files.size(of: path + suffix, followingLinks: false) > 0 {
            let (bytes, overflow) = size.addingReportingOverflow(Files.size(of: path + suffix, followingLinks: false))
            guard !overflow, bytes <= ForeignLimits.copiedBytes else { throw tooLarge(path, suffix) }
            let copy = try PrivateCopy(of: path, withSuffix: suffix)
            return try open(uri: uri(copy.path, "mode=rw"), path: path, size: bytes, copy: copy)
        }
        // Without its log, a database in write-ahead mode can be read unlocked only: locking would make a log.
        if header.count > 19, header[18] == 2 || header[19] == 2 { return try open(uri: uri(path, "immutable=1"), path: path, size: size) }
        do {
            return try open(uri: uri(path, "mode=ro"), path: path, size: size)
        } catch  where error.code.primary == .cannotOpen || error.code.primary == .inputOutput || error.code.primary == .readOnly {
            // File systems without locks (and folders that can't be written to) leave this way only.
            return try open(uri: uri(path, "immutable=1"), path: path, size: size)
        }
    }

    /// Opens a database that lies in memory as `bytes`, under a name for errors. Nothing is written anywhere.
    ///
    /// Complexity: one copy of the bytes.
    package static func open(bytes: RawSpan, name: String) throws(SQLiteError) -> SQLiteDatabase {
        guard bytes.byteCount >= 100, unsafe bytes.withUnsafeBytes({ unsafe $0.prefix(16).elementsEqual(magic) }) else {
            throw SQLiteError(code: .notADatabase, path: name, message: "no SQLite database")
        }
        var opened: OpaquePointer?
        let status = unsafe sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let connection = unsafe opened else { throw unsafe openingFault(status, opened, name) }
        guard let image = unsafe sqlite3_malloc64(UInt64(bytes.byteCount))?.assumingMemoryBound(to: UInt8.self) else {
            _ = unsafe sqlite3_close_v2(connection)
            throw SQLiteError(code: .outOfMemory, path: name, message: "no memory for \(bytes.byteCount) bytes")
        }
        unsafe bytes.withUnsafeBytes { unsafe UnsafeMutableRawBufferPointer(start: image, count: $0.count).copyMemory(from: $0) }
        // Write-ahead mode needs a file beside; without one, the same pages are a database in rollback mode.
        for offset in [18, 19] where unsafe image[offset] == 2 { unsafe image[offset] = 1 }
        let count = Int64(bytes.byteCount)
        // SQLite frees the image, also where it fails.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        let adopted = unsafe sqlite3_deserialize(connection, "main", image, count, count, flags)
        guard adopted == SQLITE_OK else {
            _ = unsafe sqlite3_close_v2(connection)
            throw SQLiteError(code: SQLiteCode(rawValue: adopted), path: name, message: "the bytes can't be opened as a database")
        }
        return try unsafe SQLiteDatabase(connection: connection, path: name, size: bytes.byteCount)
    }

    /// What can't be copied beside its journal.
    private static func tooLarge(_ path: String, _ suffix: String) -> SQLiteError {
        let message =
            "it and \(path)\(suffix) have more than \(ForeignLimits.copiedBytes) bytes together, and both are copied to be read; "
            + "close the program that uses it, so that they become one file"
        return SQLiteError(code: .tooBig, path: path, message: message)
    }

    private static func open(uri: String, path: String, size: Int, copy: PrivateCopy? = nil) throws(SQLiteError) -> SQLiteDatabase {
        var opened: OpaquePointer?
        let access = copy == nil ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let status = unsafe sqlite3_open_v2(uri, &opened, access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let connection = unsafe opened else { throw unsafe openingFault(status, opened, path) }
        return try unsafe SQLiteDatabase(connection: connection, path: path, size: size, copy: copy)
    }

    private static func openingFault(_ status: Int32, _ opened: OpaquePointer?, _ path: String) -> SQLiteError {
        let message = unsafe sqlite3_errstr(status).map { unsafe String(cString: $0) } ?? ""
        _ = unsafe sqlite3_close_v2(opened)
        return SQLiteError(code: SQLiteCode(rawValue: status), path: path, message: message)
    }

    /// `path` as a URI with one setting.
    static func uri(_ path: String, _ setting: String) -> String {
        var text: [UInt8] = Array("file:".utf8)
        for unit in path.utf8 {
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.append(unit)
            default:
                text.append(UInt8(ascii: "%"))
                for digit in [unit >> 4, unit & 15] {
                    text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
                }
            }
        }
        return String(decoding: text, as: UTF8.self) + "?" + setting
    }

    /// The first bytes of a regular file; fewer where it is shorter.
    private static func readHeader(_ path: String) throws(SQLiteError) -> [UInt8] {
        do throws(InputFile.Refusal) { return try InputFile(path: path).bytes(count: 100) } catch {
            throw SQLiteError(code: .cannotOpen, path: path, message: "\(error)")
        }
    }
}
