public import StudyModel

extension BoxScheduler: Scheduler {
    public static var name: String { "boxes" }

    public var revision: Int { 1 }

    public var parameters: [(name: String, value: String)] {
        [("count", "\(count)"), ("first", "\(firstIntervalDays)"), ("multiplier", "\(multiplier)")]
    }

    public init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {
        guard revision == nil || revision == 1 else {
            throw SchedulerError(parameter: "revision", value: "\(revision ?? 0)", allowed: "1, the revision that this program knows")
        }
        var count = BoxScheduler.standard.count
        var first = BoxScheduler.standard.firstIntervalDays
        var multiplier = BoxScheduler.standard.multiplier
        for (name, value) in parameters {
            switch name {
            case "count": count = try Self.wholeNumber(value, of: name)
            case "first": first = try Self.wholeNumber(value, of: name)
            case "multiplier": multiplier = try Self.fraction(value, of: name)
            default:
                throw SchedulerError(parameter: "parameter", value: name, allowed: "one of: count, first, multiplier")
            }
        }
        try self.init(count: count, firstIntervalDays: first, multiplier: multiplier)
    }

    /// Its memory is the level, in half steps.
    @inlinable
    @inline(__always)
    public func level(of memory: SchedulerMemory) -> Level { Level(halfSteps: Int64(truncatingIfNeeded: memory.first)) }

    @usableFromInline
    @inline(__always)
    static func memory(_ level: Level) -> SchedulerMemory { SchedulerMemory(UInt64(level.halfSteps)) }

    public func newCard(on day: StudyDay) -> SchedulerMemory { Self.memory(.zero) }

    @inlinable
    @inline(__always)
    public func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
        Self.memory(level(after: answer.grade, from: level(of: memory)))
    }

    @inlinable
    @inline(__always)
    public func interval(of memory: SchedulerMemory) -> Int { intervalDays(at: level(of: memory)) }

    public func memory(placed placement: Placement) -> SchedulerMemory { Self.memory(Level(halfSteps: placement.levelHalfSteps)) }

    public func box(of memory: SchedulerMemory) -> Int? { box(of: level(of: memory)) }

    public var boxCount: Int? { count }

    public func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] {
        [("level", level(of: memory).value), ("box", Double(box(of: level(of: memory))))]
    }

    /// Always: which level an answer leads to is a matter of no parameter.
    public func hasSameMemory(as other: BoxScheduler) -> Bool { true }

    private static func wholeNumber(_ text: String, of name: String) throws(SchedulerError) -> Int {
        guard let value = digits(text[...]) else {
            throw SchedulerError(parameter: name, value: text, allowed: "a whole number")
        }
        return value
    }

    /// The number that digits, and nothing but digits, spell.
    private static func digits(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// `41/20`, a whole number, or a decimal fraction such as `2.05`, which is taken exactly.
    private static func fraction(_ text: String, of name: String) throws(SchedulerError) -> BoxScheduler.Fraction {
        let error = SchedulerError(parameter: name, value: text, allowed: "a fraction such as 41/20, or a number such as 2.05")
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        if sides.count == 2, let above = digits(sides[0]), let below = digits(sides[1]) {
            return BoxScheduler.Fraction(numerator: above, denominator: below)
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard sides.count == 1, parts.count <= 2, let whole = digits(parts[0]), whole <= 1000 else { throw error }
        guard parts.count == 2 else { return BoxScheduler.Fraction(numerator: whole, denominator: 1) }
        guard (1...3).contains(parts[1].utf8.count), let part = digits(parts[1]) else { throw error }
        var below = 1
        for _ in parts[1].utf8 { below *= 10 }
        var above = whole * below + part
        for factor in [2, 5] {
            while above % factor == 0, below % factor == 0 {
                above /= factor
                below /= factor
            }
        }
        return BoxScheduler.Fraction(numerator: above, denominator: below)
    }
}
