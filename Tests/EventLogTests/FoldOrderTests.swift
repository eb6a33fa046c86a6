import EngramTesting
import EventCoding
import Foundation
import LMDB
import Testing

@testable import EventLog

struct FoldOrderTests {
    /// A commit of some origin: how many events, and how far the time goes on.
    private struct Step: CustomStringConvertible {
        let origin: UInt64
        let events: Int
        let leaps: [Int64]
        var description: String { "origin \(origin): \(leaps)" }
    }

    @Test("Runs of several origins that overlap come in fold order, with the places where they lie")
    func foldOrder() throws {
        let folder = try TemporaryFolder()
        var stores = 0
        let property = Property<Step>(named: "fold order is a sorted list") { generator in
            let origins = 1 + generator.below(5)
            var steps: [Step] = []
            while steps.count < 40 {
                let origin = UInt64(1 + generator.below(origins))
                for _ in 0...generator.below(6) {
                    let count = 1 + generator.below(3)
                    steps.append(Step(origin: origin, events: count, leaps: (0..<count).map { _ in generator.number(in: 0...3) }))
                }
            }
            return steps
        } violation: { steps, _ in
            stores += 1
            do { return try Self.violation(steps, in: folder.log("\(stores)")) } catch { return "\(error)" }
        }
        let found = property.counterexample(runs: PropertyRuns(cases: 60, environment: ProcessInfo.processInfo.environment))
        if let found { Issue.record("\(found)") }
    }

