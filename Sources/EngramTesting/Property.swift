/// A law that is tried on many random lists of actions.
///
/// ```swift
/// let property = Property<HistoryEvent>(named: "any order of arrival gives one state") { generator in
///     HistoryGenerator().history(using: &generator)
/// } violation: { history, generator in
///     Laws.violation(of: [.arrivalOrder], by: history, using: &generator)?.description
/// }
/// #expect(property.counterexample(runs: PropertyRuns(cases: 10_000)) == nil)
/// ```
public struct Property<Action> {
    /// The law, in words.
    public let name: String
    private let generate: (inout SeededGenerator) -> [Action]
    private let violation: ([Action], inout SeededGenerator) -> String?
    private let simpler: (Action) -> [Action]

    /// A law of that name.
    ///
    /// - Parameters:
    ///   - generate: makes a list of actions from a random source and nothing else.
    ///   - simpler: what an action could be instead, for shrinking.
    ///   - violation: how the list breaks the law, in words; `nil` where it keeps it. The source that it is given depends on
    ///     the case alone, so that the same list is judged alike again.
    public init(
        named name: String, generate: @escaping (inout SeededGenerator) -> [Action], simpler: @escaping (Action) -> [Action] = { _ in [] },
        violation: @escaping ([Action], inout SeededGenerator) -> String?
    ) {
        self.name = name
        self.generate = generate
        self.simpler = simpler
        self.violation = violation
    }

    /// The first case that breaks the law, shrunk; `nil` where none does.
    public func counterexample(runs: PropertyRuns) -> Counterexample<Action>? {
        for number in 0..<runs.cases {
            let seed = runs.isReplay ? runs.generator : runs.generator.part(number)
            if let found = counterexample(ofCase: seed) { return found }
        }
        return nil
    }

    private func counterexample(ofCase seed: SeededGenerator) -> Counterexample<Action>? {
        var generator = seed
        let actions = generate(&generator)
        let judge = seed.part(0)
        func verdict(_ list: [Action]) -> String? {
            var source = judge
            return violation(list, &source)
        }
        guard let first = verdict(actions) else { return nil }
        let least = shrink(actions, simpler: simpler) { verdict($0) != nil }
        return Counterexample(
            law: name, seed: seed, originalCount: actions.count, actions: least, violation: verdict(least) ?? first)
    }
}

/// How often laws are tried, and from which seed.
public struct PropertyRuns: Hashable, Sendable {
    /// What all cases follow from.
    public let generator: SeededGenerator
    /// Number of cases.
    public let cases: Int
    /// Whether the seed is that of one case that failed, which is to be tried alone.
    public let isReplay: Bool

    /// So many cases from `seed`.
    public init(cases: Int, seed: UInt64 = 0x00E6_47A3_5EED) {
        generator = SeededGenerator(seed: seed)
        self.cases = cases
        isReplay = false
    }

    /// What an environment asks for: `ENGRAM_CASES` for the number of cases where the default is 10,000, and in proportion
    /// elsewhere; `ENGRAM_SEED` for another seed; `ENGRAM_CASE` for the one case that a failure has named.
    public init(cases: Int, environment: [String: String]) {
        if let single = environment["ENGRAM_CASE"].flatMap({ SeededGenerator($0) }) {
            generator = single
            self.cases = 1
            isReplay = true
            return
        }
        generator = environment["ENGRAM_SEED"].flatMap { SeededGenerator($0) } ?? SeededGenerator(seed: 0x00E6_47A3_5EED)
        let wanted = environment["ENGRAM_CASES"].flatMap { Int($0) } ?? 10_000
        self.cases = max(1, cases * min(max(0, wanted), 1_000_000_000) / 10_000)
        isReplay = false
    }
}

/// A list of actions that breaks a law, made as small as it could be.
public struct Counterexample<Action> {
    /// The law, in words.
    public let law: String
    /// Makes the case again: `ENGRAM_CASE`.
    public let seed: SeededGenerator
    /// How many actions the case had before it was shrunk.
    public let originalCount: Int
    /// What is left of them.
    public let actions: [Action]
    /// How they break the law.
    public let violation: String
}

extension Counterexample: Sendable where Action: Sendable {}

extension Counterexample: CustomStringConvertible {
    /// The law, the seed to paste back, the actions line by line, and how they break the law.
    public var description: String {
        """
        broken: \(law)
        again with ENGRAM_CASE=\(seed)
        \(actions.count) of \(originalCount) actions left:
        \(actions.enumerated().map { "  \($0.offset + 1). \($0.element)" }.joined(separator: "\n"))
        \(violation)
        """
    }
}
