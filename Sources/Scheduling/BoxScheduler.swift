public import StudyModel

/// How far a card has come, in half steps: exact, from 0 up.
public struct Level: Hashable, Comparable, Sendable {
    /// Twice the level that people see: 3 half steps are level 1.5.
    public let halfSteps: Int64

    /// A new card's level, and that of a card answered Again.
    @inlinable public static var zero: Level { Level(halfSteps: 0) }

    /// The level of that many half steps; never below 0, never above ``maximumHalfSteps``.
    @inlinable public init(halfSteps: Int64) {
        self.halfSteps = min(max(0, halfSteps), Self.maximumHalfSteps)
    }

    /// A level at which no history arrives; it is there so that nothing overflows.
    @inlinable public static var maximumHalfSteps: Int64 { 1 << 40 }

    /// The level rounded down to a whole number.
    @inlinable public var floor: Int64 { halfSteps >> 1 }

    /// The level as people see it, in steps of 0.5. Exact.
    public var value: Double { Double(halfSteps) / 2 }

    /// Lower before higher.
    public static func < (left: Level, right: Level) -> Bool { left.halfSteps < right.halfSteps }
}

/// Leitner boxes with levels of half steps: the default scheduler.
///
/// Again sets level 0; Hard takes 1.0 off, not below 0; Good adds 1.0; Easy adds 1.5. The box shown is
/// `min(floor(level), count - 1)`. The interval of a level depends on its floor n alone: 0 days for n = 0, else
/// `ceil(first * multiplier^(n-1))`, exact, at most 36,500.
public struct BoxScheduler: Hashable, Sendable {
    /// Number of boxes, from 1 to 100.
    public let count: Int
    /// Interval of level 1, in days.
    public let firstIntervalDays: Int
    /// What one level multiplies the interval by, as a fraction.
    public let multiplier: Fraction
    /// Interval in days by floor of the level; the last one holds for all above.
    @usableFromInline let intervals: [Int32]

    /// Interval that no level exceeds, in days.
    public static let maximumIntervalDays = 36_500

    /// Eight boxes; 3 days, and 41/20 more each level.
    public static let standard = BoxScheduler(uncheckedCount: 8, first: 3, multiplier: Fraction(numerator: 41, denominator: 20))

    /// A positive fraction of whole numbers.
    public struct Fraction: Hashable, Sendable, CustomStringConvertible {
        /// The part above the line.
        public let numerator: Int
        /// The part below the line.
        public let denominator: Int

        /// `numerator / denominator`.
        public init(numerator: Int, denominator: Int) {
            self.numerator = numerator
            self.denominator = denominator
        }

        /// Written `41/20`.
        public var description: String { "\(numerator)/\(denominator)" }
    }

    /// A scheduler of these parameters.
    ///
    /// - Throws: ``SchedulerError`` where `count` isn't 1…100, `first` isn't 1…36,500, or the multiplier isn't a
    ///   fraction from 1 to 100 with both parts from 1 to 1,000.
    public init(count: Int, firstIntervalDays: Int, multiplier: Fraction) throws(SchedulerError) {
        guard (1...100).contains(count) else {
            throw SchedulerError(parameter: "count", value: "\(count)", allowed: "a whole number from 1 to 100")
        }
        guard (1...Self.maximumIntervalDays).contains(firstIntervalDays) else {
            throw SchedulerError(parameter: "first", value: "\(firstIntervalDays)", allowed: "a number of days from 1 to 36500")
        }
        guard (1...1000).contains(multiplier.numerator), (1...1000).contains(multiplier.denominator),
            multiplier.numerator >= multiplier.denominator, multiplier.numerator <= 100 * multiplier.denominator
        else {
            throw SchedulerError(
                parameter: "multiplier", value: "\(multiplier)",
                allowed: "a fraction from 1 to 100, such as 41/20, of whole numbers up to 1000")
        }
        self.init(uncheckedCount: count, first: firstIntervalDays, multiplier: multiplier)
    }

    private init(uncheckedCount count: Int, first: Int, multiplier: Fraction) {
        self.count = count
        firstIntervalDays = first
        self.multiplier = multiplier
        intervals = Self.intervals(first: first, multiplier: multiplier)
    }

