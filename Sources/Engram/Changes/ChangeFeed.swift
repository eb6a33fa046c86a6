internal import EventLog

extension StudyStore {
    /// Every event of the log from `start` on, and the moments that they make, in the order of arrival: first what is there, then live.
    ///
    /// The feed doesn't end by itself; leave the loop, cancel its task, or close the store. Events of other processes come too, a few
    /// milliseconds after their commit. An app that wants to go on later where it was keeps the ``LoggedEvent/sequence`` of the last event
    /// that it has dealt with; an action's events all have the same one, and come one after the other.
    ///
    /// What the feed reads it reads on a thread of its own, a little at a time however long the log is, and never on the caller's actor.
    /// - Parameter start: where to begin; from now on, if nothing is said.
    public func changes(from start: ChangeFeed.Start = .now) -> ChangeFeed {
        switch start {
        case .beginning: ChangeFeed(store: self, since: .success(0))
        case .after(let sequence): ChangeFeed(store: self, since: .success(sequence))
        case .now:
            ChangeFeed(store: self, since: Result { () throws(StoreError) in try inLog(log.read(log.lastSequence)) })
        }
    }

    /// Sequence number of the newest commit; 0 in an empty store.
    public func lastSequence() throws(StoreError) -> UInt64 {
        try reading { (_, projection) throws(LogError) in projection.heads.sequence }
    }
}

/// The events of a store as they come, and the moments that they make; see ``StudyStore/changes(from:)``.
public struct ChangeFeed: AsyncSequence, Sendable {
    /// An event, or a moment.
    public typealias Element = Change
    /// The store couldn't be read.
    public typealias Failure = StoreError

    /// Where a feed begins.
    public enum Start: Hashable, Sendable {
        /// With what comes after the call that makes the feed, however late somebody begins to listen.
        case now
        /// With the first event of the log.
        case beginning
        /// With the first event after the commit of that number.
        case after(UInt64)
    }

    let store: StudyStore
    let since: Result<UInt64, StoreError>

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator { Iterator(store, since: since) }

    /// Hands over one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: StudyStore
        private var reader: Result<FeedReader, StoreError>
        private var waiting: [Change] = []
        private var signals: AsyncStream<Void>.Iterator
        private let subscription: ChangeSignal.Subscription

        init(_ store: StudyStore, since: Result<UInt64, StoreError>) {
            self.store = store
            reader = since.map(FeedReader.init)
            // Before the first read, so that nothing comes in between unheard.
            let (stream, subscription) = store.signal.subscribe()
            signals = stream.makeAsyncIterator()
            self.subscription = subscription
        }

        /// The next change, once there is one; `nil` where the task was cancelled or the store closed.
        public mutating func next() async throws(StoreError) -> Change? {
            try await next(isolation: nil)
        }

        /// The next change, once there is one; `nil` where the task was cancelled or the store closed.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Change? {
            while true {
                if Task.isCancelled { return nil }
                if let change = waiting.popLast() { return change }
                do throws(StoreError) {
                    let (changes, next) = try await Self.read(store, try reader.get())
                    reader = .success(next)
                    waiting = changes.reversed()
                } catch {
                    guard error.code == .closed || error.code == .cancelled else { throw error }
                    return nil
                }
                if !waiting.isEmpty { continue }
                guard await signals.next(isolation: actor) != nil else { return nil }
            }
        }

        /// What `reader` comes to next, and the reader behind that.
        private static func read(_ store: StudyStore, _ reader: FeedReader) async throws(StoreError) -> ([Change], FeedReader) {
            try await Background.run { () throws(StoreError) in
                var reader = reader
                return (try reader.next(of: store), reader)
            }
        }
    }
}
