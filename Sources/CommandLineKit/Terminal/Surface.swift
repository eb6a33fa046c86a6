/// How many colours a stream may be sent.
package enum ColourDepth: Int, Comparable, Sendable {
    case none
    /// The eight colours of every terminal.
    case basic
    /// The palette of 256.
    case palette
    /// Any colour, in 24 bits.
    case full

    package static func < (left: ColourDepth, right: ColourDepth) -> Bool { left.rawValue < right.rawValue }
}

/// What is known of a stream before something is drawn on it. Each stream has its own.
package struct Surface: Sendable, Equatable {
    package var isTerminal: Bool
    /// Columns; 80 where nobody knows.
    package var width: Int
    package var colour: ColourDepth
    /// Whether box drawing and other characters beyond ASCII may be used.
    package var unicode: Bool

    package init(isTerminal: Bool = false, width: Int = 80, colour: ColourDepth = .none, unicode: Bool = true) {
        self.isTerminal = isTerminal
        self.width = width
        self.colour = colour
        self.unicode = unicode
    }

    /// The rules, as a function of what the system and the user say.
    ///
    /// Colour is for a terminal alone, and not if `--no-color` was given, `NO_COLOR` is set and not empty, or `TERM` is `dumb` or
    /// missing. `COLORTERM` (`truecolor`, `24bit`) and `TERM` (`…-256color`, `…-direct`) tell how much of it.
    package init(
        isTerminal: Bool, columns: Int?, noColour: Bool, environment: (String) -> String?
    ) {
        self.isTerminal = isTerminal
        let stated = environment("COLUMNS").flatMap { Int($0) }
        width = min(max([columns, stated].compactMap { $0 }.first { $0 > 0 } ?? 80, 10), 10_000)
        unicode = Surface.isUnicode(environment)
        colour = isTerminal && !noColour ? Surface.depth(environment) : .none
    }

    private static func depth(_ environment: (String) -> String?) -> ColourDepth {
        if environment("NO_COLOR").map({ !$0.isEmpty }) ?? false { return .none }
        guard let term = environment("TERM"), !term.isEmpty, term != "dumb" else { return .none }
        let stated = environment("COLORTERM") ?? ""
        if stated == "truecolor" || stated == "24bit" || term.hasSuffix("-direct") { return .full }
        return term.hasSuffix("-256color") ? .palette : .basic
    }

    /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that says something names the character set.
    private static func isUnicode(_ environment: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8") || name.contains("utf-8@") || name.contains("utf8@")
    }
}

extension Surface {
    /// What the system says of one of the process's own streams.
    package init(descriptor: Int32, noColour: Bool) {
        self.init(
            isTerminal: System.isTerminal(descriptor), columns: System.columns(descriptor), noColour: noColour,
            environment: System.environment)
    }

    /// "…" where it can be shown.
    package var ellipsis: String { unicode ? "…" : "..." }
}
