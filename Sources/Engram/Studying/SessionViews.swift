public import EventCoding
public import StudyModel

/// What one of the four buttons would do to a card.
public struct AnswerPreview: Hashable, Sendable {
    /// The button.
    public let grade: Grade
    /// The interval that it would give, in days; 0 brings the card back in this session, and so does Again, whatever it gives. `nil`
    /// where this program doesn't know the scheduler.
    public let intervalDays: Int?
    /// The study day on which the card would be due.
    public let due: StudyDay?
    /// The box that it would be in; `nil` where the scheduler has none.
    public let box: Int?
}

/// The card that a session shows.
public struct SessionCard: Equatable, Sendable {
    /// The card.
    public let card: CardView
    /// What each button would do, Again first; empty in free learn, where answers change nothing.
    public let answers: [AnswerPreview]
    /// Cards that are still to come after this one, as far as is known now.
    public let remaining: Int
    /// Whether it was answered in this session before and has come back.
    public let isRepeated: Bool
}

/// What became of an answer.
public enum SessionAnswer: Hashable, Sendable {
    /// It is on the disk, as this event.
    case recorded(EventID)
    /// Nothing was recorded: the card had been edited, moved or answered elsewhere since it was shown. It comes again, as it is
    /// now, if it is still to be learned.
    case changedMeanwhile
    /// Nothing was recorded: the card, or its deck, was deleted since it was shown.
    case deletedMeanwhile
}

/// What was done in a session.
public struct SessionSummary: Hashable, Sendable {
    /// The session.
    public let id: UniqueID
    /// Whether it was spaced repetition or free learn.
    public let mode: SessionMode
    /// When it began.
    public let startedAt: ZonedTime
    /// When it ended; `nil` while it goes on.
    public let endedAt: ZonedTime?
    /// How it ended; `nil` while it goes on.
    public let endReason: SessionEndReason?
    /// Answers that count, by grade: Again, Hard, Good, Easy.
    public let grades: [Int]
    /// Different cards that were answered.
    public let cards: Int
    /// Time that the answers took, in milliseconds, as far as it was measured.
    public let milliseconds: Int64

    /// Answers that count.
    public var answers: Int { grades.reduce(0, +) }
    /// Of those, other than Again.
    public var passed: Int { answers - grades[0] }
}
