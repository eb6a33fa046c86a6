public import EventCoding
public import StudyModel

/// A card as a screen shows it.
public struct CardView: Hashable, Sendable {
    /// Its identity.
    public let id: UniqueID
    /// The deck that it is in; ``UniqueID/none`` where it is known from its history alone.
    public let deck: UniqueID
    /// The question. Empty where the card is known from its history alone.
    public let front: String
    /// The answer.
    public let back: String
    /// When it was made; `nil` where it is known from its history alone.
    public let createdAt: Moment?
    /// When it was last answered as scheduled.
    public let lastReviewedAt: Moment?
    /// Scheduled answers other than Again.
    public let passed: Int
    /// Scheduled answers Again.
    public let failed: Int
    /// The level, in steps of 0.5.
    public let level: Double
    /// The box, from 0 up.
    public let box: Int
    /// The interval that the last scheduled review gave, in days.
    public let intervalDays: Int
    /// The study day on which it is due.
    public let due: StudyDay
    /// Whether it is a favourite.
    public let isFavourite: Bool
    /// Whether it is there: made, and neither it nor its deck deleted.
    public let isLive: Bool
}

/// A deck as a screen shows it.
public struct DeckView: Hashable, Sendable {
    /// Its identity.
    public let id: UniqueID
    /// Its title.
    public let title: String
    /// Its colour, if one was chosen.
    public let colour: Colour?
    /// Cards in it.
    public let cards: Int
    /// Of those, in box 1 or above.
    public let learned: Int
    /// Of those, due today or earlier.
    public let due: Int
    /// Cards by box.
    public let boxes: [Int]
}

/// What is due on a day.
public struct DueList: Hashable, Sendable {
    /// The study day.
    public let day: StudyDay
    /// Decks that hold due cards, by title and then identity.
    public let decks: [(id: UniqueID, title: String, due: Int)]
    /// The due cards in the order of study: by due day, then box, then identity.
    public let cards: [UniqueID]

    /// Equal where all parts are.
    public static func == (left: DueList, right: DueList) -> Bool {
        left.day == right.day && left.cards == right.cards && left.decks.elementsEqual(right.decks, by: ==)
    }

    /// Feeds the day and the cards.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(day)
        hasher.combine(cards)
    }
}

/// A favourite or a mistake as a list shows it.
public struct ItemView: Hashable, Sendable {
    /// Its identity.
    public let id: UniqueID
    /// What it is.
    public let kind: ItemKind
    /// The front of a card; empty where no text is known.
    public let text: String
    /// Since when it has been on the list.
    public let since: Moment
    /// How often: wrong answers for a mistake, 1 for a favourite.
    public let count: Int
}

/// How a card stood before or after an event.
public struct CardStanding: Hashable, Sendable {
    /// The level, in steps of 0.5.
    public let level: Double
    /// The box, from 0 up.
    public let box: Int
    /// The interval, in days.
    public let intervalDays: Int
    /// The due day; `nil` before anything has set one.
    public let due: StudyDay?
}

/// One event of a card's life.
public struct TimelineLine: Hashable, Sendable {
    /// Its identity.
    public let event: EventID
    /// Name of its type, or `type_N` where this program doesn't know it.
    public let type: String
    /// When it happened.
    public let at: Moment
    /// The study day on which it happened, under the rules in force then.
    public let day: StudyDay
    /// The grade that counts, for an answer or its correction.
    public let grade: Grade?
    /// How long the answer took, in milliseconds.
    public let tookMilliseconds: Int64?
    /// Whether it doesn't count: voided, held back, or a copy of a row that counted already.
    public let isVoided: Bool
    /// The event that it voids or corrects.
    public let target: EventID?
    /// How the card stood before.
    public let before: CardStanding
    /// How the card stood after.
    public let after: CardStanding
}
