/// What of a text may go to a terminal as it is, though it does something there.
package struct KeptControls: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Line feeds and tabs.
    package static let layout = KeptControls(rawValue: 1)
    /// Colours and the like, as ``Style`` writes them: `ESC [ … m`.
    package static let styles = KeptControls(rawValue: 2)
}

/// The text of anybody as a terminal may receive it: what acts, hides or turns text around is spelt out, never sent.
///
/// A card's text can come from a stranger's file; sent raw it could move the cursor, recolour the screen, rename the window, or
/// read otherwise than it is. So these become `\n`, `\t`, `\r`, `\e` or `\u{202E}`: C0 and C1 controls and DEL, line and
/// paragraph separators, all marks of direction, and whatever a terminal draws nothing for (soft hyphens, zero-width spaces,
/// fillers, tags, stray joiners and variation selectors). Letters of right-to-left scripts stay as they are, and so do joiners
/// and selectors where scripts and emoji need them: behind the letter or picture that they join or choose the look of.
package func shown(_ text: String, keeping kept: KeptControls = []) -> String {
    if text.isPrintableASCII { return text }
    let scalars = text.unicodeScalars
    var guardian = TextGuard(scalars, kept)
    guard var index = guardian.firstUnsafe() else { return text }
    var result = String(scalars[..<index])
    while index < scalars.endIndex {
        if guardian.passes(index) {
            result.unicodeScalars.append(scalars[index])
        } else {
            result += escaped(scalars[index])
        }
        index = scalars.index(after: index)
    }
    return result
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    case "\u{1B}": "\\e"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
}

/// Goes through the scalars of a text from the first to the last, and says of each whether it is sent.
private struct TextGuard {
    private let scalars: String.UnicodeScalarView
    private let kept: KeptControls
    /// The scalar before, where it was sent.
    private var previous: Unicode.Scalar?
    /// Scalars before this one belong to a sequence that was found whole.
    private var sequenceEnd: String.UnicodeScalarView.Index

    init(_ scalars: String.UnicodeScalarView, _ kept: KeptControls) {
        self.scalars = scalars
        self.kept = kept
        sequenceEnd = scalars.startIndex
    }

    /// The first that isn't sent. ``passes(_:)`` goes on from it.
    mutating func firstUnsafe() -> String.UnicodeScalarView.Index? {
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let before = previous
            guard passes(index) else {
                previous = before
                return index
            }
            index = scalars.index(after: index)
        }
        return nil
    }

    mutating func passes(_ index: String.UnicodeScalarView.Index) -> Bool {
        let scalar = scalars[index]
        let isSent = index < sequenceEnd || isSafe(scalar, at: index)
        previous = isSent ? scalar : nil
        return isSent
    }

    private mutating func isSafe(_ scalar: Unicode.Scalar, at index: String.UnicodeScalarView.Index) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300: return true
        case 0x09, 0x0A: return kept.contains(.layout)
        case 0x1B: return kept.contains(.styles) && beginsStyle(index)
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: return false
        case 0x200C, 0x200D: return previous.map(Self.isJoined) ?? false
        case 0xFE00...0xFE0F: return previous.map(Self.hasLooks) ?? false
        case 0x180B...0x180D, 0x180F: return previous.map { (0x1820...0x18AA).contains($0.value) } ?? false
        case 0xE0100...0xE01EF: return previous?.properties.isIdeographic ?? false
        case 0x1F3F4:
            findFlag(behind: index)
            return true
        default: return !Self.isInvisible(scalar)
        }
    }

    /// Whether a terminal draws nothing for it.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return true }
        // Signs that Arabic, Syriac and Kaithi numbers stand on are format characters that one sees.
        return properties.generalCategory == .format && !visibleFormats.contains(scalar.value)
    }

    private static let visibleFormats: Set<UInt32> = [
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
    ]

    /// Whether a joiner behind it means something: letters and marks of scripts that join, pictures, skin tones.
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value == 0xFE0F { return true }
        // Latin, Greek and Cyrillic letters don't join.
        guard scalar.value >= 0x530 || scalar.value == 0xA9 || scalar.value == 0xAE else { return false }
        switch scalar.properties.generalCategory {
        case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .otherSymbol, .modifierSymbol: return true
        case .mathSymbol, .otherPunctuation: return scalar.properties.isEmoji
        default: return false
        }
    }

    /// Whether it may have several looks to choose from: not another selector, a joiner, a space or a Latin letter.
    private static func hasLooks(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x23, 0x2A, 0x30...0x39, 0xA9, 0xAE: true
        case 0..<0x2000, 0xFE00...0xFE0F: scalar.properties.isIdeographic || (0x1000..<0x1100).contains(scalar.value)
        default: !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether digits and semicolons and an `m` follow the bracket that follows.
    private mutating func beginsStyle(_ escape: String.UnicodeScalarView.Index) -> Bool {
        var rest = scalars[scalars.index(after: escape)...]
        guard rest.popFirst() == "[" else { return false }
        while let scalar = rest.popFirst() {
            if scalar == "m" {
                sequenceEnd = rest.startIndex
                return true
            }
            guard scalar == ";" || ("0"..."9").contains(scalar) else { return false }
        }
        return false
    }

    /// Tags spell the flags of countries' parts after a black flag, with an end; all others are invisible text.
    private mutating func findFlag(behind flag: String.UnicodeScalarView.Index) {
        var rest = scalars[scalars.index(after: flag)...]
        var count = 0
        while let tag = rest.popFirst(), count <= 6 {
            switch tag.value {
            case 0xE0030...0xE0039, 0xE0061...0xE007A: count += 1
            case 0xE007F:
                if count >= 3 { sequenceEnd = rest.startIndex }
                return
            default: return
            }
        }
    }
}
