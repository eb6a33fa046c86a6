import Testing

@testable import Engram

/// Folds from zero in several parts. What they come to is held by every test that asks for `disagreement()`.
struct PartitionedReplayTests {
    private static let ranges: [(last: UInt64, parts: Int, ranges: [ClosedRange<UInt64>])] = [
        (0, 3, []), (1, 3, [1...1]), (64, 2, [1...64]), (65, 2, [1...64, 65...65]), (128, 1, [1...128]), (130, 2, [1...64, 65...130]),
        (1000, 3, [1...320, 321...640, 641...1000]), (200, 7, [1...64, 65...128, 129...192, 193...200]),
    ]

    @Test("The log is cut at whole words of commits, and nothing of it is left out", arguments: ranges)
    func cutting(last: UInt64, parts: Int, ranges: [ClosedRange<UInt64>]) {
        #expect(Replay.ranges(of: last, parts: parts) == ranges)
    }

    @Test("A long log comes to the same in any number of parts, whether or not one is longer than a processor's share")
    func manyCommits() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        for number in 0..<40 {
            let card = try store.card("front \(number)", in: deck, at: number)
            for round in 0..<8 { try store.perform(.review(card, round % 3 == 0 ? .again : .good, took: 9), at: moment(100 * round)) }
            if number % 5 == 0 { try store.undo(at: moment(1000 + number)) }
        }
        let folds = try store.foldsInParts()
        #expect(Set(folds.map(\.result.digest)) == [try store.digest()])
        #expect(Set(folds.map(\.result.events)).count == 1)
        #expect(try store.disagreement() == nil)
    }
}
