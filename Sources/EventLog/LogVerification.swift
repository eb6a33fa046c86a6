package import EventCoding
internal import Hashing
package import LMDB

/// One thing that is wrong with the log or with what is kept beside it.
package struct LogFinding: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A sequence number is missing.
        case sequenceGap = "sequence_gap"
        /// The bytes of a commit aren't those of one.
        case malformedCommit = "malformed_commit"
        /// The bytes of an event aren't those of one.
        case malformedEvent = "malformed_event"
        /// An event's checksum isn't that of its bytes.
        case checksumMismatch = "checksum_mismatch"
        /// A commit's digest isn't that of the chain up to it.
        case digestMismatch = "digest_mismatch"
        /// A commit's or an event's number isn't the next one of its origin.
        case numberGap = "number_gap"
        /// An event is of another origin than its commit.
        case originMismatch = "origin_mismatch"
        /// An event's logical time is before that of the event before it.
        case logicalTimeFalls = "logical_time_falls"
        /// A wall time outside the years that can be, or after the logical time.
        case wallTimeOutOfRange = "wall_time_out_of_range"
        /// A zone of more than 24 hours, which no clock has and the open form can't say.
        case zoneOutOfRange = "zone_out_of_range"
        /// What the commit says of its events isn't so.
        case flagsWrong = "flags_wrong"
        /// What an event says of its texts that may be erased isn't what its schema says.
        case erasureWrong = "erasure_wrong"
        /// An event is about something that its type can't be about.
        case subjectWrong = "subject_wrong"
        /// A payload that doesn't obey the schema of its type and version.
        case payloadInvalid = "payload_invalid"
        /// The index of callers' keys doesn't agree with the commits.
        case actionIndexWrong = "action_index_wrong"
        /// The index of timelines doesn't agree with the events.
        case timelineIndexWrong = "timeline_index_wrong"
        /// A checkpoint is there and isn't whole.
        case checkpointDamaged = "checkpoint_damaged"
        /// What the store says of itself isn't what was written.
        case recordDamaged = "record_damaged"
    }

    package let kind: Kind
    package let sequence: UInt64?
    package let event: EventID?
    package let message: String
}

/// What a verification of the log found.
package struct LogVerification: Sendable {
    /// What is wrong; of each kind the first ``findingsPerKind``.
    package internal(set) var findings: [LogFinding] = []
    /// How many of each kind there are in all.
    package internal(set) var counts: [LogFinding.Kind: Int] = [:]
    package static let findingsPerKind = 100
    /// The first and the last commit that were looked at; of the others nothing is said.
    package internal(set) var first: UInt64 = 1
    package internal(set) var last: UInt64 = 0
    /// How many commits the log has.
    package internal(set) var total: UInt64 = 0
    /// Whether every commit was proved, and the indexes with them.
    package internal(set) var isComplete = false
    package internal(set) var commits = 0
    package internal(set) var events = 0
    /// Events of types or versions that this program doesn't know; they are kept and vouched for like all others.
    package internal(set) var unknownEvents = 0
    /// Commits whose digest stands as it was written, since texts of theirs were erased that bore no mark: see ``Commit``.
    package internal(set) var withdrawnCommits = 0
    package internal(set) var heads = LogHeads()
}

/// Which commits a verification proves.
package enum VerificationScope {
    case everything
    /// Each commit with a chance of so many in 2^32, and one in any case. The numbers and the chains of all others are followed, their
    /// bytes aren't proved.
    case sample(share: UInt64, seed: UInt64)
    /// Those after these heads, which were proved before, until the closure says that it is enough.
    case after(LogHeads, isEnough: () -> Bool)
}

