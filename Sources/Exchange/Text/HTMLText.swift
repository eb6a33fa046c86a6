/// Turns the HTML of a card's side into plain text.
///
/// Tags go; line breaks, blocks and table rows become lines; white space runs together as in a browser; entities
/// become their characters; scripts, styles, comments and hidden elements are dropped; media are named in brackets
/// (`[image: x.jpg]`, `[sound: y.mp3]`), and so are the readings of ruby text. Whatever the input, the work is linear
/// in its length.
struct HTMLText {
    /// The text so far, in UTF-8: no spaces at the ends of lines, never more than one blank line.
    private(set) var bytes: [UInt8] = []
    /// Where the text after the rule `<hr id=answer>` begins, if there was one.
    private(set) var answerOffset: Int?

    private var pendingSpace = false
    /// Line breaks that come before the next visible character.
    private var pendingBreaks = 0
    private var preformattedDepth = 0
    private var isInReading = false
    /// The element whose content is being dropped, and how many of its name lie open.
    private var hidden: (name: ElementName, depth: Int)?
    /// What is left to spend on looking for the ends of tags: bounds the work on a tangle of open quotes.
    private var scanBudget = 0

    /// The plain text of `html`.
    init(_ html: Span<UInt8>) {
        bytes.reserveCapacity(html.count)
        scanBudget = 8 &* html.count &+ 1024
        read(html)
    }

    private mutating func read(_ html: Span<UInt8>) {
        var index = 0
        while index < html.count {
            let unit = html[index]
            if unit == UInt8(ascii: "<"), let end = readMarkup(html, at: index) {
                index = end
            } else if hidden != nil {
                index += 1
            } else if unit == UInt8(ascii: "&"), let entity = HTMLEntity(html, at: index) {
                put(entity.scalar)
                index = entity.end
            } else {
                index = readText(html, at: index)
            }
        }
    }

    /// Takes one character (or the start of a sound's name) as it stands; returns where the next one begins.
    private mutating func readText(_ html: Span<UInt8>, at index: Int) -> Int {
        let unit = html[index]
        switch unit {
        case 0x0A where preformattedDepth > 0:
            breakLine()
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
            pendingSpace = true
        case 0..<0x20, 0x7F:
            break
        case 0xC2 where index + 1 < html.count && html[index + 1] == 0xA0:
            pendingSpace = true
            return index + 2
        case UInt8(ascii: "[") where html.matches("[sound:", at: index):
            put("[sound: ")
            return index + 7
        default:
            put(unit)
        }
        return index + 1
    }

    // MARK: Writing

    private mutating func put(_ unit: UInt8) {
        if pendingBreaks > 0 || pendingSpace { settle() }
        bytes.append(unit)
    }

