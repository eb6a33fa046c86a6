/// The whole screen of a terminal and its keys, one by one, while a command has them.
///
/// ``close()`` gives the terminal back as it was: call it on every way out. The screen that was there before comes back with it.
package final class Console {
    private let out: OutputWriter
    private let noColour: Bool
    private var decoder = KeyDecoder()
    private var saved: System.TerminalMode?
    private var lastSize: System.WindowSize

    /// Another screen, no cursor, pasted text marked as such; and all of that taken back.
    private static let screenStart = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[H\u{1B}[2J"
    private static let screenEnd = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    /// How often a wait looks whether something came between two looks, in milliseconds.
    private static let watch: Int32 = 1000

    /// How long after an escape byte the rest of a key's sequence may come, in milliseconds.
    private static let sequencePause: Int32 = 40

    /// The screen and the keyboard of the process; `nil` where standard input or output is no terminal, or one that can't
    /// place text.
    package init?(_ session: Session) {
        guard Self.isPossible(session), let saved = System.enterRawMode(screenEnd: Self.screenEnd)
        else { return nil }
        self.saved = saved
        out = session.out
        noColour = session.surface.colour == .none
        lastSize = Self.size
        System.noteSignals()
        out.write(bytes: Self.screenStart.utf8)
        out.flush()
    }

    /// Whether a screen and a keyboard are there to be used.
    package static func isPossible(_ session: Session) -> Bool {
        session.surface.isTerminal && System.isTerminal(System.standardInput) && session.variable("TERM") != "dumb"
    }

    private static var size: System.WindowSize {
        System.windowSize(System.standardOutput) ?? System.WindowSize(rows: 24, columns: 80)
    }

    /// Lines of the screen.
    package var rows: Int { max(4, lastSize.rows) }

    /// What may be drawn, with the width that the window has now.
    package func surface(_ session: Session) -> Surface {
        var surface = session.surface
        surface.width = max(10, lastSize.columns)
        return surface
    }

    /// Shows `lines` and nothing else. Each must fit the width already; what doesn't fit the height is left out at the end.
    ///
    /// - Parameter cursor: where the cursor stands, line and column from 0; hidden where there is none.
    package func draw(_ lines: [String], cursor: (line: Int, column: Int)? = nil) {
        var text = "\u{1B}[?25l\u{1B}[H"
        for (index, line) in lines.prefix(rows).enumerated() {
            if index > 0 { text += "\r\n" }
            text += shown(line, keeping: .styles) + "\u{1B}[K"
        }
        text += "\u{1B}[J"
        if let cursor { text += "\u{1B}[\(cursor.line + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        out.write(bytes: text.utf8)
        out.flush()
    }

    /// The next key; `nil` where none came within `timeout` milliseconds.
    package func key(timeout: Int32? = nil) -> Key? {
        if let key = decoder.next(isComplete: false) { return key }
        var wait = timeout ?? -1
        while true {
            if System.wasAskedToEnd || !out.isOpen { return .endOfInput }
            let size = Self.size
            if size != lastSize {
                lastSize = size
                return .resized
            }
            // A signal that comes between the look above and the wait isn't missed for longer than a watch.
            switch System.waitForInput(System.standardInput, milliseconds: wait < 0 ? Self.watch : wait) {
            case .interrupted: continue
            case .nothing where wait < 0: continue
            case .nothing:
                if let key = decoder.next(isComplete: true) { return key }
                return wait == Self.sequencePause ? .other : nil
            case .something:
                guard let bytes = System.readSome(System.standardInput) else { continue }
                guard !bytes.isEmpty else { return .endOfInput }
                decoder.feed(bytes)
                if let key = decoder.next(isComplete: false) { return key }
                wait = Self.sequencePause
            }
        }
    }

    /// Gives the terminal back.
    package func close() {
        guard let saved else { return }
        self.saved = nil
        out.write(bytes: Self.screenEnd.utf8)
        out.flush()
        System.leaveRawMode(saved)
    }
}
