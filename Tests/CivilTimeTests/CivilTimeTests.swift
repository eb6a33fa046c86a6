import CivilTime
import Testing

/// Dates and times as they are counted and written.
@Suite struct CivilTimeTests {
    /// Moments as they may be written, and as they are.
    static let moments: [(text: String, milliseconds: Int64, zone: Int16, iso: String)] = [
        ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00+00:00"),
        ("2024-10-07T12:00:00+00:00", 1_728_302_400_000, 0, "2024-10-07T12:00:00+00:00"),
        ("2024-10-07T14:00:00+02:00", 1_728_302_400_000, 120, "2024-10-07T14:00:00+02:00"),
        ("2024-10-07T14:00:00+0200", 1_728_302_400_000, 120, "2024-10-07T14:00:00+02:00"),
        ("2024-10-07 14:00+02", 1_728_302_400_000, 120, "2024-10-07T14:00:00+02:00"),
        ("2024-10-07t08:30:00.5-03:30", 1_728_302_400_500, -210, "2024-10-07T08:30:00.500-03:30"),
        ("2024-10-07T12:00:00.001999999z", 1_728_302_400_001, 0, "2024-10-07T12:00:00.001+00:00"),
        ("2024-10-07T12:00:00,12Z", 1_728_302_400_120, 0, "2024-10-07T12:00:00.120+00:00"),
        ("1969-12-31T23:59:59.999Z", -1, 0, "1969-12-31T23:59:59.999+00:00"),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000, 0, "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, 0, "9999-12-31T23:59:59.999+00:00"),
        ("2024-10-07 07:00:00.5-05", 1_728_302_400_500, -300, "2024-10-07T07:00:00.500-05:00"),
        ("2024-10-07T17:45:00.123456789+05:45", 1_728_302_400_123, 345, "2024-10-07T17:45:00.123+05:45"),
        ("2024-02-29T00:00:00-00:30", 1_709_166_600_000, -30, "2024-02-29T00:00:00-00:30"),
        ("2024-10-07T12:00:00+24:00", 1_728_216_000_000, 1440, "2024-10-07T12:00:00+24:00"),
        ("2024-10-07T12:00:00-24:00", 1_728_388_800_000, -1440, "2024-10-07T12:00:00-24:00"),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000, 0, "0000-01-01T00:00:00+00:00"),
        ("+010000-01-01T00:00:00Z", 253_402_300_800_000, 0, "+010000-01-01T00:00:00+00:00"),
    ]

    @Test(arguments: moments) func momentsAreReadAndWritten(text: String, milliseconds: Int64, zone: Int16, iso: String) {
        let moment = ZonedTime(wallMilliseconds: milliseconds, zoneMinutes: zone)
        #expect(ZonedTime(iso: text) == moment)
        #expect(moment.iso == iso)
        #expect(ZonedTime(iso) == moment)
    }

    @Test func momentsAreReadStrictly() {
        for wrong in [
            "", "2024-10-07", "2024-10-07T12:00:00", "2024-10-07T24:00:00Z", "2024-10-07T12:60:00Z", "2024-10-07T12:00:60Z",
            "2024-10-07T12:00:00.Z", "2024-10-07T12:00:00.1234567890Z", "2024-10-07T12:00:00+2", "2024-10-07T12:00:00+02:",
            "2024-10-07T12:00:00+02:60",
            "2024-10-07T12:00:00+24:01", "2024-10-07T12:00:00Z ", "2024-02-30T12:00:00Z", "2024-10-07T12:00:00+02:000",
            "2024-10-07T1:00:00Z",
            "2024-10-07X12:00:00Z", "2024-13-07T12:00:00Z", "2024-00-10T00:00:00Z", "2024-10-00T00:00:00Z", "2023-02-29T12:00:00Z",
            "2024-10-07T23:59:60Z", "2024-10-07T12:00:00+25", "2024-10-07T12:00:00Zx", " 2024-10-07T12:00:00Z", "２024-10-07T12:00:00Z",
            "2024-10-07T1２:00:00Z", "-001-01-01T00:00:00Z", "12024-10-07T12:00:00Z", "2024-1-07T12:00:00Z",
            "2024-10-07T12Z", "+999999999-01-01T00:00:00Z+",
        ] {
            #expect(ZonedTime(iso: wrong) == nil, "\(wrong)")
        }
        #expect(ZonedTime(iso: "2024-10-07T23:30:00-02:00")?.localHour == 23)
        #expect(ZonedTime(wallMilliseconds: -1, zoneMinutes: 0).localHour == 23)
        #expect(ZonedTime(wallMilliseconds: -1, zoneMinutes: 90).localHour == 1)
    }

    @Test func daysRunOnWithoutAGapAndKnowTheirWeekday() {
        var expected = CivilDate(days: -1000)
        for number in -999...40_000 as ClosedRange<Int64> {
            let date = CivilDate(days: number)
            let isNextDay = date.month == expected.month && date.day == expected.day + 1
            let isNextMonth = date.day == 1 && (date.month == expected.month + 1 || (date.month == 1 && date.year == expected.year + 1))
            if !(isNextDay || isNextMonth) || date.days != number || !date.isValid || date.weekday != (expected.weekday + 1) % 7 {
                Issue.record("\(expected) is followed by \(date)")
            }
            expected = date
        }
        #expect(CivilDate(days: 0).weekday == 3 && CivilDate(days: -1).weekday == 2)
        #expect(CivilDate(year: 2024, month: 10, day: 7).weekday == 0)
        #expect(CivilDate(days: 20_003).monthName == "Oct")
        #expect(CivilDate(days: .max).year > 1_000_000 && CivilDate(days: .min).year < -1_000_000)
        let noDates: [(Int64, Int64, Int64)] = [(2100, 2, 29), (2024, 2, 30), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0), (2024, 1, 32)]
        for (year, month, day) in noDates {
            #expect(!CivilDate(year: year, month: month, day: day).isValid, "\(year)-\(month)-\(day)")
        }
    }
}
