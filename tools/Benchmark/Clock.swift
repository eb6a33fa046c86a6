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
