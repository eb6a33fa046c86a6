internal import StudyModel

/// Sees the streak grow, review by review.
struct StreakWatch: Sendable {
    private var days: Set<Int32>
    private var newest: Int32?

    /// Watching from where there had been reviews on those days.
    init(days: some Sequence<StudyDay>) {
        self.days = Set(days.map(\.days))
        newest = self.days.max()
    }

    /// Takes a review in; the length of the streak where it made it grow.
    ///
    /// A review of a day that isn't the newest, one that came late from another device, grows nothing.
    mutating func take(_ day: StudyDay) -> Int? {
        guard days.insert(day.days).inserted else { return nil }
        if let newest, day.days < newest { return nil }
        newest = day.days
        var length = 1
        while days.contains(day.days - Int32(length)) { length += 1 }
        return length
    }
}
