import Engram
import EngramFoundation
import Foundation
import Testing

@Suite struct DateTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    @Test(
        "A date is a moment on the clocks of a zone, and back",
        arguments: [
            ("2026-03-01T09:30:00.000+01:00", 60), ("2026-07-01T09:30:00.250+02:00", 120), ("1969-12-31T23:59:59.999+01:00", 60),
            ("2026-03-29T03:00:00.000+02:00", 120), ("2026-10-25T02:30:00.000+01:00", 60),
        ])
    func moments(iso: String, minutes: Int16) throws {
        let moment = try #require(ZonedTime(iso: iso))
        #expect(ZonedTime(moment.date, in: Self.berlin) == moment)
        #expect(moment.zoneMinutes == minutes)
    }

    @Test(
        "A date falls on a study day, and a day is a date",
        arguments: [("2026-03-29T03:59:00+02:00", "2026-03-28"), ("2026-03-29T04:00:00+02:00", "2026-03-29")])
    func days(iso: String, day: String) throws {
        let date = try #require(ZonedTime(iso: iso)).date
        let found = StudyDay(date, in: Self.berlin, rolloverHour: 4)
        #expect(found.description == day)
        let start = try #require(found.date(in: Self.berlin))
        #expect(StudyDay(start, in: Self.berlin, rolloverHour: 0) == found)
        #expect(StudyDay(start.addingTimeInterval(-1), in: Self.berlin, rolloverHour: 0).days == found.days - 1)
    }

    @Test("Dates beyond all clocks are the first or last moment that can be counted")
    func extremes() {
        #expect(ZonedTime(Date(timeIntervalSince1970: 1e300), in: .gmt).wallMilliseconds == .max)
        #expect(ZonedTime(Date(timeIntervalSince1970: -1e300), in: .gmt).wallMilliseconds == .min)
    }

    @Test("A store is opened by its URL, spaces and all, and its errors say what is wrong")
    func urls() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "engram ü \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: StoreError.self) { try StudyStore.open(at: folder) }
        let store = try StudyStore.openOrCreate(at: folder)
        #expect(store.url.lastPathComponent == folder.lastPathComponent)
        #expect(try StudyStore.open(at: folder, readOnly: true).isReadOnly)
        let error: any Error = StoreError.nothingToUndo
        #expect(error.localizedDescription == StoreError.nothingToUndo.description)
    }
}
