internal import EventCoding
internal import EventLog
internal import JSONText
internal import LMDB
internal import StudyModel
internal import StudyProjections

/// Reads the log for a feed, piece by piece, and remembers where it is.
struct FeedReader: Sendable {
    /// Everything up to this commit was delivered, and so many events of the next.
    private var sequence: UInt64
    private var delivered = 0
    private var streak: StreakWatch?

    /// Bytes of events that are read at a time: a commit may hold many times as much, and is gone on with.
    private static let pieceBytes = 64 << 10

    init(after sequence: UInt64) { self.sequence = sequence }

    /// The next changes, none where nothing has come.
    ///
    /// Complexity: O(piece); for the first one, see ``StudyStore/streakWatch(at:)``.
    mutating func next(of store: StudyStore) throws(StoreError) -> [Change] {
        let piece = try store.events(after: sequence, delivered, atMost: Self.pieceBytes)
        guard !piece.events.isEmpty else { return [] }
        var watch = if let streak { streak } else { try store.streakWatch(at: sequence) }
        var changes: [Change] = []
        for (event, reviewDay) in piece.events {
            changes.append(.event(event))
            if let moment = try store.moment(of: event) { changes.append(.moment(moment)) }
            if let reviewDay, let days = watch.take(reviewDay) { changes.append(.moment(.streakGrown(days: days, on: reviewDay))) }
        }
        streak = watch
        (sequence, delivered) = (piece.sequence, piece.delivered)
        return changes
    }
}

/// Some events of the log, each scheduled review that counts with its study day.
private struct FeedPiece: Sendable {
    var events: [(event: LoggedEvent, reviewDay: StudyDay?)] = []
    /// Where they end: all of this commit is read, and so many events of the next.
    var sequence: UInt64
    var delivered: Int
    var bytes = 0
}

extension StudyStore {
    /// The next events after the first `delivered` ones of the commit that follows on `sequence`, until they have so many bytes.
    fileprivate func events(after sequence: UInt64, _ delivered: Int, atMost limit: Int) throws(StoreError) -> FeedPiece {
        try reading { (transaction, projection) throws(LogError) in
            var piece = FeedPiece(sequence: sequence, delivered: delivered)
            guard sequence < projection.heads.sequence else { return piece }
            try log.forEveryCommit(from: sequence + 1, transaction) { (number, commit) throws(LogError) in
                do throws(ByteError) { return try Self.read(commit, number, projection.state, &piece, atMost: limit) } catch {
                    throw .malformed(sequence: number, error)
                }
            }
            return piece
        }
    }

    /// Adds the events of a commit that weren't delivered; false once the piece is full.
    private static func read(
        _ commit: RawSpan, _ sequence: UInt64, _ state: StudyState, _ piece: inout FeedPiece, atMost limit: Int
    ) throws(ByteError) -> Bool {
        let header = try Commit.header(of: commit)
        var frames = Commit.frames(of: commit, header)
        var number = 0
        while let frame = try frames.next() {
            number += 1
            guard number > piece.delivered else { continue }
            let event = try frame.intactEvent()
            let note = number == 1 ? LoggedEvent.CommitNote(header) : nil
            let opened = LoggedEvent(event.header, payload: event.payload, erasure: frame.erasure, sequence: sequence, commit: note)
            piece.events.append((opened, reviewDay(of: event.header, state)))
            piece.delivered = number
            piece.bytes += frame.bytes.byteCount
            if piece.bytes >= limit, number < header.eventCount { return false }
        }
        try frames.finish()
        (piece.sequence, piece.delivered) = (sequence, 0)
        return piece.bytes < limit
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
