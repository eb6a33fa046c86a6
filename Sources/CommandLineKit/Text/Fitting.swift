/// Where text stands in a field that is wider than it.
package enum Alignment: Sendable {
    case left
    case right
    case centre
}

extension String {
    /// This text cut to at most `width` columns, ending in `ellipsis` if something was cut off. Never cuts a character in two.
    package func truncated(to width: Int, ellipsis: String = "…") -> String {
        guard displayWidth > width else { return self }
        let room = width - ellipsis.displayWidth
        guard room >= 0 else { return width > 0 ? String(repeating: ".", count: width) : "" }
        var used = 0
        var kept = ""
        for character in self {
            used += character.displayWidth
            if used > room { break }
            kept.append(character)
        }
        return kept + ellipsis
    }

    /// This text with spaces around it up to `width` columns; text that is wider stays as it is.
    package func padded(to width: Int, _ alignment: Alignment = .left) -> String {
        let missing = width - displayWidth
        guard missing > 0 else { return self }
        switch alignment {
        case .left: return self + .spaces(missing)
        case .right: return .spaces(missing) + self
        case .centre: return .spaces(missing / 2) + self + .spaces(missing - missing / 2)
        }
    }

    /// The words of this text on lines of at most `width` columns. A word that is wider alone stands on a line of its own.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in split(separator: " ") {
            let size = word.displayWidth
            if !line.isEmpty, used + 1 + size > width {
                lines.append(line)
                line = ""
                used = 0
            }
            if !line.isEmpty {
                line += " "
                used += 1
            }
            line += word
            used += size
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(0, count)) }
}
