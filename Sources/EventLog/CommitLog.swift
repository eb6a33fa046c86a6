package import EventCoding
internal import FileSystem
package import LMDB

/// The append-only log of a store: commits in the order of their arrival, in one LMDB environment.
///
/// It knows origins, commits, events as bytes, digests and order. What an event means is no matter of this room.
/// The databases beside the log (where each entity's events lie, the last checkpoint, callers' keys) hold nothing
/// that couldn't be made again from it.
package final class CommitLog: Sendable {
    /// Format of the store that this program writes.
    package static let format: UInt32 = 2
    /// The oldest format that can be read, and carried over by a migration.
    package static let oldestFormat: UInt32 = 1
    /// An event whose time lies further ahead of the receiver's clock than this is held back, in milliseconds.
    package static let clockToleranceMilliseconds: Int64 = 86_400_000

    /// Databases that are written to at their ends alone.
    static let appended = ["commits"]

    private let lease: EnvironmentLease
    /// Databases of other rooms in the same environment, so that they can be written in one transaction with the log. A store
    /// that was made before there were any gets them when it is next opened for writing.
    let companions: [String]
    /// The format that the store has. One of an older format is read, and never written to.
    package let storedFormat: UInt32
    /// Sequence number (8 bytes, big-endian) to commit.
    let commits: Database
    /// Block number to block of the last checkpoint.
    let checkpoints: Database
    /// Entity and position of the first event in the record, to positions.
    let timelines: Database
    /// A caller's key to the sequence number of the commit that it made.
    let actions: Database
    /// What the store says of itself.
    let records: Database
    /// Commits from elsewhere that aren't in the log, by origin, number and what they are.
    let heldAside: Database

    package var path: String { lease.path }
    /// Nothing can be written through this log, whoever else writes.
    package var isReadOnly: Bool { lease.isReadOnly }
    /// The environment, which stays open for as long as the caller has it.
    package var environment: Environment { get throws(LMDBError) { try lease.environment } }

    private init(lease: EnvironmentLease, companions: [String], format: UInt32 = format) throws(LMDBError) {
        self.lease = lease
        let environment = try lease.environment
        self.companions = companions
        storedFormat = format
        commits = try environment.database("commits")
        checkpoints = try environment.database("checkpoints")
        timelines = try environment.database("timelines")
        actions = try environment.database("actions")
        records = try environment.database("records")
        heldAside = try environment.database("held_aside")
    }

    /// Makes an empty store at `path`, in a folder that isn't there yet or is empty, whose device numbers its events as `origin`.
    ///
    /// - Parameter companions: databases of other rooms that the store has, too.
    package static func create(path: String, origin: OriginID, companions: [String] = []) throws(LogError) -> CommitLog {
        let log: CommitLog
        do throws(LogError) { log = try openEnvironment(path, companions, readOnly: false, createIfMissing: true) } catch {
            guard case .storage(let error) = error, error.code == .entryExists else { throw error }
            throw .storeExists(path: path)
        }
        // Asked before anything is written, and again once nobody else can write.
        let isThere = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            return try storage(log.holdsAnything(transaction))
        }
        guard !isThere else { throw .storeExists(path: path) }
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) {
                let isThere = try log.holdsAnything(transaction.reader)
                guard !isThere else { throw LMDBError(.failed(.entryExists), operation: "create", path: path) }
            } catch {
                throw error.code == .entryExists ? .storeExists(path: path) : .storage(error)
            }
            var format = ByteWriter()
            format.write(Self.format)
            try log.sealRecords(&transaction)
            try log.setRecord(Self.formatKey, format.bytes, &transaction)
            try log.setLocalOrigin(origin, &transaction)
        }
        try storage(log.environment.markMade())
        return log
    }

    private func holdsAnything(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> Bool {
        for name in CommitLog.databaseNames(with: companions) where try transaction.count(in: environment.database(name)) > 0 {
            return true
        }
        return false
    }

    /// Opens the store at `path`.
    ///
    /// - Parameter companions: databases of other rooms that the store has, too.
    /// - Parameter anyFormat: also one of a newer format, of which only commits can be read that still have a known form; such a log
    ///   must only ever be read.
    /// - Parameter makesDatabases: gives an older store the databases that it lacks.
    package static func open(
        path: String, companions: [String] = [], readOnly: Bool = false, anyFormat: Bool = false, makesDatabases: Bool = true
    ) throws(LogError) -> CommitLog {
        let log = try openEnvironment(path, companions, readOnly: readOnly, createIfMissing: false, makesDatabases: makesDatabases)
        let found = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) -> UInt32? in
            if let newer = try log.newerFormat(transaction) { return newer }
            guard let value = try log.record(Self.formatKey, transaction) else { return nil }
            var reader = ByteReader(value.rawSpan)
            let format = try? reader.readUInt32()
            // One that is sealed where nothing says so: what says so is lost.
            guard format == nil || reader.remaining != Seal.size else { throw log.badRecord(log.records, "read the format") }
            return format
        }
        guard let found else { throw .noStoreRecord(path: path) }
        guard (oldestFormat...Self.format).contains(found) || anyFormat else { throw .unknownFormat(path: path, found: found) }
        if !log.isReadOnly {
            try storage(log.environment.clearLeftovers())
            // One whose making ended just before that, or of which only the data file was brought here.
            try storage(log.environment.markMade())
        }
        return found == Self.format ? log : try storage(CommitLog(lease: log.lease, companions: companions, format: found))
    }

    /// Whether pages of the data file that hold the log, or what can't be made from it, are damaged, or only others; `nil` where
    /// nothing is. Plain reads alone. Complexity: O(size of the file).
    package static func pageDamage(path: String, companions: [String]) -> (error: LogError, isOfLog: Bool)? {
        do throws(StoreFileError) { try StoreCheck.checkPages(path) } catch {
            var isOfLog = true
            if case .damaged = error {
                let lasting = ["commits", "records", "held_aside"] + companions
                isOfLog = (try? StoreCheck.checkPages(of: lasting, in: path)) == nil
            }
            return (.storage(LMDBError(.unusable(error), operation: "check", path: path)), isOfLog)
        }
        return nil
    }

    private static let own = ["commits", "checkpoints", "timelines", "actions", "records"]

    /// The named databases without which no file is a store.
    package static var requiredDatabaseNames: [String] { own }

    /// The named databases of a store, those of other rooms among them.
    package static func databaseNames(with companions: [String]) -> [String] { own + companions + ["held_aside"] }

    /// The log as NDJSON, where a copy of its store has it beside itself.
    package static let ndjsonName = "events.ndjson"

    /// The names in a store's folder.
    package static let storeFolder = StoreFolder(
        guardFile: "engram.lock", mark: "engram\n", others: [ndjsonName, VerificationProgress.fileName])

    private static func openEnvironment(
        _ path: String, _ companions: [String], readOnly: Bool, createIfMissing: Bool, makesDatabases: Bool = true
    ) throws(LogError) -> CommitLog {
        var options = Environment.Options(
            folder: storeFolder, databases: databaseNames(with: companions), required: own, appended: appended, readOnly: readOnly,
            createIfMissing: createIfMissing, makesDatabases: makesDatabases)
        options.mustBeNew = createIfMissing
        return try storage(
            CommitLog(
                lease: EnvironmentLease(Environment.open(path: path, options: options), readOnly: readOnly), companions: companions))
    }

    static let formatKey: [UInt8] = Array("format".utf8)
    static let originKey: [UInt8] = Array("origin".utf8)

    /// Runs `body` on one snapshot of the store.
    ///
    /// - Parameter isNested: whether it is inside another read or write of this thread, whose end it can't wait for.
    package func read<Result>(
        isNested: Bool = false, _ body: (borrowing ReadTransaction) throws(LogError) -> Result
    ) throws(LogError) -> Result {
        let environment = try storage(lease.environment)
        do throws(TransactionError<LogError>) { return try environment.read(isNested: isNested, body) } catch { throw LogError(error) }
    }

    /// Runs `body` as the only writer: all that it writes is on the disk when this returns, or nothing.
    package func write<Result, Failure: Error>(
        _ body: (inout WriteTransaction) throws(Failure) -> Result
    ) throws(TransactionError<Failure>) -> Result {
        let environment: Environment
        do throws(LMDBError) { environment = try lease.writableEnvironment } catch { throw .storage(error) }
        return try environment.write(body)
    }

    /// The same where what can fail is the log alone.
    package func write<Result>(_ body: (inout WriteTransaction) throws(LogError) -> Result) throws(LogError) -> Result {
        let environment = try storage(lease.writableEnvironment)
        do throws(TransactionError<LogError>) { return try environment.write(body) } catch { throw LogError(error) }
    }

    /// Lets go of the store: from now on every call throws. What is under way on other threads goes on to its end; the file is closed with
    /// the last that has it.
    package func close() { lease.close() }
}

