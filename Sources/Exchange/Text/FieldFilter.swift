/// What a template may do to a field: the words before the colons in `{{type:cloze:Text}}`.
enum FieldFilter: Equatable {
    /// Hides one cloze on the front, shows all on the back.
    case cloze
    /// Nothing but the hidden text.
    case clozeOnly
    /// A box to type into on the front; what was to be typed, on the back.
    case type
    /// Hidden behind its name on the front.
    case hint(String)
    /// Without formatting.
    case text
    case furigana
    case kana
    case kanji
    /// Spoken, not shown.
    case speech
    /// A filter of some add-on: leaves the field alone.
    case other

    /// Which side of which card a filter works for.
    struct Side {
        /// The number of the cloze that the card asks for.
        let cloze: Int
        let isBack: Bool
    }

    init(named name: String, field: String) {
        switch name {
        case "cloze": self = .cloze
        case "cloze-only": self = .clozeOnly
        case "type": self = .type
        case "hint": self = .hint(field)
        case "text": self = .text
        case "furigana": self = .furigana
        case "kana": self = .kana
        case "kanji": self = .kanji
        default: self = name.hasPrefix("tts ") || name == "tts" ? .speech : .other
        }
    }

    func apply(to value: [UInt8], on side: Side) -> [UInt8] {
        switch self {
        case .cloze: return ClozeText.render(value, number: side.cloze, isRevealed: side.isBack)
        case .clozeOnly: return ClozeText.answers(value, number: side.cloze)
        case .type: return side.isBack ? value : []
        case .hint(let field):
            guard !side.isBack, !value.isEmpty else { return value }
            var label = Array("[".utf8)
            appendEscaped(field.utf8, to: &label)
            return label + Array("]".utf8)
        case .text:
            var escaped: [UInt8] = []
            appendEscaped(HTMLText(value.span).bytes, to: &escaped)
            return escaped
        case .furigana: return Furigana.render(value) { base, reading in base + [UInt8(ascii: "[")] + reading + [UInt8(ascii: "]")] }
        case .kana: return Furigana.render(value) { _, reading in Array(reading) }
        case .kanji: return Furigana.render(value) { base, _ in Array(base) }
        case .speech: return []
        case .other: return value
        }
    }
}

/// Readings written behind words: `日本語[にほんご]`, with a space before the word where it isn't the first.
enum Furigana {
    /// `text` with each word and its reading as `shape` joins them. The space that marks a word's start goes.
    static func render(_ text: [UInt8], _ shape: (_ base: ArraySlice<UInt8>, _ reading: ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var wordStart = 0
        var index = 0
        while index < text.count {
            let unit = text[index]
            if unit == UInt8(ascii: "["), index > wordStart, !text.span.matches("[sound:", at: index),
                let end = closing(text, from: index + 1)
            {
                if result.last == UInt8(ascii: " ") { result.removeLast() }
                result += shape(text[wordStart..<index], text[(index + 1)..<end])
                index = end + 1
                wordStart = index
                continue
            }
            index += 1
            if unit == UInt8(ascii: " ") || unit == UInt8(ascii: ">") || unit == 0x0A {
                result += text[wordStart..<index]
                wordStart = index
            }
        }
        return result + text[wordStart...]
    }

    /// Where the bracket closes that something stands in; readings are short.
    private static func closing(_ text: [UInt8], from start: Int) -> Int? {
        let end = text[start..<min(text.count, start + 256)].firstIndex(of: UInt8(ascii: "]"))
        return end.flatMap { $0 > start ? $0 : nil }
    }
}
