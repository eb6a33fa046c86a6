import EventCoding
import Foundation
import Hashing
import LMDB
import Synchronization
import Testing

@testable import EventLog

/// What is found in bytes that nobody vouches for, and what becomes of it.
@Suite struct SalvageTests {
    private static let none = ReferenceRules { _, _ in
        nil
    } retargeted: { _, _, _ in
        nil
    }

    /// Salvages a file that holds these pieces one after the other, with noise between them.
    private static func salvage(_ pieces: [[UInt8]], in folder: TemporaryFolder) throws -> (log: CommitLog, result: SalvageResult) {
        var bytes: [UInt8] = []
        for (number, piece) in pieces.enumerated() {
            bytes += (0..<(37 + 11 * number)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
            bytes += piece
        }
        let path = folder.path + "/bytes-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try salvage(path, in: folder)
    }

    private static func salvage(_ path: String, in folder: TemporaryFolder) throws -> (log: CommitLog, result: SalvageResult) {
        let survey = SalvageSurvey([try RawFile(path)])
        let log = try folder.log("new-\(UUID().uuidString)", origin: 77)
        let number = Atomic<UInt64>(0)
        let result = try log.takeSalvage(survey, rules: none, random: { number.add(1, ordering: .relaxed).newValue })
        return (log, result)
    }

    /// Commits of origin 9, chained: of each, how many events it has.
    private static func chain(
        _ sizes: [Int], from first: UInt64 = 1, after digest: SHA256Digest = .zero, number: UInt64 = 1, mark: String = "x"
    )
        throws -> [[UInt8]]
    {
        var (next, digest) = (first, digest)
        var commits: [[UInt8]] = []
        for (index, size) in sizes.enumerated() {
            let headers = (0..<UInt64(size)).map { header(9, next + $0, at: noon + Int64(next + $0)) }
            next += UInt64(size)
            let commit = try sealed(
                headers, number: number + UInt64(index), after: digest, payload: Array("\(mark) payload of some length".utf8))
            digest = try EventLogTests.digest(of: commit)
            commits.append(commit)
        }
        return commits
    }

    @Test func aChainIsKeptWhereverItsCommitsLie() throws {
        let folder = try TemporaryFolder()
        let commits = try Self.chain([1, 3, 2, 1])
        let (log, result) = try Self.salvage([commits[2], commits[0], commits[3], commits[1], commits[2]], in: folder)
        #expect(result.keptCommits == 4 && result.keptEvents == 7 && result.lost == 0 && result.rescues.isEmpty)
        #expect(try log.allCommits() == commits)
        #expect(try log.verified().findings.isEmpty)
    }

    @Test func ofTwoCommitsTheOneThatIsFollowedIsKept() throws {
        let folder = try TemporaryFolder()
        let commits = try Self.chain([1, 1, 1])
        let head = try digest(of: commits[0])
        // What a crashed writer left in a free page, which nobody ever acknowledged.
        let abandoned = try Self.chain([1], from: 2, after: head, number: 2, mark: "y")[0]
        for pieces in [[abandoned] + commits, commits + [abandoned]] {
            let (log, result) = try Self.salvage(pieces, in: folder)
            #expect(try log.allCommits() == commits)
            #expect(result.lost == 0 && result.rescuedEvents == 0)
        }
    }

    @Test func aDigestThatTheNextCommitProvesIsPutRight() throws {
        let folder = try TemporaryFolder()
        let commits = try Self.chain([2, 2, 2])
        var damaged = commits
        damaged[1][5] ^= 0x40
        let (log, result) = try Self.salvage(damaged, in: folder)
        #expect(try log.allCommits() == commits)
        #expect(result.lost == 0 && result.rescues.isEmpty)
        // Of the last one nothing proves it: its events are rescued.
        damaged = commits
        damaged[2][5] ^= 0x40
        #expect(try Self.salvage(damaged, in: folder).result.rescuedEvents == 2)
    }

    @Test func theBeginningOfATornCommitTellsWhatItsEndLost() throws {
        let folder = try TemporaryFolder()
        for lost in 1...3 {
            var commits = try Self.chain([1, 4])
            let torn = commits[1]
            let frames = try Commit.header(of: torn.rawSpan).framesOffset
            let length = try EventFrame.length(at: frames, of: torn.rawSpan)
            // The last ones of the last commit there is: no later number tells of them.
            commits[1] = Array(torn.prefix(frames + (4 - lost) * length)) + [UInt8](repeating: 0, count: lost * length)
            let result = try Self.salvage(commits, in: folder).result
            #expect(result.gaps == [.init(origin: OriginID(rawValue: 9), numbers: 6 - UInt64(lost)...5)])
            #expect(result.lost == lost && result.rescuedEvents == 4 - lost)
        }
    }

    @Test func whatIsLeftOfATornCommitIsRescuedWithWhatFollows() throws {
        let folder = try TemporaryFolder()
        var commits = try Self.chain([1, 4, 2])
        // The second event of the second commit.
        let torn = commits[1]
        let frames = try Commit.header(of: torn.rawSpan).framesOffset
        let length = try EventFrame.length(at: frames, of: torn.rawSpan)
        commits[1][frames + length + 60] ^= 1
        let (log, result) = try Self.salvage(commits, in: folder)
        #expect(result.keptEvents == 1 && result.rescuedEvents == 5)
        #expect(result.gaps == [.init(origin: OriginID(rawValue: 9), numbers: 3...3)])
        #expect(result.lost == 1)
        let rescue = try #require(result.rescues.first)
        #expect(RescuedOrigin.isOne(rescue.origin) && rescue.from == OriginID(rawValue: 9) && rescue.events == 5)
        let events = try log.eventsInFoldOrder()
        #expect(events.compactMap(\.header.key).compactMap(RescuedOrigin.event).map(\.number) == [2, 4, 5, 6, 7])
        #expect(events.map(\.header.wallMilliseconds) == [1, 2, 4, 5, 6, 7].map { noon + $0 })
        // A commit that was whole stays one.
        #expect(try log.allCommits().map { try Commit.header(of: $0.rawSpan).eventCount } == [1, 1, 2, 2])
        #expect(try log.verified().findings.isEmpty)
    }

    @Test func eventsOfALargeCommitWhoseFirstPageIsLostAreRescued() throws {
        let folder = try TemporaryFolder()
        let path: String
        do {
            let log = try folder.log()
            try log.act([toy("small")])
            try log.act((0..<400).map { toy("event \($0) with some text in it", about: UInt64($0)) })
            path = log.path
        }
        var data = try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb"))
        let first = try #require(data.range(of: Data("event 0 with".utf8))).lowerBound / 4096 * 4096
        data.replaceSubrange(first..<first + 4096, with: Data(count: 4096))
        data.replaceSubrange(0..<8192, with: Data(count: 8192))
        let damaged = folder.path + "/damaged"
        try data.write(to: URL(fileURLWithPath: damaged))
        let (log, result) = try Self.salvage(damaged, in: folder)
        #expect(result.keptEvents == 1 && result.rescuedEvents > 300)
        // The last of the lost ones begins in the lost page; the number of every one of them is known.
        #expect(result.gaps.count == 1 && result.lost == 400 - result.rescuedEvents)
        #expect(try log.verified().findings.isEmpty)
    }

    @Test func aSoundStoreIsReadByItsTreesAlone() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        for number in 0..<300 { try log.act([toy("event \(number)")]) }
        let survey = SalvageSurvey([try RawFile(log.path)])
        #expect(survey.isWhole && survey.expectedCommits == 300)
        #expect(survey.commits.count == 300 && survey.events.isEmpty)
        #expect(survey.commits.compactMap(\.sequence) == (1...300).map(UInt64.init))
        #expect(throws: StoreFileError.self) { try RawFile(folder.path + "/nothing") }
    }

    @Test func keysLeadBackToTheEventsThatTheyStandFor() {
        for id in [EventID(origin: OriginID(rawValue: 1), number: 1), EventID(origin: OriginID(rawValue: .max), number: 1 << 40)] {
            #expect(RescuedOrigin.event(of: RescuedOrigin.key(of: id)) == id)
        }
        #expect(RescuedOrigin.event(of: UniqueID(high: 1, low: 2)) == nil)
        #expect(RescuedOrigin.isOne(RescuedOrigin.make(from: .max)))
        #expect(!RescuedOrigin.isOne(OriginID(rawValue: 1)))
    }
}
