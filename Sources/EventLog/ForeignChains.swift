package import EventCoding
internal import Hashing

/// Why the commits of another log can't be read to their end: they aren't what was written.
package enum ForeignError: Error, Hashable, Sendable {
    /// The bytes of a commit aren't those that were written.
    case malformed(ByteError)
    /// A commit that must come before isn't there.
    case missing(origin: OriginID, commit: UInt64)
}

/// Why nothing more of an origin is taken from another log.
package struct OriginRefusal: Hashable, Sendable {
    package let origin: OriginID
    package let commit: UInt64
    package let why: String

    package init(origin: OriginID, commit: UInt64, why: String) {
        self.origin = origin
        self.commit = commit
        self.why = why
    }

    package static func forked(_ origin: OriginID, commit: UInt64) -> OriginRefusal {
        OriginRefusal(
            origin: origin, commit: commit,
            why: "both have a commit \(commit), and they differ: one store is a copy of the other, and both were written to under "
                + "one origin, or somebody wrote under an origin that isn't theirs")
    }
}

/// Proves the commits of another log by the digests of that log's own chains, and says of each what it is to this one.
///
/// Nothing is written, and nothing of this log is read but its heads: so another log may be as slow as it likes. A commit that proves
/// itself may still not fit what this program knows; then it is held aside, and with it all that follows of its origin.
package struct ForeignChains: ~Copyable {
    package enum Outcome: Hashable, Sendable {
        /// It is here; so many events.
        case known(events: Int)
        /// It is new, the next of its origin, and as all rules want it.
        case new
        /// It is to be held aside.
        case aside(HeldCommit)
        /// It is of an origin of which nothing more is taken.
        case refused
    }

    private struct Chain {
        var head: OriginHead
        /// Whether a commit of it is held aside, and so all that follow.
        var isAside = false
        var isRefused = false
    }

    private let known: LogHeads
    private var chains: [OriginID: Chain] = [:]
    private var hasher = SHA256Hasher()
    private let verdict: (borrowing EventHeader, RawSpan) -> PayloadVerdict
    /// The digest that a commit of an origin has here; for files that don't begin with the first commit.
    private let ownDigest: (OriginID, UInt64) throws(LogError) -> SHA256Digest?
    package private(set) var refusals: [OriginRefusal] = []

    /// - Parameters:
    ///   - known: how far this log goes.
    ///   - verdict: what a payload is to its schema.
    package init(
        known: LogHeads, verdict: @escaping (borrowing EventHeader, RawSpan) -> PayloadVerdict,
        ownDigest: @escaping (OriginID, UInt64) throws(LogError) -> SHA256Digest?
    ) {
        self.known = known
        self.verdict = verdict
        self.ownDigest = ownDigest
    }

    /// Takes the next commit of the other log.
    package mutating func take(_ commit: RawSpan) throws(ForeignError) -> Outcome {
        let claim = try Self.claim(of: commit)
        guard claim.hasKnownFormat else { return try takeUnknown(commit, claim) }
        guard let origin = claim.origin else { throw .malformed(ByteError(.truncated, offset: commit.byteCount)) }
        var chain = chain(of: origin, before: claim.number)
        // What follows on a commit that is held aside may have any number: that one's may have been a lie.
        if chain.isAside, claim.isProved(commit, after: chain.head.digest, with: &hasher) { return follow(commit, claim, origin, &chain) }
        let next = chain.head.commits &+ 1
        if claim.number > 0, claim.number < next {
            if claim.number == chain.head.commits, claim.digest != chain.head.digest { refuse(.forked(origin, commit: claim.number)) }
            return .known(events: Int(clamping: claim.eventCount))
        }
        guard claim.isProved(commit, after: chain.head.digest, with: &hasher) else {
            guard claim.number == next else { throw .missing(origin: origin, commit: next) }
            throw .malformed(ByteError(.badChecksum, offset: claim.firstDamage(in: commit)))
        }
        return follow(commit, claim, origin, &chain)
    }

    /// Takes a commit that is held aside, there or here, once all of the log was taken. What can't be proved stays as it is.
    package mutating func take(aside held: HeldCommit) -> Outcome {
        let held = HeldCommit(claimedBy: held.bytes, reason: held.reason, message: held.message)
        guard let claim = try? Self.claim(of: held.bytes.rawSpan), claim.hasKnownFormat, let origin = claim.origin else {
            return .aside(held)
        }
        var chain = chains[origin] ?? Chain(head: known[origin])
        let bytes = held.bytes.rawSpan
        if chain.isAside, claim.isProved(bytes, after: chain.head.digest, with: &hasher) { return follow(bytes, claim, origin, &chain) }
        // The log has a commit of that number: this one, or another branch.
        if !chain.isAside, claim.number > 0, claim.number <= max(known[origin].commits, chain.head.commits) { return .refused }
        guard !chain.isRefused, claim.isProved(bytes, after: chain.head.digest, with: &hasher) else { return .aside(held) }
        return follow(bytes, claim, origin, &chain)
    }

    /// Of the origins of which this log has more than the other, how far that goes and what its digest is.
    package var shorter: [OriginID: OriginHead] {
        chains.filter { !$0.value.isRefused && !$0.value.isAside && $0.value.head.commits < known[$0.key].commits }.mapValues(\.head)
    }

    package mutating func refuse(_ refusal: OriginRefusal) {
        guard chains[refusal.origin]?.isRefused != true else { return }
        chains[refusal.origin, default: Chain(head: OriginHead())].isRefused = true
        refusals.append(refusal)
    }

    private static func claim(of commit: RawSpan) throws(ForeignError) -> CommitClaim {
        guard commit.byteCount <= Commit.maximumSize else { throw .malformed(ByteError(.badLength, offset: 0)) }
        do throws(ByteError) { return try CommitClaim(commit) } catch { throw .malformed(error) }
    }

    /// How far the other log goes in `origin`. Where its first commit that comes isn't the first of all, it goes on from what is here.
    private func chain(of origin: OriginID, before number: UInt64) -> Chain {
        if let chain = chains[origin] { return chain }
        let head = known[origin]
        guard number > 1, number <= head.commits &+ 1 else { return Chain(head: OriginHead()) }
        guard number <= head.commits else { return Chain(head: head) }
        var earlier = OriginHead()
        earlier.commits = number - 1
        earlier.digest = ((try? ownDigest(origin, number - 1)) ?? nil) ?? .zero
        return Chain(head: earlier)
    }

    /// Goes on from `chain` by a commit that proves itself after it.
    private mutating func follow(
        _ commit: RawSpan, _ claim: CommitClaim, _ origin: OriginID, _ chain: inout Chain
    ) -> Outcome {
        let isNext = claim.number == chain.head.commits &+ 1
        let events = Int(clamping: claim.eventCount)
        let isKnown = isNext && claim.number <= known[origin].commits
        var misfit: HeldCommit?
        if !isKnown, !chain.isRefused { misfit = self.misfit(commit, claim, origin, chain, isNext: isNext) }
        chain.isAside = chain.isAside || misfit != nil
        chain.head.commits &+= 1
        chain.head.digest = claim.digest
        if isKnown, claim.number == known[origin].commits {
            if claim.digest == known[origin].digest { chain.head = known[origin] } else { fork(origin, claim.number, &chain) }
        } else if !isKnown, misfit == nil, let header = try? Commit.header(of: commit), let summary = try? CommitSummary(checking: commit) {
            chain.head.events &+= UInt64(header.eventCount)
            chain.head.logicalTime = max(chain.head.logicalTime, summary.lastTime)
        }
        chains[origin] = chain
        if chain.isRefused { return .refused }
        if let misfit { return .aside(misfit) }
        return isKnown ? .known(events: events) : .new
    }

    private mutating func fork(_ origin: OriginID, _ number: UInt64, _ chain: inout Chain) {
        chain.isRefused = true
        refusals.append(.forked(origin, commit: number))
    }

    /// Why a commit that proves itself isn't one for the log; `nil` where it is.
    private func misfit(
        _ commit: RawSpan, _ claim: CommitClaim, _ origin: OriginID, _ chain: Chain, isNext: Bool
    ) -> HeldCommit? {
        func held(_ reason: String, _ message: String) -> HeldCommit {
            HeldCommit(origin: origin, number: claim.number, reason: reason, message: message, bytes: commit.copied())
        }
        if chain.isAside { return held("follows", "it follows on a commit that is held aside") }
        guard isNext else {
            return held(
                LogFinding.Kind.numberGap.rawValue, "commit \(chain.head.commits &+ 1) should follow, and \(claim.number) does")
        }
        guard !claim.hasUnknownFlags else { return held("unknown_flags", "it has flags that this program doesn't know") }
        let header: Commit.Header
        do throws(ByteError) { header = try Commit.header(of: commit) } catch {
            return held(LogFinding.Kind.malformedCommit.rawValue, "byte \(error.offset): \(error.kind.rawValue)")
        }
        var first: HeldCommit?
        var rules = CommitRules(after: chain.head)
        rules.check(commit, header, origin: origin, verdict: verdict) { kind, message, event in
            if first == nil { first = held(kind.rawValue, (event.map { "event \($0): " } ?? "") + message) }
        }
        return first
    }

    /// Takes a commit of a format that this program doesn't know, so that it can't be proved; where only the number of its format was
    /// changed, it is damaged.
    private mutating func takeUnknown(_ commit: RawSpan, _ claim: CommitClaim) throws(ForeignError) -> Outcome {
        let origin = claim.origin ?? OriginID(rawValue: 0)
        var chain = chain(of: origin, before: claim.number)
        guard !claim.isChanged(commit, after: chain.head.digest, with: &hasher) else {
            throw .malformed(ByteError(.unknownFormat, offset: 34))
        }
        if claim.number > 0, claim.number <= chain.head.commits, claim.digest == chain.head.digest { return .known(events: 0) }
        if claim.number == chain.head.commits &+ 1 {
            chain.head.commits = claim.number
            chain.head.digest = claim.digest
            chain.isAside = true
            chains[origin] = chain
        }
        return .aside(
            HeldCommit(
                origin: origin, number: claim.number, reason: "unknown_format",
                message: "it has format \(claim.format), and this program knows \(Commit.format)", bytes: commit.copied()))
    }
}
