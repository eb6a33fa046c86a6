/// Upright bars side by side, fine to an eighth of a line, over an axis with labels.
package struct ColumnChart: Sendable {
    package var values: [Int]
    /// Lines of the bars.
    package var height: Int
    /// What stands under the axis: text at the first column of the bar of that place. Labels that would touch are left out.
    package var labels: [(place: Int, text: String)]
    /// The bars that look different, such as the first of a forecast.
    package var emphasised: Set<Int>

    package init(_ values: [Int], height: Int = 6, labels: [(place: Int, text: String)] = [], emphasised: Set<Int> = []) {
        self.values = values.map { max(0, $0) }
        self.height = min(max(1, height), 40)
        self.labels = labels
        self.emphasised = emphasised
    }

    package func lines(on surface: Surface) -> [String] {
        guard !values.isEmpty else { return [] }
        let most = values.max() ?? 0
        let whole = Numbers.grouped(most)
        let scale = whole.displayWidth <= surface.width / 4 ? whole : Numbers.short(most)
        let margin = max(scale.displayWidth, 2)
        let step = max(1, (surface.width - margin - 2) / values.count)
        let shownCount = min(values.count, max(1, surface.width - margin - 2))
        // A gap between bars where there is room for one.
        let stride = min(step, 4)
        let width = max(1, stride - 1)
        let eighths = values.prefix(shownCount).map { Numbers.share($0, of: most, parts: height * (surface.unicode ? 8 : 1)) }
        let axis = surface.unicode ? "┤" : "|"
        var lines: [String] = []
        for row in (0..<height).reversed() {
            let title = row == height - 1 ? scale : row == 0 ? "0" : ""
            var line = title.padded(to: margin, .right) + (title.isEmpty ? (surface.unicode ? "│" : "|") : axis)
            for (place, units) in eighths.enumerated() {
                let block = Self.block(units, row: row, unicode: surface.unicode)
                let text = String(repeating: block, count: width)
                line += block == " " ? text : Style.colour(emphasised.contains(place) ? .yellow : .cyan)(text, on: surface)
                line += .spaces(stride - width)
            }
            lines.append(line.withoutTrailingSpaces)
        }
        let labelled = labelLine(stride: stride, room: surface.width - margin - 1, places: shownCount)
        if !labelled.isEmpty { lines.append(.spaces(margin + 1) + labelled) }
        return lines
    }

    private static func block(_ units: Int, row: Int, unicode: Bool) -> String {
        if !unicode { return units > row ? "#" : " " }
        let part = units - row * 8
        return part <= 0 ? " " : part >= 8 ? "█" : Sparkline.levels[part - 1]
    }

    private func labelLine(stride: Int, room: Int, places: Int) -> String {
        var line = ""
        var used = 0
        for label in labels where label.place >= 0 && label.place < places {
            let start = label.place * stride
            let end = start + label.text.displayWidth
            guard start >= used + (used == 0 ? 0 : 1), end <= room else { continue }
            line += .spaces(start - used) + label.text
            used = end
        }
        return line
    }
}

extension String {
    var withoutTrailingSpaces: String {
        var copy = self[...]
        while copy.last == " " { copy.removeLast() }
        return String(copy)
    }
}

/// One character a value.
package enum Sparkline {
    static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Nothing shows as a space; in ASCII the digits 1 to 9 stand for the levels and `.` for nothing.
    package static func text(_ values: [Int], on surface: Surface) -> String {
        let most = values.max() ?? 0
        return values.map { value in
            if surface.unicode {
                let level = Numbers.share(value, of: most, parts: 8)
                return level == 0 ? " " : levels[level - 1]
            }
            let level = Numbers.share(value, of: most, parts: 9)
            return level == 0 ? "." : String(level)
        }.joined()
    }
}
