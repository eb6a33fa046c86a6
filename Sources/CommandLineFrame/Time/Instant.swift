/// A moment as a person's clock shows it: when it was, and how far east of Greenwich the clock stood.
package struct Instant: Hashable, Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    package var milliseconds: Int64
    /// Minutes east of Greenwich.
    package var zoneMinutes: Int

    package init(milliseconds: Int64, zoneMinutes: Int) {
        self.milliseconds = milliseconds
        self.zoneMinutes = zoneMinutes
    }

    /// What the system's clock and zone say.
    package static func now() -> Instant {
        let milliseconds = System.wallMilliseconds()
        return Instant(milliseconds: milliseconds, zoneMinutes: Zone.system.minutesEast(at: milliseconds))
    }
}

extension Instant {
    /// ISO 8601 with an offset: `2024-10-07T12:00:00+02:00`, `…T12:00Z`, a fraction of one to nine digits, `+0200` or `+02`.
    ///
    /// Nil if `text` is anything else: without the offset it would mean different moments in different places.
    package init?(iso text: String) {
        var scan = Scanner(text)
        guard let year = scan.digits(4), scan.take("-"), let month = scan.digits(2), scan.take("-"), let day = scan.digits(2),
            let date = CivilDay(year: year, month: month, day: day),
            scan.take("T") || scan.take("t") || scan.take(" "), let hour = scan.digits(2), hour < 24, scan.take(":"),
            let minute = scan.digits(2), minute < 60
        else { return nil }
        var second = 0
        var fraction = 0
        if scan.take(":") {
            guard let value = scan.digits(2), value < 60 else { return nil }
            second = value
            if scan.take(".") || scan.take(",") {
                guard let value = scan.thousandths() else { return nil }
                fraction = value
            }
        }
        guard let zone = scan.offsetMinutes(), scan.isAtEnd else { return nil }
        let minutes = Int64(date.number) * 1440 + Int64(hour * 60 + minute - zone)
        self.init(milliseconds: minutes * 60_000 + Int64(second * 1000 + fraction), zoneMinutes: zone)
    }

    /// ISO 8601 with the offset, with milliseconds only where they aren't 0.
    package var iso: String {
        let (local, overflow) = milliseconds.addingReportingOverflow(Int64(zoneMinutes) * 60_000)
        let total = overflow ? milliseconds : local
        let days = total.flooredQuotient(86_400_000)
        let rest = Int(total - days * 86_400_000)
        let fraction = rest % 1000
        let zone = abs(zoneMinutes)
        return "\(CivilDay(number: Int(days)))T\(digits(rest / 3_600_000)):\(digits(rest / 60_000 % 60)):\(digits(rest / 1000 % 60))"
            + (fraction == 0 ? "" : "." + digits(fraction, 3))
            + (zoneMinutes < 0 ? "-" : "+") + "\(digits(zone / 60)):\(digits(zone % 60))"
    }
}

/// `value` with zeros in front, up to `count` digits.
func digits(_ value: Int, _ count: Int = 2) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
}

extension Int64 {
    /// The quotient rounded down, also below zero.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Reads fixed numbers of ASCII digits and single marks.
struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == mark.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        var copy = rest
        for _ in 0..<count {
            guard let byte = copy.popFirst(), (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        rest = copy
        return value
    }

    /// One to nine digits of a fraction, of which the first three count.
    mutating func thousandths() -> Int? {
        var value = 0
        var count = 0
        while count < 9, let digit = digits(1) {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }

    /// `Z`, `+02:00`, `+0200` or `+02`: minutes east, at most a day's worth.
    mutating func offsetMinutes() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2) else { return nil }
        var minutes = 0
        if !isAtEnd {
            let hasColon = take(":")
            if hasColon || !isAtEnd {
                guard let value = digits(2), value < 60 else { return nil }
                minutes = value
            }
        }
        let total = hours * 60 + minutes
        guard total <= 24 * 60 else { return nil }
        return isWest ? -total : total
    }
}