extension OriginID {
    /// Whether it is the one that earlier releases left in a store which they made from scratch away from its place, so that several
    /// devices came to write under it. Nobody writes under it any more.
    package var isPlaceholder: Bool { rawValue <= 1 }

    /// A new origin made of a random number.
    package static func new(from random: UInt64) -> OriginID { OriginID(rawValue: max(2, random)) }
}

/// Which origin this device writes as, and in which file it does.
///
/// A store that was copied by hand has another file, so that the copy goes on under an origin of its own, and two
/// devices never number different events alike.
package struct LocalOrigin: Hashable, Sendable {
    package let origin: OriginID
    /// The data file's number in its file system.
    package let inode: UInt64

    package init(origin: OriginID, inode: UInt64) {
        self.origin = origin
        self.inode = inode
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(origin.rawValue)
        writer.write(inode)
        return writer.bytes
    }

    init(decoding span: RawSpan) throws(ByteError) {
        var reader = ByteReader(span)
        origin = OriginID(rawValue: try reader.readUInt64())
        inode = try reader.readUInt64()
        try reader.finish()
    }
}

extension CommitLog {
    /// The origin under which this device writes, as the store records it; `nil` where the record isn't there.
    package func localOrigin(_ transaction: borrowing ReadTransaction) throws(LogError) -> LocalOrigin? {
        guard let value = try record(Self.originKey, transaction) else { return nil }
        return try? LocalOrigin(decoding: value.rawSpan)
    }

    /// Whether the record was made in this very file, not in one that this is a copy of.
    package func isOwn(_ origin: LocalOrigin, _ transaction: borrowing ReadTransaction) -> Bool {
        origin.inode == transaction.dataFileIdentity.inode
    }

    /// Records that this device writes as `origin` from now on.
    package func setLocalOrigin(_ origin: OriginID, _ transaction: inout WriteTransaction) throws(LogError) {
        let record = LocalOrigin(origin: origin, inode: transaction.reader.dataFileIdentity.inode)
        try setRecord(Self.originKey, record.encoded, &transaction)
    }
}