extension CommitLog {
    /// Proves the log: every commit is what was written, every event is intact and obeys its schema, numbers have no gaps,
    /// logical time doesn't fall, and what is kept beside the log agrees with it.
    ///
    /// Never stops at a finding. Complexity: O(bytes).
    ///
    /// - Parameters:
    ///   - scope: which commits are proved; the indexes are held against the log only where all are.
    ///   - payloadVerdict: says whether a payload obeys its schema.
    ///   - timelineIndex: what ``timelineIndex(_:)`` came to, if somebody has asked meanwhile; asked at the end.
    package func verify(
        _ transaction: borrowing ReadTransaction, scope: VerificationScope = .everything,
        payloadVerdict: (borrowing EventHeader, RawSpan) -> PayloadVerdict,
        timelineIndex: () -> TimelineIndex? = { nil }, progress: (Int) -> Void = { _ in }
    ) throws(LogError) -> LogVerification {
        let (checkpoint, missing) = try checkpointToVerify(transaction)
        let total = try highestSequence(transaction)
        var start = LogHeads()
        var isEnough: () -> Bool = { false }
        var sample: (share: UInt64, seed: UInt64)?
        switch scope {
        case .everything: break
        case .sample(let share, let seed): sample = (share, seed)
        case .after(let heads, let closure): (start, isEnough) = (heads, closure)
        }
        var verifier = LogVerifier(checkpointSequence: checkpoint?.heads.sequence ?? 0, after: start)
        // However small a sample is, it proves something.
        let certain = sample.map { total == 0 ? 0 : 1 + Self.mixed($0.seed) % total }
        var wasEnough = false
        try forEachCommit(from: start.sequence + 1, transaction) { (sequence, commit) throws(LogError) in
            if let sample, sequence != certain, !Self.isChosen(sequence, share: sample.share, seed: sample.seed) {
                verifier.pass(commit, sequence: sequence)
            } else {
                verifier.take(commit, sequence: sequence, payloadVerdict: payloadVerdict)
                verifier.noteWithdrawal(commit)
            }
            if sequence & 0xFFFF == 0 { progress(Int(clamping: sequence)) }
            wasEnough = isEnough()
            return !wasEnough
        }
        let result = verifier.finish(total: total)
        let isComplete = sample == nil && start.sequence == 0 && result.last == total
        // A commit that is missing at the end leaves no gap behind.
        if let missing, verifier.result.findings.isEmpty {
            verifier.report(.sequenceGap, "commit \(missing) is missing: more commits were made than are there", sequence: missing)
        } else if checkpoint == nil, missing == nil, try checkpointBlockCount(transaction) > 0 {
            verifier.report(.checkpointDamaged, "the last checkpoint isn't whole")
        }
        for name in try damagedRecords(transaction) {
            verifier.report(.recordDamaged, "the record “\(name)” of the store isn't what was written")
        }
        guard isComplete, !verifier.result.counts.keys.contains(.recordDamaged) else { return verifier.finish(total: total) }
        try verifyActions(&verifier, transaction)
        let known = timelineIndex()
        let index = if let known { known } else { try self.timelineIndex(transaction) }
        try verifyTimelines(&verifier, index, through: checkpoint?.heads.sequence, transaction)
        if !verifier.result.counts.keys.contains(.timelineIndexWrong), try !hasAllRecords(timelines, transaction) {
            verifier.report(.timelineIndexWrong, "the index of timelines doesn't have as many records as were written")
        }
        var complete = verifier.finish(total: total)
        complete.isComplete = true
        return complete
    }

    /// Whether a sample of that seed holds the commit.
    private static func isChosen(_ sequence: UInt64, share: UInt64, seed: UInt64) -> Bool {
        mixed(sequence ^ seed) & 0xFFFF_FFFF < share
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed >> 32
    }

