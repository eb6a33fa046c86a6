internal import ContentStore
public import EventCoding
internal import EventLog
internal import FileSystem
internal import Hashing
internal import LMDB
internal import StudyModel
public import StudyProjections
internal import Synchronization
internal import Words

/// Somebody's study, for ever: the log of all that they did, and the state that follows from it.
///
/// Open one with ``open(at:readOnly:configuration:)``, act with ``perform(_:at:key:)``, ask with ``card(_:)``,
/// ``decks(at:)``, ``due(at:decks:)``, ``statistics(at:deck:)`` and the like. "Now" is always an argument.
///
/// Any thread may use it. One action is one durable commit, and everybody sees it as soon as it has returned, in this
/// process and in others. Calls are synchronous and short; none may be made from inside another.
public final class StudyStore: Sendable {
    /// What a store can be told on opening.
    public struct Configuration: Sendable {
        /// Where new identities and seeds come from.
        public var randomness: @Sendable () -> UInt64
        /// After so many events beyond the last checkpoint a new one is written.
        public var checkpointInterval: Int
        /// The schedulers that the store may meet: those that come along, and the app's own.
        public var schedulers: KnownSchedulers
        /// The app's own projections, which are folded along with the study state.
        public var projections: [any Projection.Type]

        /// The system's random source, a checkpoint every 4,096 events, and the schedulers that come along.
        ///
        /// - Parameters:
        ///   - randomness: where new identities and seeds come from.
        ///   - checkpointInterval: after so many events beyond the last checkpoint a new one is written.
        ///   - schedulers: the app's own, beside those.
        ///   - projections: the app's own; of several with one name the last counts.
        public init(
            randomness: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }, checkpointInterval: Int = 4096,
            schedulers: [any Scheduler.Type] = [], projections: [any Projection.Type] = []
        ) {
            self.randomness = randomness
            self.checkpointInterval = checkpointInterval
            self.schedulers = KnownSchedulers(adding: schedulers)
            self.projections = projections
        }

