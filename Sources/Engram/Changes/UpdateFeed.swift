extension StudyStore {
    /// An element at once, and one whenever the store may show something new, of this process or of another: for a screen that asks again.
    /// What happens while nobody waits for the next element becomes one element.
    ///
    /// It ends when the store is closed, or the task that iterates is cancelled. See ``changes(from:)`` for the events themselves.
    public func updates() -> UpdateFeed { UpdateFeed(store: self) }
}

/// That a store may show something new; see ``StudyStore/updates()``.
public struct UpdateFeed: AsyncSequence, Sendable {
    let store: StudyStore

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator { Iterator(store) }

    /// Waits for one update after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var isFirst = true
        private var signals: AsyncStream<Void>.Iterator
        private let subscription: ChangeSignal.Subscription

        init(_ store: StudyStore) {
            let (stream, subscription) = store.signal.subscribe()
            signals = stream.makeAsyncIterator()
            self.subscription = subscription
        }

        /// Returns once there may be something new; `nil` where the task was cancelled or the store closed.
        public mutating func next() async -> Void? { await next(isolation: nil) }

        /// Returns once there may be something new; `nil` where the task was cancelled or the store closed.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
            defer { isFirst = false }
            return isFirst ? () : await signals.next(isolation: actor)
        }
    }
}