    /// The last checkpoint, if it is whole, or a commit that is missing.
    private func checkpointToVerify(
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> (checkpoint: Checkpoint?, missing: UInt64?) {
        do throws(LogError) { return (try checkpoint(transaction), nil) } catch {
            guard case .missingCommit(let sequence) = error else { throw error }
            return (nil, sequence)
        }
    }

    private func verifyActions(_ verifier: inout LogVerifier, _ transaction: borrowing ReadTransaction) throws(LogError) {
        var expected = verifier.actionKeys
        let isSealed = try isSealed(transaction)
        try forEachRecord(of: actions, transaction) { key, value in
            guard let sequence = action(value, under: key, isSealed: isSealed) else {
                verifier.report(.actionIndexWrong, "a record of the index of callers' keys isn't what was written")
                return true
            }
            let key = UniqueID(bytes: key.copied())
            let first = key.flatMap { expected.removeValue(forKey: $0) }
            let isRight = first == sequence || first != nil && key.map { verifier.repeatedKeys[$0]?.contains(sequence) == true } ?? false
            if !isRight {
                verifier.report(.actionIndexWrong, "a key leads to commit \(sequence), which doesn't have it", sequence: sequence)
            }
            return true
        }
        for (key, sequence) in expected.sorted(by: { $0.value < $1.value }) {
            verifier.report(.actionIndexWrong, "the key \(key) of commit \(sequence) isn't in the index", sequence: sequence)
        }
        if !verifier.result.counts.keys.contains(.actionIndexWrong), try !hasAllRecords(actions, transaction) {
            verifier.report(.actionIndexWrong, "the index of callers' keys doesn't have as many records as were written")
        }
    }

    /// What the index of timelines lists, in one number. Complexity: O(events).
    package func timelineIndex(_ transaction: borrowing ReadTransaction) throws(LogError) -> TimelineIndex {
        var index = TimelineIndex()
        try forEachTimeline(transaction) { subject, positions in
            guard let positions else {
                index.unreadable += 1
                return
            }
            for position in positions { index.sum.add(subject, position) }
        }
        return index
    }

    private func verifyTimelines(
        _ verifier: inout LogVerifier, _ index: TimelineIndex, through checkpoint: UInt64?, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        if index.unreadable > 0 {
            verifier.report(.timelineIndexWrong, "\(index.unreadable) records of the index of timelines aren't what was written")
        }
        guard checkpoint != nil || index.sum.count > 0, verifier.result.findings.isEmpty else { return }
        // Another snapshot's index may have come; it is looked at in this one before anything is said.
        if index.sum != verifier.timelines { try compareTimelines(&verifier, through: checkpoint ?? 0, transaction) }
    }

    /// Says of which entities the index of timelines lists other events than the log has, in either direction.
    private func compareTimelines(
        _ verifier: inout LogVerifier, through checkpoint: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        var listed: [UniqueID: TimelineSum] = [:]
        var there: [UniqueID: TimelineSum] = [:]
        try forEachTimeline(transaction) { subject, positions in
            for position in positions ?? [] { listed[subject, default: TimelineSum()].add(subject, position) }
        }
        if checkpoint > 0 {
            try forEachEvent(inCommits: 1...checkpoint, transaction) { header, _, position in
                there[header.subject, default: TimelineSum()].add(header.subject, position)
            }
        }
        for subject in Set(listed.keys).union(there.keys).sorted() where listed[subject] != there[subject] {
            let (found, expected) = (listed[subject]?.count ?? 0, there[subject]?.count ?? 0)
            verifier.report(
                .timelineIndexWrong,
                "the index of timelines lists \(found) events of \(subject), where the log has \(expected)"
                    + (found == expected ? ", at other places" : ""))
        }
    }
}

/// What the index of timelines lists.
package struct TimelineIndex: Sendable {
    var sum = TimelineSum()
    /// Records that can't be read.
    var unreadable = 0
}

/// Tells whether two lists of (entity, position) are the same, whatever their order, without keeping either: the sum of
/// a mix of each pair.
struct TimelineSum: Hashable, Sendable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(_ subject: UniqueID, _ position: EventPosition) {
        var mixed = (subject.high ^ position.rawValue &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ mixed >> 32 ^ subject.low) &* 0xD6E8_FEB8_6659_FD93
        sum &+= mixed ^ mixed >> 29
        count += 1
    }
}

