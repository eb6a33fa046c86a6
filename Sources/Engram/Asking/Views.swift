public import EventCoding
public import StudyModel

/// A card as a screen shows it.
public struct CardView: Identifiable, Equatable, Sendable {
    /// Its identity.
    public let id: UniqueID
    /// The deck that it is in; `UniqueID.none` where it is known from its history alone.
    public let deck: UniqueID
    /// The question. Empty where the card is known from its history alone.
    public let front: String
    /// The answer.
    public let back: String
    /// When it was made; `nil` where it is known from its history alone.
    public let createdAt: ZonedTime?
    /// When it was last answered as scheduled.
    public let lastReviewedAt: ZonedTime?
    /// Scheduled answers other than Again.
    public let passed: Int
    /// Scheduled answers Again.
    public let failed: Int
    /// The level, in steps of 0.5; `nil` where the scheduler has none.
    public let level: Double?
    /// The box, from 0 up; `nil` where the scheduler has none.
    public let box: Int?
    /// What the scheduler in force remembers of it.
    public let memory: CardMemory
    /// The interval that the last scheduled review gave, in days.
    public let intervalDays: Int
    /// The study day on which it is due; `nil` where it was answered under a scheduler that this program doesn't know.
    public let due: StudyDay?
    /// Whether it is a favourite.
    public let isFavourite: Bool
    /// Whether it is there: made, and neither it nor its deck deleted.
    public let isLive: Bool
}

/// A favourite or a mistake as a list shows it.
public struct ItemView: Identifiable, Hashable, Sendable {
    /// Its identity.
    public let id: UniqueID
    /// What it is.
    public let kind: ItemKind
    /// The front of a card, or the word; empty where no text is known.
    public let text: String
    /// Since when it has been on the list.
    public let since: ZonedTime
    /// How often: wrong answers for a mistake, 1 for a favourite.
    public let count: Int
}

/// A deck that has a scheduler of its own.
public struct DeckScheduler: Hashable, Sendable {
    /// The deck.
    public let deck: UniqueID
    /// Its title.
    public let title: String
    /// The scheduler that is in force there now.
    public let scheduler: ConfiguredScheduler
}
