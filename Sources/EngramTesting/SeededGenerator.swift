internal import EventCoding

/// A random source that gives the same numbers for the same seed, on every platform and for ever.
///
/// Print it when something fails, and paste what was printed back with ``init(_:)``.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    /// What it began with.
    public let seed: UInt64
    private var random: SplitMix64

    /// A source that begins with `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { random.next() }

    /// A number from 0 up to `count`, which it doesn't reach; 0 where `count` isn't above 0.
    public mutating func below(_ count: Int) -> Int { random.below(count) }

    /// A number within `range`, both ends included.
    public mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        guard span < .max else { return Int64(bitPattern: next()) }
        return range.lowerBound &+ Int64(bitPattern: next().multipliedFullWidth(by: span + 1).high)
    }

    /// True `count` times in `total`.
    public mutating func chance(_ count: Int, in total: Int) -> Bool { below(total) < count }

    /// One of `elements`; `nil` where there is none.
    public mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// `elements` in a random order.
    public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for place in result.indices.dropFirst().reversed() { result.swapAt(place, below(place + 1)) }
        return result
    }

    /// A source of its own for the part of that number, so that parts don't disturb each other.
    public func part(_ number: Int) -> SeededGenerator {
        SeededGenerator(seed: SplitMix64.first(from: seed ^ UInt64(truncatingIfNeeded: number) &* 0xD6E8_FEB8_6659_FD93))
    }
}

extension SeededGenerator: LosslessStringConvertible {
    /// The source that begins with the seed that `description` spells, in hexadecimal digits with or without `0x`.
    public init?(_ description: String) {
        let digits = description.hasPrefix("0x") ? description.dropFirst(2) : description[...]
        guard let seed = UInt64(digits, radix: 16) else { return nil }
        self.init(seed: seed)
    }

    /// The seed: `0x` and hexadecimal digits.
    public var description: String { "0x" + String(seed, radix: 16) }
}