/// Walks the commits and holds each against what those before it led to expect.
///
/// Numbers that it reads may be any, the largest too, so what follows on them is worked out without overflow.
private struct LogVerifier {
    private(set) var result = LogVerification()
    /// The first commit of each key.
    private(set) var actionKeys: [UniqueID: UInt64] = [:]
    /// Others with it, of other devices; earlier releases let the last one have it.
    private(set) var repeatedKeys: [UniqueID: Set<UInt64>] = [:]
    private(set) var timelines = TimelineSum()
    private var hasher = SHA256HasherBox()
    private var lastSequence: UInt64 = 0
    /// The origin of the last commit, and how far it goes; the others' heads are in the result.
    private var present: OriginID?
    private var head = OriginHead()
    private let checkpointSequence: UInt64

    init(checkpointSequence: UInt64, after heads: LogHeads) {
        self.checkpointSequence = checkpointSequence
        result.heads = heads
        result.first = heads.sequence + 1
        lastSequence = heads.sequence
    }

    mutating func report(
        _ kind: LogFinding.Kind, _ message: String, sequence: UInt64? = nil, event: EventID? = nil
    ) {
        let count = (result.counts[kind] ?? 0) + 1
        result.counts[kind] = count
        guard count <= LogVerification.findingsPerKind else { return }
        result.findings.append(LogFinding(kind: kind, sequence: sequence, event: event, message: message))
    }

    mutating func take(_ commit: RawSpan, sequence: UInt64, payloadVerdict: (borrowing EventHeader, RawSpan) -> PayloadVerdict) {
        follow(sequence)
        result.commits += 1
        let header: Commit.Header
        do throws(ByteError) { header = try Commit.header(of: commit) } catch {
            report(.malformedCommit, "byte \(error.offset): \(error.kind.rawValue)", sequence: sequence)
            return
        }
        let origin = originOf(commit, header)
        if origin != present { turn(to: origin) }
        if header.number != head.commits &+ 1 {
            report(
                .numberGap, "commit \(head.commits &+ 1) of origin \(name(origin)) should follow, and \(header.number) does",
                sequence: sequence)
        } else {
            let expected = hasher.digest(of: commit, after: head.digest)
            if expected != header.digest {
                report(
                    .digestMismatch,
                    "commit \(header.number) of origin \(name(origin)) isn't what was written: its bytes give \(expected), and it says \(header.digest)",
                    sequence: sequence)
            }
        }
        head.commits = header.number
        head.digest = header.digest
        if let key = header.actionKey { note(key, of: sequence) }
        takeEvents(of: commit, header, origin: origin, sequence: sequence, payloadVerdict: payloadVerdict)
    }

    private mutating func note(_ key: UniqueID, of sequence: UInt64) {
        if actionKeys[key] == nil { actionKeys[key] = sequence } else { repeatedKeys[key, default: []].insert(sequence) }
    }

    /// Counts a commit that stands by its recorded digest alone.
    mutating func noteWithdrawal(_ commit: RawSpan) {
        if let header = try? Commit.header(of: commit), header.isWithdrawn { result.withdrawnCommits += 1 }
    }

    /// Notes that the commit of that sequence number comes next.
    private mutating func follow(_ sequence: UInt64) {
        if sequence != lastSequence &+ 1 {
            report(.sequenceGap, "commit \(lastSequence &+ 1) should follow, and \(sequence) does", sequence: sequence)
        }
        lastSequence = sequence
        result.last = sequence
    }

