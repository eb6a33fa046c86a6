/// How a command ended.
package enum ExitCode: Int32, Sendable, CaseIterable {
    /// It did what it should, and the answer is right.
    case success = 0
    /// The answer is no: findings, differences, or nothing found of what was named.
    case failure = 1
    /// Wrong usage or wrong input; nothing was changed.
    case usage = 2
    /// The store, or the output, can't be opened, read or written.
    case store = 3
}

/// The end of a command that couldn't do its work: what is wrong, and what to do next.
package struct CommandFailure: Error, Hashable, Sendable {
    package let code: ExitCode
    package let what: String
    package let next: String?

    package init(_ code: ExitCode, _ what: String, next: String? = nil) {
        self.code = code
        self.what = what
        self.next = next
    }
}