        /// The state before any event.
        var beginning: StudyState { StudyState(schedulers: schedulers, projections: ProjectionSet(projections)) }
    }

    /// The store's folder.
    public var path: String { log.path }

    /// The databases beside the log that hold content.
    package static let companionDatabases = WordIndex.databaseNames + PackStore.databases

    let log: CommitLog
    /// The content of packs, beside the log.
    let shelf: PackStore
    let configuration: Configuration
    /// The newest state that was folded. Locked to fold what is new and to hand out the value, never while somebody's code runs, nor while
    /// a write waits for its turn.
    let projection: Mutex<LiveProjection>
    /// Why the file couldn't be written anew, where others weren't the reason: not every write tries again what takes long.
    let clearingFailure = Mutex<StoreError?>(nil)
    /// Raised whenever the projection has taken new commits.
    let signal: ChangeSignal
    /// Whether this handle has looked if what is held aside fits by now.
    let hasTriedHeldAside = Atomic(false)
    /// Where a store lies that is gone with this object.
    private let work: WorkFolder?

    init(log: CommitLog, configuration: Configuration = Configuration(), work: WorkFolder? = nil) throws(LogError) {
        self.log = log
        self.work = work
        shelf = try storage(PackStore(log.environment))
        signal = ChangeSignal(log)
        self.configuration = configuration
        let live = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try LiveProjection(log, transaction, from: configuration.beginning)
        }
        projection = Mutex(live)
    }

    /// Makes an empty store in a folder that isn't there yet, or is empty.
    ///
    /// - Throws: ``StoreError/storeExists(path:)`` where something is there already; nothing is touched then.
    public static func create(at path: String, configuration: Configuration = Configuration()) throws(StoreError) -> StudyStore {
        do throws(LogError) {
            let log = try CommitLog.create(path: path, origin: newOrigin(configuration), companions: Self.companionDatabases)
            return try StudyStore(log: log, configuration: configuration)
        } catch { throw StoreError(error, path: path) }
    }

    /// Opens the store in the folder at `path`.
    ///
    /// Looks at its pages before it maps them, so that a damaged or cut file is an error and no crash.
    /// - Parameters:
    ///   - path: the store's folder.
    ///   - readOnly: nothing is written through this object, whoever else has the store open: what would write throws
    ///     ``StoreError/readOnly(path:)``.
    ///   - configuration: what the store is told.
    /// - Throws: ``StoreError/noStore(path:)``, ``StoreError/damaged(path:place:why:)``,
    ///   ``StoreError/unknownFormat(path:found:known:)``, ``StoreError/storage(path:operation:why:)``.
    /// - Complexity: O(events since the last checkpoint); cards are read when they are asked for.
    public static func open(
        at path: String, readOnly: Bool = false, configuration: Configuration = Configuration()
    ) throws(StoreError) -> StudyStore {
        return try inLog(
            of: path,
            StudyStore(
                log: try CommitLog.open(path: path, companions: Self.companionDatabases, readOnly: readOnly), configuration: configuration))
    }

    /// Opens the store in the folder at `path`, or makes an empty one where none is.
    ///
    /// Of several that come to it at once, one makes the store and all have it.
    /// - Throws: as ``open(at:readOnly:configuration:)`` and ``create(at:configuration:)`` do; a store that is there is never made anew,
    ///   however damaged.
    public static func openOrCreate(at path: String, configuration: Configuration = Configuration()) throws(StoreError) -> StudyStore {
        do throws(StoreError) { return try open(at: path, configuration: configuration) } catch {
            guard case .noStore = error else { throw error }
        }
        do throws(StoreError) { return try create(at: path, configuration: configuration) } catch {
            guard case .storeExists = error else { throw error }
        }
        return try open(at: path, configuration: configuration)
    }

    /// Closes the store for this object: every later call throws ``StoreError/closed(path:)``, and feeds end. Once is enough, and twice
    /// does no harm.
    ///
    /// What other threads have begun goes on to its end, or ends with that error where it comes to begin another read; neither is waited
    /// for. The file is closed with the last of them, and with the last object of this process that has the store open.
    public func close() {
        log.close()
        signal.close()
        work?.remove()
    }

    /// Whether nothing can be written through this object.
    public var isReadOnly: Bool { log.isReadOnly }

    /// The origin under which this device writes.
    public var origin: OriginID {
        get throws(StoreError) {
            try reading { (transaction, _) throws(LogError) in try log.localOrigin(transaction)?.origin } ?? OriginID(rawValue: 0)
        }
    }

    static func newOrigin(_ configuration: Configuration) -> OriginID { OriginID.new(from: configuration.randomness()) }

    /// A new identity, out of the random source that the store was given: for what an app records events about.
    public func newID() -> UniqueID {
        var generator = InjectedGenerator(next: configuration.randomness)
        return UniqueID.random(using: &generator)
    }
}

/// The random source that a store was given, for whoever wants a generator.
struct InjectedGenerator: RandomNumberGenerator {
    let source: @Sendable () -> UInt64

    init(next source: @escaping @Sendable () -> UInt64) { self.source = source }

    mutating func next() -> UInt64 { source() }
}

