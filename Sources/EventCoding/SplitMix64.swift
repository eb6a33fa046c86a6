/// A random source that gives the same numbers for the same seed, on every platform and permanently.
///
/// Its helpers don't use the standard library's, whose algorithms may change. Source: Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The first number that comes from a seed.
    package static func first(from seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed)
        return random.next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 up to `count`, which it doesn't reach; 0 where `count` isn't above 0.
    package mutating func below(_ count: Int) -> Int {
        guard count > 0 else { return 0 }
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
    }
}
