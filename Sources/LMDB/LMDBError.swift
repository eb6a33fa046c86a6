package import FileSystem

/// What went wrong in the store's storage: the fault, the operation in which it came up, and the store.
@usableFromInline
package struct LMDBError: Error, Hashable, Sendable {
    /// The ways in which storage fails.
    package enum Reason: Hashable, Sendable {
        /// LMDB or the system refused the operation with this code. Nothing was written.
        case failed(LMDBCode)
        /// A commit failed in such a way that it may or may not be on the disk.
        case commitOutcomeUnknown(LMDBCode)
        /// The map of this many bytes has no room for the transaction. Nothing of it was written, nothing else was lost.
        case mapFull(mapSize: Int)
        /// Another process let the data outgrow this map, and transactions of this process stayed open for too long to follow.
        case mapResized
        /// An earlier failure left the environment unusable. It must be let go and opened again.
        case panicked
        /// A write inside a write on the same thread, which would wait for itself for ever.
        case nestedWrite
        /// A write to an environment that is open for reading only.
        case readOnly
        /// The environment belongs to the process that this one was forked from.
        case forked
        /// The LMDB that was found at run time isn't of the 0.9 line.
        case unsupportedLibrary(version: String)
        /// The environment is open in this process for reading only, and can't be opened a second time.
        case alreadyOpenReadOnly
        /// Another data file took this one's place while it was open. The store must be let go and opened again.
        case replaced
        /// Whoever opened the store has closed it.
        case closed
        /// Whoever began the operation ended it, before anything was written.
        case interrupted
        /// Somebody else, of this process or another, has the store open, and this needs it to be alone.
        case inUse
        /// A database that wasn't named when the environment was opened.
        case unknownDatabase(String)
        /// The number of bytes that was announced for a value isn't the number that was written.
        case valueNotFilled(expected: Int, written: Int)
        /// A record of this database isn't what was written, or one that must be there isn't.
        case badRecord(database: String)
        /// The system gave no thread for an operation that needs one.
        case noThread
        /// The files are not those of a store, or not of a sound one. Nothing was mapped.
        case unusable(StoreFileError)
    }

    package let fault: Reason
    /// The operation, by the name of the call that failed (`mdb_put`, `flock`, `open`, …).
    package let operation: String
    /// The store's folder, as it was given.
    package let path: String

    package init(_ fault: Reason, operation: String, path: String) {
        self.fault = fault
        self.operation = operation
        self.path = path
    }

    /// What the system refused about a file.
    package init(_ error: FileError) {
        self.init(.failed(LMDBCode(error.code)), operation: error.operation, path: error.path)
    }

    /// The code of LMDB or of the system, where there is one.
    package var code: LMDBCode? {
        switch fault {
        case .failed(let code), .commitOutcomeUnknown(let code): code
        case .mapFull: .mapFull
        case .mapResized: .mapResized
        case .panicked: .panic
        default: nil
        }
    }
}

extension LMDBError: CustomStringConvertible {
    @usableFromInline package var description: String { "\(path): \(operation): \(fault)" }
}

extension LMDBError.Reason {
    /// LMDB calls a write that was only half done a failure of the device. Mostly the disk is full.
    func explained(byFileAt path: String) -> Self {
        let failure = LMDBCode(.inputOutput)
        switch self {
        case .failed(failure): return Shortage.reasonOfShortWrite(to: path).map { .failed(LMDBCode($0)) } ?? self
        case .commitOutcomeUnknown(failure):
            return Shortage.reasonOfShortWrite(to: path).map { .commitOutcomeUnknown(LMDBCode($0)) } ?? self
        default: return self
        }
    }
}

extension LMDBError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let code): "\(code)"
        case .commitOutcomeUnknown(let code):
            "the commit failed with \(code) and may or may not be on the disk: open the store again and look"
        case .mapFull(let size):
            "the store's map of \(size) bytes is full; nothing was lost: open it with a larger map, or end long reads"
        case .mapResized: "another process enlarged the store while reads were open here: end them and try again"
        case .panicked: "an earlier write failed half-way: close the store, open it again and check what was written last"
        case .nestedWrite: "a write inside a write on the same thread would wait for itself: do it in the outer one"
        case .readOnly: "the store is open for reading only"
        case .forked: "the store was opened before fork(): open it anew after exec()"
        case .unsupportedLibrary(let version): "liblmdb \(version) was found, but 0.9 is needed"
        case .alreadyOpenReadOnly: "the store is open for reading only in this process: close it first"
        case .replaced: "the store's data file was replaced by another: close the store and open it again"
        case .closed: "the store was closed: open it again"
        case .interrupted: "the operation was ended before it was done; nothing was changed"
        case .inUse: "somebody else has the store open: end what uses it and try again"
        case .unknownDatabase(let name): "no database “\(name)” was named when the store was opened"
        case .valueNotFilled(let expected, let written): "a value of \(expected) bytes was announced and \(written) were written"
        case .badRecord(let database): "a record of \(database) isn't what was written, or is missing"
        case .noThread:
            "no thread can be made for it; end other programs, or raise the limits of processes and memory (ulimit -u, -v), then try again"
        case .unusable(let fault): "\(fault)"
        }
    }
}

/// A transaction fails in its storage, or in what the caller did inside it.
package enum TransactionError<Body: Error>: Error {
    /// LMDB or the system failed.
    case storage(LMDBError)
    /// The closure threw; the transaction was aborted.
    case body(Body)
}

extension TransactionError: Equatable where Body: Equatable {}
extension TransactionError: Hashable where Body: Hashable {}

extension TransactionError where Body == LMDBError {
    /// The error, wherever it came from.
    package var error: LMDBError {
        switch self {
        case .storage(let error), .body(let error): error
        }
    }
}

extension TransactionError where Body == Never {
    /// The error of the storage; the closure can't throw.
    package var error: LMDBError {
        switch self {
        case .storage(let error): error
        }
    }
}

extension TransactionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .storage(let error): "\(error)"
        case .body(let error): "\(error)"
        }
    }
}
