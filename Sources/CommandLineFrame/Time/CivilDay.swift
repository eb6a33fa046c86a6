/// A day of the calendar, for labels and for reading dates.
package struct CivilDay: Hashable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01.
    package let number: Int
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// The day that many days after 1970-01-01. Numbers further away than two million years are brought to that limit.
    ///
    /// Counts in eras of 400 years (146,097 days) that begin on 1 March, so that the leap day is the last one of a year.
    package init(number: Int) {
        self.number = min(max(number, -730_000_000), 730_000_000)
        let shifted = self.number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Nil if there is no such day, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day), abs(year) <= 1_000_000 else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let found = CivilDay(number: era * 146_097 + dayOfEra - 719_468)
        guard found.year == year, found.month == month, found.day == day else { return nil }
        self = found
    }

    /// 0 for Monday to 6 for Sunday. (1970-01-01 was a Thursday.)
    package var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// `YYYY-MM-DD`.
    package var description: String { "\(year < 0 ? "-" : "")\(digits(abs(year), 4))-\(digits(month))-\(digits(day))" }

    /// The English name of the month, cut to three letters.
    package var monthName: String {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return names[month - 1]
    }
}
