package import EventCoding

/// What a list of cards says, row by row. What of it is new is for whoever knows the store to find.
package struct ImportedList: Sendable {
    /// A row that can be a card.
    package struct Row: Sendable {
        package let line: Int
        /// The deck that the row names.
        package let deck: String?
        package let front: String
        package let back: String
        /// What it is known by, where the list says so.
        package let identity: UniqueID?
    }

    /// A row that can't be one.
    package struct Skipped: Sendable {
        package let line: Int
        package let reason: SkipReason
        /// As much of it as a report shows.
        package let front: String
    }

    /// The file's name, without its folders.
    package let name: String
    /// The digest of the file.
    package let digest: SHA256Digest
    /// The deck of all rows, where the header names one.
    package let deck: String?
    /// The deck of rows that name none.
    package let fallbackDeck: String
    package let onMatch: ListMatch
    package internal(set) var rows: [Row] = []
    package internal(set) var skipped: [Skipped] = []
}