    /// Interval in days of a card at `level`.
    @inlinable
    public func intervalDays(at level: Level) -> Int {
        Int(intervals[Int(min(level.floor, Int64(intervals.count - 1)))])
    }

    /// Box in which a card at `level` is shown.
    @inlinable
    public func box(of level: Level) -> Int { Int(min(level.floor, Int64(count - 1))) }

    /// Level after an answer.
    @inlinable
    @inline(__always)
    public func level(after grade: Grade, from level: Level) -> Level {
        // Written without branches: nothing foretells a grade, and a long replay would pay for each wrong guess.
        let kept = grade == .again ? 0 : level.halfSteps
        let steps: Int64 = grade == .again ? 0 : grade == .hard ? -2 : grade == .good ? 2 : 3
        return Level(halfSteps: kept + steps)
    }

    /// Two schedulers are one where their parameters are.
    public static func == (left: BoxScheduler, right: BoxScheduler) -> Bool {
        left.count == right.count && left.firstIntervalDays == right.firstIntervalDays && left.multiplier == right.multiplier
    }

    /// Feeds the parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(firstIntervalDays)
        hasher.combine(multiplier)
    }

    /// `ceil(first * multiplier^(n-1))` for n = 1, 2, …, up to the cap, behind a 0 for n = 0.
    ///
    /// Keeps a lower and an upper bound of the value, which move apart by less than 2^-60 in all. Where both round up to the
    /// same number of days, so does the value; where they don't, it is a whole number or next to one, and
    /// ``isAtMost(_:first:up:down:exponent:)`` tells. So each interval is exact, and a multiplier close to 1 costs no more than
    /// its thousands of intervals.
    ///
    /// - Parameter bits: those behind the point of the bounds. With the ten of a numerator and the sixteen of the cap they fit in 128.
    static func intervals(first: Int, multiplier: Fraction, bits: UInt128 = 96) -> [Int32] {
        var result: [Int32] = [0]
        let divisor = greatestCommonDivisor(multiplier.numerator, multiplier.denominator)
        let up = multiplier.numerator / divisor
        let down = multiplier.denominator / divisor
        var lower = UInt128(first) << bits
        var upper = lower
        while true {
            var days = roundedUp(lower, bits)
            if days != roundedUp(upper, bits), !isAtMost(days, first: first, up: up, down: down, exponent: result.count - 1) { days += 1 }
            days = min(days, maximumIntervalDays)
            result.append(Int32(days))
            if days == maximumIntervalDays || up == down { return result }
            lower = lower * UInt128(up) / UInt128(down)
            upper = (upper * UInt128(up) + UInt128(down - 1)) / UInt128(down)
        }
    }

    private static func roundedUp(_ value: UInt128, _ bits: UInt128) -> Int { Int((value + ((1 << bits) - 1)) >> bits) }

    /// Whether `first * (up / down)^exponent <= days`, in whole numbers of any size.
    ///
    /// The value is a whole number for the first few exponents at most, since `down^exponent` must divide `first` then.
    private static func isAtMost(_ days: Int, first: Int, up: Int, down: Int, exponent: Int) -> Bool {
        var value = WholeNumber(UInt32(first))
        var bound = WholeNumber(UInt32(days))
        for _ in 0..<exponent {
            value = value.times(UInt32(up))
            bound = bound.times(UInt32(down))
        }
        return value <= bound
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : greatestCommonDivisor(right, left % right)
    }
}

/// A non-negative whole number of any size: 32 bits a digit, least significant first, no leading zero digit.
struct WholeNumber: Comparable {
    private var digits: [UInt32]

    init(_ value: UInt32) { digits = value == 0 ? [] : [value] }

    func times(_ factor: UInt32) -> WholeNumber {
        var result = WholeNumber(0)
        guard factor != 0 else { return result }
        result.digits.reserveCapacity(digits.count + 1)
        var carry: UInt64 = 0
        for digit in digits {
            carry += UInt64(digit) * UInt64(factor)
            result.digits.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        if carry > 0 { result.digits.append(UInt32(carry)) }
        return result
    }

    static func < (left: WholeNumber, right: WholeNumber) -> Bool {
        guard left.digits.count == right.digits.count else { return left.digits.count < right.digits.count }
        for index in left.digits.indices.reversed() where left.digits[index] != right.digits[index] {
            return left.digits[index] < right.digits[index]
        }
        return false
    }
}
