package import EventCoding

/// What a payload is to its schema.
package enum PayloadVerdict: Hashable, Sendable {
    /// It obeys; so many bytes at its end are texts, or were before they were erased.
    case valid(texts: Int)
    case unknown
    case invalid(ByteError)
    /// The event is about something that its type can't be about.
    case wrongSubject
}

/// What the events of a commit must be, beyond being those that were written. One rule for all who ask: verification of the own
/// log, and whoever takes commits from elsewhere.
///
/// A commit whose digest proves it may still break these: another program wrote it, a newer one, or one that lies.
struct CommitRules {
    /// Says what is wrong, of which event where it is of one.
    typealias Report = (_ kind: LogFinding.Kind, _ message: String, _ event: EventID?) -> Void

    /// How far the commit's origin goes; its events count from there on.
    private(set) var head: OriginHead
    private(set) var events = 0
    /// Events of types or versions that this program doesn't know.
    private(set) var unknownEvents = 0
    private var traits = Commit.Traits()
    private var marked = 0
    private var unmarked = 0
    /// Events whose types have no texts.
    private var plain = 0

    init(after head: OriginHead) { self.head = head }

    /// Holds the events of `commit` against the rules, and never stops at a violation.
    ///
    /// - Parameters:
    ///   - origin: whose commit it is; `nil` where that can't be read.
    ///   - verdict: what a payload is to its schema.
    ///   - visit: gets what each intact event is about, and the offset of its frame.
    ///   - report: gets each violation.
    mutating func check(
        _ commit: RawSpan, _ header: Commit.Header, origin: OriginID?, verdict: (borrowing EventHeader, RawSpan) -> PayloadVerdict,
        visit: (_ subject: UniqueID, _ offset: Int) -> Void = { _, _ in }, report: Report
    ) {
        let eventsBefore = head.events
        var isWhole = true
        var frames = Commit.frames(of: commit, header)
        do throws(ByteError) {
            while let frame = try frames.next() {
                let expected = Self.next(of: origin, after: head)
                events += 1
                if frame.isIntact {
                    check(frame, expected: expected, verdict, visit, report)
                } else {
                    isWhole = false
                    report(.checksumMismatch, "the event at byte \(frame.offset) of the commit was changed", expected)
                    head.events &+= 1
                }
            }
        } catch {
            report(
                .malformedEvent, "byte \(error.offset) of the commit: \(error.kind.rawValue); the events after it can't be read",
                Self.next(of: origin, after: head))
            // What follows is held against what the commit says of itself, so that one fault isn't reported twice.
            head.events = eventsBefore &+ UInt64(header.eventCount)
            return
        }
        if !frames.isFinished { report(.malformedCommit, "\(commit.byteCount - frames.offset) bytes are left over", nil) }
        guard isWhole else { return }
        if traits != header.traits { report(.flagsWrong, "its flags don't fit its events", nil) }
        if header.isWithdrawn, plain > 0 || !traits.hasErasableEvents {
            report(.erasureWrong, "it stands by its recorded digest alone, and isn't one of texts of which some were erased", nil)
        }
        // Earlier releases wrote whole commits without marks; erasing knows them by their schemas. Half a commit so is a lie.
        if unmarked > 0, marked > 0, !header.isWithdrawn {
            report(.erasureWrong, "\(unmarked) of its events have texts that aren't marked as such, and others have", nil)
        }
    }

    private static func next(of origin: OriginID?, after head: OriginHead) -> EventID? {
        origin.map { EventID(origin: $0, number: head.events &+ 1) }
    }

    private mutating func check(
        _ frame: Commit.Frame, expected: EventID?, _ verdict: (borrowing EventHeader, RawSpan) -> PayloadVerdict,
        _ visit: (UniqueID, Int) -> Void, _ report: Report
    ) {
        let event: Commit.Event
        do throws(ByteError) { event = try frame.event() } catch {
            report(.malformedEvent, "byte \(error.offset - frame.offset) of the event: \(error.kind.rawValue)", expected)
            head.events &+= 1
            return
        }
        let header = event.header
        if let expected, header.id.origin != expected.origin {
            report(.originMismatch, "it is of origin \(header.id.origin) in a commit of \(expected.origin)", header.id)
        } else if header.id.number != head.events &+ 1 {
            report(.numberGap, "event \(head.events &+ 1) should follow, and \(header.id.number) does", header.id)
        }
        checkTimes(header, report)
        head.events = header.id.number
        head.logicalTime = max(head.logicalTime, header.logicalTime)
        traits.apply(header.type, isErasable: frame.isErasable)
        visit(header.subject, frame.offset)
        switch verdict(header, event.payload) {
        case .valid(let texts):
            if texts == 0 { plain += 1 }
            checkMark(frame, header.id, texts: texts, report)
        case .unknown: unknownEvents += 1
        case .invalid(let fault): report(.payloadInvalid, "byte \(fault.offset) of its payload: \(fault.kind.rawValue)", header.id)
        case .wrongSubject: report(.subjectWrong, "an event of its type can't be about \(header.subject)", header.id)
        }
    }

    private func checkTimes(_ header: EventHeader, _ report: Report) {
        if header.logicalTime < head.logicalTime {
            report(.logicalTimeFalls, "its logical time is before that of the event before it", header.id)
        }
        let isAfter = header.wallMilliseconds > header.logicalTime.milliseconds
        if isAfter || !LogicalTime.wallMillisecondsRange.contains(header.wallMilliseconds) {
            report(.wallTimeOutOfRange, "its wall time is \(header.wallMilliseconds) ms from 1970", header.id)
        }
        if !EventHeader.zoneRange.contains(header.zoneMinutes) {
            report(.zoneOutOfRange, "its zone is \(header.zoneMinutes) minutes east, and 24 hours are the most", header.id)
        }
    }

    /// What a frame says of the texts that may be erased must be what the schema says of them: erasing goes by it.
    private mutating func checkMark(_ frame: Commit.Frame, _ id: EventID, texts: Int, _ report: Report) {
        switch frame.erasure {
        case .possible(let count, _)?:
            marked += 1
            if count != texts || texts == 0 {
                report(.erasureWrong, "it says that its last \(count) bytes are texts, and by its schema the last \(texts) are", id)
            }
        case .done?:
            marked += 1
            if texts == 0 { report(.erasureWrong, "it says that its texts were erased, and by its schema it has none", id) }
        case nil: if texts > 0 { unmarked += 1 }
        }
    }
}
