internal import Archive
internal import SQLite

/// A format of other programs whose files can be imported.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
    /// A table of reviews as FSRS tools exchange it: `card_id, review_time, review_rating, …`.
    case reviewTable = "fsrs-csv"
    /// An Anki collection (`.anki2`, `.anki21`, `.anki21b`) or package (`.apkg`, `.colpkg`).
    case anki

    /// The format that a file beginning with `bytes` has; `nil` where it has none. Its name doesn't count.
    init?(beginning bytes: [UInt8]) {
        let isAnki = [SQLiteDatabase.magic, ZipArchive.magic, ZipArchive.emptyMagic, Zstandard.magic].contains { bytes.starts(with: $0) }
        if isAnki {
            self = .anki
        } else if ReviewTable.isHeader(bytes) {
            self = .reviewTable
        } else {
            return nil
        }
    }
}
