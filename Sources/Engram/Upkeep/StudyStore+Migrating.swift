internal import EventCoding
internal import EventLog
internal import LMDB
internal import StudyModel
internal import StudyProjections

/// What a migration did, or would do.
public struct MigrationReport: Hashable, Sendable {
    /// Events of one type and version, and what becomes of them.
    public struct Kind: Hashable, Sendable {
        /// Name of the type, or `type_N` where this program doesn't know it.
        public let type: String
        /// Version of its schema, in which the events stay.
        public let version: Int
        /// The version as which they are read; `nil` where this program doesn't know the type.
        public let readAs: Int?
        /// How many there are.
        public let events: Int
        /// Of those, with texts that can be erased from now on.
        public let erasable: Int
    }

    /// The format that the store had.
    public let from: Int
    /// The format that this program writes.
    public let to: Int
    /// Whether the store was carried over.
    public internal(set) var isChanged = false
    /// Events in the store, before as after.
    public internal(set) var events = 0
    /// Its events by type and version.
    public internal(set) var kinds: [Kind] = []
    /// Where the store in its old format is kept.
    public internal(set) var keptAt: String?
}

extension StudyStore {
    /// Carries the store at `path` over to the format that this program writes.
    ///
    /// A new store is made beside the old one and held against it: every event byte for byte, and the digest of the state. Only a
    /// deep verification without findings lets it take the old one's place, by one rename. Interrupted anywhere, the old store is
    /// untouched and the next run begins anew. The old one is kept in a folder inside the store's, and can be opened there.
    ///
    /// - Parameters:
    ///   - path: the store's folder.
    ///   - isDryRun: makes and proves the new store too, and throws it away.
    ///   - configuration: where the new store's origin comes from, unless it keeps its own.
    ///   - progress: called now and then with the number of commits that were carried over.
    /// - Throws: ``StoreError/inUse(path:)`` where somebody has the store open; ``StoreError/damaged(path:place:why:)`` where it can't
    ///   be carried over whole: `verify(at:level:part:expecting:under:progress:)` tells more, and salvaging gets out what is intact.
    /// - Complexity: O(size of the file).
    public static func migrate(
        at path: String, dryRun isDryRun: Bool = false, configuration: Configuration = Configuration(),
        progress: (Int) -> Void = { _ in }
    ) throws(StoreError) -> MigrationReport {
        let found = try inLog(of: path, CommitLog.open(path: path, companions: Self.companionDatabases, readOnly: true).storedFormat)
        var report = MigrationReport(from: Int(found), to: Int(CommitLog.format))
        var difference: String?
        var keptAt: String?
        if found == CommitLog.format {
            report.events = try open(at: path, readOnly: true).countKinds(&report)
            return report
        }
        report.isChanged = try replace(at: path) { (log, folder) throws(LogError) in
            let copy = try log.upgradedCopy(
                in: folder, random: configuration.randomness, erasableCount: erasableByteCount, progress: progress)
            difference = try copy.firstDifference(from: log)
            let (old, new) = (try StudyStore(log: log), try StudyStore(log: copy))
            do throws(StoreError) {
                report.events = try old.countKinds(&report)
                if try old.digest() != new.digest() { difference = difference ?? "the digest of the state" }
                try new.checkpoint()
            } catch { difference = difference ?? error.description }
            guard difference == nil, !isDryRun else { return nil }
            keptAt = try storage(CommitLog.storeFolder.keepDataFile(of: path, in: "format-\(found)"))
            return copy
        }
        if let difference {
            throw .damaged(path: path, place: difference, why: "carried over it would be another; nothing was changed")
        }
        if report.isChanged { report.keptAt = keptAt }
        return report
    }

    private static func erasableByteCount(_ header: borrowing EventHeader, _ payload: RawSpan) -> Int {
        StudyEvent.erasableByteCount(type: header.type, version: header.version, payload: payload)
    }

    /// Counts the events by type and version; returns how many there are.
    private func countKinds(_ report: inout MigrationReport) throws(StoreError) -> Int {
        struct Key: Hashable {
            let type: EventType
            let version: UInt8
        }
        let counts = try reading { (transaction, projection) throws(LogError) in
            var counts: [Key: (events: Int, erasable: Int)] = [:]
            guard projection.heads.sequence > 0 else { return counts }
            try self.log.forEachEvent(inCommits: 1...projection.heads.sequence, transaction) { header, payload, _ in
                let isErasable = header.isErased || Self.erasableByteCount(header, payload) > 0
                counts[Key(type: header.type, version: header.version), default: (0, 0)].events += 1
                if isErasable { counts[Key(type: header.type, version: header.version), default: (0, 0)].erasable += 1 }
            }
            return counts
        }
        let sorted = counts.sorted { ($0.key.type.rawValue, $0.key.version) < ($1.key.type.rawValue, $1.key.version) }
        report.kinds = sorted.map { key, count in
            let kind = StudyEventKind(rawValue: key.type.rawValue)
            let readAs = kind.flatMap { key.version <= $0.currentVersion ? Int($0.currentVersion) : nil }
            return MigrationReport.Kind(
                type: kind?.name ?? "type_\(key.type.rawValue)", version: Int(key.version), readAs: readAs, events: count.events,
                erasable: count.erasable)
        }
        return counts.values.reduce(0) { $0 + $1.events }
    }
}
