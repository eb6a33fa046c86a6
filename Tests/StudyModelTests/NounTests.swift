import StudyModel
import Testing

@Suite struct NounTests {
    /// Moments as UTC text, zone and rollover hour, and the study day that they belong to.
    static let days: [(iso: String, rollover: UInt8, day: String)] = [
        ("2024-10-07T12:00:00Z", 4, "2024-10-07"),
        ("2024-10-07T03:59:59.999Z", 4, "2024-10-06"),
        ("2024-10-07T04:00:00Z", 4, "2024-10-07"),
        ("2024-10-07T00:00:00Z", 0, "2024-10-07"),
        ("2024-10-07T22:59:59Z", 23, "2024-10-06"),
        ("2024-10-07T23:00:00Z", 23, "2024-10-07"),
        ("2024-10-07T03:59:00+14:00", 4, "2024-10-06"),
        ("2024-10-07T03:59:00-12:00", 4, "2024-10-06"),
        ("2024-10-07T04:00:00-12:00", 4, "2024-10-07"),
        ("2024-03-01T01:00:00+05:45", 4, "2024-02-29"),
        ("1970-01-01T03:59:59.999+00:00", 4, "1969-12-31"),
        ("1969-12-31T23:59:59.999Z", 0, "1969-12-31"),
        ("1969-12-31T03:59:59.999Z", 4, "1969-12-30"),
        ("0001-01-01T00:00:00Z", 4, "0000-12-31"),
        ("2000-03-01T00:00:00Z", 4, "2000-02-29"),
        ("1900-03-01T00:00:00Z", 4, "1900-02-28"),
    ]

    @Test(arguments: days) func studyDaysBeginAtTheRolloverHour(iso: String, rollover: UInt8, day: String) throws {
        let moment = try #require(ZonedTime(iso: iso))
        #expect(moment.studyDay(rolloverHour: rollover).description == day)
    }

    /// One function of time: compared with a count by steps, over zones, rollover hours and both sides of 1970.
    @Test func studyDaysAreFlooredExactly() {
        for zone: Int16 in [-720, -210, -1, 0, 1, 345, 840] {
            for rollover: UInt8 in [0, 4, 23] {
                let start = -3 * 86_400_000 - Int64(zone) * 60_000 + Int64(rollover) * 3_600_000
                for step in -2...8 {
                    let day = start + Int64(step) * 86_400_000
                    for (offset, expected) in [(-1 as Int64, step - 4), (0, step - 3), (86_399_999, step - 3)] {
                        let found = StudyDay.of(wallMilliseconds: day + offset, zoneMinutes: zone, rolloverHour: rollover)
                        #expect(Int(found.days) == expected)
                    }
                }
            }
        }
        for wall in [Int64.min, .max] {
            for zone in [Int16.min, .max] {
                let day = StudyDay.of(wallMilliseconds: wall, zoneMinutes: zone, rolloverHour: .max)
                #expect(day.days == (wall < 0 ? .min : .max))
                #expect(!ZonedTime(wallMilliseconds: wall, zoneMinutes: zone).iso.isEmpty)
                #expect((0..<24).contains(ZonedTime(wallMilliseconds: wall, zoneMinutes: zone).localHour))
            }
        }
    }

    /// The two questions asked at once have the answers that they have singly.
    @Test func dayAndHourComeTogether() {
        var walls: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for hours in stride(from: -1000 as Int64, through: 1000, by: 7) {
            for offset in [-1, 0, 1, 1_799_999] as [Int64] { walls.append(hours * 3_600_000 + offset) }
        }
        for wall in walls {
            for zone in [.min, -720, -210, -1, 0, 1, 345, 840, .max] as [Int16] {
                for rollover in [0, 4, 23, .max] as [UInt8] {
                    let moment = ZonedTime(wallMilliseconds: wall, zoneMinutes: zone)
                    let (day, hour) = moment.studyDayAndHour(rolloverHour: rollover)
                    let isRight = day == moment.studyDay(rolloverHour: rollover) && hour == moment.localHour
                    #expect(isRight, "\(wall) ms, zone \(zone), rollover \(rollover)")
                }
            }
        }
    }

