import CommandLineFrame
import Testing

struct TimeTests {
    @Test(
        "Instants are read with their offset, and written the same way",
        arguments: [
            ("2024-10-07T12:00:00+00:00", 1_728_302_400_000, 0, "2024-10-07T12:00:00+00:00"),
            ("2024-10-07T12:00:00Z", 1_728_302_400_000, 0, "2024-10-07T12:00:00+00:00"),
            ("2024-10-07t14:00+0200", 1_728_302_400_000, 120, "2024-10-07T14:00:00+02:00"),
            ("2024-10-07 07:00:00.5-05", 1_728_302_400_500, -300, "2024-10-07T07:00:00.500-05:00"),
            ("2024-10-07T17:45:00.123456789+05:45", 1_728_302_400_123, 345, "2024-10-07T17:45:00.123+05:45"),
            ("1969-12-31T23:59:59.999Z", -1, 0, "1969-12-31T23:59:59.999+00:00"),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000, 0, "0001-01-01T00:00:00+00:00"),
            ("2024-02-29T00:00:00-00:30", 1_709_166_600_000, -30, "2024-02-29T00:00:00-00:30"),
        ])
    func instants(_ text: String, _ milliseconds: Int64, _ zone: Int, _ iso: String) {
        #expect(Instant(iso: text) == Instant(milliseconds: milliseconds, zoneMinutes: zone))
        #expect(Instant(milliseconds: milliseconds, zoneMinutes: zone).iso == iso)
    }

    @Test(
        "What isn't an instant is refused",
        arguments: [
            "", "2024-10-07", "2024-10-07T12:00:00", "2024-13-07T12:00:00Z", "2023-02-29T12:00:00Z", "2024-10-07T24:00:00Z",
            "2024-10-07T12:60:00Z", "2024-10-07T12:00:60Z", "2024-10-07T12:00:00.Z", "2024-10-07T12:00:00.1234567890Z",
            "2024-10-07T12:00:00+24:01",
            "2024-10-07T12:00:00+02:60", "2024-10-07T12:00:00+2", "2024-10-07T12:00:00+02:", "2024-10-07T12:00:00Zx",
            "２024-10-07T12:00:00Z",
            " 2024-10-07T12:00:00Z",
        ])
    func notInstants(_ text: String) { #expect(Instant(iso: text) == nil) }

    @Test("Days of the calendar run on without a gap, and know their weekday")
    func days() {
        var expected = CivilDay(number: -1000)
        for number in -999...40_000 {
            let day = CivilDay(number: number)
            let isNextDay = day.month == expected.month && day.day == expected.day + 1
            let isNextMonth = day.day == 1 && (day.month == expected.month + 1 || (day.month == 1 && day.year == expected.year + 1))
            if !(isNextDay || isNextMonth) || CivilDay(year: day.year, month: day.month, day: day.day)?.number != number {
                Issue.record("\(expected) is followed by \(day)")
            }
            expected = day
        }
        #expect(CivilDay(number: 0).weekday == 3 && CivilDay(number: -1).weekday == 2)
        #expect(CivilDay(year: 2024, month: 10, day: 7)?.weekday == 0)
        #expect(CivilDay(number: 0).description == "1970-01-01")
        #expect(CivilDay(number: .max).year > 1_000_000 && CivilDay(number: .min).year < -1_000_000)
        #expect(CivilDay(year: 2100, month: 2, day: 29) == nil)
    }

    @Test(
        "Offsets and names of zones",
        arguments: [
            // Berlin: summer time began on 2024-03-31 at 01:00 UTC and ended on 2024-10-27 at 01:00 UTC.
            ("Europe/Berlin", "2024-03-31T00:59:59Z", 60), ("Europe/Berlin", "2024-03-31T01:00:00Z", 120),
            ("Europe/Berlin", "2024-10-27T00:59:59Z", 120), ("Europe/Berlin", "2024-10-27T01:00:00Z", 60),
            ("America/New_York", "2024-03-10T06:59:59Z", -300), ("America/New_York", "2024-03-10T07:00:00Z", -240),
            ("Asia/Kathmandu", "2024-01-01T00:00:00Z", 345), ("UTC", "2024-07-01T00:00:00Z", 0), ("Z", "2024-07-01T00:00:00Z", 0),
            ("+02:00", "2024-01-01T00:00:00Z", 120), ("-0330", "2024-01-01T00:00:00Z", -210), ("+05", "2024-01-01T00:00:00Z", 300),
        ])
    func zones(_ name: String, _ instant: String, _ expected: Int) throws {
        let zone = try #require(Zone(name))
        let moment = try #require(Instant(iso: instant))
        #expect(zone.minutesEast(at: moment.milliseconds) == expected)
    }

    @Test(
        "An unknown or harmful name is refused",
        arguments: [
            "", "Europe/Atlantis", "Europe", "../../../etc/passwd", "/etc/localtime", "Europe//Berlin", "Europe/Berlin/", "+25", "02:00",
            "zone.tab",
            "Europe/Berlin\u{0}", ":Europe/Berlin",
        ])
    func unknownZones(_ name: String) { #expect(Zone(name) == nil) }

    @Test("The system's zone comes back after a named one, and changing zones is no great matter")
    func alternation() throws {
        let berlin = try #require(Zone("Europe/Berlin"))
        let tokyo = try #require(Zone("Asia/Tokyo"))
        let before = Zone.system.minutesEast(at: 1_728_302_400_000)
        for second in 0..<100_000 as Range<Int64> where berlin.minutesEast(at: 1_728_302_400_000 + second) != 120 {
            Issue.record("\(second)")
        }
        #expect(tokyo.minutesEast(at: 1_728_302_400_000) == 540)
        #expect(berlin.minutesEast(at: 1_728_302_400_000) == 120)
        #expect(Zone.system.minutesEast(at: 1_728_302_400_000) == before)
        #expect(berlin.minutesEast(at: .max) % 60 == 0 && berlin.minutesEast(at: .min) <= 60)
    }
}
