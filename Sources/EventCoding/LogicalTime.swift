/// A point of a hybrid logical clock: milliseconds since 1970 UTC in the upper 48 bits, a counter in the lower 16.
///
/// An event's logical time is at least its wall time, and greater than everything that its origin had written or
/// seen, so a cause is always before its effect, whatever the clocks of the devices say.
/// Source of the idea: Kulkarni et al., "Logical Physical Clocks", 2014.
public struct LogicalTime: RawRepresentable, Hashable, Comparable, Sendable {
    /// Milliseconds times 65,536, plus the counter.
    public let rawValue: Int64

    /// The point with that raw value.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Earlier before later.
    @inlinable public static func < (left: LogicalTime, right: LogicalTime) -> Bool { left.rawValue < right.rawValue }

    /// The wall times that a logical time can hold, in milliseconds since 1970 UTC: the years 1 to 6429.
    public static let wallMillisecondsRange: ClosedRange<Int64> = -62_135_596_800_000...140_737_488_355_327

    /// Before everything.
    public static let distantPast = LogicalTime(rawValue: .min)

    /// The logical time of `milliseconds` with `counter`; `nil` where the milliseconds lie outside
    /// ``wallMillisecondsRange``.
    public init?(milliseconds: Int64, counter: UInt16) {
        guard Self.wallMillisecondsRange.contains(milliseconds) else { return nil }
        rawValue = milliseconds << 16 | Int64(counter)
    }

    /// Milliseconds since 1970 UTC.
    @inlinable public var milliseconds: Int64 { rawValue >> 16 }

    /// What tells events of one millisecond apart.
    public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// The first logical time that is at least `wallMilliseconds` and greater than `last`.
    ///
    /// `nil` where that would leave ``wallMillisecondsRange``.
    public static func next(after last: LogicalTime, wallMilliseconds: Int64) -> LogicalTime? {
        guard let wall = LogicalTime(milliseconds: wallMilliseconds, counter: 0) else { return nil }
        if wall > last { return wall }
        let (rawValue, overflow) = last.rawValue.addingReportingOverflow(1)
        let following = LogicalTime(rawValue: rawValue)
        return !overflow && wallMillisecondsRange.contains(following.milliseconds) ? following : nil
    }
}

/// The place of an event in the order in which folds take events: logical time, then origin, then number.
public struct FoldOrder: Hashable, Comparable, Sendable {
    /// What counts first.
    public let logicalTime: LogicalTime
    /// What decides between events of one logical time.
    public let id: EventID

    /// The place of the event `id`.
    @inlinable public init(logicalTime: LogicalTime, id: EventID) {
        self.logicalTime = logicalTime
        self.id = id
    }

    /// Earlier before later.
    @inlinable public static func < (left: FoldOrder, right: FoldOrder) -> Bool {
        left.logicalTime != right.logicalTime ? left.logicalTime < right.logicalTime : left.id < right.id
    }
}
