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
            let found = try Commit.erasing(whole.rawSpan, after: .zero, by: toyTexts) { erased.contains($0.subject) }
            let (bytes, count) = (try #require(found.bytes), found.events)
            #expect(count == (erased.contains(UniqueID(high: 0, low: 1)) ? 2 : 0) + (erased.contains(UniqueID(high: 0, low: 2)) ? 1 : 0))
            #expect(Commit.digest(of: bytes.rawSpan, after: .zero, with: &hasher) == right && bytes.prefix(32) == whole.prefix(32))
            #expect(bytes.count < whole.count + 3 * 10)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("plain and ") && text.contains("secret") == (count < 3))
            _ = try CommitSummary(checking: bytes.rawSpan)
            let again = try Commit.erasing(bytes.rawSpan, after: .zero, by: toyTexts) { erased.contains($0.subject) }
            #expect(again.bytes == nil && again.events == 0 && again.left == 0)
        }
        // Every bit counts: of the texts, of the salt, and of the digest that stands for them.
        let erased = try #require(try Commit.erasing(whole.rawSpan, after: .zero, by: toyTexts) { _ in true }.bytes)
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
            try log.eraseTexts(of: [UniqueID(high: 0, low: 2)], by: toyTexts, &transaction)
        }
        #expect(count == 2)
        let verified = try log.verified()
        let head = try digest(of: second)
        #expect(verified.findings.isEmpty && verified.heads.sorted.map(\.head.digest) == [head])
        let left = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            [
                try log.countTexts(of: [UniqueID(high: 0, low: 1)], by: toyTexts, transaction),
                try log.countTexts(of: [UniqueID(high: 0, low: 2)], by: toyTexts, transaction),
            ]
        }
        #expect(left == [4, 0])
        // A device that has the texts still takes it for the same history.
        let other = try folder.log("other")
        #expect(try other.take([first, second]) == [true, true])
        #expect(try other.take(log.allCommits()) == [false, false])
    }

    /// Commits whose texts bear no mark, or one that lies, as they are before anything is erased.
    private func unmarked(_ erasure: Erasure? = nil) throws -> [[UInt8]] {
        var headers = (0..<3).map { header(9, 1 + $0) }
        headers[1].subject = UniqueID(high: 0, low: 2)
        let first = try sealed(headers, number: 1, after: .zero, payload: Array("plain and secret".utf8), erasure: erasure)
        let second = try commit(2, from: 4, after: digest(of: first))
        return [first, second]
    }

    @Test("Texts without a right mark are erased by their schema: the commit stands by its recorded digest, and the chain goes on")
    func withdrawing() throws {
        var hasher = SHA256Hasher()
        let (one, two) = (UniqueID(high: 0, low: 1), UniqueID(high: 0, low: 2))
        for erasure in [nil, Erasure.possible(count: 2, salt: salt), .possible(count: 9, salt: salt), .possible(count: 0, salt: salt)] {
            let commits = try unmarked(erasure)
            let right = try digest(of: commits[0])
            func erased(_ bytes: [UInt8], _ subjects: Set<UniqueID>) throws -> [UInt8] {
                try #require(try Commit.erasing(bytes.rawSpan, after: .zero, by: toyTexts) { subjects.contains($0.subject) }.bytes)
            }
            // Whoever erases, in whatever order, comes to the same bytes.
            let all = try erased(commits[0], [one, two])
            #expect(try erased(erased(commits[0], [one]), [two]) == all && erased(erased(commits[0], [two]), [one]) == all)
            for bytes in [try erased(commits[0], [one]), try erased(commits[0], [two]), all] {
                let head = try Commit.header(of: bytes.rawSpan)
                #expect(head.isWithdrawn && head.digest == right)
                #expect(Commit.digest(of: bytes.rawSpan, after: .zero, with: &hasher) == right)
                #expect(Commit.digest(of: bytes.rawSpan, after: right, with: &hasher) != right)
                let folder = try TemporaryFolder()
                let log = try folder.log()
                #expect(try log.take([bytes, commits[1]]) == [true, true])
                let verified = try log.verified()
                #expect(verified.findings.isEmpty && verified.withdrawnCommits == 1 && verified.events == 6)
                // Whoever has it whole, or otherwise erased, takes it for the commit that it is.
                #expect(try log.take([commits[0], all]) == [false, false])
            }
            #expect(!String(decoding: all, as: UTF8.self).contains("secret"))
            // Nothing of the texts decides what is left: other texts of that digest would leave the same.
            for bit in 0..<all.count * 8 {
                var damaged = all
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                let isIntact = (try? CommitSummary(checking: damaged.rawSpan)) != nil
                let claimed = try? digest(of: damaged)
                #expect(!isIntact || Commit.digest(of: damaged.rawSpan, after: .zero, with: &hasher) != claimed, "bit \(bit)")
            }
        }
    }

    @Test("A log erases texts without a mark, and says what can't be erased")
    func unmarkedLog() throws {
        let folder = try TemporaryFolder()
        let log = try folder.log()
        let commits = try unmarked()
        #expect(try log.take(commits) == [true, true])
        // A commit that holds more than texts isn't withdrawn for one of them.
        var mixed = [header(8, 1), header(8, 2, type: 601)]
        mixed[0].subject = UniqueID(high: 0, low: 2)
        let kept = try sealed(mixed, number: 1, after: .zero, payload: Array("plain and secret".utf8))
        #expect(try log.take([kept]) == [true])
        let subjects: Set<UniqueID> = [UniqueID(high: 0, low: 2)]
        let (erased, left) = try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            (
                try log.eraseTexts(of: subjects, by: toyTexts, &transaction),
                try log.countTexts(of: subjects, by: toyTexts, transaction.reader)
            )
        }
        #expect(erased == 2 && left == 1)
        let verified = try log.verified()
        #expect(try verified.findings.isEmpty && verified.withdrawnCommits == 1 && log.allCommits().last == kept)
        // One that is withdrawn all the same is a finding, and so is one that was withdrawn for nothing.
        let head = try Commit.header(of: kept.rawSpan)
        let frames = Array(kept[head.framesOffset...])
        var traits = Commit.Traits()
        for isMarked in [false, true] {
            traits.hasErasableEvents = isMarked
            func bytes(_ check: SHA256Digest) -> [UInt8] {
                Commit.assemble(
                    digest: head.digest, number: 1, frames: frames, eventCount: 2, traits: traits, actionKey: nil, withdrawal: check)
            }
            var hasher = SHA256Hasher()
            let blank = bytes(.zero)
            let forged = bytes(
                Commit.check(of: blank.rawSpan, framesOffset: blank.count - frames.count, after: .zero, with: &hasher))
            #expect(Commit.digest(of: forged.rawSpan, after: .zero, with: &hasher) == head.digest)
            #expect(throws: LogError.self) { try folder.log("forged \(isMarked)").take([forged]) }
        }
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
