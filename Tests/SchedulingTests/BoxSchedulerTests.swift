import EngramTesting
import StudyModel
import Testing

@testable import Scheduling

struct BoxSchedulerTests {
    /// The intervals of the default scheduler by the floor of the level, as the product states them, and on to the cap.
    private static let intervals = [0, 3, 7, 13, 26, 53, 109, 223, 457, 936, 1919, 3933, 8062, 16526, 33879, 36500, 36500]

    @Test("The intervals of the default scheduler")
    func standardIntervals() {
        for (floor, days) in Self.intervals.enumerated() {
            for half in 0...1 {
                let level = Level(halfSteps: Int64(2 * floor + half))
                #expect(BoxScheduler.standard.intervalDays(at: level) == days, "level \(level.value)")
                #expect(BoxScheduler.standard.box(of: level) == min(floor, 7), "level \(level.value)")
            }
        }
        let highest = Level(halfSteps: .max)
        #expect(BoxScheduler.standard.intervalDays(at: highest) == 36_500 && BoxScheduler.standard.box(of: highest) == 7)
        #expect(highest.halfSteps == 1 << 40 && Level(halfSteps: 1) < highest && !(highest < highest))
        #expect(Level(halfSteps: -5) == .zero && Level(halfSteps: 3).value == 1.5)
    }

    /// Level before, grade, level after, box after, interval after.
    private static let answers: [(Double, Grade, Double, Int, Int)] = [
        (0, .again, 0, 0, 0), (0, .hard, 0, 0, 0), (0, .good, 1, 1, 3), (0, .easy, 1.5, 1, 3),
        (0.5, .hard, 0, 0, 0), (0.5, .good, 1.5, 1, 3), (0.5, .easy, 2, 2, 7),
        (1.5, .easy, 3, 3, 13), (1.5, .hard, 0.5, 0, 0), (1.5, .again, 0, 0, 0),
        (3, .hard, 2, 2, 7), (6, .good, 7, 7, 223), (6.5, .easy, 8, 7, 457), (9, .hard, 8, 7, 457), (40, .again, 0, 0, 0),
    ]

    @Test("What each grade does to a level")
    func grades() {
        for (before, grade, after, box, interval) in Self.answers {
            let boxes = BoxScheduler.standard
            let memory = SchedulerMemory(UInt64(before * 2))
            let next = boxes.memory(after: Answer(grade, on: StudyDay(days: 20_000)), from: memory)
            #expect(boxes.level(of: next).value == after && boxes.interval(of: next) == interval, "\(before) \(grade)")
            #expect(boxes.box(of: next) == box, "\(before) \(grade)")
        }
        #expect(BoxScheduler.standard.newCard(on: StudyDay(days: 7)) == SchedulerMemory())
    }

    @Test(
        "Any multiplier gives exact intervals: held against long division in decimal digits",
        arguments: ["41/20", "1/1", "1000/999", "999/998", "100/1", "1000/10", "3/2", "7/3", "1000/501", "2/1", "1000/1000", "53/52"])
    func exactIntervals(multiplier: String) throws {
        let parts = multiplier.split(separator: "/").compactMap { Int($0) }
        let fraction = BoxScheduler.Fraction(numerator: parts[0], denominator: parts[1])
        for first in [1, 3, 36_499, 36_500] {
            let boxes = try BoxScheduler(count: 8, firstIntervalDays: first, multiplier: fraction)
            var power = Decimals(first)
            for level in 1...80 {
                let days = boxes.intervalDays(at: Level(halfSteps: Int64(2 * level)))
                #expect(days == power.roundedUp(cap: 36_500), "\(multiplier), first \(first), level \(level)")
                power = power.times(parts[0]).divided(by: parts[1])
            }
        }
    }

    /// How many levels there are up to the cap, and the sum of their intervals, worked out with Python's whole numbers.
    private static let ladders: [(spec: String, levels: Int, sum: Int)] = [
        ("boxes", 15, 102_646), ("boxes:first=1,multiplier=1000/999", 10_501, 36_511_110),
        ("boxes:first=3,multiplier=1000/999", 9403, 36_510_808), ("boxes:first=36499,multiplier=1000/999", 2, 72_999),
        ("boxes:first=7,multiplier=999/998", 8548, 36_485_683), ("boxes:first=1,multiplier=100", 4, 46_601),
        ("boxes:first=2,multiplier=3/2", 26, 137_511), ("boxes:first=4,multiplier=200/199", 1821, 7_329_596),
    ]

