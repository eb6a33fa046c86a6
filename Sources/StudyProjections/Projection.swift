public import EventCoding
public import StudyModel

/// An event as an app's projection sees it: one that counts, as it counts.
public struct ProjectedEvent: Equatable, Sendable {
    /// Its identity.
    public let id: EventID
    /// What it is about.
    public let subject: UniqueID
    /// When it happened.
    public let at: ZonedTime
    /// What it states; an answer that was corrected has the grade of its correction.
    public let content: StudyEvent
    let order: FoldOrder
}

/// An app's own view of the log: folded from the same events by the same driver as the study state, live and in a replay, stored in
/// checkpoints under its name, and proved by a deep verification.
///
/// Register its type on opening (``StudyStore/Configuration``), and ask for its newest value (``StudyStore/projection(_:)``).
/// It sees the events that count (app events among them), never one that was voided, held back, or a copy of an imported row; settings and
/// what voids, corrects or holds others aren't shown to it, but done to what it is shown.
///
/// A projection must be a pure function of those events: no clock, no random source, nothing from outside. One that is no
/// ``SubjectProjection`` sees all of them in one order, that of time, and is folded again from the first whenever something comes
/// that isn't the newest.
public protocol Projection: Sendable {
    /// Names it among all projections of all apps, as `org.example.words` does.
    static var name: String { get }
    /// Raise it whenever the same events would fold to another value, or ``encoded()`` changes: what was stored is then folded again.
    static var version: Int { get }

    /// The value before any event.
    init()

    /// Applies the next event.
    mutating func apply(_ event: ProjectedEvent)

    /// Its value in one encoding: the same bytes for the same value, whatever the order in which subjects came.
    func encoded() -> [UInt8]

    /// The value that ``encoded()`` wrote.
    ///
    /// - Throws: whatever says that the bytes are none; the projection is folded again then.
    init(decoding bytes: [UInt8]) throws
}

/// A projection in which each subject (a card, a deck, a word, whatever an app records something about) is folded by itself, so that
/// what comes late or is voided costs the events of one subject, and a long log is folded on several cores.
///
/// The events of one subject come in the order of time. Those of different subjects come in any order, and must add to the value
/// without a look at each other.
public protocol SubjectProjection: Projection {
    /// Takes back all that the events of one subject came to: every one that was applied, in the order of time. They are applied again
    /// afterwards, with what has changed about them.
    mutating func retract(_ events: [ProjectedEvent])

    /// Adds the value of other subjects than those here.
    mutating func join(_ other: Self)
}
