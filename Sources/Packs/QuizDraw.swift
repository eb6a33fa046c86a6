/// Draws what a test asks, and in which order, from a seed: the same for the same seed, on every platform and for ever.
///
/// Source of the generator: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64); of
/// the order: Fisher and Yates, as Durstenfeld wrote it down in 1964.
package struct QuizDraw: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        defer { state &+= Self.step }
        return Self.drawn(from: state)
    }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The first number that is drawn from a seed.
    package static func drawn(from seed: UInt64) -> UInt64 {
        var mixed = seed &+ step
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 up to `count`, which it doesn't reach.
    private mutating func below(_ count: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// `count` of `elements` in a random order, or all where there are fewer. Complexity: O(elements).
    package mutating func draw<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        var result = elements
        let wanted = min(max(0, count), result.count)
        for place in 0..<wanted { result.swapAt(place, place + below(result.count - place)) }
        return Array(result.prefix(wanted))
    }

    /// The options of `question` in the order in which they are shown, and the place of the right one.
    package mutating func shown(_ question: PackQuestion) -> (options: [String], right: Int) {
        let order = draw(question.options.count, of: Array(question.options.indices))
        return (order.map { question.options[$0] }, order.firstIndex(of: question.right) ?? 0)
    }
}
