import EventCoding
import Hashing
import LMDB
import Testing

@testable import EventLog

struct ErasingTests {
    private let salt = UniqueID(high: 7, low: 9)

    /// A commit of three events, the second one about another entity.
    private func commit(_ number: UInt64 = 1, from first: UInt64 = 1, after previous: SHA256Digest = .zero) throws -> [UInt8] {
        var headers = (0..<3).map { header(9, first + $0, at: noon + Int64(number)) }
        headers[1].subject = UniqueID(high: 0, low: 2)
        return try sealed(
            headers, number: number, after: previous, payload: Array("plain and secret".utf8), erasure: .possible(count: 6, salt: salt))
    }

    @Test("A digest vouches for a commit before and after its texts are erased, and for each way of erasing some of them")
    func digests() throws {
        var hasher = SHA256Hasher()
        let whole = try commit()
        let right = try digest(of: whole)
        for erased: Set<UniqueID> in [
            [UniqueID(high: 0, low: 1)], [UniqueID(high: 0, low: 2)], [UniqueID(high: 0, low: 1), UniqueID(high: 0, low: 2)],
        ] {
            let (bytes, count) = try #require(try Commit.erasing(whole.rawSpan) { erased.contains($0.subject) })
            #expect(count == (erased.contains(UniqueID(high: 0, low: 1)) ? 2 : 0) + (erased.contains(UniqueID(high: 0, low: 2)) ? 1 : 0))
            #expect(Commit.digest(of: bytes.rawSpan, after: .zero, with: &hasher) == right && bytes.prefix(32) == whole.prefix(32))
            #expect(bytes.count < whole.count + 3 * 10)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("plain and ") && text.contains("secret") == (count < 3))
            _ = try CommitSummary(checking: bytes.rawSpan)
            let again = try Commit.erasing(bytes.rawSpan) { erased.contains($0.subject) }
            #expect(again == nil)
        }
        // Every bit counts: of the texts, of the salt, and of the digest that stands for them.
        let (erased, _) = try #require(try Commit.erasing(whole.rawSpan) { _ in true })
        for bytes in [whole, erased] {
            for bit in (36 * 8)..<bytes.count * 8 {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                let isIntact = (try? CommitSummary(checking: damaged.rawSpan)) != nil
                #expect(!isIntact || Commit.digest(of: damaged.rawSpan, after: .zero, with: &hasher) != right, "bit \(bit)")
            }
        }
    }

    @Test("Erasing goes through the whole log, leaves every head as it is, and takes away what pointed into it")
    func log() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        let first = try commit()
        let second = try commit(2, from: 4, after: digest(of: first))
        #expect(try log.take([first, second]) == [true, true])
        let count = try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try log.eraseTexts(of: [UniqueID(high: 0, low: 2)], &transaction)
        }
        #expect(count == 2)
        let verified = try log.verified()
        let head = try digest(of: second)
        #expect(verified.findings.isEmpty && verified.heads.sorted.map(\.head.digest) == [head])
        let left = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            [
                try log.countTexts(of: [UniqueID(high: 0, low: 1)], transaction),
                try log.countTexts(of: [UniqueID(high: 0, low: 2)], transaction),
            ]
        }
        #expect(left == [4, 0])
        // A device that has the texts still takes it for the same history.
        let other = try folder.log("other")
        #expect(try other.take([first, second]) == [true, true])
        #expect(try other.take(log.allCommits()) == [false, false])
    }

    @Test("What was written in the first format is carried over the same way everywhere, event for event")
    func upgrade() throws {
        let key = UniqueID(high: 5, low: 5)
        let first = try sealed([header(9, 1), header(9, 2)], number: 1, after: .zero, payload: Array("plain and secret".utf8), format: 1)
        let second = try sealed(
            [header(9, 3, at: noon + 1, type: 1)], number: 2, after: digest(of: first), key: key, payload: [1, 2], format: 1)
        func carried(_ commits: [[UInt8]]) throws -> [[UInt8]] {
            var upgrade = CommitUpgrade { header, payload in header.type.isControl ? 0 : 6 }
            return try commits.enumerated().map { try upgrade.take($0.element.rawSpan, sequence: UInt64($0.offset + 1)) }
        }
        let new = try carried([first, second])
        #expect(try new == carried([first, second]) && new[0] != first)
        let folder = try TemporaryFolder()
        let log = try folder.log()
        #expect(try log.take(new) == [true, true])
        #expect(try log.verified().findings.isEmpty)
        let headers = try new.map { try Commit.header(of: $0.rawSpan) }
        #expect(headers.map(\.format) == [2, 2] && headers.map(\.hasErasableEvents) == [true, false] && headers[1].actionKey == key)
        // What doesn't prove itself in its own format isn't carried over.
        var damaged = first
        damaged[0] ^= 1
        #expect(throws: LogError.self) { try carried([damaged]) }
        #expect(throws: LogError.self) { try carried([second]) }
        #expect(throws: LogError.self) { try carried([first, first]) }
        // And a log of the present format takes none of the first.
        #expect(throws: LogError.self) { try folder.log("third").take([first]) }
    }
}