    /// Follows a commit that isn't to be proved: its number, and where its origin is after it.
    mutating func pass(_ commit: RawSpan, sequence: UInt64) {
        follow(sequence)
        guard let header = try? Commit.header(of: commit) else {
            return report(.malformedCommit, "its header can't be read", sequence: sequence)
        }
        let origin = originOf(commit, header)
        if origin != present { turn(to: origin) }
        if header.number != head.commits &+ 1 {
            report(
                .numberGap, "commit \(head.commits &+ 1) of origin \(name(origin)) should follow, and \(header.number) does",
                sequence: sequence)
        }
        head.commits = header.number
        head.digest = header.digest
        head.events = head.events &+ UInt64(header.eventCount)
        var frames = Commit.frames(of: commit, header)
        var last: EventHeader?
        do throws(ByteError) {
            while let frame = try frames.next() { last = try? frame.event().header }
        } catch { return report(.malformedEvent, "no event begins at byte \(frames.offset) of the commit", sequence: sequence) }
        if let last { head.logicalTime = max(head.logicalTime, last.logicalTime) }
    }

    /// Puts the present origin's head away and takes out that of `origin`.
    private mutating func turn(to origin: OriginID?) {
        if let present { result.heads.origins[present] = head }
        present = origin
        head = origin.map { result.heads[$0] } ?? OriginHead()
    }

    /// What was found, with every head in it.
    mutating func finish(total: UInt64) -> LogVerification {
        turn(to: nil)
        result.heads.sequence = lastSequence
        result.total = total
        return result
    }

    private func name(_ origin: OriginID?) -> String { origin.map { "\($0)" } ?? "(unreadable)" }

    /// The origin that the commit's first intact event has; else the one that its first event claims or, where that can't be
    /// either, the only one that expects a commit of its number.
    private func originOf(_ commit: RawSpan, _ header: Commit.Header) -> OriginID? {
        // Nearly always the first event is of the origin that the last commit was of, and is as it should be.
        if let present, let first = try? Commit.firstFrame(of: commit).event().header.id, first.origin == present,
            first.number == head.events &+ 1
        {
            return present
        }
        // An intact event proves itself wherever it begins, so damage before it doesn't hide it. Bytes made so that much
        // looks like an event are looked at a few times over, not for hours.
        var budget = 4 * commit.byteCount
        for offset in header.framesOffset..<max(header.framesOffset, commit.byteCount) {
            guard let length = try? EventFrame.length(at: offset, of: commit), length <= budget else { continue }
            budget -= length
            let frame = commit.extracting(offset..<offset + length)
            if EventFrame.isIntact(frame), let parsed = try? EventFrame.parse(frame) { return parsed.header.id.origin }
        }
        var heads = result.heads.origins
        if let present { heads[present] = head }
        let candidates = heads.filter { $0.value.commits &+ 1 == header.number }
        var reader = ByteReader(commit, at: header.framesOffset + 16)
        if let claimed = try? reader.readUInt64(), candidates[OriginID(rawValue: claimed)] != nil { return OriginID(rawValue: claimed) }
        return candidates.count == 1 ? candidates.first?.key : nil
    }

    private mutating func takeEvents(
        of commit: RawSpan, _ header: Commit.Header, origin: OriginID?, sequence: UInt64,
        payloadVerdict: (borrowing EventHeader, RawSpan) -> PayloadVerdict
    ) {
        var rules = CommitRules(after: head)
        let isListed = sequence <= checkpointSequence
        rules.check(commit, header, origin: origin, verdict: payloadVerdict) { subject, offset in
            if isListed { timelines.add(subject, EventPosition(sequence: sequence, offset: offset)) }
        } report: { kind, message, event in
            report(kind, message, sequence: sequence, event: event)
        }
        head = rules.head
        result.events += rules.events
        result.unknownEvents += rules.unknownEvents
    }
}

/// A hasher that a copyable value can hold.
private final class SHA256HasherBox {
    private var hasher = SHA256Hasher()

    func digest(of commit: RawSpan, after previous: SHA256Digest) -> SHA256Digest {
        Commit.digest(of: commit, after: previous, with: &hasher)
    }
}
