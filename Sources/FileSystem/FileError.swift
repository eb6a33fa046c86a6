/// What the system refused: why, in which operation, and about which file.
package struct FileError: Error, Hashable, Sendable {
    package let code: SystemCode
    /// The operation, by the name of the call that failed (`open`, `renameat`, …).
    package let operation: String
    /// The file or folder, as it was given.
    package let path: String

    package init(_ code: SystemCode, operation: String, path: String) {
        self.code = code
        self.operation = operation
        self.path = path
    }
}

extension FileError: CustomStringConvertible {
    package var description: String { "\(path): \(operation): \(code)" }
}

/// Runs a system call and says of its failure which it was, and where.
package func naming<Result: ~Copyable>(
    _ operation: String, _ path: String, _ body: () throws(SystemCode) -> Result
) throws(FileError) -> Result {
    do throws(SystemCode) { return try body() } catch { throw FileError(error, operation: operation, path: path) }
}