    @Test("However slowly intervals grow, each is exact up to the cap")
    func ladders() throws {
        for (spec, levels, sum) in Self.ladders {
            let scheduler = try ConfiguredScheduler(spec: spec)
            let intervals = (1...levels).map { scheduler.interval(of: SchedulerMemory(UInt64(2 * $0))) }
            #expect(intervals.reduce(0, +) == sum && intervals.last == 36_500 && intervals.dropLast().last ?? 0 < 36_500, "\(spec)")
        }
    }

    @Test("Where bounds of few bits leave two numbers of days, whole numbers of any size tell which")
    func intervalsBetweenBounds() {
        let multiplier = BoxScheduler.Fraction(numerator: 53, denominator: 52)
        for first in 1...20 {
            let exact = BoxScheduler.intervals(first: first, multiplier: multiplier)
            #expect(BoxScheduler.intervals(first: first, multiplier: multiplier, bits: 22) == exact, "first \(first)")
        }
    }

    /// Products of three factors, held against those in 128 bits.
    @Test func wholeNumbersOfAnySizeAreExact() {
        let factors: [UInt32] = [0, 1, 65_536, .max - 1, .max]
        var products: [(product: WholeNumber, expected: UInt128)] = []
        for first in factors {
            for second in factors {
                for third in factors {
                    products.append((WholeNumber(first).times(second).times(third), UInt128(first) * UInt128(second) * UInt128(third)))
                }
            }
        }
        for (left, one) in products {
            let isRight = products.allSatisfy { (left < $0.product) == (one < $0.expected) && (left == $0.product) == (one == $0.expected) }
            #expect(isRight, "\(one)")
        }
    }

    @Test(arguments: [(0, 1), (1, 0), (1, .min), (.min, .min), (1001, 1000), (1000, 1001), (1, 2), (101, 1)])
    func whatIsNoMultiplierIsRefused(numerator: Int, denominator: Int) {
        let fraction = BoxScheduler.Fraction(numerator: numerator, denominator: denominator)
        #expect(throws: SchedulerError.self) { try BoxScheduler(count: 8, firstIntervalDays: 3, multiplier: fraction) }
    }

    @Test func schedulersWithAnotherParameterAreOthers() throws {
        let specs = ["boxes", "boxes:count=7", "boxes:first=4", "boxes:multiplier=82/40", "boxes:multiplier=41/19"]
        let schedulers = try specs.compactMap { try ConfiguredScheduler(spec: $0).boxes }
        for (left, one) in schedulers.enumerated() {
            for (right, other) in schedulers.enumerated() { #expect((one == other) == (left == right), "\(left), \(right)") }
        }
    }

    @Test("Every scheduler that can be configured is a sound function")
    func laws() throws {
        for number in 0..<60 {
            var generator = SeededGenerator(seed: 0xB0C5).part(number)
            let below = 1 + generator.below(1000)
            let above = below + generator.below(1001 - below)
            guard above <= 100 * below else { continue }
            let boxes = try BoxScheduler(
                count: 1 + generator.below(100), firstIntervalDays: 1 + generator.below(36_500),
                multiplier: BoxScheduler.Fraction(numerator: above, denominator: below))
            let violation = Laws.violation(ofScheduler: boxes, using: &generator)
            #expect(violation == nil, "\(boxes) \(generator)")
        }
    }
}

/// A non-negative number kept as whole part and remainder of repeated exact division: `(digits / divisors)`, where the digits
/// are decimal and each divisor is divided out by hand when the value is asked for. Slow, and nothing like the code under test.
private struct Decimals {
    /// Least significant first.
    private var digits: [Int]
    private var divisors: [Int] = []

    init(_ value: Int) { digits = String(value).reversed().compactMap(\.wholeNumberValue) }

    func times(_ factor: Int) -> Decimals {
        var result = self
        var carry = 0
        for place in result.digits.indices {
            carry += result.digits[place] * factor
            result.digits[place] = carry % 10
            carry /= 10
        }
        while carry > 0 {
            result.digits.append(carry % 10)
            carry /= 10
        }
        return result
    }

    func divided(by divisor: Int) -> Decimals {
        var result = self
        result.divisors.append(divisor)
        return result
    }

    /// The least whole number that isn't smaller, or `cap`: rounding up after each division is rounding up once.
    func roundedUp(cap: Int) -> Int {
        var quotient = digits
        var isExact = true
        for divisor in divisors {
            var rest = 0
            for place in quotient.indices.reversed() {
                let part = rest * 10 + quotient[place]
                quotient[place] = part / divisor
                rest = part % divisor
            }
            isExact = isExact && rest == 0
            while quotient.last == 0 { quotient.removeLast() }
        }
        guard quotient.count <= 5 else { return cap }
        let value = quotient.reversed().reduce(0) { $0 * 10 + $1 }
        return min(cap, isExact ? value : value + 1)
    }
}
