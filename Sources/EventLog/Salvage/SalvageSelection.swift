internal import EventCoding
internal import Hashing

/// What of a survey goes into the new log, and how.
///
/// - Of each origin the commits whose digests chain from its first one on go over as they are: numbers, bytes and digests.
/// - What comes after a gap can't: a chain has none. Its events, and those that were left of torn commits, are *rescued*: they go
///   into an origin of their own.
struct SalvageSelection {
    /// The events of one commit that is to be written.
    struct Group {
        var events: [FoundEvent]
        /// The key of the action that they were, where that is known.
        var key: UniqueID?
        /// Whether they are all that their commit held.
        var isWholeCommit = false
        /// Whether they stay where they are as well: they are about events that don't.
        var isCopy = false
    }

    /// Commits that go over as they are, in the order in which they arrived, as far as that is known.
    private(set) var kept: [FoundCommit] = []
    /// Of each origin, the last event that goes over as it was.
    private(set) var keptEvents: [OriginID: UInt64] = [:]
    /// What is rescued of each origin, in the order of the origins.
    private(set) var rescued: [(origin: OriginID, groups: [Group])] = []
    /// Which numbers are known to have been given and aren't there any more.
    private(set) var gaps: [(origin: OriginID, numbers: ClosedRange<UInt64>)] = []
    /// Intact commits that were found, however often.
    private(set) var distinctCommits = 0

    private static let eventsInGroup = 1000
    private static let bytesInGroup = 4 << 20

    init(_ survey: SalvageSurvey) {
        let commits = Dictionary(grouping: survey.commits, by: \.origin)
        let events = Dictionary(grouping: survey.events, by: \.id.origin)
        for origin in Set(commits.keys).union(events.keys).sorted() {
            select(origin, commits[origin] ?? [], events[origin] ?? [], survey)
        }
        arrange()
    }

    /// Puts the kept commits in the order in which they arrived, where their keys tell it and can be so; else by their times.
    private mutating func arrange() {
        if kept.allSatisfy({ $0.sequence != nil && $0.place.file == 0 }) {
            kept.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
            var last: [OriginID: UInt64] = [:]
            let isRight = kept.allSatisfy { commit in
                defer { last[commit.origin] = commit.number }
                return commit.number == (last[commit.origin] ?? 0) + 1
            }
            if isRight { return }
        }
        kept.sort { ($0.firstTime, $0.origin, $0.number) < ($1.firstTime, $1.origin, $1.number) }
    }

    private mutating func select(_ origin: OriginID, _ commits: [FoundCommit], _ events: [FoundEvent], _ survey: SalvageSurvey) {
        var seen: Set<SHA256Digest> = []
        let distinct = commits.filter { seen.insert($0.digest).inserted }
        distinctCommits += distinct.count
        let chain = Self.chain(of: distinct, survey)
        kept += chain
        let last = chain.last?.lastEvent ?? 0
        keptEvents[origin] = last
        // What a commit holds whole comes before what was found alone: with the rest of its action.
        var known: Set<UInt64> = []
        var groups: [Group] = []
        for commit in distinct where commit.lastEvent > last {
            var group = Group(events: Self.events(of: commit, survey), key: commit.key, isWholeCommit: true)
            group.events.removeAll { $0.id.number <= last || !known.insert($0.id.number).inserted }
            if !group.events.isEmpty { groups.append(group) }
        }
        groups += Self.grouped(events.filter { $0.id.number > last && known.insert($0.id.number).inserted })
        groups.sort { Self.place($0) < Self.place($1) }
        if !groups.isEmpty { rescued.append((origin, groups)) }
        noteGaps(origin, after: last, known, claimed: survey.claimed[origin] ?? 0)
    }

    private static func place(_ group: Group) -> FoldOrder {
        group.events.first.map { FoldOrder(logicalTime: $0.time, id: $0.id) }
            ?? FoldOrder(logicalTime: .distantPast, id: .init(origin: .init(rawValue: 0), number: 0))
    }

