/// A moment as somebody's clock showed it: the time, and how far that clock was from UTC.
///
/// Written as ISO 8601 with offset, `2024-10-07T12:00:00.123+02:00`.
public struct ZonedTime: Hashable, Sendable {
    /// Milliseconds since 1970 UTC.
    public var wallMilliseconds: Int64
    /// Minutes that the local clock was ahead of UTC, east positive.
    public var zoneMinutes: Int16

    /// The moment `wallMilliseconds` after 1970 UTC, on a clock `zoneMinutes` ahead of it.
    @inlinable public init(wallMilliseconds: Int64, zoneMinutes: Int16) {
        self.wallMilliseconds = wallMilliseconds
        self.zoneMinutes = zoneMinutes
    }

    /// The hour that the local clock shows, 0 to 23.
    @inlinable
    @inline(__always)
    public var localHour: Int {
        let inDay = Self.splitDay(wallMilliseconds).milliseconds + Int64(zoneMinutes) * 60_000
        return Int((inDay - inDay.flooredQuotient(Self.millisecondsOfDay) * Self.millisecondsOfDay) / 3_600_000)
    }
}

extension ZonedTime {
    @inlinable package static var millisecondsOfDay: Int64 { 86_400_000 }

    /// Days since 1970-01-01 UTC, and the milliseconds within the day.
    @inlinable
    @inline(__always)
    package static func splitDay(_ milliseconds: Int64) -> (day: Int64, milliseconds: Int64) {
        let day = milliseconds.flooredQuotient(millisecondsOfDay)
        // Not `milliseconds - day * millisecondsOfDay`: for the earliest times the product is out of range.
        let rest = milliseconds % millisecondsOfDay
        return (day, rest < 0 ? rest + millisecondsOfDay : rest)
    }
}

extension ZonedTime: LosslessStringConvertible {
    /// The moment that `description` spells, as ``init(iso:)`` reads it.
    public init?(_ description: String) { self.init(iso: description) }

    /// The same as ``iso``.
    public var description: String { iso }
}

extension ZonedTime {
    /// The moment that `iso` spells: a date, `T` or a space, a time of day to the minute or finer, and an offset.
    ///
    /// The seconds may have a fraction of one to nine digits; what is finer than a millisecond is cut off. The offset is `Z`,
    /// `+02`, `+0200` or `+02:00`, at most 24 hours. `24:00:00` and leap seconds are refused. `nil` for anything else, and for
    /// a moment without an offset: nothing here knows what local means.
    public init?(iso: String) {
        var scanner = DigitScanner(iso)
        guard let date = CivilDate(scanning: &scanner), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let inDay = Self.timeOfDay(&scanner), let zone = scanner.offsetMinutes(), scanner.isAtEnd
        else { return nil }
        let (dayStart, overflow) = date.days.multipliedReportingOverflow(by: Self.millisecondsOfDay)
        let (wall, overflow2) = dayStart.addingReportingOverflow(inDay - zone * 60_000)
        guard !overflow, !overflow2 else { return nil }
        self.init(wallMilliseconds: wall, zoneMinutes: Int16(zone))
    }

    /// Milliseconds since midnight.
    private static func timeOfDay(_ scanner: inout DigitScanner) -> Int64? {
        guard let hour = scanner.number(2...2), hour < 24, scanner.skip(":"), let minute = scanner.number(2...2), minute < 60 else {
            return nil
        }
        var milliseconds = (hour * 60 + minute) * 60_000
        guard scanner.skip(":") else { return milliseconds }
        guard let second = scanner.number(2...2), second < 60 else { return nil }
        milliseconds += second * 1000
        guard scanner.skip(".") || scanner.skip(",") else { return milliseconds }
        let start = scanner.position
        guard var fraction = scanner.number(1...9) else { return nil }
        for _ in 0..<(9 - (scanner.position - start)) { fraction *= 10 }
        return milliseconds + fraction / 1_000_000
    }

    /// ISO 8601 with offset: `2024-10-07T12:00:00+00:00`, with `.123` behind the seconds where the milliseconds aren't 0.
    public var iso: String {
        let (utcDay, utcInDay) = Self.splitDay(wallMilliseconds)
        let shifted = utcInDay + Int64(zoneMinutes) * 60_000
        let carry = shifted.flooredQuotient(Self.millisecondsOfDay)
        let inDay = shifted - carry * Self.millisecondsOfDay
        var units: [UInt8] = []
        units.reserveCapacity(32)
        CivilDate(days: utcDay + carry).append(to: &units)
        units.append(UInt8(ascii: "T"))
        units.appendDigits(inDay / 3_600_000, count: 2)
        units.append(UInt8(ascii: ":"))
        units.appendDigits(inDay / 60_000 % 60, count: 2)
        units.append(UInt8(ascii: ":"))
        units.appendDigits(inDay / 1000 % 60, count: 2)
        if inDay % 1000 != 0 {
            units.append(UInt8(ascii: "."))
            units.appendDigits(inDay % 1000, count: 3)
        }
        units.append(UInt8(ascii: zoneMinutes < 0 ? "-" : "+"))
        let offset = Int64(zoneMinutes).magnitude
        units.appendDigits(Int64(offset / 60), count: 2)
        units.append(UInt8(ascii: ":"))
        units.appendDigits(Int64(offset % 60), count: 2)
        return String(decoding: units, as: UTF8.self)
    }
}
