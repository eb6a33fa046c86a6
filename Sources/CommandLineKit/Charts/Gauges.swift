internal import CivilTime

/// Forecasts, hours, rates and streaks: small pictures made of plain numbers.
package enum Gauges {
    /// Cards that become due on each of the days from `firstDay` on (days since 1970-01-01).
    ///
    /// - Parameter cards: the first value is what is due now, overdue cards included.
    package static func forecast(_ cards: [Int], firstDay: Int, on surface: Surface) -> [String] {
        var labels = cards.isEmpty ? [] : [(place: 0, text: "now")]
        for index in cards.indices.dropFirst(2) {
            let date = CivilDate(days: Int64(firstDay + index))
            if date.weekday == 0 { labels.append((index, "\(date.monthName) \(date.day)")) }
        }
        return ColumnChart(cards, labels: labels, emphasised: [0]).lines(on: surface)
    }

    /// What was done in each hour of the day (24 values).
    package static func hours(_ values: [Int], on surface: Surface) -> [String] {
        let labels = stride(from: 0, to: values.count, by: 3).map { (place: $0, text: digits($0)) }
        return ColumnChart(values, height: 4, labels: labels).lines(on: surface)
    }

    /// A bar for a share, such as the pass rate: green from 85%, yellow from 70%, red below.
    package static func rate(_ label: String, _ part: Int, of whole: Int, on surface: Surface) -> String {
        let tail =
            whole > 0
            ? "\(Numbers.percent(part, of: whole))  (\(Numbers.grouped(max(0, part))) of \(Numbers.grouped(whole)))" : "nothing yet"
        let thousandths = Numbers.share(part, of: whole, parts: 1000)
        let colour: Style.Colour = thousandths >= 850 ? .green : thousandths >= 700 ? .yellow : .red
        return gauge(shown(label), part, of: whole, tail: tail, style: .colour(colour), on: surface)
    }

    /// How much of a deck is learned, in the deck's colour.
    package static func progress(
        _ label: String, learned: Int, of cards: Int, colour: RGB? = nil, labelWidth: Int = 0, on surface: Surface
    ) -> String {
        let percent = String(Numbers.share(learned, of: cards, parts: 100)).padded(to: 3, .right)
        let tail = "\(percent)%  \(Numbers.grouped(max(0, learned)))/\(Numbers.grouped(max(0, cards)))"
        let label = shown(label).truncated(to: max(8, surface.width / 3), ellipsis: surface.ellipsis).padded(to: labelWidth)
        return gauge(label, learned, of: cards, tail: tail, style: colour.map { .exact($0) } ?? .colour(.green), on: surface)
    }

    private static func gauge(_ label: String, _ part: Int, of whole: Int, tail: String, style: Style, on surface: Surface) -> String {
        let width = min(40, surface.width - label.displayWidth - tail.displayWidth - 4)
        guard width >= 3 else { return "\(label)  \(tail)".truncated(to: surface.width, ellipsis: surface.ellipsis) }
        let bar = Bar.text(part, of: whole, width: width, unicode: surface.unicode, background: true)
        return "\(label)  \(style(bar, on: surface))  \(tail)"
    }

    /// Days in a row, and which of the last days were among the active ones (the last value is today).
    package static func streak(current: Int, longest: Int, lastDays: [Bool], labelWidth: Int = 0, on surface: Surface) -> String {
        let text =
            "Streak".padded(to: labelWidth) + "  \(Numbers.count(max(0, current), "day"))  (longest \(Numbers.grouped(max(0, longest))))"
        let room = surface.width - text.displayWidth - 2
        guard room >= 7, !lastDays.isEmpty else { return text.truncated(to: surface.width, ellipsis: surface.ellipsis) }
        let marks = lastDays.suffix(min(room, 30)).map { active in
            active ? Style.colour(.green)(surface.unicode ? "●" : "*", on: surface) : Style.dim(surface.unicode ? "○" : ".", on: surface)
        }
        return text + "  " + marks.joined()
    }
}
