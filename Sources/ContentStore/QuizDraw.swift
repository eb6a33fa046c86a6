internal import EventCoding

/// Draws what a test asks, and in which order, from a seed: the same for the same seed, on every platform and for ever.
///
/// Source of the order: Fisher and Yates, as Durstenfeld wrote it down in 1964.
package struct QuizDraw: Sendable {
    private var random: SplitMix64

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// `count` of `elements` in a random order, or all where there are fewer. Complexity: O(elements).
    package mutating func draw<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        var result = elements
        let wanted = min(max(0, count), result.count)
        for place in 0..<wanted { result.swapAt(place, place + random.below(result.count - place)) }
        return Array(result.prefix(wanted))
    }

    /// The options of `question` in the order in which they are shown, and the place of the right one.
    package mutating func shown(_ question: ContentRecord.Question) -> (options: [String], right: Int) {
        let order = draw(question.options.count, of: Array(question.options.indices))
        return (order.map { question.options[$0] }, order.firstIndex(of: question.right) ?? 0)
    }
}
