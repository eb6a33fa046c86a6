/// Which share of right answers earns which mark, from 5 down to 2. Exact: shares are compared as integers.
public struct GradingScale: Hashable, Sendable {
    /// The least share for a 5, in percent.
    public let five: Int
    /// The least share for a 4.
    public let four: Int
    /// The least share for a 3; below it, the mark is 2.
    public let three: Int

    /// 90 % is a 5, 75 % a 4, 50 % a 3.
    public static let standard = GradingScale(five: 90, four: 75, three: 50, checked: ())

    /// A scale of those shares; `nil` unless they fall, and lie from 0 to 100.
    public init?(five: Int, four: Int, three: Int) {
        guard three >= 0, five <= 100, five > four, four > three else { return nil }
        self.init(five: five, four: four, three: three, checked: ())
    }

    private init(five: Int, four: Int, three: Int, checked: Void) {
        self.five = five
        self.four = four
        self.three = three
    }

    /// The mark for `right` answers of `total`; 2 where there was no question.
    public func mark(right: Int, total: Int) -> Int {
        guard total > 0, right >= 0 else { return 2 }
        func reaches(_ percent: Int) -> Bool { Int128(right) * 100 >= Int128(total) * Int128(percent) }
        return reaches(five) ? 5 : reaches(four) ? 4 : reaches(three) ? 3 : 2
    }
}

extension GradingScale: LosslessStringConvertible {
    /// The scale that `description` spells: `90,75,50`; `nil` where it spells none.
    public init?(_ description: String) {
        let parts = description.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let five = parts[0], let four = parts[1], let three = parts[2] else { return nil }
        self.init(five: five, four: four, three: three)
    }

    /// The written form, which `init(_:)` reads.
    public var description: String { "\(five),\(four),\(three)" }
}
