internal import EventCoding
internal import EventLog
internal import JSONText
internal import LMDB
internal import StudyModel
internal import StudyProjections

extension StudyStore {
    /// Every event of the log, and the moments that they make, in the order of arrival: first those after `sequence`, then live.
    ///
    /// The feed doesn't end by itself; leave the loop, or cancel its task. Events of other processes come too. An app that wants to
    /// go on later where it was keeps the ``LoggedEvent/sequence`` of the last event that it has dealt with; an action's events all
    /// have the same one, and come one after the other.
    /// - Parameter sequence: where to begin: 0 for the first event, ``lastSequence()`` for what comes from now on.
    public func changes(since sequence: UInt64) -> ChangeFeed { ChangeFeed(store: self, since: sequence) }

    /// Sequence number of the newest commit; 0 in an empty store.
    public func lastSequence() throws(StoreError) -> UInt64 {
        try reading { (_, projection) throws(LogError) in projection.heads.sequence }
    }
}

/// The events of a store as they come, and the moments that they make; see ``StudyStore/changes(since:)``.
public struct ChangeFeed: AsyncSequence, Sendable {
    /// An event, or a moment.
    public typealias Element = Change
    /// The store couldn't be read.
    public typealias Failure = StoreError

    let store: StudyStore
    let since: UInt64

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator { Iterator(store, since: since) }

    /// Hands over one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: StudyStore
        private var sequence: UInt64
        private var waiting: [Change] = []
        private var streak: StreakWatch?
        private var signals: AsyncStream<Void>.Iterator
        private let subscription: ChangeSignal.Subscription

        /// So many commits are read at a time.
        private static let batch: UInt64 = 256

        init(_ store: StudyStore, since sequence: UInt64) {
            self.store = store
            self.sequence = sequence
            let (stream, subscription) = store.signal.subscribe()
            signals = stream.makeAsyncIterator()
            self.subscription = subscription
        }

        /// The next change, once there is one; `nil` where the task was cancelled.
        public mutating func next() async throws(StoreError) -> Change? {
            try await next(isolation: nil)
        }

        /// The next change, once there is one; `nil` where the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Change? {
            while true {
                if Task.isCancelled { return nil }
                if let change = waiting.popLast() { return change }
                try fill()
                if !waiting.isEmpty { continue }
                guard await signals.next(isolation: actor) != nil else { return nil }
            }
        }

        private mutating func fill() throws(StoreError) {
            let (events, last) = try store.events(after: sequence, atMost: Self.batch)
            guard last > sequence else { return }
            var watch = if let streak { streak } else { try store.streakWatch(at: sequence) }
            var changes: [Change] = []
            for (event, reviewDay) in events {
                changes.append(.event(event))
                if let moment = try store.moment(of: event) { changes.append(.moment(moment)) }
                if let reviewDay, let days = watch.take(reviewDay) { changes.append(.moment(.streakGrown(days: days, on: reviewDay))) }
            }
            streak = watch
            sequence = last
            waiting = changes.reversed()
        }
    }
}

extension StudyStore {
    /// The events of the next commits after `sequence`, each scheduled review that counts with its study day, and the sequence
    /// number that they reach to.
    fileprivate func events(
        after sequence: UInt64, atMost limit: UInt64
    ) throws(StoreError) -> (events: [(event: LoggedEvent, reviewDay: StudyDay?)], last: UInt64) {
        try reading { (transaction, projection) throws(LogError) in
            let last = min(sequence.addingReportingOverflow(limit).partialValue, projection.heads.sequence)
            guard last > sequence else { return ([], sequence) }
            let state = projection.state
            var days: [EventID: StudyDay] = [:]
            try log.forEachEvent(inCommits: sequence + 1...last, transaction) { header, _, _ in
                days[header.id] = Self.reviewDay(of: header, state)
            }
            var found: [(LoggedEvent, StudyDay?)] = []
            try log.forEveryCommit(from: sequence + 1, transaction) { (number, commit) throws(LogError) in
                guard number <= last else { return false }
                return try Self.open(commit, sequence: number) { event in
                    found.append((event, days[event.event]))
                    return true
                }
            }
            return (found, last)
        }
    }

    /// The study day of a scheduled review that counts.
    private static func reviewDay(of header: EventHeader, _ state: StudyState) -> StudyDay? {
        guard header.type == CardReviewed.type else { return nil }
        let verdict = state.controls.verdict(on: header)
        guard verdict != .voided, verdict != .held else { return nil }
        return StudyDay.of(
            wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes,
            rolloverHour: state.rules.rules(at: header.foldOrder).rolloverHour)
    }

    /// The days with reviews up to a commit. Complexity: O(days) at the head of the log, else O(events) up to there.
    fileprivate func streakWatch(at sequence: UInt64) throws(StoreError) -> StreakWatch {
        try reading { (transaction, projection) throws(LogError) in
            let state = projection.state
            if sequence == projection.heads.sequence { return StreakWatch(days: state.tallies.reviewedDays.map(\.day)) }
            var days: Set<StudyDay> = []
            if sequence > 0 {
                try log.forEachEvent(inCommits: 1...sequence, transaction) { header, _, _ in
                    if let day = Self.reviewDay(of: header, state) { days.insert(day) }
                }
            }
            return StreakWatch(days: days)
        }
    }

    /// The moment that an event is by itself.
    fileprivate func moment(of event: LoggedEvent) throws(StoreError) -> Milestone? {
        switch event.type {
        case "session_ended":
            do throws(StoreError) { return .sessionEnded(try summary(ofSession: event.subject)) } catch {
                // Its start isn't here yet, or was taken back.
                guard case .notFound = error else { throw error }
                return nil
            }
        case "quiz_finished":
            return .quizFinished(
                quiz: event.subject, right: event.payload.count("right"), total: event.payload.count("total"),
                isAbandoned: event.payload["abandoned"]?.boolValue ?? false)
        default: return nil
        }
    }
}

extension JSONValue {
    fileprivate func count(_ key: String) -> Int { Int(clamping: self[key]?.integerValue ?? 0) }
}
