internal import EventCoding
package import StudyModel

/// Counts of one study day.
package struct DayTally: Equatable, Sendable {
    package let day: StudyDay
    /// By grade, from Again to Easy.
    private var grades = InlineArray<4, Int64>(repeating: 0)
    /// Time spent, in milliseconds.
    package var milliseconds: Int64 = 0

    package init(day: StudyDay) { self.day = day }

    package subscript(grade: Grade) -> Int64 {
        @inline(__always) get { grades[Int(grade.rawValue) - 1] }
        @inline(__always) set { grades[Int(grade.rawValue) - 1] = newValue }
    }

    package static func == (left: DayTally, right: DayTally) -> Bool {
        left.day == right.day && left.milliseconds == right.milliseconds && Grade.allCases.allSatisfy { left[$0] == right[$0] }
    }

    package var again: Int64 { self[.again] }
    package var hard: Int64 { self[.hard] }
    package var good: Int64 { self[.good] }
    package var easy: Int64 { self[.easy] }
    package var reviews: Int64 { again + hard + good + easy }
    package var passed: Int64 { hard + good + easy }
}

/// Counts of the reviews of cards that were in one box.
package struct BoxTally: Hashable, Sendable {
    package var reviews: Int64 = 0
    package var passed: Int64 = 0

    @inline(__always)
    fileprivate mutating func count(_ reviews: Int64, passed: Int64) {
        self.reviews += reviews
        self.passed += passed
    }
}

/// Counters that scheduled reviews add to. They only add and subtract, so the order of reviews never shows in them.
package struct Tallies: Sendable {
    /// All days but the one in ``open``, which has an outdated one in its place.
    private var closed: [DayTally] = []
    /// The day of the last review, where that lies in ``closed``, at hand: a long history comes day by day.
    private var open = DayTally(day: StudyDay(days: 0))
    private var openPlace: Int?
    private var byHour = InlineArray<24, Int64>(repeating: 0)
    /// By the box that the card was in before; boxes beyond the last one that was reviewed are not there.
    package private(set) var boxes: [BoxTally] = []
    /// Practice answers, which count nowhere else.
    package private(set) var practised: Int64 = 0
    /// Reviews of which it is known when the card was turned, and how long that took in all, in milliseconds.
    package private(set) var turned: Int64 = 0
    package private(set) var turnedMilliseconds: Int64 = 0
    private var places: [Int32: Int] = [:]

    package init() {}

    /// Adds (`sign` 1) or takes off (`sign` -1) one scheduled review.
    @inline(__always)
    mutating func count(_ grade: Grade, inBox box: Int?, on day: StudyDay, hour: Int, milliseconds: Int64, sign: Int64) {
        // No grade can be guessed from the one before: nothing here branches on it.
        openDay(day)
        open[grade] += sign
        open.milliseconds &+= sign &* milliseconds
        byHour[hour] += sign
        guard let box else { return }
        makeRoom(forBox: box)
        boxes[box].count(sign, passed: grade == .again ? 0 : sign)
    }

    @inline(__always)
    private mutating func makeRoom(forBox box: Int) {
        if box >= boxes.count { boxes += Array(repeating: BoxTally(), count: box + 1 - boxes.count) }
    }

    /// The boxes without empty ones at the end: what is left when reviews were taken off again doesn't show.
    package var reviewedBoxes: [BoxTally] {
        Array(boxes.prefix((boxes.lastIndex { $0 != BoxTally() } ?? -1) + 1))
    }

    /// Adds all that `other` has counted. Complexity: O(days).
    mutating func join(_ other: Tallies) {
        for day in other.days {
            openDay(day.day)
            for grade in Grade.allCases { open[grade] += day[grade] }
            open.milliseconds &+= day.milliseconds
        }
        for hour in byHour.indices { byHour[hour] += other.byHour[hour] }
        for (box, tally) in other.boxes.enumerated() {
            makeRoom(forBox: box)
            boxes[box].count(tally.reviews, passed: tally.passed)
        }
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

    @inline(__always)
    private mutating func openDay(_ day: StudyDay) {
        if openPlace == nil || open.day != day { openOtherDay(day) }
    }

    @inline(never)
    private mutating func openOtherDay(_ day: StudyDay) {
        if let openPlace { closed[openPlace] = open }
        if let place = places[day.days] {
            (open, openPlace) = (closed[place], place)
        } else {
            (open, openPlace) = (DayTally(day: day), closed.count)
            places[day.days] = closed.count
            closed.append(open)
        }
    }

    /// By study day, in no order; days without reviews may be among them. Complexity: O(days).
    package var days: [DayTally] {
        var result = closed
        if let openPlace { result[openPlace] = open }
        return result
    }

    /// Reviews by hour of the local day, 24 numbers.
    package var hours: [Int64] { byHour.indices.map { byHour[$0] } }

    /// Days with at least one review, in order. Complexity: O(days log days).
    package var reviewedDays: [DayTally] {
        days.filter { $0.reviews != 0 || $0.milliseconds != 0 }.sorted { $0.day < $1.day }
    }
}

extension Tallies {
    /// Writes what was counted; what was counted and taken off again leaves no trace.
    func write(to writer: inout ByteWriter) {
        let days = reviewedDays
        writer.writeVariable(UInt64(days.count))
        for day in days {
            writer.writeVariableSigned(Int64(day.day.days))
            for grade in Grade.allCases { writer.writeVariableSigned(day[grade]) }
            writer.writeVariableSigned(day.milliseconds)
        }
        for count in hours { writer.writeVariableSigned(count) }
        let boxes = reviewedBoxes
        writer.writeVariable(UInt64(boxes.count))
        for box in boxes {
            writer.writeVariableSigned(box.reviews)
            writer.writeVariableSigned(box.passed)
        }
        for count in [practised, turned, turnedMilliseconds] { writer.writeVariableSigned(count) }
    }

    /// Reads what ``write(to:)`` wrote.
    @_lifetime(reader: copy reader)
    init(from reader: inout ByteReader) throws(ByteError) {
        self.init()
        for _ in 0..<(try reader.readCount()) {
            var day = DayTally(day: StudyDay(days: Int32(clamping: try reader.readVariableSigned())))
            for grade in Grade.allCases { day[grade] = try reader.readVariableSigned() }
            day.milliseconds = try reader.readVariableSigned()
            places[day.day.days] = closed.count
            closed.append(day)
        }
        for hour in byHour.indices { byHour[hour] = try reader.readVariableSigned() }
        for _ in 0..<(try reader.readCount()) {
            boxes.append(BoxTally(reviews: try reader.readVariableSigned(), passed: try reader.readVariableSigned()))
        }
        practised = try reader.readVariableSigned()
        turned = try reader.readVariableSigned()
        turnedMilliseconds = try reader.readVariableSigned()
    }
}
