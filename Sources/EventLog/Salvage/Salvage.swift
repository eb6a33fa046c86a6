package import EventCoding
internal import Hashing
internal import LMDB

/// What the owner of the events must say of those that are about other events: this room doesn't know their payloads.
package struct ReferenceRules: Sendable {
    /// The event that an event is about, by its identity; `nil` for one that is about none.
    package let target: @Sendable (_ header: EventHeader, _ payload: RawSpan) -> EventID?
    /// The same payload, about another event; `nil` where that can't be.
    package let retargeted: @Sendable (_ header: EventHeader, _ payload: RawSpan, _ target: EventID) -> [UInt8]?

    /// What an event means for the texts of others.
    package let effect: @Sendable (_ header: EventHeader, _ payload: RawSpan) -> ErasureEffect?
    /// What is text.
    package let texts: TextRules

    package init(
        target: @escaping @Sendable (_ header: EventHeader, _ payload: RawSpan) -> EventID?,
        retargeted: @escaping @Sendable (_ header: EventHeader, _ payload: RawSpan, _ target: EventID) -> [UInt8]?,
        effect: @escaping @Sendable (_ header: EventHeader, _ payload: RawSpan) -> ErasureEffect? = { _, _ in nil },
        texts: TextRules = TextRules(count: { _, _ in nil }, bearsTexts: { _ in false }, isFree: { _, _ in true })
    ) {
        self.target = target
        self.retargeted = retargeted
        self.effect = effect
        self.texts = texts
    }
}

/// What a salvage carried over, and what it couldn't.
package struct SalvageResult: Hashable, Sendable {
    /// Events that are known to have been there and aren't any more.
    package struct Gap: Hashable, Sendable {
        package let origin: OriginID
        package let numbers: ClosedRange<UInt64>
    }

    /// Events of one origin that were carried over into another.
    package struct Rescue: Hashable, Sendable {
        package let from: OriginID
        package let origin: OriginID
        package internal(set) var events: Int
    }

    /// Commits and events that went over as they were.
    package internal(set) var keptCommits = 0
    package internal(set) var keptEvents = 0
    /// Of those that stayed where they are, events that had texts in the file which were to be gone, and have none any more.
    package internal(set) var erasedEvents = 0
    package internal(set) var rescues: [Rescue] = []
    package internal(set) var gaps: [Gap] = []
    /// Commits that should be there, of which nothing at all was found: the end of the log, or what lies in whole lost pages.
    package internal(set) var missingCommits = 0
    /// Why more may be lost than is known; `nil` where it is proved that nothing else is.
    package internal(set) var doubt: String?

    package var rescuedEvents: Int { rescues.reduce(0) { $0 + $1.events } }
    package var events: Int { keptEvents + rescuedEvents }
    /// Events that are lost, at least.
    package var lost: Int {
        max(gaps.reduce(0) { $0 + Int(clamping: $1.numbers.upperBound - $1.numbers.lowerBound + 1) }, missingCommits)
    }
}

extension RescuedOrigin {
    /// Whether rescued events are numbered by `origin`: a mark in its first bytes, which one in 65,536 other origins has too.
    package static func isOne(_ origin: OriginID) -> Bool { origin.rawValue >> 48 == mark }
}

/// Origins under which events are carried over that can't keep their own, and the keys that lead back to who they were.
package enum RescuedOrigin {
    private static let mark: UInt64 = 0x5A1F
    private static let keyMark: UInt64 = 0x5A1F

    /// An origin for rescued events.
    package static func make(from random: UInt64) -> OriginID { OriginID(rawValue: random & 0xFFFF_FFFF_FFFF | mark << 48) }

    /// The key that the copy of an event has which had none: two copies of one event count once.
    package static func key(of id: EventID) -> UniqueID {
        UniqueID(high: id.origin.rawValue, low: id.number & 0xFFFF_FFFF_FFFF | keyMark << 48)
    }

    /// Which event it was, of which the copy has that key; `nil` for every other key.
    package static func event(of key: UniqueID) -> EventID? {
        guard key.low >> 48 == keyMark, key.low & 0xFFFF_FFFF_FFFF > 0 else { return nil }
        return EventID(origin: OriginID(rawValue: key.high), number: key.low & 0xFFFF_FFFF_FFFF)
    }
}

extension CommitLog {
    /// Commits that go into one transaction: bounded, so that no list of changed pages grows without end.
    private static let commitsInTransaction = 4096
    private static let bytesInTransaction = 64 << 20

