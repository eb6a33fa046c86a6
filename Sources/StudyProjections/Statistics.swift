package import EventCoding
internal import Scheduling
public import StudyModel

/// The figures of a deck or of everything, on a day.
public struct Statistics: Hashable, Sendable {
    /// Scheduled reviews by grade, those of deleted cards included.
    public struct Reviews: Hashable, Sendable {
        /// Reviews answered Again.
        public var again = 0
        /// Reviews answered Hard.
        public var hard = 0
        /// Reviews answered Good.
        public var good = 0
        /// Reviews answered Easy.
        public var easy = 0
        /// All of them.
        public var total: Int { again + hard + good + easy }
        /// All but Again.
        public var passed: Int { hard + good + easy }
        /// Share that was passed, from 0 to 1; `nil` where there was no review.
        public var passRate: Double? { total == 0 ? nil : Double(passed) / Double(total) }
    }

    /// Number of cards.
    public struct Cards: Hashable, Sendable {
        /// Cards that are there.
        public var total = 0
        /// Of those, never reviewed.
        public var new = 0
        /// Of those, in box 1 or above.
        public var learned = 0
        /// Deleted ones, by themselves or with their deck, and those known from history alone.
        public var deleted = 0
    }

    /// What is due.
    public struct Due: Hashable, Sendable {
        /// Cards due now, overdue ones included.
        public var total = 0
        /// Of those, due before today.
        public var overdue = 0
        /// Cards by the day on which they will be due, for today and the 29 days after it.
        public var forecast: [DayCount] = []
    }

    /// Cards due on a day.
    public struct DayCount: Hashable, Sendable {
        /// The study day.
        public let day: StudyDay
        /// Cards due on that day exactly.
        public let cards: Int
    }

    /// What was done on a study day.
    public struct Day: Hashable, Sendable {
        /// The study day.
        public let day: StudyDay
        /// Scheduled reviews.
        public let reviews: Int
        /// Of those, all but Again.
        public let passed: Int
        /// Time spent on them, in milliseconds.
        public let milliseconds: Int64
    }

    /// Runs of days with at least one review.
    public struct Streak: Hashable, Sendable {
        /// The run that ends today or yesterday, in days; 0 where there is none.
        public var current = 0
        /// The longest run, in days.
        public var longest = 0
    }

    /// The day that they are about.
    public let today: StudyDay
    /// Scheduled reviews by grade.
    public internal(set) var reviews = Reviews()
    /// Practice answers.
    public internal(set) var practised = 0
    /// Reviews by the box that the card was in before.
    public internal(set) var reviewsByBox: [BoxReviews] = []
    /// Reviews of which it is known when the card was turned.
    public internal(set) var turned = 0
    /// How long those cards were looked at before they were turned, in milliseconds.
    public internal(set) var turnedMilliseconds: Int64 = 0
    /// Number of cards.
    public internal(set) var cards = Cards()
    /// Live cards by box.
    public internal(set) var boxes: [Int] = []
    /// What is due.
    public internal(set) var due = Due()
    /// Days with reviews, in order.
    public internal(set) var days: [Day] = []
    /// Scheduled reviews by hour of the local day, 24 numbers.
    public internal(set) var hours = [Int](repeating: 0, count: 24)
    /// Runs of days with reviews.
    public internal(set) var streak = Streak()
    /// Time spent on scheduled reviews, in milliseconds.
    public internal(set) var milliseconds: Int64 = 0
    /// Mean interval of live cards in box 1 or above, in days; `nil` where there is none.
    public internal(set) var averageIntervalDays: Double?

    /// Reviews of cards that were in one box.
    public struct BoxReviews: Hashable, Sendable {
        /// All of them.
        public let total: Int
        /// Those other than Again.
        public let passed: Int
    }

    /// Figures of a day without anything.
    public init(today: StudyDay) { self.today = today }
}

extension StudyState {
    /// The figures of everything that is in the state.
    ///
    /// - Complexity: O(cards + days log days).
    package func statistics(today: StudyDay) -> Statistics {
        var result = Statistics(today: today)
        count(tallies, in: &result)
        countCards(in: &result)
        return result
    }

    /// The same of one deck, where one is named: a fold over the histories of the cards that are in it now, which `timeline` gives.
    ///
    /// - Complexity: for a deck, the events of its cards too.
    package func statistics<Failure: Error>(
        today: StudyDay, deck: UniqueID?, timeline: (UniqueID) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) -> Statistics {
        guard let deck else { return statistics(today: today) }
        var part = emptied
        for card in knownCards where card.deck == deck { part.refold(card.id, timeline: try timeline(card.id)) }
        return part.statistics(today: today)
    }

    private func count(_ tallies: Tallies, in result: inout Statistics) {
        for day in tallies.reviewedDays {
            result.reviews.again += Int(day.again)
            result.reviews.hard += Int(day.hard)
            result.reviews.good += Int(day.good)
            result.reviews.easy += Int(day.easy)
            result.milliseconds &+= day.milliseconds
            result.days.append(
                Statistics.Day(day: day.day, reviews: Int(day.reviews), passed: Int(day.passed), milliseconds: day.milliseconds))
        }
        result.practised = Int(tallies.practised)
        result.reviewsByBox = tallies.reviewedBoxes.map { Statistics.BoxReviews(total: Int($0.reviews), passed: Int($0.passed)) }
        result.turned = Int(tallies.turned)
        result.turnedMilliseconds = tallies.turnedMilliseconds
        result.hours = tallies.hours.map { Int($0) }
        result.streak = streak(of: result.days.filter { $0.reviews > 0 }.map(\.day), today: result.today)
    }

    private func streak(of days: [StudyDay], today: StudyDay) -> Statistics.Streak {
        var streak = Statistics.Streak()
        var run = 0
        var last: StudyDay?
        for day in days {
            run = last.map { $0.advanced(by: 1) == day } ?? false ? run + 1 : 1
            streak.longest = max(streak.longest, run)
            // A run counts as current as long as today's chance to go on with it isn't over.
            if day == today || day.advanced(by: 1) == today { streak.current = run }
            last = day
        }
        return streak
    }

    private func countCards(in result: inout Statistics) {
        let schedulers = currentSchedulers
        let today = result.today
        let horizon = 30
        var forecast = [Int](repeating: 0, count: horizon)
        result.boxes = Array(repeating: 0, count: schedulers.boxCount)
        var intervals: Int64 = 0
        var total = 0
        forEachLiveCard { card in
            total += 1
            if let box = schedulers[card.deck].box(of: card.memory) { result.boxes[box] += 1 }
            if !card.flags.contains(.reviewed) { result.cards.new += 1 }
            if schedulers[card.deck].isLearned(card) {
                result.cards.learned += 1
                intervals += Int64(card.intervalDays)
            }
            let ahead = Int(card.dueDay) - Int(today.days)
            if isWanted(card, on: today) { result.due.total += 1 }
            if ahead < 0 { result.due.overdue += 1 }
            if ahead >= 0, ahead < horizon { forecast[ahead] += 1 }
        }
        result.cards.total = total
        var known = 0
        cards.forEach { if $0.flags.contains(.known) { known += 1 } }
        result.cards.deleted = known - total
        result.due.forecast = forecast.enumerated().map {
            Statistics.DayCount(day: today.advanced(by: Int64($0.offset)), cards: $0.element)
        }
        if result.cards.learned > 0 { result.averageIntervalDays = Double(intervals) / Double(result.cards.learned) }
    }
}
