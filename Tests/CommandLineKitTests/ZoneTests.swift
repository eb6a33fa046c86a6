import CivilTime
import CommandLineKit
import Testing

struct ZoneTests {
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
        let moment = try #require(ZonedTime(iso: instant))
        #expect(zone.minutesEast(at: moment.wallMilliseconds) == expected)
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
