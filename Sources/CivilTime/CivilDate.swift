/// A day of the proleptic Gregorian calendar, as year, month and day. Year 0 is the one before year 1.
package struct CivilDate: Hashable, Sendable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date `days` days after 1970-01-01.
    ///
    /// Counts in eras of 400 years (146,097 days) of years that begin in March, so that a leap day is a year's last.
    /// Days beyond 2^40 of zero, which no time in milliseconds is, are brought to that limit.
    package init(days: Int64) {
        let shifted = min(max(days, -1 << 40), 1 << 40) + Self.daysToEpoch
        let era = shifted.flooredQuotient(Self.daysOfEra)
        let dayOfEra = shifted - era * Self.daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01. The year within 2^40 of zero.
    package var days: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysToEpoch
    }

    /// Whether the calendar has that day.
    package var isValid: Bool {
        guard (1...12).contains(month), day >= 1, day <= 31 else { return false }
        return CivilDate(days: days) == self
    }

    /// 0 for Monday to 6 for Sunday. (1970-01-01 was a Thursday.)
    package var weekday: Int {
        let shifted = days + 3
        return Int(shifted - shifted.flooredQuotient(7) * 7)
    }

    /// The English name of the month, cut to three letters.
    package var monthName: String {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return (1...12).contains(month) ? names[Int(month) - 1] : ""
    }

    private static let daysOfEra: Int64 = 146_097
    /// From 0000-03-01, where the eras begin, to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468
}

extension CivilDate {
    /// Appends `YYYY-MM-DD`; a year beyond 0 to 9999 with its sign and at least six digits (ISO 8601, expanded form).
    package func append(to units: inout [UInt8]) {
        if (0...9999).contains(year) {
            units.appendDigits(year, count: 4)
        } else {
            units.append(UInt8(ascii: year < 0 ? "-" : "+"))
            units.appendDigits(abs(year), count: 6)
        }
        units.append(UInt8(ascii: "-"))
        units.appendDigits(month, count: 2)
        units.append(UInt8(ascii: "-"))
        units.appendDigits(day, count: 2)
    }

    /// Reads what `append(to:)` writes.
    package init?(scanning scanner: inout DigitScanner) {
        var sign: Int64 = 1
        var yearDigits = 4...4
        if scanner.skip("+") {
            yearDigits = 6...9
        } else if scanner.skip("-") {
            sign = -1
            yearDigits = 6...9
        }
        guard let year = scanner.number(yearDigits), scanner.skip("-"), let month = scanner.number(2...2), scanner.skip("-"),
            let day = scanner.number(2...2)
        else { return nil }
        self.init(year: sign * year, month: month, day: day)
        // One way to write a day: the expanded form only where the plain one can't.
        guard isValid, yearDigits == 4...4 || !(0...9999).contains(sign * year) else { return nil }
    }
}

extension Int64 {
    /// Division that rounds towards negative infinity. `divisor` above zero.
    @inlinable
    @inline(__always)
    package func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension [UInt8] {
    /// Appends `value`, not negative, in decimal digits: `count` or more of them.
    package mutating func appendDigits(_ value: Int64, count digits: Int) {
        let text = String(value)
        for _ in 0..<Swift.max(0, digits - text.utf8.count) { append(UInt8(ascii: "0")) }
        append(contentsOf: text.utf8)
    }
}
