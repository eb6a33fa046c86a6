/// What the histories are like that a ``HistoryGenerator`` makes.
public struct HistoryShape: Hashable, Sendable {
    /// How many events a history has.
    public var events: ClosedRange<Int> = 1...24
    /// Devices that act, 1 or more.
    public var devices = 3
    /// Imports of the same file, whole or in part. Each is an origin of its own.
    public var imports = 2
    /// Decks that events are about.
    public var decks = 2
    /// Cards that events are about.
    public var cards = 3
    /// Words that can be favourites or mistakes; cards can too.
    public var words = 2
    /// Tests that are begun, answered and ended.
    public var quizzes = 2
    /// Packs that are installed and removed, and whose test types are selected.
    public var packs = 2
    /// Rows of the file that is imported.
    public var rows = 6
    /// Whether there are events that only a broken or hostile program would write: payloads that don't obey their schema,
    /// holds and voids under another subject than their target's, subjects that are several kinds of thing at once.
    public var isHostile = true
    /// Whether the events arrive in any order, those of one origin too. A log takes each origin's in order.
    public var isShuffled = true

    /// The shape that the laws are tried on.
    public init() {}
}
