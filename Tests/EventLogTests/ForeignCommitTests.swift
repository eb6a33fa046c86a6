import EventCoding
import Foundation
import Hashing
import LMDB
import Testing

@testable import EventLog

struct ForeignCommitTests {
    @Test("Commits from elsewhere are taken byte for byte, in any mixture of origins, and twice is once")
    func taking() throws {
        let folder = try TemporaryFolder()
        let source = try folder.log("source")
        for number in 0..<9 {
            try source.act([toy("\(number)"), toy("more")], origin: UInt64(1 + number % 3), key: UniqueID(high: 5, low: UInt64(number)))
        }
        let commits = try source.allCommits()
        let target = try folder.log("target")
        #expect(try target.take(commits) == Array(repeating: true, count: 9))
        #expect(try target.take(commits) == Array(repeating: false, count: 9))
        #expect(try target.allCommits() == commits && target.currentHeads() == source.currentHeads())
        let other = try folder.log("other")
        // Each origin's in order; otherwise they may come as they like.
        let mixed = [2, 5, 8, 0, 3, 1, 4, 6, 7].map { commits[$0] }
        #expect(try other.take(mixed).allSatisfy(\.self))
        #expect(try other.currentHeads().origins == source.currentHeads().origins)
        #expect(try other.eventsInFoldOrder().map(\.header) == source.eventsInFoldOrder().map(\.header))
        #expect(try other.verified().findings.isEmpty)
    }

    @Test("A commit that doesn't follow on what is here is refused, and nothing of its transaction stays")
    func refusing() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        let first = try sealed([header(9, 1), header(9, 2, at: noon + 10)], number: 1, after: .zero)
        try log.take([first])
        let head = try digest(of: first)
        let right = header(9, 3, at: noon + 10)
        var flipped = try sealed([right], number: 2, after: head)
        flipped[flipped.count - 60] ^= 4
        var digestFlipped = try sealed([right], number: 2, after: head)
        digestFlipped[0] ^= 1
        let tooLate = LogicalTime.wallMillisecondsRange.upperBound
        let wrong: [(String, [UInt8])] = [
            ("another digest before it", try sealed([right], number: 2, after: .zero)),
            ("a changed event", flipped), ("a changed digest", digestFlipped),
            ("a gap in commits", try sealed([right], number: 3, after: head)),
            ("a gap in events", try sealed([header(9, 4, at: noon + 10)], number: 2, after: head)),
            ("an event that is here", try sealed([header(9, 2, at: noon + 10)], number: 2, after: head)),
            ("a time that falls", try sealed([header(9, 3, at: noon + 9)], number: 2, after: head)),
            ("a time that falls inside", try sealed([right, header(9, 4, at: noon)], number: 2, after: head)),
            ("two origins", try sealed([right, header(8, 4, at: noon + 11)], number: 2, after: head)),
            ("a gap inside", try sealed([right, header(9, 5, at: noon + 11)], number: 2, after: head)),
            ("a flag without a control event", try sealed([right], number: 2, after: head, flagged: true)),
            ("a control event without a flag", try sealed([header(9, 3, at: noon + 10, type: 1)], number: 2, after: head, flagged: false)),
            ("a wall time after the logical one", try sealed([header(9, 3, at: noon + 10, wall: noon + 11)], number: 2, after: head)),
            ("a wall time before the year 1", try sealed([header(9, 3, at: noon + 10, wall: .min / 4)], number: 2, after: head)),
            ("bytes left over", try sealed([right], number: 2, after: head, trailing: [0])),
            ("no events", Commit.assemble(digest: head, number: 2, frames: [], eventCount: 0, traits: .init(), actionKey: nil)),
            ("number 0", try sealed([header(7, 0)], number: 1, after: .zero)),
            ("the largest number", try sealed([header(7, .max)], number: 1, after: .zero)),
            ("the largest commit number", try sealed([header(9, 3, at: noon + 10)], number: .max, after: head)),
            ("nothing", []), ("half a commit", Array(first.prefix(first.count / 2))), ("noise", Array(repeating: 0xA5, count: 300)),
        ]
        for (why, commit) in wrong {
            #expect(throws: LogError.self, "\(why)") { try log.take([sealed([header(3, 1)], number: 1, after: .zero), commit]) }
            #expect(try log.allCommits() == [first], "\(why)")
        }
        let fork = try sealed([header(9, 1), header(9, 2, at: noon + 11)], number: 1, after: .zero)
        #expect(throws: LogError.forked(origin: OriginID(rawValue: 9), commit: 1)) { try log.take([fork]) }
        #expect(try log.take([sealed([right, header(9, 4, at: tooLate)], number: 2, after: head)]) == [true])
        #expect(try log.verified().findings.isEmpty)
    }

    @Test("No cut and no flipped bit of a commit is taken for one, or ends the process")
    func damage() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        let good = try sealed(
            [header(9, 1), header(9, 2, type: 2)], number: 1, after: .zero, key: UniqueID(high: 1, low: 1), payload: [1, 2, 3])
        for length in 0..<good.count { #expect(throws: LogError.self) { try log.take([Array(good.prefix(length))]) } }
        for bit in 0..<good.count * 8 {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: LogError.self, "bit \(bit)") { try log.take([bad]) }
        }
        #expect(try log.allCommits().isEmpty)
    }
}
