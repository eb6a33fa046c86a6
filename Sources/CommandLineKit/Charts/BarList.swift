/// Labelled bars under each other, with counts and shares: boxes, grades, hours.
package struct BarList: Sendable {
    /// One bar.
    package struct Row: Sendable {
        package var label: String
        package var value: Int
        package var style: Style

        package init(_ label: String, _ value: Int, _ style: Style = .colour(.cyan)) {
            self.label = label
            self.value = max(0, value)
            self.style = style
        }
    }

    package var rows: [Row]
    /// Whether the share of each in all is shown.
    package var showsShare: Bool

    package init(_ rows: [Row], showsShare: Bool = true) {
        self.rows = rows
        self.showsShare = showsShare
    }

    /// A histogram of boxes, from "Box 0" on: what isn't learned yet is red, the last box green.
    package static func boxes(_ counts: [Int]) -> BarList {
        BarList(
            counts.enumerated().map { box, count in
                let colour: Style.Colour = box == 0 ? .red : box == counts.count - 1 ? .green : .cyan
                return Row("Box \(box)", count, .colour(colour))
            })
    }

    /// One line a row: the label, the bar, the count, the share. The longest bar stands for the greatest value.
    package func lines(on surface: Surface) -> [String] {
        let most = rows.map(\.value).max() ?? 0
        let total = Numbers.total(rows.map(\.value))
        let labels = rows.map { shown($0.label).truncated(to: max(4, surface.width / 3), ellipsis: surface.ellipsis) }
        let counts = rows.map { Numbers.grouped($0.value) }
        let labelWidth = labels.map(\.displayWidth).max() ?? 0
        let countWidth = counts.map(\.displayWidth).max() ?? 0
        let shareWidth = showsShare ? 8 : 0
        let barWidth = min(60, surface.width - labelWidth - countWidth - shareWidth - 4)
        return rows.indices.map { index in
            let row = rows[index]
            var line = labels[index].padded(to: labelWidth)
            if barWidth > 0 {
                let bar = Bar.text(row.value, of: most, width: barWidth, unicode: surface.unicode)
                line += "  " + row.style(bar, on: surface) + .spaces(barWidth - bar.displayWidth)
            }
            line += "  " + counts[index].padded(to: countWidth, .right)
            if showsShare { line += "  " + Style.dim(Numbers.percent(row.value, of: total).padded(to: 6, .right), on: surface) }
            return line
        }
    }
}
