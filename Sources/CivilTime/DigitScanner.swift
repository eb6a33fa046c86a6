/// Reads numbers and single characters from the front of a text.
package struct DigitScanner {
    private let units: [UInt8]
    private var at = 0

    package init(_ text: String) { units = Array(text.utf8) }

    package var isAtEnd: Bool { at == units.count }

    /// Passes `character`, one of ASCII, if it comes next.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard at < units.count, units[at] == UInt8(truncatingIfNeeded: character.value) else { return false }
        at += 1
        return true
    }

    /// The number that comes next, in as many digits as `counts` allows (at most 18); `nil` where there are fewer.
    package mutating func number(_ counts: ClosedRange<Int>) -> Int64? {
        var value: Int64 = 0
        let start = at
        while at < units.count, at - start < counts.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(units[at]) {
            value = value * 10 + Int64(units[at] - UInt8(ascii: "0"))
            at += 1
        }
        return at - start >= counts.lowerBound ? value : nil
    }

    /// How many units were read.
    package var position: Int { at }

    /// `Z`, `+02:00`, `+0200` or `+02`, and nothing behind it: minutes east of UTC, at most a day's worth.
    package mutating func offsetMinutes() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(2...2) else { return nil }
        var minutes: Int64 = 0
        if skip(":") || !isAtEnd {
            guard let number = number(2...2) else { return nil }
            minutes = number
        }
        guard minutes < 60, hours * 60 + minutes <= 24 * 60 else { return nil }
        return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
    }
}