extension StudyStore {
    /// Runs `body` on the newest state, with the snapshot of the log that it stands for.
    ///
    /// No lock is held meanwhile: other reads and writes go on, and `body` may ask the store, or act on it. It runs again where cards got lost
    /// that it asked for (``StudyState/hasLostCards``).
    ///
    /// - Parameter wholly: reads all cards first, for a `body` that mustn't run twice.
    func reading<Result: Sendable>(
        wholly: Bool = false, _ body: (borrowing ReadTransaction, LiveProjection) throws(LogError) -> Result
    ) throws(StoreError) -> Result {
        for _ in 0..<Self.attemptsToRead {
            let result: Result? = try inLog(
                log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                    guard let snapshot = try newest(transaction, wholly: wholly) else { return nil }
                    do throws(LogError) {
                        let result = try body(transaction, snapshot)
                        return snapshot.state.hasLostCards ? nil : result
                    } catch {
                        guard snapshot.state.hasLostCards else { throw error }
                        return nil
                    }
                })
            // The state was ahead of the transaction, since another thread came in between: the next one begins later.
            if let result { return result }
        }
        throw .damaged(path: path, place: "data.mdb", why: Self.lost)
    }

    /// A thread comes in between once or twice; a state that stays ahead is of a file that another program put an older one in place of.
    private static let attemptsToRead = 1000

    /// The state at the head of the log as `transaction` sees it; `nil` where the state is further than that already.
    ///
    /// The lock is held for as long as it takes to fold what is new, which nobody ends halfway: it is done for all.
    private func newest(_ transaction: borrowing ReadTransaction, wholly: Bool = false) throws(LogError) -> LiveProjection? {
        let outcome: Swift.Result<(state: LiveProjection?, isNew: Bool), LogError> = Interruption.shield {
            projection.withLock { projection in
                do throws(LogError) {
                    let known = projection.heads.sequence
                    guard try log.lastSequence(transaction) >= known else { return .success((nil, false)) }
                    try projection.catchUp(log, transaction, wholly: wholly)
                    return .success((projection, projection.heads.sequence > known))
                } catch { return .failure(error) }
            }
        }
        let found = try outcome.get()
        if found.isNew { signal.raise() }
        return found.state
    }

    /// What `body` gives; an error of the log becomes one of this store.
    @inline(__always)
    func inLog<Result>(_ body: @autoclosure () throws(LogError) -> Result) throws(StoreError) -> Result {
        try Self.inLog(of: path, body())
    }

    /// The same for the store at `path`, which isn't open.
    @inline(__always)
    static func inLog<Result>(of path: String, _ body: @autoclosure () throws(LogError) -> Result) throws(StoreError) -> Result {
        do throws(LogError) { return try body() } catch { throw StoreError(error, path: path) }
    }

    /// Runs `body` as the only writer on the newest state; what it appends is on the disk when this returns.
    ///
    /// A commit whose outcome is unknown is looked up before anybody is told: `isThere` says whether what `body` wrote
    /// is in the log. Where cards got lost that `body` asked for (``StudyState/hasLostCards``), nothing is written, and it runs again.
    ///
    /// - Parameters:
    ///   - clears: whether what was erased, now or before, is cleared out of the file afterwards, where nobody else has it open.
    ///   - wholly: reads all cards first, for a `body` that mustn't run twice.
    func writing<Result: Sendable>(
        clears: Bool = true, wholly: Bool = false, _ body: (inout WriteTransaction, LiveProjection) throws(StoreError) -> Result,
        isThere: (Result, LogHeads) -> Bool
    ) throws(StoreError) -> Result {
        try checkIsWritable()
        var result: Result?
        var hasLostCards = false
        do throws(TransactionError<StoreError>) {
            try log.write { (transaction: inout WriteTransaction) throws(StoreError) in
                guard let newest = try inLog(newest(transaction.reader, wholly: wholly)) else {
                    throw .storage(path: path, operation: "write", why: Self.lost)
                }
                defer { hasLostCards = newest.state.hasLostCards }
                let made = try body(&transaction, newest)
                guard !newest.state.hasLostCards else { throw .storage(path: path, operation: "write", why: Self.lost) }
                result = made
                try inLog(storage(Interruption.becomeFinal()))
            }
        } catch {
            switch error {
            // Nobody else can replace the checkpoint meanwhile, so with all cards nothing gets lost again.
            case .body where hasLostCards: return try writing(clears: clears, wholly: true, body, isThere: isThere)
            case .body(let error): throw error
            case .storage(let error):
                guard case .commitOutcomeUnknown = error.fault, let result, let heads = try? catchUp().heads, isThere(result, heads) else {
                    throw StoreError(error, path: path)
                }
                return result
            }
        }
        guard let result else { throw .storage(path: path, operation: "write", why: Self.lost) }
        // It is on the disk; that folding it fails, if it does, is told by the next call, which folds it again.
        let after = try? catchUp()
        checkpointIfDue()
        // That it can't be is told by the mark that stays, and the next write tries again.
        if clears, after?.isMarked ?? true, clearingFailure.withLock({ $0 == nil }) { try? clear() }
        signal.raise()
        return result
    }

    /// What nobody can bring about who writes by the rules: whoever comes later sees all that was ever committed.
    private static let lost = "commits that were read are there no more"

    /// Throws where nothing can be written: by this object, or since the store has an older format than this program writes.
    func checkIsWritable() throws(StoreError) {
        guard !log.isReadOnly else { throw .readOnly(path: path) }
        guard log.storedFormat == CommitLog.format else {
            throw .olderFormat(path: path, found: log.storedFormat, known: CommitLog.format)
        }
    }

    /// Folds what has come, and says how far the log reaches, and whether erased texts are to be cleared out of the file.
    private func catchUp() throws(StoreError) -> (heads: LogHeads, isMarked: Bool) {
        try reading { (transaction, projection) throws(LogError) in (projection.heads, try log.hasTextsToClear(transaction)) }
    }

    /// Writes a checkpoint where the tail has grown long. That it fails costs the next opener time, and nobody data.
    private func checkpointIfDue() {
        guard projection.withLock({ $0.tail.count }) >= configuration.checkpointInterval else { return }
        try? writeCheckpoint()
    }

    /// Writes the state as the checkpoint.
    ///
    /// - Parameter anew: a state that was folded from zero, with which the index of each card's events is made again too.
    func writeCheckpoint(anew: LiveProjection? = nil) throws(LogError) {
        let written = try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            let newest = if let anew { anew } else { try newest(transaction.reader) }
            guard var state = newest else { throw .missingCommit(sequence: 0) }
            try state.catchUp(log, transaction.reader)
            try state.writeCheckpoint(log, &transaction, isAnew: anew != nil)
            return state
        }
        projection.withLock { projection in
            if written.heads.sequence >= projection.heads.sequence { projection = written }
            projection.didCheckpoint(at: written.heads.sequence)
        }
    }
}

