internal import EventCoding
internal import FileSystem
internal import Hashing
internal import SQLite

extension PackContent {
    /// Raised whenever the same file would give other content, so that installing it again reads it again.
    private static let readingRules = "engram packs 1"

    /// Reads the file at `path`, whatever of the known forms it has.
    ///
    /// - Parameters:
    ///   - map: a file that says where in the database the parts lie.
    ///   - name: what the pack is called, where it doesn't say so itself.
    ///   - conditionSteps: how many steps of SQLite's virtual machine the condition of a test type may take.
    ///   - progress: called now and then with how many rows are read of how many.
    /// - Throws: ``PackError`` where it can't be read as a pack at all. Rows and test types that aren't right are left out,
    ///   and told of in the content.
    package static func read(
        path: String, map: String? = nil, name: String? = nil, conditionSteps: Int = 50_000_000,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(PackError) -> PackContent {
        let bytes = try PackFile.bytes(of: path)
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        guard bytes.starts(with: SQLiteDatabase.magic) else {
            guard map == nil else { throw PackError(path: path, why: "is no SQLite database, and a map describes the tables of one") }
            guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }).map({ $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) ?? false
            else { throw PackError(path: path, why: "is neither a SQLite database nor questions in JSON") }
            var content = try readJSON(bytes, path: path, name: name, digest: hasher.finish())
            content.reading = sha256(Array(readingRules.utf8))
            return content
        }
        let mapBytes: [UInt8]? = if let map { try PackFile.bytes(of: map, limit: 1 << 20) } else { nil }
        let parsed: PackMap? = if let mapBytes { try PackMap(parsing: mapBytes, path: map ?? "") } else { nil }
        do throws(SQLiteError) {
            let database: SQLiteDatabase
            if let journal = ["-wal", "-journal"].first(where: { Files.size(of: path + $0, followingLinks: true) > 0 }) {
                // What lies in a journal is content too; SQLite reads it from a copy of both.
                if let more = try? PackFile.bytes(of: path + journal) { hasher.update(more) }
                database = try SQLiteDatabase.open(path: path)
            } else {
                database = try SQLiteDatabase.open(bytes: bytes.rawSpan, name: path)
            }
            var reader = PackReader(database, path: path, conditionSteps: conditionSteps, rows: RowCounter(progress))
            var content = try reader.read(map: parsed, givenName: name, digest: hasher.finish())
            content.reading = sha256(Array(readingRules.utf8) + (mapBytes ?? []))
            return content
        } catch { throw PackError(error) }
    }

    /// The last part of a path without its extension.
    static func fileName(_ path: String) -> String {
        let file = path.split(separator: "/").last.map { String($0) } ?? path
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
        return String(file[..<dot])
    }
}
