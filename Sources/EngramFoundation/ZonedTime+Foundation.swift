public import Engram
public import Foundation

extension ZonedTime {
    /// The moment of `date`, to the nearest millisecond, on the clocks of `zone`.
    public init(_ date: Date, in zone: TimeZone) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(
            wallMilliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max),
            zoneMinutes: Int16(clamping: zone.secondsFromGMT(for: date) / 60))
    }

    /// The moment, without its zone.
    public var date: Date { Date(timeIntervalSince1970: Double(wallMilliseconds) / 1000) }
}

extension StudyDay {
    /// The study day of `date` on the clocks of `zone`, where a new day begins at `rolloverHour`.
    public init(_ date: Date, in zone: TimeZone, rolloverHour: Int) {
        let moment = ZonedTime(date, in: zone)
        self = .of(
            wallMilliseconds: moment.wallMilliseconds, zoneMinutes: moment.zoneMinutes,
            rolloverHour: UInt8(clamping: min(max(0, rolloverHour), 23)))
    }

    /// The beginning of the calendar day of that date in `zone`, for a calendar or a label; `nil` where the calendar has no such day.
    public func date(in zone: TimeZone) -> Date? {
        var (here, utc) = (Calendar(identifier: .gregorian), Calendar(identifier: .gregorian))
        here.timeZone = zone
        utc.timeZone = .gmt
        let noon = Date(timeIntervalSince1970: Double(days) * 86_400 + 43_200)
        return here.date(from: utc.dateComponents([.era, .year, .month, .day], from: noon))
    }
}
