internal import Synchronization

/// Lets whoever began a long operation end it before it is done.
///
/// The operation runs under it on its thread, and asks now and then, where it can still leave everything as it was. From the moment on at
/// which it says that it is final, nothing ends it any more: either nothing of it is there, or all of it.
@usableFromInline
package final class Interruption: Sendable {
    /// The one under which this thread runs; none where nobody can end what it does.
    @TaskLocal private static var current: Interruption?

    private enum State {
        static let running: UInt8 = 0
        static let requested: UInt8 = 1
        static let final: UInt8 = 2
    }

    private let state = Atomic(State.running)

    package init() {}

    /// Asks the operation to end, unless it is final already.
    package func request() { change(to: State.requested) }

    private func change(to next: UInt8) {
        _ = state.compareExchange(expected: State.running, desired: next, ordering: .acquiringAndReleasing)
    }

    /// Runs `body` so that it can be ended by this.
    package func run<Result>(_ body: () -> Result) -> Result { Self.$current.withValue(self, operation: body) }

    /// Runs `body`, of which others would have to bear the consequences, so that nothing ends it.
    package static func shield<Result>(_ body: () -> Result) -> Result {
        current == nil ? body() : $current.withValue(nil, operation: body)
    }

    /// `body` with what this thread runs under, for another thread that does a part of it.
    static func carried(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let current else { return body }
        return { current.run(body) }
    }

    /// Whether what this thread does is to end.
    package static var isRequested: Bool { current?.state.load(ordering: .acquiring) == State.requested }

    /// Throws where what this thread does is to end.
    @usableFromInline
    package static func check() throws(LMDBError) {
        if isRequested { throw LMDBError(.interrupted, operation: "check", path: "") }
    }

    /// The same for the `number`-th step of a loop whose steps are so short that few of them ask.
    @inlinable
    package static func check(at number: UInt64) throws(LMDBError) {
        if number & 0xFF == 0 { try check() }
    }

    /// Throws where it is to end; from now on it can't be ended.
    package static func becomeFinal() throws(LMDBError) {
        current?.change(to: State.final)
        try check()
    }
}
