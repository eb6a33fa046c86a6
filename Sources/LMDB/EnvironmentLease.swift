internal import Synchronization

/// What one opener has of an environment, which others of this process may have too: whether it may write is its own, and it can let go
/// while others go on.
package final class EnvironmentLease: Sendable {
    /// Nothing is written through it, even where the environment could.
    package let isReadOnly: Bool
    /// The folder, as it was spelt when the store was first opened.
    package let path: String
    private let held: Mutex<Environment?>

    package init(_ environment: Environment, readOnly: Bool) {
        isReadOnly = readOnly || environment.isReadOnly
        path = environment.path
        held = Mutex(environment)
    }

    /// The environment, which stays open for as long as the caller has it.
    ///
    /// - Throws: `.closed` after ``close()``.
    package var environment: Environment {
        get throws(LMDBError) {
            guard let environment = held.withLock({ $0 }) else { throw LMDBError(.closed, operation: "mdb_txn_begin", path: path) }
            return environment
        }
    }

    /// The same, to write with.
    ///
    /// - Throws: `.readOnly` where it isn't for that.
    package var writableEnvironment: Environment {
        get throws(LMDBError) {
            let environment = try environment
            guard !isReadOnly else { throw LMDBError(.readOnly, operation: "mdb_txn_begin", path: path) }
            return environment
        }
    }

    /// Lets go. What is under way on other threads goes on to its end, and the environment is closed with the last that has it.
    package func close() {
        // Dropped outside of the lock: closing an environment waits for others.
        let last = held.withLock { held in
            defer { held = nil }
            return held
        }
        withExtendedLifetime(last) {}
    }
}
