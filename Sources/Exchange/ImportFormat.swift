internal import Archive
internal import SQLite

/// A format of other programs whose files can be imported.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
    /// A table of reviews as FSRS tools exchange it: `card_id, review_time, review_rating, …`.
    case reviewTable = "fsrs-csv"
    /// An Anki collection (`.anki2`, `.anki21`, `.anki21b`) or package (`.apkg`, `.colpkg`).
    case anki
    /// The Core Data store of a flashcards app: decks and cards as they stand.
    case coreData = "coredata"
    /// A list of cards: comma or tab-separated values, or Anki's text form.
    case list

    /// The format that a file beginning with `bytes` has; `nil` where it has none. Its name doesn't count.
    ///
    /// Any text may be a list: whether it is one shows when it is read. A database is Anki's until its tables say otherwise.
    init?(beginning bytes: [UInt8]) {
        let isAnki = [SQLiteDatabase.magic, ZipArchive.magic, ZipArchive.emptyMagic, Zstandard.magic].contains { bytes.starts(with: $0) }
        if isAnki {
            self = .anki
        } else if ReviewTable.isHeader(bytes) {
            self = .reviewTable
        } else if CardTable.isHeader(bytes) || ListText.isText(beginning: bytes) {
            self = .list
        } else {
            return nil
        }
    }

    /// Enough of a file to tell its format, longest header included.
    static let beginningBytes = 16 << 10

    /// The format of the file at `path`, found by its content.
    package static func find(path: String) throws(ImportError) -> ImportFormat {
        let file = try ForeignFile(path: path)
        let beginning = try file.bytes(count: min(file.size, beginningBytes))
        guard let format = find(path: path, beginning: beginning) else { throw ImportError(path: path, reason: .unknownFormat) }
        return format
    }

    /// The format of the file at `path`, which begins with `bytes`; `nil` where it has none.
    static func find(path: String, beginning bytes: [UInt8]) -> ImportFormat? {
        let format = ImportFormat(beginning: bytes)
        guard bytes.starts(with: SQLiteDatabase.magic) else { return format }
        // A database that can't be read is for the reader to name.
        do throws(SQLiteError) {
            return try CoreDataModel.isStore(try SQLiteDatabase.open(path: path)) ? .coreData : format
        } catch {
            return format
        }
    }
}
