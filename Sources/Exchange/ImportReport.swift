/// What an import brought, or would bring.
public struct ImportReport: Sendable {
    /// Name of the format.
    public let source: String
    /// Cards that weren't here.
    public internal(set) var newCards = 0
    /// Cards whose texts or deck were changed in the file since the last import.
    public internal(set) var updatedCards = 0
    /// Cards that are here as the file has them.
    public internal(set) var unchangedCards = 0
    /// Scheduled reviews that weren't here.
    public internal(set) var newReviews = 0
    /// Scheduled reviews that were here already.
    public internal(set) var knownReviews = 0
    /// Practice answers that weren't here.
    public internal(set) var newPractice = 0
    /// Practice answers that were here already.
    public internal(set) var knownPractice = 0
    /// Rows that became no event, by reason.
    public internal(set) var skipped: [(reason: String, count: Int)] = []
    /// Rows that became one with something left out or put right, by reason.
    public internal(set) var adjusted: [(reason: String, count: Int)] = []
    /// New events held back because their time lies more than a day ahead.
    public internal(set) var quarantined = 0
    /// What became of each row of a list; of other formats nothing is told by the row.
    public internal(set) var rows: [ImportedRow] = []
    /// What was left undone after all of it was on the disk, for a person; nothing of that is lost.
    public package(set) var remark: String?

    /// Whether it was a list, of which each row is told.
    public var isList: Bool { source == ImportFormat.list.rawValue }
}

/// What became of one row of a list.
public struct ImportedRow: Hashable, Sendable {
    /// What can become of a row.
    public enum Outcome: String, Hashable, Sendable {
        /// It is a card that wasn't here.
        case new
        /// A card that is here got its texts.
        case updated
        /// A card that is here has its texts.
        case unchanged
        /// It is no card.
        case skipped
        /// An earlier row of the list stands for the same card.
        case duplicate
    }

    /// The line on which it begins, from 1.
    public let line: Int
    /// What became of it.
    public internal(set) var outcome: Outcome
    /// Why, where it was skipped or is a duplicate.
    public let reason: String?
    /// The line of the row that it repeats.
    public let earlierLine: Int?
    /// Its front, or the beginning of it.
    public let front: String
}
