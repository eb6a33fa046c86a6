internal import Synchronization

/// The environments that are open in this process, by the identity of their data files and not by the spelling of a path:
/// opening a store twice in a process would make LMDB lose its locks.
enum EnvironmentRegistry {
    private struct Entry {
        weak var environment: Environment?
    }

    private static let entries = Mutex<[FileIdentity: Entry]>([:])

    private enum Outcome: Sendable {
        case environment(Environment)
        /// The last reference is gone, the close isn't done.
        case closing
    }

    /// The open environment of the file that `identity` finds, or the one that `open` makes. Runs one at a time.
    static func environment(
        identifiedBy identity: () throws(LMDBError) -> FileIdentity?, open: () throws(LMDBError) -> Environment
    ) throws(LMDBError) -> Environment {
        while true {
            // A reference must not be dropped inside the lock: deinit takes it too.
            let outcome = try entries.withLock { entries throws(LMDBError) -> Outcome in
                if let identity = try identity(), let entry = entries[identity] {
                    return entry.environment.map(Outcome.environment) ?? .closing
                }
                let environment = try open()
                entries[environment.dataFileIdentity] = Entry(environment: environment)
                return .environment(environment)
            }
            if case .environment(let environment) = outcome { return environment }
            System.sleep(milliseconds: 1)
        }
    }

    /// Closes an environment whose last reference is gone; only then may its file be opened again.
    static func remove(_ identity: FileIdentity, close: () -> Void) {
        entries.withLock { entries in
            close()
            entries[identity] = nil
        }
    }
}
