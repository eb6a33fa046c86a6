public import EventCoding

/// How deep a verification goes; each level includes the one before.
public enum VerifyLevel: String, CaseIterable, Sendable {
    /// The file's meta pages, roots and size: milliseconds at any size.
    case quick
    /// Every page of the file: reachable, free, or a finding.
    case pages
    /// Every commit and event: digests, checksums, numbers, times, schemas, indexes.
    case log
    /// Every projection equals a fold from zero.
    case deep
}

/// How much of the log a verification proves, where it proves the log.
public enum VerifyPart: Sendable {
    /// Every commit.
    case everything
    /// A sample of so many commits of a hundred, drawn by the seed. Chains and numbers are followed through all of them.
    case percent(Double, seed: UInt64)
    /// A sample of about so many commits.
    case commits(Int, seed: UInt64)
    /// What can be proved until the closure says that it is enough, from where the last such verification ended.
    case until(@Sendable () -> Bool)
}

/// What a verification found.
public struct VerifyReport: Sendable {
    /// One thing that is wrong.
    public struct Finding: Hashable, Sendable {
        /// What is wrong, as a word for scripts.
        public let kind: String
        /// Where: a page, a sequence number, an event, a card.
        public let place: String
        /// What was expected and found, for people.
        public let message: String

        /// Whether it is about the content of packs and dictionaries, which is no history and can be installed again.
        public var isAboutContent: Bool { kind.hasPrefix("content_") }
    }

    /// Where the pages of the file belong, in one state of the store.
    public struct PageFigures: Hashable, Sendable {
        /// Number of the commit of the storage that made the state.
        public let commit: UInt64
        /// Pages that hold something, the two meta pages included.
        public let used: UInt64
        /// Pages that are free to be used again.
        public let free: UInt64
        /// Pages that are neither, and wasted.
        public let leaked: UInt64
    }

    /// Which commits were proved, by their sequence numbers.
    public struct Range: Hashable, Sendable {
        /// The first one.
        public let first: UInt64
        /// The last one.
        public let last: UInt64
        /// The last one that there is.
        public let total: UInt64
        /// Whether each one between was proved, and not a sample of them.
        public let isContinuous: Bool
    }

    /// A head that somebody noted, found in its origin's chain.
    public struct KnownHead: Hashable, Sendable {
        /// Whose chain.
        public let origin: OriginID
        /// The digest that was noted.
        public let digest: SHA256Digest
        /// How many commits have come since.
        public let commitsSince: UInt64
    }

    /// The store's folder.
    public let path: String
    /// How deep it went.
    public let level: VerifyLevel
    /// What is wrong; of each kind the first hundred.
    public internal(set) var findings: [Finding] = []
    /// How many things are wrong, those that aren't listed included.
    public internal(set) var findingCount = 0
    /// Pages that were walked.
    public internal(set) var pages = 0
    /// Where the pages belong: in the newest state, then in the one before; empty where they weren't walked.
    public internal(set) var pageFigures: [PageFigures] = []
    /// Commits that were proved.
    public internal(set) var commits = 0
    /// Events that were proved.
    public internal(set) var events = 0
    /// Projections that were held against a fold from zero.
    public internal(set) var projections = 0
    /// Events of types or versions that this program doesn't know: kept, vouched for, and passed over by folds.
    public internal(set) var unknownEvents = 0
    /// Digest of the last commit of each origin, in the order of the origins.
    public internal(set) var heads: [(origin: OriginID, digest: SHA256Digest)] = []
    /// Which commits were proved; `nil` where all were, or none was to be.
    public internal(set) var part: Range?
    /// The heads that were asked for and found.
    public internal(set) var knownHeads: [KnownHead] = []
    /// Commits from elsewhere that are kept beside the log, since they don't fit what this program knows: no finding, they are in nobody's
    /// way.
    public internal(set) var heldAside: [HeldAside] = []
    /// What wasn't checked, and why: for people.
    public internal(set) var remarks: [String] = []

    /// Whether nothing is wrong.
    public var isSound: Bool { findingCount == 0 }

    static let erasureIncomplete = "erasure_incomplete"
    static let textsNotCleared = "texts_not_cleared"

    private var counts: [String: Int] = [:]
    private static let limitOfKind = 100

    init(level: VerifyLevel, path: String) {
        self.level = level
        self.path = path
    }

    /// Lists a finding, unless a hundred of its kind are listed.
    mutating func add(_ kind: String, at place: String, _ message: String) {
        findingCount += 1
        counts[kind, default: 0] += 1
        guard counts[kind, default: 0] <= Self.limitOfKind else { return }
        findings.append(Finding(kind: kind, place: place, message: message))
    }

    /// Counts findings of a kind that others listed only the first of.
    mutating func count(_ more: Int, of kind: String) {
        findingCount += max(0, more)
        counts[kind, default: 0] += max(0, more)
    }
}
