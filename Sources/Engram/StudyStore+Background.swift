public import EventCoding
public import Exchange
public import Scheduling
public import StudyModel
public import StudyProjections

/// What may take longer than a frame, for callers who can't wait: the same functions as `async`, under the same names.
///
/// Each does its work on a thread of its own, so that neither an actor nor the threads that tasks share stand still, and calls what it is
/// given (progress, lines, pieces) there. A task that is cancelled ends it with ``StoreError/cancelled`` at the next place where it can
/// still leave everything as it was; what is on the disk by then stays, and is reported as done.
extension StudyStore {
    /// What `question` gets to know of the store, off the caller's actor: for several questions at once, or one that has no form of its own.
    public func asking<Result: Sendable>(
        _ question: @escaping @Sendable (StudyStore) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await Background.run { () throws(StoreError) in try question(self) }
    }

    /// Takes in another program's cards and review history, off the caller's actor.
    public func importHistory(
        at path: String, format: ImportFormat? = nil, deckTitle: String? = nil, zone: (@Sendable (Int64) -> Int16?)? = nil,
        isRaw: Bool = false, isDryRun: Bool = false, moment: ZonedTime,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws(StoreError) -> ImportReport {
        try await Background.run { () throws(StoreError) in
            try self.importHistory(
                at: path, format: format, deckTitle: deckTitle, zone: zone, isRaw: isRaw, isDryRun: isDryRun, moment: moment,
                progress: progress)
        }
    }

    /// Takes in a dictionary, off the caller's actor.
    public func importWords(
        at path: String, format: DictionaryFormat? = nil, name: String? = nil, isDryRun: Bool = false, moment: ZonedTime,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws(StoreError) -> WordImportReport {
        try await Background.run { () throws(StoreError) in
            try self.importWords(at: path, format: format, name: name, isDryRun: isDryRun, moment: moment, progress: progress)
        }
    }

    /// Installs a pack of words and questions, off the caller's actor.
    public func installPack(
        at path: String, map: String? = nil, name: String? = nil, moment: ZonedTime,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws(StoreError) -> PackReport {
        try await Background.run { () throws(StoreError) in
            try self.installPack(at: path, map: map, name: name, moment: moment, progress: progress)
        }
    }

    /// Takes in the lines of an exported log, off the caller's actor.
    public func importLog(
        path: String, at moment: ZonedTime, nextLine: @escaping @Sendable () throws(StoreError) -> [UInt8]?
    ) async throws(StoreError) -> MergeReport {
        try await Background.run { () throws(StoreError) in try self.importLog(path: path, at: moment, nextLine: nextLine) }
    }

    /// Takes in every event of another store, or of a file of events, off the caller's actor.
    public func merge(with other: String, at moment: ZonedTime) async throws(StoreError) -> MergeReport {
        try await Background.run { () throws(StoreError) in try self.merge(with: other, at: moment) }
    }

    /// Writes the cards to a file, off the caller's actor.
    public func export(
        _ format: ExportFormat, toFile path: String, overwriting: Bool = false, isRaw: Bool = false, at moment: ZonedTime,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws(StoreError) -> ExportReport {
        try await Background.run { () throws(StoreError) in
            try self.export(format, toFile: path, overwriting: overwriting, isRaw: isRaw, at: moment, progress: progress)
        }
    }

    /// Hands over the cards in pieces, off the caller's actor, until `write` says false.
    public func export(
        _ format: ExportFormat, isRaw: Bool = false, at moment: ZonedTime,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil, _ write: @escaping @Sendable (_ piece: [UInt8]) -> Bool
    ) async throws(StoreError) -> ExportReport {
        try await Background.run { () throws(StoreError) in
            try self.export(format, isRaw: isRaw, at: moment, progress: progress, write)
        }
    }

    /// Hands over the whole log as lines of NDJSON, off the caller's actor, until `write` says false.
    public func exportLog(_ write: @escaping @Sendable (_ line: [UInt8]) -> Bool) async throws(StoreError) {
        try await Background.run { () throws(StoreError) in try self.exportLog(write) }
    }

    /// Deletes a card and erases its texts for good, off the caller's actor.
    @discardableResult
    public func erase(_ card: UniqueID, at moment: ZonedTime) async throws(StoreError) -> EraseReport {
        try await Background.run { () throws(StoreError) in try self.erase(card, at: moment) }
    }

    /// Folds the log from its first event and holds the result against the stored state, off the caller's actor.
    public func replay(
        at moment: ZonedTime, until limit: ZonedTime? = nil, scheduler: ConfiguredScheduler? = nil
    ) async throws(StoreError) -> ReplayReport {
        try await Background.run { () throws(StoreError) in try self.replay(at: moment, until: limit, scheduler: scheduler) }
    }

    /// Makes the checkpoint, and the index of each card's events, again from the log, off the caller's actor.
    public func rebuild() async throws(StoreError) {
        try await Background.run { () throws(StoreError) in try self.rebuild() }
    }

    /// The events behind a figure, oldest first, found off the caller's actor.
    public func explain(_ figure: Metric, at moment: ZonedTime, deck: UniqueID? = nil) async throws(StoreError) -> [ExplainedEvent] {
        try await Background.run { () throws(StoreError) in try self.explain(figure, at: moment, deck: deck) }
    }

    /// Copies the store to a new folder and proves the copy, off the caller's actor.
    public func backup(
        to target: String, ndjson: Bool = false, drill isDrill: Bool = false
    ) async throws(StoreError) -> BackupReport {
        try await Background.run { () throws(StoreError) in try self.backup(to: target, ndjson: ndjson, drill: isDrill) }
    }

    /// Proves the store in the folder at `path`, off the caller's actor.
    public static func verify(
        at path: String, level: VerifyLevel, part: VerifyPart = .everything,
        expecting expected: [(origin: OriginID, digest: SHA256Digest)] = [], under schedulers: KnownSchedulers = .builtIn,
        projections: [any Projection.Type] = [], progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(StoreError) -> VerifyReport {
        try await Background.run { () throws(StoreError) in
            try verify(
                at: path, level: level, part: part, expecting: expected, under: schedulers, projections: projections, progress: progress)
        }
    }

    /// Writes the store at `path` anew without the space that nothing uses, off the caller's actor.
    public static func compact(
        at path: String, configuration: Configuration = Configuration()
    ) async throws(StoreError) -> CompactReport {
        try await Background.run { () throws(StoreError) in try compact(at: path, configuration: configuration) }
    }

    /// Makes a new store of every intact event of a damaged one, off the caller's actor.
    public static func salvage(
        from damaged: String, to target: String, with helpers: [String] = [], configuration: Configuration = Configuration(),
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(StoreError) -> SalvageReport {
        try await Background.run { () throws(StoreError) in
            try salvage(from: damaged, to: target, with: helpers, configuration: configuration, progress: progress)
        }
    }

    /// Carries the store at `path` over to the format that this program writes, off the caller's actor.
    public static func migrate(
        at path: String, dryRun isDryRun: Bool = false, configuration: Configuration = Configuration(),
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(StoreError) -> MigrationReport {
        try await Background.run { () throws(StoreError) in
            try migrate(at: path, dryRun: isDryRun, configuration: configuration, progress: progress)
        }
    }
}
