public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections

extension StudyStore {
    /// A seed of a session is a whole number that every JSON reader can hold.
    public static let largestSessionSeed: UInt64 = (1 << 53) - 1

    /// Begins a study session.
    ///
    /// One that this device had begun and not ended is ended as left, in the same action.
    /// - Parameters:
    ///   - mode: spaced repetition of what is due, or free learn of everything.
    ///   - decks: the decks that were picked; none stands for all.
    ///   - seed: what the order of cards is drawn from; a new one where none is given.
    ///   - moment: when it begins.
    /// - Throws: ``StoreError/notFound(_:name:)`` or ``StoreError/deleted(_:id:)`` where a deck isn't there.
    public func startSession(
        _ mode: SessionMode = .spaced, decks: [UniqueID] = [], seed: UInt64? = nil, at moment: ZonedTime
    ) throws(StoreError) -> StudySession {
        let id = newID()
        let seed = seed ?? configuration.randomness() >> 11
        guard seed <= Self.largestSessionSeed else {
            throw .badValue(field: "the seed", value: "\(seed)", allowed: "from 0 to \(Self.largestSessionSeed)")
        }
        try perform(at: moment, key: nil) { (projection, transaction) throws(StoreError) in
            for deck in decks {
                guard let known = projection.state.deck(deck) else { throw .notFound(.deck, name: deck.description) }
                guard known.isLive else { throw .deleted(.deck, id: deck) }
            }
            var planned: [PlannedEvent] = []
            if let open = try inLog(self.openSession(projection, transaction.reader)) {
                planned.append(PlannedEvent(event: .sessionEnded(SessionEnded(reason: .left)), subject: open.id))
            }
            planned.append(
                PlannedEvent(event: .sessionStarted(SessionStarted(mode: mode, decks: decks, seed: seed)), subject: id))
            return planned
        }
        return try session(id)
    }

    /// The session that this device began last and hasn't ended, to go on with it; `nil` where there is none.
    ///
    /// - Complexity: O(sessions, and events since it began).
    public func openSession() throws(StoreError) -> StudySession? {
        let id = try reading { (transaction, projection) throws(LogError) in try openSession(projection, transaction)?.id }
        guard let id else { return nil }
        return try session(id)
    }

    private func openSession(
        _ projection: LiveProjection, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> SessionState? {
        guard let local = try log.localOrigin(transaction) else { return nil }
        return projection.state.openSession(of: local.origin)
    }

    private func session(_ id: UniqueID) throws(StoreError) -> StudySession {
        let found = try reading { (transaction, projection) throws(LogError) -> (SessionState, [GivenAnswer])? in
            guard let session = projection.state.session(id) else { return nil }
            return (session, try answers(of: session, projection, transaction))
        }
        guard let (session, answers) = found else { throw .notFound(.session, name: id.description) }
        return StudySession(self, session, given: answers.map { ($0.event, $0.card) })
    }

    /// What was done in a session: its answers are those that its device gave between its start and its end.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where there is no such session.
    /// - Complexity: O(events since it began).
    public func summary(ofSession id: UniqueID) throws(StoreError) -> SessionSummary {
        let summary = try reading { (transaction, projection) throws(LogError) -> SessionSummary? in
            guard let session = projection.state.session(id), let mode = session.mode else { return nil }
            let answers = try answers(of: session, projection, transaction)
            var grades = [0, 0, 0, 0]
            for answer in answers { grades[Int(answer.grade.rawValue) - 1] += 1 }
            return SessionSummary(
                id: id, mode: mode, startedAt: session.startedAt, endedAt: session.endedAt, endReason: session.endReason, grades: grades,
                cards: Set(answers.map(\.card)).count, milliseconds: answers.reduce(0) { $0 &+ $1.milliseconds })
        }
        guard let summary else { throw .notFound(.session, name: id.description) }
        return summary
    }

    private struct GivenAnswer: Sendable {
        let event: EventID
        let card: UniqueID
        let grade: Grade
        let milliseconds: Int64
    }

    /// The answers of the session's kind that its device gave since its start and up to its end, and that count.
    private func answers(
        of session: SessionState, _ projection: LiveProjection, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [GivenAnswer] {
        let wanted = session.mode == .free ? CardPractised.type : CardReviewed.type
        let controls = projection.state.controls
        var found: [GivenAnswer] = []
        var hasEnded = false
        let last = max(projection.heads.sequence, session.startPosition.sequence)
        try log.forEachEvent(inCommits: session.startPosition.sequence...last, transaction) { header, payload, _ in
            guard !hasEnded, header.id.origin == session.startEvent.origin, header.id.number > session.startEvent.number else { return }
            if header.type == SessionEnded.type, header.subject == session.id {
                hasEnded = controls.verdict(on: header) != .voided
            }
            guard header.type == wanted else { return }
            let verdict = controls.verdict(on: header)
            guard verdict != .voided, verdict != .held,
                let event = try? StudyEvent.decode(header, payload: payload)
            else { return }
            let (given, took): (Grade, UInt64?)
            switch event {
            case .cardReviewed(let review): (given, took) = (review.grade, review.tookMilliseconds)
            case .cardPractised(let practice): (given, took) = (practice.grade, practice.tookMilliseconds)
            default: return
            }
            var grade = given
            if case .corrected(let other) = verdict { grade = other }
            found.append(
                GivenAnswer(event: header.id, card: header.subject, grade: grade, milliseconds: Int64(clamping: took ?? 0)))
        }
        return found
    }
}
