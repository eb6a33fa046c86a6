internal import Synchronization

/// Wakes the subscribers of a store's changes.
final class ChangeSignal: Sendable {
    private struct Listeners {
        var next = 0
        var all: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    /// How often a subscriber looks for what other processes wrote, which wakes nobody here.
    private static let pause = Duration.milliseconds(250)

    /// Tells everybody who listens that there may be something new.
    func raise() {
        let all = listeners.withLock { Array($0.all.values) }
        for continuation in all { continuation.yield() }
    }

    /// A stream with an element whenever there may be something new; several at once become one.
    func subscribe() -> (stream: AsyncStream<Void>, subscription: Subscription) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = continuation
            return listeners.next
        }
        let poller = Task.detached {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                continuation.yield()
            }
        }
        return (stream, Subscription(signal: self, number: number, poller: poller))
    }

    /// Ends with the value that holds it.
    final class Subscription: Sendable {
        private let signal: ChangeSignal
        private let number: Int
        private let poller: Task<Void, Never>

        init(signal: ChangeSignal, number: Int, poller: Task<Void, Never>) {
            self.signal = signal
            self.number = number
            self.poller = poller
        }

        deinit {
            poller.cancel()
            let continuation = signal.listeners.withLock { $0.all.removeValue(forKey: number) }
            continuation?.finish()
        }
    }
}
