internal import CivilTime

/// A calendar of how much was done each day: weeks as columns, Monday on top, names of months above.
package struct HeatMap: Sendable {
    /// The day of the last value, in days since 1970-01-01.
    package var lastDay: Int
    /// One value a day, the last one for ``lastDay``.
    package var values: [Int]

    package init(lastDay: Int, values: [Int]) {
        self.lastDay = lastDay
        self.values = values.map { max(0, $0) }
    }

    private static let margin = 4

    /// As many weeks as fit, the newest kept; two columns a week where that loses none of them.
    package func lines(on surface: Surface) -> [String] {
        guard !values.isEmpty else { return [] }
        let first = lastDay - (values.count - 1)
        let firstMonday = first - CivilDate(days: Int64(first)).weekday
        let allWeeks = (lastDay - firstMonday) / 7 + 1
        let room = surface.width - Self.margin
        let cell = allWeeks * 2 <= room ? 2 : 1
        let weeks = min(allWeeks, max(1, room / cell))
        let monday = firstMonday + (allWeeks - weeks) * 7
        let active = values.filter { $0 > 0 }.sorted()

        var lines = [monthLine(monday: monday, weeks: weeks, cell: cell, width: surface.width)]
        for weekday in 0..<7 {
            let name = [0: "Mon", 2: "Wed", 4: "Fri"][weekday] ?? ""
            var line = Style.dim(name.padded(to: Self.margin), on: surface)
            for week in 0..<weeks {
                let day = monday + week * 7 + weekday
                let isInside = day >= first && day <= lastDay
                line += isInside ? Self.cell(Self.shade(values[day - first], among: active), on: surface) : " "
                line += .spaces(cell - 1)
            }
            lines.append(line.withoutTrailingSpaces)
        }
        lines.append(.spaces(Self.margin) + legend(on: surface))
        return lines
    }

    private func monthLine(monday: Int, weeks: Int, cell: Int, width: Int) -> String {
        var line = String.spaces(Self.margin)
        var used = Self.margin
        var month: Int64 = 0
        for week in 0..<weeks {
            // A month is named over the first week that begins in it.
            let day = CivilDate(days: Int64(monday + week * 7))
            defer { month = day.month }
            let start = Self.margin + week * cell
            let isFree = start >= used + (used > Self.margin ? 1 : 0) && start + 3 <= width
            // The first column names its month only if it isn't nearly over.
            guard day.month != month, isFree, week > 0 || day.day <= 14 else { continue }
            line += .spaces(start - used) + day.monthName
            used = start + 3
        }
        return line.withoutTrailingSpaces
    }

    private func legend(on surface: Surface) -> String {
        let cells = (0...4).map { Self.cell($0, on: surface) }.joined(separator: " ")
        // "less", "more" and five shades take 19 columns.
        guard surface.width >= Self.margin + 19 else { return cells }
        return Style.dim("less ", on: surface) + cells + Style.dim(" more", on: surface)
    }

    /// 0 for nothing; else 1 to 4, by the quarter of the active days (`active`, sorted) that did less.
    static func shade(_ value: Int, among active: [Int]) -> Int {
        guard value > 0, !active.isEmpty else { return 0 }
        var low = 0
        var high = active.count
        while low < high {
            let middle = (low + high) / 2
            if active[middle] < value { low = middle + 1 } else { high = middle }
        }
        return min(4, 1 + Numbers.share(low, of: active.count, parts: 4_000) / 1_000)
    }

    private static let greens = [RGB(0x9BE9A8), RGB(0x40C463), RGB(0x30A14E), RGB(0x216E39)]

    private static func cell(_ shade: Int, on surface: Surface) -> String {
        if !surface.unicode { return [".", "-", "+", "*", "#"][shade] }
        if shade == 0 { return Style.dim("·", on: surface) }
        // Shades of colour need more than eight of them; with less, the pattern tells.
        if surface.colour >= .palette { return Style.exact(greens[shade - 1])("■", on: surface) }
        return Style.colour(.green)(["░", "▒", "▓", "█"][shade - 1], on: surface)
    }
}
