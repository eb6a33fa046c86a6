import EventCoding
import Foundation
import StudyModel
import Testing

@testable import Exchange

/// A folder of its own for a test, which goes when the last reference does.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "engram-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
        return path + "/" + name
    }
}

/// An event in a line, so that tables of them read well.
func line(_ event: ImportedEvent) -> String {
    let what =
        switch event.event {
        case .deckCreated(let deck): "deck \(deck.title)"
        case .cardCreated(let card): "card \(card.front)|\(card.back)"
        case .cardReviewed(let review): "reviewed \(review.grade) \(review.tookMilliseconds.map { String($0) } ?? "-")"
        case .cardPractised(let review): "practised \(review.grade) \(review.tookMilliseconds.map { String($0) } ?? "-")"
        case .cardReset: "reset"
        default: "?"
        }
    return "\(event.wallMilliseconds) \(event.zoneMinutes) \(what)"
}

func lines<Reason: RawRepresentable<String>>(_ remarks: [Remark<Reason>]) -> [String] {
    remarks.map { "\($0.reason.rawValue) \($0.count)" }
}

struct ReviewTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String, _ name: String = "log.csv", zone: ((Int64) -> Int16?)? = nil) throws -> ImportedHistory {
        try ImportedHistory.read(path: try folder.write(Array(text.utf8), name), zone: zone)
    }

    @Test func rowsBecomeEvents() throws {
        let text = """
            \u{FEFF}Extra,"review_time", review_rating ,CARD_ID,review_duration,review_state\r
            "a,\nb",1700000000000,3,7,1500,1\r
            ,2023-11-14T23:13:20.250+01:00,1.0,8,,2\r
            \r
            x,1699999999000,"4",7,2500.7,4\r
            x,1700000000000,0,7,1,5,more,fields
            x,1700000000000,2,7,1,5
            """
        let history = try read(text, "dir.Verlauf.csv")
        #expect(
            history.events.map(line) == [
                "1699999999000 0 deck dir.Verlauf", "1699999999000 0 card 7|", "1699999999000 0 practised easy 2500",
                "1700000000000 0 reviewed good 1500", "1700000000250 60 card 8|", "1700000000250 60 reviewed again -",
            ])
        #expect(lines(history.skipped) == ["manual 2"] && history.adjusted.isEmpty && history.skippedCount == 2)
        #expect(history.reviewCount == 2 && history.practiceCount == 1 && history.resetCount == 0 && history.name == "dir.Verlauf.csv")
        #expect(history.decks.map(\.title) == ["dir.Verlauf"] && Set(history.cards.map(\.front)) == ["7", "8"])
        let elsewhere = try read(text, "other.csv", zone: { $0 >= 1_700_000_000_000 ? 120 : nil })
        #expect(elsewhere.events.map(\.zoneMinutes) == [0, 0, 0, 120, 120, 120])
        #expect(
            elsewhere.events.dropFirst(2).filter { $0.counter >= 0x8000 }.map(\.key)
                == history.events.dropFirst(2).filter { $0.counter >= 0x8000 }.map(\.key))
        #expect(elsewhere.digest == history.digest)
    }

    @Test func absurdValuesAreCounted() throws {
        let history = try read(
            """
            card_id,review_time,review_rating,review_state,review_duration
            1,1700000000000,5,,
            1,1700000000000,-1,,
            1,1700000000000,3,6,
            -1,1700000000000,3,,
            99999999999999999999,1700000000000,3,,
            1,140737488355328,3,,
            1,-62135596800001,3,,
            1,99999999999999999999,3,,
            1,140737488355327,3,,86400000
            1,-62135596800000,3,,86400001
            1,0,3,,-35000
            """)
        #expect(lines(history.skipped) == ["grade_out_of_range 2", "unknown_kind 1", "card_number_out_of_range 2", "time_out_of_range 3"])
        #expect(lines(history.adjusted) == ["duration_unknown 2"])
        #expect(
            history.events.suffix(3).map(line) == [
                "-62135596800000 0 reviewed good -", "0 0 reviewed good -", "140737488355327 0 reviewed good 86400000",
            ])
    }

    static let faults: [(String, ImportError.Place, ImportError.Reason)] = [
        ("card_id,review_time\n", .line(1, field: "review_rating"), .missing("the column")),
        ("card_id,review_time,review_rating,card_id\n", .line(1, field: "card_id"), .duplicate("the column")),
        ("card_id,review_time,review_rating\n1,2,3\n\n1,2\n", .line(4, field: "review_rating"), .missing("the value")),
        ("card_id,review_time,review_rating\n\"1\n\",2,3\nx,2,3\n", .line(4, field: "card_id"), .notANumber("x")),
        ("card_id,review_time,review_rating\n1,2,3.5\n", .line(2, field: "review_rating"), .notANumber("3.5")),
        ("card_id,review_time,review_rating\n1,2,good\n", .line(2, field: "review_rating"), .notANumber("good")),
        ("card_id,review_time,review_rating\n1,2024-10-07T12:00:00,3\n", .line(2, field: "review_time"), .notATime("2024-10-07T12:00:00")),
        ("card_id,review_time,review_rating\n1,1e12,3\n", .line(2, field: "review_time"), .notATime("1e12")),
        ("card_id,review_time,review_rating,review_duration\n1,2,3,1s\n", .line(2, field: "review_duration"), .notANumber("1s")),
        ("card_id,review_time,review_rating,review_state\n-5,2,9,new\n", .line(2, field: "review_state"), .notANumber("new")),
        ("card_id,review_time,review_rating\n1,2,\"3\" \n", .line(2, field: nil), .badQuotes),
        ("card_id,review_time,review_rating\n1,2,3\n1,\"2,3\n1,2,3", .line(3, field: nil), .badQuotes),
        ("hello,world\n", .file, .unknownFormat), ("", .file, .unknownFormat), ("\"card_id", .file, .unknownFormat),
    ]

    @Test func malformedTablesAreErrorsWithTheirPlace() throws {
        for (text, place, reason) in Self.faults {
            let error = #expect(throws: ImportError.self, "\(text)") { _ = try read(text) }
            #expect(error == ImportError(path: folder.path + "/log.csv", place: place, reason: reason), "\(text)")
            #expect(error?.description.hasPrefix(folder.path + "/log.csv:") == true)
        }
        let empty = try read("card_id,review_time,review_rating")
        #expect(empty.events.isEmpty && empty.decks.isEmpty)
        for (path, format) in [(folder.path + "/none.csv", nil), (folder.path, nil), ("a\0b", nil), (folder.path + "/log.csv", .anki)]
            as [(String, ImportFormat?)]
        {
            #expect(throws: ImportError.self) { _ = try ImportedHistory.read(path: path, format: format) }
        }
        let asked = #expect(throws: ImportError.self) {
            _ = try ImportedHistory.read(path: try folder.write(Array("a,b\n".utf8), "t"), format: .reviewTable)
        }
        #expect(asked?.reason == .missing("the column"))
    }

    @Test func copiesOfARowAreOneEvent() throws {
        let rows = ["1,1000,3,5", "1,1000,3,9", "1,1000,3,5", "2,1000,3,5", "1,1000,1,5", "1,2000,3,5", "2,999,3,1"]
        let header = "card_id,review_time,review_rating,review_duration"
        let straight = try read(([header] + rows).joined(separator: "\n"))
        let reversed = try read(([header] + rows.reversed()).joined(separator: "\r"))
        #expect(straight.events == reversed.events)
        #expect(Set(straight.events.map(\.key)).count == straight.events.count)
        // Equal rows are told apart by number, the shortest first.
        let equal = straight.events.filter {
            $0.subject == ImportKey.card(csvNumber: 1) && $0.counter >> 10 == 4 << 3 | 3 && $0.wallMilliseconds == 1000
        }
        #expect(equal.map { $0.counter & 0x3FF } == [0, 1, 2])
        #expect(equal.map(line) == ["1000 0 reviewed good 5", "1000 0 reviewed good 5", "1000 0 reviewed good 9"])
        let part = try read(([header] + rows.suffix(2)).joined(separator: "\n"))
        let keys = Set(straight.events.map(\.key))
        #expect(part.events.filter { $0.counter >= 0x8000 }.allSatisfy { keys.contains($0.key) })
        #expect(straight.events.map(\.logicalTime).allSatisfy { $0 != nil })
        #expect(zip(straight.events, straight.events.dropFirst()).allSatisfy { ImportedEvent.isBefore($0, $1) })
        let many = try read(([header] + Array(repeating: "1,1000,3,5", count: 1030)).joined(separator: "\n"))
        #expect(many.reviewCount == 1024 && lines(many.skipped) == ["too_many_equal_rows 6"])
        #expect(Set(many.events.map(\.key)).count == 1026)
    }

    @Test func keysNeverChange() throws {
        // Written down once: stores that exist hold them.
        let history = try read("card_id,review_time,review_rating\n1,1700000000000,3\n", "d.csv")
        #expect(
            history.events.map { "\($0.subject) \($0.key) \($0.counter)" } == [
                "0892d848-bf49-8362-b25b-1387f0783339 1aaddbea-cb24-86dc-a76c-e2c99c014bb0 0",
                "ad7fa96f-0351-808c-b239-60773b8f4035 9244d025-e13b-86c6-be71-93af54b8a202 8192",
                "ad7fa96f-0351-808c-b239-60773b8f4035 7aaaeb4f-cc38-81fd-82a6-d50dfd5bf578 35840",
            ])
    }
}