extension StoreError {
    /// What an error of the log is to somebody who uses a store.
    init(_ error: LogError, path: String) {
        switch error {
        case .storage(let error): self.init(error, path: path)
        case .malformed(let sequence, let fault):
            self = .damaged(path: path, place: "commit \(sequence), byte \(fault.offset)", why: fault.kind.rawValue)
        case .missingCommit(let sequence): self = .damaged(path: path, place: "commit \(sequence)", why: "it is missing")
        case .storeExists(let path): self = .storeExists(path: path)
        case .unknownFormat(let path, let found): self = .unknownFormat(path: path, found: found, known: CommitLog.format)
        case .noStoreRecord(let path):
            self = .damaged(path: path, place: "format record", why: "it is missing, or this is another program's file")
        case .tooLarge(let bytes, let limit): self = .textTooLong(field: "the action", bytes: bytes, limit: limit)
        case .timeOutOfRange(let milliseconds): self = .momentOutOfRange(milliseconds: milliseconds)
        case .zoneOutOfRange(let minutes):
            self = .badValue(field: "the zone", value: "\(minutes) minutes", allowed: "at most 24 hours from UTC")
        case .doesNotFollow(let origin, let commit, let why):
            self = .badInput(path: path, place: "commit \(commit) of origin \(origin)", why: why)
        case .forked(let origin, let commit): self = .forked(origin: origin, commit: commit)
        }
    }

    private static let contentDatabases = Set(StudyStore.companionDatabases)
    private static let indexDatabases: Set<String> = ["timelines", "actions", "checkpoints"]

    /// What an error of the storage is to somebody who uses a store.
    init(_ error: LMDBError, path: String) {
        switch error.fault {
        case .readOnly: self = .readOnly(path: path)
        case .closed: self = .closed(path: path)
        case .interrupted: self = .cancelled
        case .inUse: self = .inUse(path: path)
        case .unusable(.notAStore): self = .noStore(path: path)
        case .unusable(.busy): self = .inUse(path: path)
        case .unusable(.unreadable(let file, let code)): self = .storage(path: file, operation: "read", why: "\(code)")
        case .unusable(let fault): self = .damaged(path: path, place: "data.mdb", why: "\(fault)")
        case .failed(.noEntry): self = .noStore(path: path)
        case .badRecord(let database) where Self.contentDatabases.contains(database):
            self = .contentDamaged(path: path, place: error.operation, why: "\(error.fault)")
        case .badRecord(let database) where Self.indexDatabases.contains(database):
            self = .indexDamaged(path: path, place: error.operation, why: "\(error.fault)")
        case .badRecord: self = .damaged(path: path, place: error.operation, why: "\(error.fault)")
        case .failed(let code) where code.isOfDamage:
            self = .damaged(path: path, place: error.operation, why: "\(error.fault)")
        default: self = .storage(path: path, operation: error.operation, why: "\(error.fault)")
        }
    }
}