    private static func violation(_ steps: [Step], in log: CommitLog) throws -> String? {
        var clocks: [UInt64: Int64] = [:]
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            var heads = LogHeads()
            for step in steps {
                var events: [NewEvent] = []
                for leap in step.leaps {
                    let time = (clocks[step.origin] ?? noon) + leap
                    clocks[step.origin] = time
                    events.append(toy("\(step.origin) \(time)", about: step.origin, time: LogicalTime(milliseconds: time, counter: 0)))
                }
                _ = try log.append(events, origin: OriginID(rawValue: step.origin), heads: &heads, marking: { _ in nil }, &transaction)
            }
        }
        var arrived: [RecordedEvent] = []
        let outline = try log.read { transaction throws(LogError) in
            try log.forEachEvent(inCommits: 1...UInt64(max(1, steps.count)), transaction) { header, payload, position in
                arrived.append(RecordedEvent(header: header, payload: payload.copied(), position: position))
            }
            return try log.outline(transaction)
        }
        let expected = arrived.sorted { $0.header.foldOrder < $1.header.foldOrder }
        let found = try log.eventsInFoldOrder()
        if found.map(\.header) != expected.map(\.header) { return "found \(found.map(\.header.foldOrder))" }
        if found.map(\.position) != expected.map(\.position) || found.map(\.payload) != expected.map(\.payload) { return "other places" }
        for partition in [2, 3, 7].flatMap({ count in (0..<count).map { Partition(index: $0, count: count) } }) {
            let part = try log.eventsInFoldOrder(of: partition).map(\.header.foldOrder)
            let whole = expected.filter { partition.contains(UInt8(truncatingIfNeeded: $0.header.subject.low)) }.map(\.header.foldOrder)
            if part != whole { return "part \(partition.index) of \(partition.count): found \(part)" }
        }
        return outline.events == expected.count && outline.commits == steps.count ? nil : "the outline counts wrong"
    }

    @Test("Each part gets its share, of random identities as of numbered and spelt ones", arguments: [2, 3, 7, 8])
    func shares(count: Int) {
        for bytes in [Array(0...255), Array(0...63), Array(0x30...0x39), Array(0x61...0x7A)] as [[UInt8]] {
            let sizes = (0..<count).map { index in bytes.count { Partition(index: index, count: count).contains($0) } }
            #expect(sizes.reduce(0, +) == bytes.count)
            let fair = Double(bytes.count) / Double(count)
            #expect(sizes.allSatisfy { abs(Double($0) - fair) <= max(1.5, fair / 4) }, "\(bytes.count) bytes: \(sizes)")
        }
    }

    @Test("A commit that can't be read is an error, in overlapping runs too, and never left out")
    func damage() throws {
        let folder = try TemporaryFolder()
        for (name, origins) in [("alone", [1, 1, 1, 1]), ("overlapping", [1, 2, 1, 1])] as [(String, [UInt64])] {
            let log = try folder.log(name)
            for (number, origin) in origins.enumerated() {
                try log.act(
                    (0..<3).map { toy("\($0)", time: LogicalTime(milliseconds: noon + Int64(2 * number + $0), counter: 0)) }, origin: origin
                )
            }
            #expect(try log.eventsInFoldOrder().count == 12)
            var commit = try log.allCommits()[2]
            let second =
                try Commit.header(of: commit.rawSpan).framesOffset
                + EventFrame.length(
                    at: Commit.header(of: commit.rawSpan).framesOffset, of: commit.rawSpan)
            commit[second + 4] ^= 1
            try log.overwrite(3, commit)
            #expect(throws: LogError.self, "\(name)") { try log.eventsInFoldOrder() }
        }
    }

    @Test(
        "A commit that a damaged page gives another number is missing, wherever a part of the log ends",
        arguments: [1, 63, 64, 65, 128, 199] as [UInt64])
    func renumbered(_ number: UInt64) throws {
        let folder = try TemporaryFolder()
        try make(commits: 200, in: folder)
        let file = URL(fileURLWithPath: folder.path + "/store/data.mdb")
        var bytes = try [UInt8](Data(contentsOf: file))
        // The size of a key and the key, behind which a commit has its magic after its digest.
        let key: [UInt8] = [8, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        for place in bytes.indices.dropLast(64) where bytes[place] == 8 && bytes[place + 42] == 0xC7 && bytes[place + 43] == 0x43 {
            if Array(bytes[place..<place + 10]) == key { bytes[place + 7] = 1 }
        }
        try Data(bytes).write(to: file)
        let log = try CommitLog.open(path: folder.path + "/store", readOnly: true)
        #expect(throws: LogError.self) { try log.eventsInFoldOrder() }
        #expect(throws: LogError.self) {
            try log.read { transaction throws(LogError) in
                // As a long log is read: in two parts.
                var outline = try log.outline(transaction, of: 1...64, partitions: 2)
                outline.append(try log.outline(transaction, of: 65...200, partitions: 2))
                var count = 0
                for index in 0...1 {
                    try log.forEachBatchInFoldOrder(outline, of: Partition(index: index, count: 2), transaction) {
                        (batch) throws(EventBatch.BatchError) in count += batch.count
                    }
                }
            }
        }
    }

    private func make(commits count: Int, in folder: TemporaryFolder) throws {
        let log = try folder.log()
        for number in 0..<count {
            let time = LogicalTime(milliseconds: noon + Int64(number), counter: 0)
            try log.act([toy("\(number)", about: UInt64(number), time: time)])
        }
    }

    @Test("Timelines list where the events of each entity lie")
    func timelines() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        var tail = TimelineTail()
        var expected: [UniqueID: [EventPosition]] = [:]
        func note(_ sequences: ClosedRange<UInt64>) throws {
            try log.read { transaction throws(LogError) in
                try log.forEachEvent(inCommits: sequences, transaction) { header, _, position in
                    tail.append(position, of: header.subject)
                    expected[header.subject, default: []].append(position)
                }
            }
        }
        for number in 0..<30 { try log.act((0...number % 4).map { toy(about: UInt64(($0 + number) % 5)) }) }
        for range in [1...10, 11...11, 12...30] as [ClosedRange<UInt64>] {
            try note(range)
            try log.write { (transaction: inout WriteTransaction) throws(LogError) in
                try log.write(tail.after(range.lowerBound - 1), &transaction)
            }
        }
        #expect(tail.after(0).count == tail.count && tail.after(30).count == 0 && tail.after(29).count == 2)
        for (subject, positions) in expected {
            #expect(try log.storedPositions(of: subject) == positions)
        }
        #expect(try log.storedPositions(of: UniqueID(high: 9, low: 9)).isEmpty)
        // What is added goes to the end of an entity's last record, so that a record isn't paid for at every checkpoint.
        #expect(try log.storedTimelineCount() == expected.count)
    }

    @Test("A timeline that has grown long goes on in a record of its own, and reads as one")
    func longTimelines() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        let subject = UniqueID(high: 3, low: 4)
        var expected: [EventPosition] = []
        for round in 0..<12 {
            var tail = TimelineTail()
            for number in 0..<100 {
                let position = EventPosition(sequence: UInt64(1 + round * 1000 + number * 7), offset: 40 + number)
                tail.append(position, of: subject)
                expected.append(position)
            }
            try log.write { (transaction: inout WriteTransaction) throws(LogError) in try log.write(tail, &transaction) }
            #expect(try log.storedPositions(of: subject) == expected)
        }
        let records = try log.storedTimelineCount()
        #expect(records > 1 && records < 12)
    }
}
