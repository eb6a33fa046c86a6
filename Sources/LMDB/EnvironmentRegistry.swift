internal import FileSystem
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

    /// Whether this process has the environment of that file open.
    static func isOpen(_ identity: FileIdentity) -> Bool {
        entries.withLock { $0[identity] != nil }
    }

    /// Lets a second file stand for an environment, whose data file it is about to become: until that environment is closed,
    /// nobody in this process opens the new one, as both would share one lock file.
    static func add(_ identity: FileIdentity, for environment: Environment) {
        entries.withLock { $0[identity] = Entry(environment: environment) }
    }

    /// Takes back what ``add(_:for:)`` did.
    static func forget(_ identity: FileIdentity) {
        entries.withLock { $0[identity] = nil }
    }

    /// Closes an environment whose last reference is gone; only then may its file be opened again.
    static func remove(_ identities: [FileIdentity], close: () -> Void) {
        entries.withLock { entries in
            close()
            for identity in identities { entries[identity] = nil }
        }
    }
}
