import EventCoding
import Foundation
import Hashing
import LMDB
import Testing

@testable import EventLog

struct AppendingTests {
    @Test("What was appended is there after opening again, byte for byte, under the next numbers")
    func appending() throws {
        let folder = try TemporaryFolder()
        var commits: [[UInt8]] = []
        do {
            let log = try folder.log()
            #expect(try log.act([toy("a"), toy("b", about: 2)]) == [1, 2].map { EventID(origin: OriginID(rawValue: 1), number: $0) })
            #expect(try log.act([toy("c", at: noon - 5000)]).map(\.number) == [3])
            #expect(try log.act([toy("d")], origin: 7).map(\.number) == [1])
            commits = try log.allCommits()
        }
        let log = try CommitLog.open(path: folder.path + "/store")
        #expect(try log.allCommits() == commits && commits.count == 3)
        let heads = try log.currentHeads()
        #expect(heads.sequence == 3 && heads.eventCount == 4)
        let events = try log.eventsInFoldOrder()
        #expect(events.map { String(decoding: $0.payload, as: UTF8.self) } == ["a", "b", "c", "d"])
        #expect(events.map(\.header.zoneMinutes) == [60, 60, 60, 60] && events[2].header.wallMilliseconds == noon - 5000)
        // Later than all that was seen, whatever the wall clock says.
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.header.logicalTime < $1.header.logicalTime })
        for event in events {
            let found = try log.found(at: event.position)
            #expect(found.header == event.header && found.payload == event.payload)
            #expect(try log.found(event.header.id)?.position == event.position)
        }
        for (origin, number) in [(1, 4), (7, 2), (5, 1), (1, UInt64.max)] as [(UInt64, UInt64)] {
            let id = EventID(origin: OriginID(rawValue: origin), number: number)
            #expect(try log.found(id) == nil)
        }
        #expect(throws: LogError.storeExists(path: folder.path + "/store")) { try folder.log() }
    }

    @Test("A caller's key leads to its commit for ever, and can't be used twice")
    func keys() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        let key = UniqueID(high: 3, low: 4)
        try log.act([toy()])
        try log.act([toy("keyed"), toy("too")], key: key)
        func sequence(_ key: UniqueID) throws -> UInt64? {
            try log.read { transaction throws(LogError) in try log.sequence(ofAction: key, transaction) }
        }
        #expect(try sequence(key) == 2)
        #expect(try sequence(UniqueID(high: 3, low: 5)) == nil)
        let before = try log.allCommits()
        #expect(throws: LogError.self) { try log.act([toy("again")], key: key) }
        #expect(try log.allCommits() == before)
        let keyed = before[1]
        let header = try Commit.header(of: keyed.rawSpan)
        #expect(try sequence(key) == 2 && header.actionKey == key)
        #expect(try log.verified().findings.isEmpty)
    }

    @Test("Each digest is SHA-256 over the one before it in its origin and the commit's bytes")
    func chain() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        for number in 0..<12 { try log.act([toy("\(number)"), toy("more")], origin: UInt64(1 + number % 3)) }
        var last: [OriginID: SHA256Digest] = [:]
        for commit in try log.allCommits() {
            let origin = try Commit.origin(of: commit.rawSpan)
            let expected = sha256((last[origin] ?? .zero).bytes + commit[32...])
            #expect(commit[..<32].elementsEqual(expected.bytes))
            last[origin] = expected
        }
        #expect(try log.currentHeads().sorted.map(\.head.digest) == last.sorted { $0.key < $1.key }.map(\.value))
    }

    @Test("What can't be kept is refused, and nothing of it stays")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        try log.act([toy("first")])
        let before = try log.allCommits()
        let late = LogicalTime.wallMillisecondsRange.upperBound
        let refused: [(String, [NewEvent])] = [
            ("a time after the last one", [toy(at: late + 1)]), ("a time before the first one", [toy(at: -62_135_596_800_001)]),
            ("one event too large", [toy(String(repeating: "x", count: EventFrame.maximumSize))]),
            ("all events too large", (0..<20).map { _ in toy(String(repeating: "x", count: 1 << 20)) }),
            ("a row's time before what is there", [toy(time: LogicalTime(rawValue: 5))]),
            ("the second row before the first", [toy(time: LogicalTime(rawValue: .max - 1)), toy(time: LogicalTime(rawValue: .max - 2))]),
        ]
        for (why, events) in refused { #expect(throws: LogError.self, "\(why)") { try log.act(events) } }
        #expect(try log.allCommits() == before)
        try log.act([toy(at: late)])
        try log.act(Array(repeating: toy(at: 0), count: 1000), origin: 2)
        #expect(try log.verified().findings.isEmpty)
    }

    @Test("What no other device would take in isn't written: times and zones beyond all, in whatever event of an action")
    func ranges() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        func event(_ wall: Int64, zone: Int16, _ time: LogicalTime? = nil) -> NewEvent {
            NewEvent(
                type: EventType(rawValue: 600), version: 1, subject: UniqueID(high: 0, low: 1), wallMilliseconds: wall, zoneMinutes: zone,
                logicalTime: time, payload: [])
        }
        let range = LogicalTime.wallMillisecondsRange
        for zone: Int16 in [.min, -1441, 1441, .max] {
            #expect(throws: LogError.zoneOutOfRange(minutes: zone)) { try log.act([toy(), event(noon, zone: zone)]) }
        }
        for wall in [range.lowerBound - 1, range.upperBound + 1] {
            #expect(throws: LogError.timeOutOfRange(milliseconds: wall)) {
                try log.act([event(wall, zone: 0, LogicalTime.next(after: LogicalTime(rawValue: 0), wallMilliseconds: noon))])
            }
        }
        #expect(try log.verified().total == 0)
        for zone: Int16 in [-1440, 1440] { try log.act([event(noon, zone: zone)]) }
        #expect(try log.verified().findings.isEmpty)
    }

    @Test("A store that was copied isn't its own")
    func copies() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        try log.act([toy()])
        try FileManager.default.createDirectory(atPath: folder.path + "/copy", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.path + "/store/data.mdb", toPath: folder.path + "/copy/data.mdb")
        let copy = try CommitLog.open(path: folder.path + "/copy")
        let records = try [log, copy].map { try #require(try $0.storedOrigin()) }
        func isOwn(_ record: LocalOrigin, _ log: CommitLog) throws -> Bool {
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in log.isOwn(record, transaction) }
        }
        #expect(try records[0] == records[1] && isOwn(records[0], log) && !isOwn(records[1], copy))
        try copy.write { (transaction: inout WriteTransaction) throws(LogError) in
            try copy.setLocalOrigin(OriginID(rawValue: 77), &transaction)
        }
        let own = try #require(try copy.storedOrigin())
        #expect(try own.origin == OriginID(rawValue: 77) && isOwn(own, copy))
    }
}
