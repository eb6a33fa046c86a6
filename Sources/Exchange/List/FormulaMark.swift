/// The apostrophe before a cell that a spreadsheet would otherwise run as a formula.
///
/// A cell is marked where, behind any apostrophes, it begins with a tab or an end of line, or with `=`, `+`, `-` or `@` (their
/// full-width and small forms too) behind nothing but white space, quotes and what one doesn't see. A mark is taken off where
/// such a cell stands behind it. So each text comes back as it was, those that begin with an apostrophe too, and an apostrophe
/// that begins a word of another program's list stays.
package enum FormulaMark {
    /// `text` as a spreadsheet may have it.
    package static func marked(_ text: String) -> String { isRun(text[...]) ? "'" + text : text }

    /// What ``marked(_:)`` was given.
    package static func unmarked(_ text: String) -> String {
        // By bytes: an apostrophe and a mark behind it are one character.
        guard text.utf8.first == UInt8(ascii: "'") else { return text }
        let rest = text.unicodeScalars.dropFirst()
        return isRun(Substring(rest)) ? String(rest) : text
    }

    private static func isRun(_ text: Substring) -> Bool {
        // Most texts begin with a letter.
        if let first = text.utf8.first, first >= 0x41, first < 0x7F { return false }
        let cell = text.unicodeScalars.drop { $0 == "'" }
        switch cell.first {
        case "\t", "\r", "\n": return true
        default: return cell.first { !isPassedOver($0) }.map { signs.contains($0) } ?? false
        }
    }

    private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return scalar == "\"" || properties.isWhitespace || properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
    }

    private static let signs: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}", "\u{FE63}", "\u{FE6B}", "\u{2212}",
    ]
}
