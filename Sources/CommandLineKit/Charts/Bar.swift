/// A bar of text, fine to an eighth of a column.
package enum Bar {
    /// `value / whole` of `width` columns. Something that isn't nothing shows at least a sliver, and what isn't all leaves one.
    ///
    /// - Parameter background: whether the bar is filled up to `width`: with `░` (or `.` in ASCII), so that its end can be seen.
    package static func text(_ value: Int, of whole: Int, width: Int, unicode: Bool, background: Bool = false) -> String {
        let width = max(0, width)
        let parts = unicode ? 8 : 1
        let units = Numbers.share(value, of: whole, parts: width * parts)
        let full = units / parts
        let rest = units % parts
        var bar = String(repeating: unicode ? "█" : "#", count: full)
        if rest > 0 { bar += eighths[rest - 1] }
        if background { bar += String(repeating: unicode ? "░" : ".", count: width - full - (rest > 0 ? 1 : 0)) }
        return bar
    }

    private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
