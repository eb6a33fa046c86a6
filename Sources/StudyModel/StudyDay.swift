public import CivilTime

/// A day of study: the local calendar day at the moment of an action, that begins at the rollover hour and not at midnight.
///
/// Written `YYYY-MM-DD`. Two days' distance is the difference of their ``days``.
public struct StudyDay: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let days: Int32

    /// The day `days` days after 1970-01-01.
    @inlinable public init(days: Int32) { self.days = days }

    /// The study day of a moment.
    ///
    /// The local calendar day at `zoneMinutes` (minutes east of UTC), less `rolloverHour` hours: with a rollover hour of 4, it is
    /// still yesterday at 03:59. Exact for any time, before 1970 too; times further than 5.8 million years away give the
    /// last day that can be counted. The only function from times to days.
    @inlinable
    @inline(__always)
    public static func of(wallMilliseconds: Int64, zoneMinutes: Int16, rolloverHour: UInt8) -> StudyDay {
        // Shifts by less than 2^31 ms, so splitting off the days first keeps every sum in range.
        let (day, inDay) = ZonedTime.splitDay(wallMilliseconds)
        let shifted = inDay + Int64(zoneMinutes) * 60_000 - Int64(rolloverHour) * 3_600_000
        return StudyDay(days: Int32(clamping: day + shifted.flooredQuotient(ZonedTime.millisecondsOfDay)))
    }

    /// The day after `count` days; the last or first one that can be counted where that lies beyond them.
    @inlinable
    public func advanced(by count: Int64) -> StudyDay {
        let (sum, overflow) = Int64(days).addingReportingOverflow(count)
        return StudyDay(days: overflow ? (count < 0 ? .min : .max) : Int32(clamping: sum))
    }

    /// How many days it is from this day to `other`; negative where `other` is earlier.
    public func days(until other: StudyDay) -> Int64 { Int64(other.days) - Int64(days) }
}

extension ZonedTime {
    /// The study day that it belongs to.
    public func studyDay(rolloverHour: UInt8) -> StudyDay {
        StudyDay.of(wallMilliseconds: wallMilliseconds, zoneMinutes: zoneMinutes, rolloverHour: rolloverHour)
    }

    /// ``studyDay(rolloverHour:)`` and ``localHour`` at once: three divisions, where they take six.
    @inlinable
    @inline(__always)
    package func studyDayAndHour(rolloverHour: UInt8) -> (day: StudyDay, hour: Int) {
        let (local, overflow) = wallMilliseconds.addingReportingOverflow(Int64(zoneMinutes) * 60_000)
        guard !overflow else { return (studyDay(rolloverHour: rolloverHour), localHour) }
        let hours = local.flooredQuotient(3_600_000)
        let day = (hours - Int64(rolloverHour)).flooredQuotient(24)
        return (StudyDay(days: Int32(clamping: day)), Int(hours - hours.flooredQuotient(24) * 24))
    }
}

extension StudyDay: Comparable {
    /// Earlier before later.
    @inlinable public static func < (left: StudyDay, right: StudyDay) -> Bool { left.days < right.days }
}

extension StudyDay: LosslessStringConvertible {
    /// The day that `description` (`YYYY-MM-DD`) spells; `nil` where it spells none.
    public init?(_ description: String) {
        var scanner = DigitScanner(description)
        guard let date = CivilDate(scanning: &scanner), scanner.isAtEnd, let days = Int32(exactly: date.days) else { return nil }
        self.init(days: days)
    }

    /// `YYYY-MM-DD`; years beyond 0 to 9999 with a sign and at least six digits.
    public var description: String {
        var units: [UInt8] = []
        CivilDate(days: Int64(days)).append(to: &units)
        return String(decoding: units, as: UTF8.self)
    }
}
