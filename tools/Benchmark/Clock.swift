/// Time and order of measurements.
enum Clock {
    /// Seconds that `body` takes.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        let elapsed = ContinuousClock.now - start
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// Medians of `runs` runs of each, taken in turn so that a change of the machine's speed meets both.
    static func pair(_ runs: Int, _ ours: () throws -> Void, _ floor: () throws -> Void) rethrows -> (ours: Double, floor: Double) {
        var left: [Double] = []
        var right: [Double] = []
        for _ in 0..<runs {
            left.append(try seconds(ours))
            right.append(try seconds(floor))
        }
        return (median(left), median(right))
    }
}

/// SplitMix64: the same numbers from the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
