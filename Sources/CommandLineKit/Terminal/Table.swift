/// Rows of data: aligned columns for a person, one tab between fields for a pipe.
package struct Table {
    /// What stands in a column, and how.
    package struct Column: Sendable {
        package var title: String
        package var alignment: Alignment
        /// Whether the column's text may be cut where the terminal is too narrow; the widest is cut first.
        package var isFlexible: Bool

        package init(_ title: String, _ alignment: Alignment = .left, isFlexible: Bool = false) {
            self.title = title
            self.alignment = alignment
            self.isFlexible = isFlexible
        }
    }

    /// One field: text of anybody (it is shown escaped) and how it looks.
    package struct Cell: Sendable, ExpressibleByStringInterpolation {
        package var text: String
        package var style: Style

        package init(_ text: String, _ style: Style = .plain) {
            self.text = shown(text)
            self.style = style
        }

        package init(stringLiteral value: String) { self.init(value) }
    }

    package var columns: [Column]
    package private(set) var rows: [[Cell]] = []

    private static let gap = 2
    private static let narrowest = 8

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; missing cells stay empty, those beyond the columns are left out.
    package mutating func add(_ cells: [Cell]) {
        let missing = max(0, columns.count - cells.count)
        rows.append(Array(cells.prefix(columns.count)) + Array(repeating: Cell(""), count: missing))
    }

    /// The lines for `surface`: fields and tabs for a pipe; for a terminal a header and columns, or a block of lines a row
    /// where the columns can't be made narrow enough.
    package func lines(on surface: Surface) -> [String] {
        guard surface.isTerminal else { return rows.map { row in row.map(\.text).joined(separator: "\t") } }
        if rows.isEmpty { return [] }
        guard let widths = widths(within: surface.width) else { return blocks(on: surface) }
        let header = zip(columns, widths).map { (Cell($0.title, .bold), $0.alignment, $1) }
        let body = rows.map { row in zip(row, zip(columns, widths)).map { ($0, $1.0.alignment, $1.1) } }
        return ([header] + body).map { line($0, on: surface) }
    }

    private func line(_ fields: [(cell: Cell, alignment: Alignment, width: Int)], on surface: Surface) -> String {
        var result = ""
        for (index, field) in fields.enumerated() {
            if index > 0 { result += .spaces(Self.gap) }
            let text = field.cell.text.truncated(to: field.width, ellipsis: surface.ellipsis)
            let missing = field.width - text.displayWidth
            let isLast = index == fields.count - 1
            let (before, after): (Int, Int) =
                switch field.alignment {
                case .left: (0, isLast ? 0 : missing)
                case .right: (missing, 0)
                case .centre: (missing / 2, isLast ? 0 : missing - missing / 2)
                }
            result += .spaces(before) + field.cell.style(text, on: surface) + .spaces(after)
        }
        return result
    }

    /// The width of each column, or nil if they can't fit.
    private func widths(within width: Int) -> [Int]? {
        var widths = columns.indices.map { index in
            rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].text.displayWidth) }
        }
        var excess = widths.reduce(0, +) + Self.gap * max(0, columns.count - 1) - width
        while excess > 0 {
            let candidates = columns.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return nil }
            // Down to the next widest candidate, or as far as needed.
            let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? Self.narrowest
            let cut = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= cut
            excess -= cut
        }
        return widths
    }

    /// One line a field, with an empty line between rows: for very narrow terminals.
    private func blocks(on surface: Surface) -> [String] {
        let label = min(columns.map(\.title.displayWidth).max() ?? 0, max(0, surface.width - Self.narrowest))
        var lines: [String] = []
        for (index, row) in rows.enumerated() {
            if index > 0 { lines.append("") }
            for (column, cell) in zip(columns, row) {
                let title = column.title.truncated(to: label, ellipsis: surface.ellipsis).padded(to: label)
                let text = cell.text.truncated(to: max(1, surface.width - label - 1), ellipsis: surface.ellipsis)
                lines.append(Style.bold(title, on: surface) + " " + cell.style(text, on: surface))
            }
        }
        return lines
    }
}