    /// The commits from the first one on, each of which chains on the one before. Of several that could follow, the one that
    /// itself is followed; else the one that the tree names.
    private static func chain(of commits: [FoundCommit], _ survey: SalvageSurvey) -> [FoundCommit] {
        let byNumber = Dictionary(grouping: commits, by: \.number)
        var hasher = SHA256Hasher()
        var chain: [FoundCommit] = []
        var last: FoundCommit?
        func digest(of commit: FoundCommit, after digest: SHA256Digest) -> SHA256Digest {
            Commit.digest(of: survey.bytes(at: commit.place).rawSpan, after: digest, with: &hasher)
        }
        func isFollowed(_ digest: SHA256Digest, at number: UInt64) -> Bool {
            (byNumber[number + 1] ?? []).contains { Self.digestsMatch($0, digest, &hasher, survey) }
        }
        while let candidates = byNumber[UInt64(chain.count) + 1] {
            let number = UInt64(chain.count) + 1
            let before = last?.digest ?? .zero
            let next = candidates.filter { $0.firstEvent == (last?.lastEvent ?? 0) + 1 && $0.firstTime >= last?.lastTime ?? .distantPast }
            let following = next.filter { digest(of: $0, after: before) == $0.digest }
            if let one = following.count > 1
                ? following.first(where: { isFollowed($0.digest, at: number) }) ?? following.first : following.first
            {
                chain.append(one)
            } else if var one = next.first(where: { isFollowed(digest(of: $0, after: before), at: number) }) {
                // Its own digest was damaged and nothing else, as the next commit, which chains on it, proves.
                one.digest = digest(of: one, after: before)
                chain.append(one)
            } else {
                break
            }
            last = chain.last
        }
        return chain
    }

    private static func digestsMatch(
        _ commit: FoundCommit, _ before: SHA256Digest, _ hasher: inout SHA256Hasher, _ survey: SalvageSurvey
    ) -> Bool {
        Commit.digest(of: survey.bytes(at: commit.place).rawSpan, after: before, with: &hasher) == commit.digest
    }

    static func events(of commit: FoundCommit, _ survey: SalvageSurvey) -> [FoundEvent] {
        events(of: commit, in: survey.bytes(at: commit.place))
    }

    static func events(of commit: FoundCommit, in bytes: [UInt8]) -> [FoundEvent] {
        var found: [FoundEvent] = []
        guard let header = try? Commit.header(of: bytes.rawSpan) else { return found }
        var frames = Commit.frames(of: bytes.rawSpan, header)
        while let frame = try? frames.next(), let event = try? frame.event().header {
            let place = BytePlace(file: commit.place.file, offset: commit.place.offset + frame.offset, length: frame.bytes.byteCount)
            found.append(FoundEvent(place: place, id: event.id, time: event.logicalTime))
        }
        return found
    }

    /// Events that were found alone, in the order of their numbers, as many to a commit as an import has.
    private static func grouped(_ events: [FoundEvent]) -> [Group] {
        var groups: [Group] = []
        var bytes = 0
        for event in events.sorted(by: { ($0.time, $0.id.number) < ($1.time, $1.id.number) }) {
            if let last = groups.last, last.events.count < eventsInGroup, bytes + event.place.length < bytesInGroup,
                last.events.last.map({ $0.id.number + 1 == event.id.number }) ?? true
            {
                groups[groups.count - 1].events.append(event)
                bytes += event.place.length
            } else {
                groups.append(Group(events: [event]))
                bytes = event.place.length
            }
        }
        return groups
    }

    /// Of how many commits the events at most are that were found alone. Events of one commit lie one behind the other, so those that
    /// have consecutive numbers and don't are of two; where a number is missing in between, that is known to be lost anyway.
    static func tornCommits(_ groups: [Group]) -> Int {
        let alone = groups.filter { !$0.isWholeCommit }.flatMap(\.events).sorted { $0.id.number < $1.id.number }
        var count = 0
        var last: FoundEvent?
        for event in alone {
            let follows = last.map { last in
                last.id.number + 1 == event.id.number && last.place.file == event.place.file
                    && last.place.offset + last.place.length == event.place.offset
            }
            if follows != true { count += 1 }
            last = event
        }
        return count
    }

    /// Numbers have no gaps, so those between the ones that are there were given to somebody.
    /// Those up to the one that the beginning of a torn commit claims, too.
    private mutating func noteGaps(_ origin: OriginID, after last: UInt64, _ known: Set<UInt64>, claimed: UInt64) {
        var next = last + 1
        for number in known.sorted() {
            if number > next { gaps.append((origin, next...number - 1)) }
            next = number + 1
        }
        if claimed >= next { gaps.append((origin, next...claimed)) }
    }
}