    private mutating func put(_ text: StaticString) {
        settle()
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D, 0xA0: pendingSpace = true
        case 0..<0x20, 0x7F..<0xA0: break
        default:
            settle()
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Writes the line breaks or the space that the next visible character needs before it.
    private mutating func settle() {
        if !bytes.isEmpty {
            if pendingBreaks > 0 {
                for _ in 0..<min(2, pendingBreaks) { bytes.append(0x0A) }
            } else if pendingSpace, bytes.last != 0x0A {
                bytes.append(0x20)
            }
        }
        pendingBreaks = 0
        pendingSpace = false
    }

    private mutating func breakLine() { pendingBreaks += 1 }

    private mutating func beginBlock() { pendingBreaks = max(1, pendingBreaks) }

    // MARK: Markup

    /// Takes the tag or comment that begins at `start`; returns where it ends, or `nil` where it is none.
    private mutating func readMarkup(_ html: Span<UInt8>, at start: Int) -> Int? {
        guard start + 1 < html.count, scanBudget > 0 else { return nil }
        if html.matches("<!--", at: start) {
            return html.offset(of: "-->", from: start + 4).map { $0 + 3 } ?? html.count
        }
        if html[start + 1] == UInt8(ascii: "!") || html[start + 1] == UInt8(ascii: "?") {
            if let end = html.offset(of: ">", from: start + 2) { return end + 1 }
            // Then no tag ends any more.
            scanBudget = 0
            return nil
        }
        guard let tag = HTMLTag(html, at: start, budget: &scanBudget) else { return nil }
        if let hidden { return dropHidden(tag, hidden) }
        if !tag.isClosing {
            if tag.element == .script {
                // Its content isn't HTML: only its own closing tag ends it.
                return html.offset(ofClosing: tag.name, from: tag.end) ?? html.count
            }
            if tag.isHidden || tag.element == .aside {
                if !tag.isEmptyElement { hidden = (tag.name, 1) }
                return tag.end
            }
        }
        apply(tag, html)
        return tag.end
    }

    private mutating func dropHidden(_ tag: HTMLTag, _ open: (name: ElementName, depth: Int)) -> Int {
        guard tag.name == open.name, !tag.isEmptyElement else { return tag.end }
        let depth = open.depth + (tag.isClosing ? -1 : 1)
        hidden = depth > 0 ? (open.name, depth) : nil
        return tag.end
    }

    private mutating func apply(_ tag: HTMLTag, _ html: Span<UInt8>) {
        switch tag.element {
        case .lineBreak: breakLine()
        case .block: beginBlock()
        case .cell: pendingSpace = true
        case .rule:
            beginBlock()
            if tag.isAnswerRule, answerOffset == nil { answerOffset = bytes.count }
        case .preformatted:
            beginBlock()
            preformattedDepth = max(0, preformattedDepth + (tag.isClosing ? -1 : 1))
        case .reading, .ruby:
            if isInReading { put(UInt8(ascii: "]")) }
            isInReading = tag.element == .reading && !tag.isClosing
            if isInReading { put(UInt8(ascii: "[")) }
        case .image: putMedia("[image", tag, html)
        case .audio: putMedia("[sound", tag, html)
        case .video: putMedia("[video", tag, html)
        case .inline, .script, .aside: break
        }
    }

    /// Names a medium by its file. Embedded data has no name.
    private mutating func putMedia(_ label: StaticString, _ tag: HTMLTag, _ html: Span<UInt8>) {
        guard !tag.isClosing else { return }
        if tag.element != .image, tag.source == nil { return }
        put(label)
        if let source = tag.source, !html.matches("data:", at: source.lowerBound) {
            put(": ")
            var index = source.lowerBound
            while index < source.upperBound {
                if html[index] == UInt8(ascii: "&"), let entity = HTMLEntity(html, at: index), entity.end <= source.upperBound {
                    put(entity.scalar)
                    index = entity.end
                } else {
                    put(html[index])
                    index += 1
                }
            }
        }
        put(UInt8(ascii: "]"))
    }

    // MARK: Results

    /// The whole text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Span<UInt8> {
    /// Whether the ASCII letters at `offset` are those of `text`, which is in lower case. Their own case doesn't count.
    func matches(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, count - offset >= length else { return false }
        return text.withUTF8Buffer { units in
            for index in 0..<length where unsafe lowercased(self[offset + index]) != units[index] { return false }
            return true
        }
    }

    /// Where `text` next occurs from `start` on.
    func offset(of text: StaticString, from start: Int) -> Int? {
        var index = start
        while index + text.utf8CodeUnitCount <= count {
            if matches(text, at: index) { return index }
            index += 1
        }
        return nil
    }

    /// Where the tag that closes `name` ends, from `start` on.
    func offset(ofClosing name: ElementName, from start: Int) -> Int? {
        var index = start
        while let found = offset(of: "</", from: index) {
            let (closing, end) = ElementName.read(self, at: found + 2)
            if closing == name { return offset(of: ">", from: end).map { $0 + 1 } ?? count }
            index = found + 2
        }
        return nil
    }
}

/// The lower-case form of an ASCII letter; any other byte as it is.
func lowercased(_ unit: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= unit ? unit | 0x20 : unit
}
