internal import EventCoding
package import StudyModel

/// Counts of one study day.
package struct DayTally: Hashable, Sendable {
    package let day: StudyDay
    package var again: Int64 = 0
    package var hard: Int64 = 0
    package var good: Int64 = 0
    package var easy: Int64 = 0
    /// Time spent, in milliseconds.
    package var milliseconds: Int64 = 0

    package init(day: StudyDay) { self.day = day }

    fileprivate mutating func count(_ grade: Grade, milliseconds time: Int64, sign: Int64) {
        switch grade {
        case .again: again += sign
        case .hard: hard += sign
        case .good: good += sign
        case .easy: easy += sign
        }
        milliseconds &+= sign &* time
    }

    package var reviews: Int64 { again + hard + good + easy }
    package var passed: Int64 { hard + good + easy }
}

/// Counters that scheduled reviews add to. They only add and subtract, so the order of reviews never shows in them.
package struct Tallies: Sendable {
    /// By study day, in no order; days without reviews may be among them.
    package private(set) var days: [DayTally] = []
    /// Reviews by hour of the local day, 24 numbers.
    package private(set) var hours = [Int64](repeating: 0, count: 24)
    /// Practice answers, which count nowhere else.
    package private(set) var practised: Int64 = 0
    /// Reviews of which it is known when the card was turned, and how long that took in all, in milliseconds.
    package private(set) var turned: Int64 = 0
    package private(set) var turnedMilliseconds: Int64 = 0
    private var places: [Int32: Int] = [:]
    private var lastPlace = 0

    package init() {}

    /// Tallies with those contents.
    init(days: [DayTally], hours: [Int64], practised: Int64, turned: Int64, turnedMilliseconds: Int64) {
        self.days = days
        self.hours = hours
        self.practised = practised
        self.turned = turned
        self.turnedMilliseconds = turnedMilliseconds
        places.reserveCapacity(days.count)
        for (place, tally) in days.enumerated() { places[tally.day.days] = place }
    }

    /// Adds (`sign` 1) or takes off (`sign` -1) one scheduled review.
    mutating func count(_ grade: Grade, on day: StudyDay, hour: Int, milliseconds: Int64, sign: Int64) {
        days[placeOfDay(day)].count(grade, milliseconds: milliseconds, sign: sign)
        hours[hour] += sign
    }

    /// Adds all that `other` has counted. Complexity: O(days).
    mutating func join(_ other: Tallies) {
        for day in other.days {
            let place = placeOfDay(day.day)
            days[place].again += day.again
            days[place].hard += day.hard
            days[place].good += day.good
            days[place].easy += day.easy
            days[place].milliseconds &+= day.milliseconds
        }
        for hour in hours.indices { hours[hour] += other.hours[hour] }
        practised += other.practised
        turned += other.turned
        turnedMilliseconds &+= other.turnedMilliseconds
    }

    /// Adds or takes off the time until a card was turned.
    mutating func countTurn(milliseconds: Int64, sign: Int64) {
        turned += sign
        turnedMilliseconds &+= sign &* milliseconds
    }

    /// Adds or takes off one practice answer.
    mutating func countPractice(sign: Int64) { practised += sign }

    private mutating func placeOfDay(_ day: StudyDay) -> Int {
        if lastPlace < days.count, days[lastPlace].day == day { return lastPlace }
        if let place = places[day.days] {
            lastPlace = place
        } else {
            lastPlace = days.count
            days.append(DayTally(day: day))
            places[day.days] = lastPlace
        }
        return lastPlace
    }

    /// Days with at least one review, in order. Complexity: O(days log days).
    package var reviewedDays: [DayTally] {
        days.filter { $0.reviews != 0 || $0.milliseconds != 0 }.sorted { $0.day < $1.day }
    }
}