    /// From year -1 to 10000, every month's first day comes after the last day of the month before, in number and in text.
    @Test func monthsFollowEachOther() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        // -0001-01-01 is 719,528 + 365 days before 1970-01-01.
        var first: Int32 = -719_893
        var wrong: [String] = []
        for year in -1...10_000 {
            let isPlain = (0...9999).contains(year)
            let digits = String(abs(year))
            let sign = isPlain ? "" : year < 0 ? "-" : "+"
            let yearText = sign + String(repeating: "0", count: (isPlain ? 4 : 6) - digits.utf8.count) + digits
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 1...12 {
                let length = lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
                let monthText = "\(yearText)-\(month < 10 ? "0" : "")\(month)"
                let last = first + Int32(length) - 1
                if StudyDay("\(monthText)-01")?.days != first { wrong.append(monthText) }
                if StudyDay(days: last).description != "\(monthText)-\(length)" { wrong.append("end of \(monthText)") }
                first = last + 1
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        #expect(StudyDay(days: 0).description == "1970-01-01")
    }

    @Test func daysAreReadStrictlyAndMoveSafely() {
        for wrong in [
            "", "2024-1-01", "2024-13-01", "2024-00-10", "2024-02-30", "2023-02-29", "1900-02-29", "2024-10-07 ", " 2024-10-07", "24-10-07",
            "2024/10/07", "+2024-10-07", "+002024-10-07", "2024-10-7", "99999-01-01", "+999999999-01-01",
        ] {
            #expect(StudyDay(wrong) == nil, "\(wrong)")
        }
        for text in ["0000-02-29", "2024-02-29", "9999-12-31", "+010000-01-01", "-000001-12-31", "+5881580-07-11", "-5877641-06-23"] {
            #expect(StudyDay(text)?.description == text)
        }
        let day = StudyDay(days: 10)
        #expect(day.advanced(by: 5).days == 15 && day.advanced(by: -11).days == -1)
        #expect(day.advanced(by: .max).days == .max && day.advanced(by: .min).days == .min)
        #expect(StudyDay(days: .min).days(until: StudyDay(days: .max)) == 4_294_967_295)
        #expect(StudyDay(days: -10).advanced(by: .min).days == .min && StudyDay(days: -10).advanced(by: .max).days == .max)
        #expect(StudyDay(days: 1) < StudyDay(days: 2) && !(StudyDay(days: 1) < StudyDay(days: 1)))
    }

    @Test func gradesAndColoursHaveNames() {
        for (grade, name) in zip(Grade.allCases, ["again", "hard", "good", "easy"]) {
            #expect(grade.name == name && Grade(name: name) == grade)
            #expect(grade.isPassed == (name != "again"))
        }
        #expect(Grade(name: "Good") == nil && Grade(rawValue: 0) == nil && Grade(rawValue: 5) == nil)
        for (text, rgb) in [("#000000", 0), ("#12ab9F", 0x12AB9F), ("#ffffff", 0xFFFFFF), ("White", 0xFFFFFF), ("black", 0)] {
            #expect(Colour(text)?.rgb == UInt32(rgb), "\(text)")
        }
        #expect(Colour(rgb: 0x12AB9F)?.description == "#12ab9f")
        #expect(Colour(rgb: 0x100_0000) == nil && Colour(rgb: -1) == nil)
        for wrong in ["", "#", "#12345", "#1234567", "123456", "#12345g", "#-12345", "x12ab9f", "blurple"] {
            #expect(Colour(wrong) == nil, "\(wrong)")
        }
        #expect(Colour(rgb: 0xFF_FFFF)?.description == "#ffffff")
        #expect(
            Colour.named.map { "\($0.name) \($0.colour)" } == [
                "black #000000", "blue #1e66f5", "brown #8b5a2b", "cyan #04a5e5", "green #40a02b", "grey #8c8fa1", "orange #fe640b",
                "pink #ea76cb", "purple #8839ef", "red #d20f39", "teal #179299", "white #ffffff", "yellow #df8e1d",
            ])
        for (name, colour) in Colour.named { #expect(Colour(colour.description) == colour && Colour(name) == colour) }
        #expect(ItemKind(name: "word") == .word && ItemKind.question.name == "question" && ItemKind(name: "deck") == nil)
    }
}
