package import EventCoding
package import StudyModel

/// An event that a row of a foreign file became.
///
/// Everything in it follows from the row alone, so that copies of a row give the same event on every device.
package struct ImportedEvent: Equatable, Sendable {
    package let event: StudyEvent
    /// The deck or card that it is about.
    package let subject: UniqueID
    package let wallMilliseconds: Int64
    package let zoneMinutes: Int16
    /// What the row says, digested. Of several events with one key, folds count one.
    package let key: UniqueID
    /// The lower sixteen bits of its logical time: see ``ImportedCounter``.
    package let counter: UInt16

    /// Its wall time and counter.
    package var logicalTime: LogicalTime? { LogicalTime(milliseconds: wallMilliseconds, counter: counter) }
}

/// The counter of an imported event's logical time: what orders events of one millisecond.
///
/// Bits 13–15 are the rank of its kind, bits 10–12 the grade (0 where there is none), bits 0–9 its number among
/// rows that are equal in card, time, kind and grade.
package enum ImportedCounter {
    /// Rows beyond this number of equal ones are skipped.
    package static let maximumOrdinal = 1023

    /// The ranks of the kinds: what must have happened before comes first.
    package enum Rank: UInt16, Sendable {
        case deckCreated = 0
        case cardCreated = 1
        case cardChanged = 2
        case cardReset = 3
        case cardAnswered = 4
    }

    /// The counter of those parts. `ordinal` is at most `maximumOrdinal`.
    package static func value(_ rank: Rank, grade: UInt8 = 0, ordinal: Int = 0) -> UInt16 {
        rank.rawValue << 13 | UInt16(grade & 7) << 10 | UInt16(truncatingIfNeeded: ordinal & maximumOrdinal)
    }
}

/// A card as the file has it now. Its `cardCreated` event is among the events; whether it is new, changed or as it was
/// is for whoever knows the store to find.
package struct ImportedCard: Hashable, Sendable {
    package let id: UniqueID
    package let deck: UniqueID
    package let front: String
    package let back: String
    /// When its texts were last changed: 0 where the file doesn't say.
    package let textModifiedMilliseconds: Int64
    /// When the card, so possibly its deck, was last changed: 0 where the file doesn't say.
    package let cardModifiedMilliseconds: Int64
}

/// A deck that holds cards of the file. Its `deckCreated` event is among the events.
package struct ImportedDeck: Hashable, Sendable {
    package let id: UniqueID
    package let title: String
    /// Red, green and blue, eight bits each.
    package let colour: UInt32?

    init(id: UniqueID, title: String, colour: UInt32? = nil) {
        self.id = id
        self.title = title
        self.colour = colour
    }
}

/// What one import of a file would bring: events, and an account of what didn't become one.
package struct ImportedHistory: Sendable {
    package let format: ImportFormat
    /// The file's name, without its folders.
    package let name: String
    /// The digest of the file.
    package let digest: SHA256Digest
    /// In the order of (wall time, counter, subject, key).
    package let events: [ImportedEvent]
    /// In the order of their ids.
    package let decks: [ImportedDeck]
    /// In the order of their ids.
    package let cards: [ImportedCard]
    package let reviewCount: Int
    package let practiceCount: Int
    package let resetCount: Int
    /// Rows that became no event, by reason, in the order of ``SkipReason/allCases``; none that is zero.
    package let skipped: [Remark<SkipReason>]
    /// Rows that became one with something left out or put right, likewise.
    package let adjusted: [Remark<AdjustReason>]

    /// Whether a deck of the file is the same under another title: it has an identity of its own, which no title leads to.
    var decksHaveIdentities: Bool { format == .coreData }

    /// How many rows became no event.
    package var skippedCount: Int { skipped.reduce(0) { $0 + $1.count } }
}

/// How many rows there is one thing to say about.
package struct Remark<Reason: Hashable & Sendable>: Hashable, Sendable {
    package let reason: Reason
    package let count: Int
}

/// Why a row became no event.
package enum SkipReason: String, CaseIterable, Sendable {
    /// Not an answer: entered or rescheduled by hand.
    case manual
    /// Not an answer: its due date was set.
    case dueDateSet = "due_date_set"
    /// Not an answer: the program rescheduled the card.
    case rescheduled
    /// An answer without a grade.
    case noGrade = "no_grade"
    /// A grade that isn't one of four.
    case gradeOutOfRange = "grade_out_of_range"
    /// A kind of review that no program defines.
    case unknownKind = "unknown_kind"
    /// A card number that is none.
    case cardNumberOutOfRange = "card_number_out_of_range"
    /// A time outside the years 1 to 6429.
    case timeOutOfRange = "time_out_of_range"
    /// More rows of the same card, time, kind and grade than can be told apart.
    case tooManyEqualRows = "too_many_equal_rows"
    /// A row of values that aren't numbers where numbers belong.
    case unreadableRow = "unreadable_row"
    /// A card whose note is missing: it has no text.
    case cardWithoutNote = "card_without_note"
    /// A line of a list that begins with `#`.
    case comment
    /// A row of a list that has a front, and no field for a back.
    case oneColumn = "one_column"
    /// A row of a list without a front.
    case emptyFront = "empty_front"
    /// A text longer than a card can have.
    case textTooLong = "text_too_long"
    /// A row of a list that says what an earlier one said.
    case duplicate
    /// A level that is none.
    case levelOutOfRange = "level_out_of_range"
    /// A card that was deleted here.
    case deleted = "deleted_here"
    /// A card whose texts were erased here: no file brings them back.
    case erased = "erased_here"
}

/// What was left out of a row, or put right.
package enum AdjustReason: String, CaseIterable, Sendable {
    /// A duration that is negative or longer than a day counts as unknown.
    case durationUnknown = "duration_unknown"
    /// A text was cut to the length that a card can have.
    case textCut = "text_cut"
    /// A card whose template is missing, or shows nothing in front, got its note's first field there.
    case frontFromField = "front_from_field"
    /// A card whose deck is missing went to the default deck.
    case deckMissing = "deck_missing"
    /// A card that doesn't say when it was made counts as made when it was last reviewed.
    case creationUnknown = "creation_unknown"
    /// A deck whose colour can't be read has none.
    case colourUnknown = "colour_unknown"
    /// A row of a list whose front an earlier one had: its back took the place of the other.
    case backReplaced = "back_replaced"
}
