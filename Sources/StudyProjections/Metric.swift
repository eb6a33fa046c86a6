public import StudyModel

/// One figure of the statistics, named as in their JSON: `reviews.again`, `due.overdue`, `boxes.3`, `days.2024-10-07`.
public enum Metric: Hashable, Sendable {
    /// Scheduled reviews: all of them, or those of one grade.
    case reviews(Grade?)
    /// The share of reviews other than Again.
    case passRate
    /// Answers in free learn.
    case practised
    /// Cards that are there.
    case cards
    /// Cards that were never reviewed.
    case newCards
    /// Cards in box 1 or above.
    case learnedCards
    /// Cards that were deleted, or are known from their history alone.
    case deletedCards
    /// Cards in a box.
    case box(Int)
    /// Cards that are due.
    case due
    /// Cards that were due before today.
    case overdue
    /// Cards that will be due on a day.
    case forecast(StudyDay)
    /// Reviews of a day.
    case day(StudyDay)
    /// Reviews in an hour of the day.
    case hour(Int)
    /// Days in a row up to now.
    case currentStreak
    /// Most days in a row.
    case longestStreak
    /// Time that reviews took.
    case seconds

    /// The names that figures can have, those with a number or a day by example.
    public static let names = [
        "reviews.total", "reviews.again", "reviews.hard", "reviews.good", "reviews.easy", "reviews.pass_rate", "practised",
        "cards.total", "cards.new", "cards.learned", "cards.deleted", "boxes.N", "due.total", "due.overdue", "due.forecast.YYYY-MM-DD",
        "days.YYYY-MM-DD", "hours.N", "streak.current", "streak.longest", "seconds",
    ]

    /// The figure of that name; `nil` where there is none.
    public init?(_ name: String) {
        switch name {
        case "reviews", "reviews.total": self = .reviews(nil)
        case "reviews.pass_rate", "pass_rate": self = .passRate
        case "practised": self = .practised
        case "cards", "cards.total": self = .cards
        case "cards.new": self = .newCards
        case "cards.learned": self = .learnedCards
        case "cards.deleted": self = .deletedCards
        case "due", "due.total": self = .due
        case "due.overdue": self = .overdue
        case "streak", "streak.current": self = .currentStreak
        case "streak.longest": self = .longestStreak
        case "seconds": self = .seconds
        default:
            guard let dot = name.lastIndex(of: "."), let found = Self.numbered(name[..<dot], String(name[name.index(after: dot)...]))
            else { return nil }
            self = found
        }
    }

    private static func numbered(_ kind: Substring, _ which: String) -> Metric? {
        switch kind {
        case "reviews": Grade(name: which).map { .reviews($0) }
        case "boxes": Int(which).flatMap { $0 >= 0 ? .box($0) : nil }
        case "hours": Int(which).flatMap { (0...23).contains($0) ? .hour($0) : nil }
        case "days": StudyDay(which).map { .day($0) }
        case "due.forecast": StudyDay(which).map { .forecast($0) }
        default: nil
        }
    }
}
