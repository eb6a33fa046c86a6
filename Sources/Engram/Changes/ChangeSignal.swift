internal import EventLog
internal import Synchronization

/// Wakes the subscribers of a store's changes; while there are any, those of other processes are watched for.
final class ChangeSignal: Sendable {
    private struct Listeners {
        var next = 0
        var all: [Int: AsyncStream<Void>.Continuation] = [:]
        var watcher: ChangeWatcher?
        var isClosed = false
    }

    private let log: CommitLog
    private let listeners = Mutex(Listeners())

    init(_ log: CommitLog) { self.log = log }

    /// Watches for other processes while somebody listens; `nil` while nobody does.
    var watcher: ChangeWatcher? { listeners.withLock { $0.watcher } }

    /// Tells everybody who listens that there may be something new.
    func raise() {
        let all = listeners.withLock { Array($0.all.values) }
        for continuation in all { continuation.yield() }
    }

    /// Ends what everybody listens to, for good.
    func close() {
        let (all, watcher) = listeners.withLock { listeners in
            defer { listeners = Listeners(next: listeners.next, isClosed: true) }
            return (Array(listeners.all.values), listeners.watcher)
        }
        watcher?.end()
        for continuation in all { continuation.finish() }
    }

    /// A stream with an element whenever there may be something new; several at once become one.
    func subscribe() -> (stream: AsyncStream<Void>, subscription: Subscription) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            if listeners.isClosed {
                continuation.finish()
            } else {
                listeners.all[listeners.next] = continuation
                // What is written from here on is heard of, and whoever subscribes reads after that.
                if listeners.watcher == nil { listeners.watcher = ChangeWatcher(log) { [self] in raise() } }
            }
            return listeners.next
        }
        return (stream, Subscription(signal: self, number: number))
    }

    private func unsubscribe(_ number: Int) {
        let (continuation, unused) = listeners.withLock { listeners in
            let continuation = listeners.all.removeValue(forKey: number)
            guard listeners.all.isEmpty else { return (continuation, nil as ChangeWatcher?) }
            defer { listeners.watcher = nil }
            return (continuation, listeners.watcher)
        }
        unused?.end()
        continuation?.finish()
    }

    /// Ends with the value that holds it.
    final class Subscription: Sendable {
        private let signal: ChangeSignal
        private let number: Int

        init(signal: ChangeSignal, number: Int) {
            self.signal = signal
            self.number = number
        }

        deinit { signal.unsubscribe(number) }
    }
}
