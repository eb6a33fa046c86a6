/// How many columns of a terminal text takes.
///
/// Widths follow Unicode's East Asian Width and emoji properties: wide characters and emoji take two columns, marks that sit on
/// another character and invisible ones none, everything else one. Characters of ambiguous width take one.
extension StringProtocol {
    /// The columns that this text takes, once control characters were escaped (see ``shown(_:)``).
    package var displayWidth: Int {
        if isPrintableASCII { return utf8.count }
        return self.reduce(0) { $0 + $1.displayWidth }
    }

    var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}

extension Character {
    /// The columns of one character, which may be made of many scalars.
    package var displayWidth: Int {
        if isEmoji { return 2 }
        return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }

    /// Several scalars that a terminal draws as one picture, or one scalar that it draws as a picture by itself.
    private var isEmoji: Bool {
        guard let first = unicodeScalars.first, first.value > 0x7F || unicodeScalars.count > 1 else { return false }
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji && unicodeScalars.dropFirst().contains { $0.value == 0xFE0F }
    }
}

extension Unicode.Scalar {
    var displayWidth: Int {
        if value < 0x300 { return value == 0xAD || value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        // The vowels and final consonants of Hangul join the consonant before them.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        if value < 0x1100 { return false }
        if properties.isEmojiPresentation { return true }
        return Self.wideBlocks.contains { $0.contains(value) }
    }

    /// The blocks of East Asian Width "wide" and "fullwidth", whole blocks together with their unassigned places.
    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2329...0x232A,  // angle brackets
        0x2E80...0x303E,  // radicals, Chinese and Japanese punctuation
        0x3041...0x3247,  // kana, Bopomofo, Hangul compatibility letters
        0x3250...0x4DBF,  // enclosed letters, first extension of ideographs
        0x4E00...0xA4CF,  // ideographs, Yi
        0xA960...0xA97F, 0xAC00...0xD7A3,  // Hangul
        0xF900...0xFAFF,  // compatibility ideographs
        0xFE10...0xFE19, 0xFE30...0xFE6F,  // vertical and small forms
        0xFF01...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
        0x16FE0...0x18DFF,  // Tangut, Khitan, Nüshu marks
        0x1AFF0...0x1B2FF,  // kana extensions
        0x1F200...0x1F265,  // enclosed ideographs
        0x20000...0x3FFFD,  // further ideographs
    ]
}