    /// Writes what a survey found into this log, which must be empty.
    ///
    /// - Parameters:
    ///   - rules: leads events that are about rescued ones to where those are now.
    ///   - random: gives the rescued events' origins.
    package func takeSalvage(
        _ survey: SalvageSurvey, rules: ReferenceRules, random: @escaping @Sendable () -> UInt64, progress: (Int) -> Void = { _ in }
    ) throws(LogError) -> SalvageResult {
        let selection = SalvageSelection(survey)
        let erasures = SalvageErasures(survey, rules)
        var heads = LogHeads()
        var result = SalvageResult()
        try write(selection.kept, of: survey, rules, erasures, heads: &heads, &result, progress: progress)
        result.keptCommits = selection.kept.count
        result.keptEvents = Int(clamping: heads.eventCount)
        let rescue = RescuePlan(selection, survey, rules, erasures, random: random)
        for part in rescue.parts { try write(part, rescue, of: survey, heads: &heads, progress: progress) }
        result.rescues = rescue.parts.compactMap { part in
            let events = part.groups.reduce(0) { $0 + ($1.isCopy ? 0 : $1.events.count) }
            return events == 0 ? nil : SalvageResult.Rescue(from: part.from, origin: part.origin, events: events)
        }
        result.doubt = survey.doubt
        result.gaps = selection.gaps.map { SalvageResult.Gap(origin: $0.origin, numbers: $0.numbers) }
        if let expected = survey.expectedCommits {
            // What was found alone is left of commits that aren't whole; those aren't missing altogether.
            let alone = selection.rescued.reduce(0) { $0 + SalvageSelection.tornCommits($1.groups) }
            result.missingCommits = max(0, Int(clamping: expected) - selection.distinctCommits - alone)
        }
        return result
    }

    private func write(
        _ commits: [FoundCommit], of survey: SalvageSurvey, _ rules: ReferenceRules, _ erasures: SalvageErasures, heads: inout LogHeads,
        _ result: inout SalvageResult, progress: (Int) -> Void
    ) throws(LogError) {
        var next = 0
        var upgrade = CommitUpgrade { rules.texts.count(copy $0, $1) ?? 0 }
        while next < commits.count {
            var (following, after) = (heads, next)
            try write { (transaction: inout WriteTransaction) throws(LogError) in
                var hasher = SHA256Hasher()
                var bytes = 0
                while after < commits.count, after - next < Self.commitsInTransaction, bytes < Self.bytesInTransaction {
                    let found = survey.bytes(of: commits[after])
                    let commit = try upgrade.takeIfOlder(found.rawSpan, sequence: following.sequence + 1) ?? found
                    _ = try appendForeign(commit.rawSpan, heads: &following, hasher: &hasher, &transaction) {
                        (commit, previous) throws(ByteError) in
                        guard !erasures.subjects.isEmpty else { return nil }
                        let erased = try Commit.erasing(commit, after: previous, by: rules.texts) { erasures.subjects.contains($0.subject) }
                        result.erasedEvents += erased.events
                        return erased.bytes
                    }
                    bytes += commit.count
                    after += 1
                }
            }
            (heads, next) = (following, after)
            progress(next)
        }
    }

    private func write(
        _ part: RescuePlan.Part, _ plan: RescuePlan, of survey: SalvageSurvey, heads: inout LogHeads, progress: (Int) -> Void
    ) throws(LogError) {
        var next = 0
        while next < part.groups.count {
            var (following, after) = (heads, next)
            try write { (transaction: inout WriteTransaction) throws(LogError) in
                var bytes = 0
                while after < part.groups.count, after - next < Self.commitsInTransaction, bytes < Self.bytesInTransaction {
                    let group = part.groups[after]
                    var key = group.key
                    if let wanted = key, try sequence(ofAction: wanted, transaction.reader) != nil { key = nil }
                    let events = group.events.compactMap { plan.newEvent($0, isCopy: group.isCopy, survey) }
                    // Each was intact a moment ago; others are about them by the numbers that they were promised.
                    guard events.count == group.events.count else {
                        throw LogError.malformed(sequence: following.sequence + 1, ByteError(.badChecksum, offset: 0))
                    }
                    _ = try append(events, origin: part.origin, key: key, heads: &following, marking: { _ in nil }, &transaction)
                    bytes += group.events.reduce(0) { $0 + $1.place.length }
                    after += 1
                }
            }
            (heads, next) = (following, after)
            progress(next)
        }
    }
}
