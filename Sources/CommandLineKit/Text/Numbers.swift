/// Numbers and durations as people read them.
package enum Numbers {
    /// `1234567` as `1,234,567`.
    package static func grouped(_ value: Int) -> String {
        var text = ""
        let plain = String(value.magnitude)
        for (index, digit) in plain.enumerated() {
            if index > 0, (plain.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return value < 0 ? "-" + text : text
    }

    /// `1234567` as `1M`: rounded down to three digits at most and a letter for thousands, millions and so on.
    package static func short(_ value: Int) -> String {
        var rest = value
        for letter in ["", "k", "M", "G", "T", "P"] {
            if rest.magnitude < 1000 { return "\(rest)\(letter)" }
            rest /= 1000
        }
        return "\(rest)E"
    }

    /// The share of `part` in `whole` with one decimal, such as `87.5%`. Says 100.0% only of all and 0.0% only of none.
    package static func percent(_ part: Int, of whole: Int) -> String {
        let thousandths = share(part, of: whole, parts: 1000)
        return "\(thousandths / 10).\(thousandths % 10)%"
    }

    /// `part / whole` in units of `1 / parts`, rounded, but never to nothing or all where it is not. 0 where `whole` is 0.
    package static func share(_ part: Int, of whole: Int, parts: Int) -> Int {
        guard whole > 0, part > 0, parts > 0 else { return 0 }
        guard part < whole else { return parts }
        let product = part.multipliedFullWidth(by: parts)
        let (quotient, remainder) = whole.dividingFullWidth(product)
        let rounded = remainder >= whole - remainder ? quotient + 1 : quotient
        return min(max(rounded, 1), parts - 1)
    }

    /// `45 s`, `12 min`, `3 h 05 min` or `2 d 4 h`: two units at most.
    package static func duration(seconds: Int) -> String {
        let seconds = max(0, seconds)
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 600, seconds % 60 != 0 { return "\(seconds / 60) min \(digits(seconds % 60)) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        if seconds < 86_400 { return "\(seconds / 3600) h \(digits(seconds / 60 % 60)) min" }
        return "\(grouped(seconds / 86_400)) d \(seconds / 3600 % 24) h"
    }

    /// `0:05`, `12:34` or `1:02:03`, for counting down.
    package static func clock(seconds: Int) -> String {
        let seconds = max(0, seconds)
        if seconds < 3600 { return "\(seconds / 60):\(digits(seconds % 60))" }
        return "\(seconds / 3600):\(digits(seconds / 60 % 60)):\(digits(seconds % 60))"
    }

    /// `1 card`, `2 cards`.
    package static func count(_ value: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(value)) \(value == 1 ? one : many ?? one + "s")"
    }

    /// The sum of what isn't negative, stopping at the largest number there is.
    static func total(_ values: [Int]) -> Int {
        values.reduce(0) { sum, value in
            let (next, overflow) = sum.addingReportingOverflow(max(0, value))
            return overflow ? .max : next
        }
    }
}

/// `value` with zeros in front, up to two digits.
func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
