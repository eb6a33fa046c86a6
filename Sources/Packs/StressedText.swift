/// What to ask where a row has only a right and wrong ways to write a word.
enum StressedText {
    /// `text` without the marks that show its stress: acute and grave accents that stand by themselves, and capital letters
    /// within it.
    static func bare(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.value != 0x301 && scalar.value != 0x300 { scalars.append(scalar) }
        return String(scalars).lowercased()
    }

    /// What all `options` have in common, so that it tells nothing of the right one; a general question where that is nothing.
    static func prompt(for options: [String]) -> String {
        let bare = Set(options.map { Self.bare($0) })
        if bare.count == 1, let only = bare.first, !only.isEmpty { return only }
        return "Which one is right?"
    }
}
