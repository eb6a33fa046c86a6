extension String {
    /// The lines of this text at most `width` columns wide: its own line breaks kept, words wrapped, and a word that is wider
    /// alone cut between characters, as text without spaces must be.
    ///
    /// Control characters are spelt out (see ``shown(_:)``), tabs become spaces. A character is never cut in two, and letters
    /// stay in the order in which they are stored: which way they run is the terminal's to show.
    package func block(width: Int) -> [String] {
        let width = max(2, width)
        let lines = replacing("\r\n", with: "\n").replacing("\r", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        return lines.flatMap { Self.wrap(shown(String($0).replacing("\t", with: "    ")), width: width) }
    }

    private static func wrap(_ text: String, width: Int) -> [String] {
        guard text.displayWidth > width else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let size = word.displayWidth
            if used > 0, used + 1 + size <= width {
                line += " " + word
                used += 1 + size
                continue
            }
            if used > 0 { lines.append(line) }
            line = ""
            used = 0
            for character in word {
                let step = character.displayWidth
                if used + step > width {
                    lines.append(line)
                    line = ""
                    used = 0
                }
                line.append(character)
                used += step
            }
        }
        lines.append(line)
        return lines
    }
}
