public import EventCoding
public import StudyModel

/// What a subscriber of the change feed is told.
public enum Change: Sendable {
    /// An event came into the log.
    case event(LoggedEvent)
    /// Something that an app may want to mark. Comes right after the event that made it so.
    case moment(Milestone)
}

/// Something worth marking in somebody's study.
public enum Milestone: Hashable, Sendable {
    /// A study session ended, with what was done in it.
    case sessionEnded(SessionSummary)
    /// A test ended: answered to its last question, or abandoned.
    case quizFinished(quiz: UniqueID, right: Int, total: Int, isAbandoned: Bool)
    /// The first scheduled review of a study day made the streak so many days long; 1 begins one.
    case streakGrown(days: Int, on: StudyDay)
}
