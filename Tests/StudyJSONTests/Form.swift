import StudyJSON
import Testing

@testable import Engram

/// A value's JSON beside what it should be. Every field of a value has another number, so that none can stand for another.
struct Form: CustomTestStringConvertible {
    let testDescription: String
    let json: String
    let expected: String

    init(_ name: String, _ value: some JSONRepresentable, _ expected: String) {
        testDescription = name
        json = String(decoding: value.json, as: UTF8.self)
        self.expected = expected
    }

    func check() { #expect(json == expected) }
}

func uid(_ number: UInt64) -> UniqueID { UniqueID(high: 0, low: number) }

/// Of device 10.
func event(_ number: UInt64) -> EventID { EventID(origin: device(10), number: number) }

/// `00000000000000NN` for hexadecimal NN.
func device(_ number: UInt64) -> OriginID { OriginID(rawValue: number) }

func digest(_ byte: UInt8) -> SHA256Digest { SHA256Digest([32 of UInt8](repeating: byte)) }

/// 2024-10-07, that many hours after midnight in a zone an hour ahead of UTC.
func time(_ hour: Int64) -> ZonedTime { ZonedTime(wallMilliseconds: 1_728_255_600_000 + hour * 3_600_000, zoneMinutes: 60) }

/// That day of October 2024.
func day(_ day: Int32) -> StudyDay { StudyDay(days: 19_996 + day) }

func outcome(_ number: UInt64) -> ActionResult { ActionResult(events: [event(number), event(99)], subject: uid(98), isNew: true) }
