package import EventCoding
package import LMDB

/// Why the log couldn't be read or written.
package enum LogError: Error, Hashable, Sendable {
    /// The database or the file system failed.
    case storage(LMDBError)
    /// A commit, or an event in it, doesn't have the form of one.
    case malformed(sequence: UInt64, ByteError)
    /// A commit that must be there isn't.
    case missingCommit(sequence: UInt64)
    /// The folder holds a store already, or something else.
    case storeExists(path: String)
    /// The store has another format than this program writes.
    case unknownFormat(path: String, found: UInt32)
    /// The store has lost what says which format it has and who writes here.
    case noStoreRecord(path: String)
    /// An event, or all events of an action, are larger than a commit may be.
    case tooLarge(bytes: Int, limit: Int)
    /// No logical time is left, or a wall time lies outside the years 1 to 6429.
    case timeOutOfRange(milliseconds: Int64)
    /// A zone lies more than 24 hours from UTC.
    case zoneOutOfRange(minutes: Int16)
    /// A commit from elsewhere doesn't follow on what is here: number, first event, logical time or digest.
    case doesNotFollow(origin: OriginID, commit: UInt64, why: String)
    /// Two different commits bear one identity.
    case forked(origin: OriginID, commit: UInt64)
}

extension LogError {
    init(_ error: TransactionError<LogError>) {
        switch error {
        case .storage(let error): self = .storage(error)
        case .body(let error): self = error
        }
    }
}

/// What `body` gives; an error of the database or the file system becomes one of the log.
@inline(__always)
package func storage<Result>(_ body: @autoclosure () throws(LMDBError) -> Result) throws(LogError) -> Result {
    do throws(LMDBError) { return try body() } catch { throw .storage(error) }
}

extension LogError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error): "\(error)"
        case .malformed(let sequence, let fault): "commit \(sequence), byte \(fault.offset): \(fault.kind.rawValue)"
        case .missingCommit(let sequence): "commit \(sequence) is missing"
        case .storeExists(let path): "\(path) is a store already, or holds something else"
        case .unknownFormat(let path, let found): "the store at \(path) has format \(found)"
        case .noStoreRecord(let path): "the store at \(path) has lost its format record"
        case .tooLarge(let bytes, let limit): "\(bytes) bytes in one commit, and at most \(limit) are kept"
        case .timeOutOfRange(let milliseconds): "\(milliseconds) ms from 1970 lies outside the years 1 to 6429"
        case .zoneOutOfRange(let minutes): "\(minutes) minutes east of UTC, and 24 hours are the most"
        case .doesNotFollow(let origin, let commit, let why): "commit \(commit) of origin \(origin) doesn't follow: \(why)"
        case .forked(let origin, let commit): "two different commits \(commit) of origin \(origin)"
        }
    }
}
