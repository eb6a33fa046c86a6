/// The name of an element: its first eight letters in lower case, which tell all known ones apart.
struct ElementName: Hashable {
    private let letters: UInt64

    private init(letters: UInt64) { self.letters = letters }

    init(_ name: StaticString) {
        var letters: UInt64 = 0
        name.withUTF8Buffer { letters = unsafe $0.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
        self.letters = letters
    }

    /// The name that begins at `start`, and where it ends.
    static func read(_ html: Span<UInt8>, at start: Int) -> (name: ElementName, end: Int) {
        var letters: UInt64 = 0
        var index = start
        while index < html.count, isNameUnit(html[index]) {
            if index - start < 8 { letters = letters << 8 | UInt64(lowercased(html[index])) }
            index += 1
        }
        return (ElementName(letters: letters), index)
    }

    static func isLetter(_ unit: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(unit) }

    private static func isNameUnit(_ unit: UInt8) -> Bool {
        isLetter(unit) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= unit || unit == UInt8(ascii: "-") || unit == UInt8(ascii: ":")
    }
}

/// What an element means for plain text.
enum Element {
    case inline
    case lineBreak
    case block
    case cell
    case rule
    case preformatted
    case image
    case audio
    case video
    case ruby
    case reading
    /// Never text, and not parsed as HTML.
    case script
    /// Never text.
    case aside

    static func named(_ name: ElementName) -> Element { all[name] ?? .inline }

    /// Elements that have no content and no closing tag.
    static func isEmpty(_ name: ElementName) -> Bool { empty.contains(name) }

    private static let all: [ElementName: Element] = {
        var result: [ElementName: Element] = [
            ElementName("br"): .lineBreak, ElementName("td"): .cell, ElementName("th"): .cell, ElementName("hr"): .rule,
            ElementName("pre"): .preformatted, ElementName("img"): .image, ElementName("audio"): .audio,
            ElementName("video"): .video, ElementName("ruby"): .ruby, ElementName("rb"): .ruby, ElementName("rt"): .reading,
            ElementName("script"): .script, ElementName("style"): .script, ElementName("title"): .script,
            ElementName("textarea"): .script, ElementName("rp"): .aside, ElementName("template"): .aside,
            ElementName("select"): .aside, ElementName("svg"): .aside, ElementName("canvas"): .aside,
        ]
        let blocks: [StaticString] = [
            "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "thead", "tbody", "tfoot", "caption", "h1", "h2", "h3", "h4",
            "h5", "h6", "blockquote", "section", "article", "header", "footer", "main", "nav", "figure", "figcaption", "center",
            "details", "summary", "form", "fieldset", "address", "body", "html",
        ]
        for block in blocks { result[ElementName(block)] = .block }
        return result
    }()

    private static let empty: Set<ElementName> = {
        let names: [StaticString] = ["br", "hr", "img", "input", "meta", "link", "source", "track", "wbr", "area", "base", "col", "embed"]
        return Set(names.map { ElementName($0) })
    }()
}

/// One tag, with those of its attributes that matter for plain text.
struct HTMLTag {
    let name: ElementName
    let element: Element
    let isClosing: Bool
    /// Where the tag ends.
    private(set) var end: Int
    /// Whether no content follows: the element has none, or the tag says so (`<x/>`).
    private(set) var isEmptyElement: Bool
    /// Whether it is not to be seen.
    private(set) var isHidden = false
    /// Whether it is the rule between question and answer.
    private(set) var isAnswerRule = false
    /// Where the value of `src` lies.
    private(set) var source: Range<Int>?

    /// The tag that begins with the `<` at `start`; `nil` where it is none, or where it never ends. Takes what it looks
    /// at off `budget`.
    init?(_ html: Span<UInt8>, at start: Int, budget: inout Int) {
        isClosing = start + 1 < html.count && html[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isClosing ? 2 : 1)
        guard nameStart < html.count, ElementName.isLetter(html[nameStart]) else { return nil }
        var index: Int
        (name, index) = ElementName.read(html, at: nameStart)
        element = .named(name)
        isEmptyElement = Element.isEmpty(name)
        end = 0
        while index < html.count {
            switch html[index] {
            case UInt8(ascii: ">"):
                end = index + 1
                budget -= end - start
                return
            case UInt8(ascii: "/"):
                if index + 1 < html.count, html[index + 1] == UInt8(ascii: ">") { isEmptyElement = true }
                index += 1
            case 0...0x20:
                index += 1
            default:
                index = readAttribute(html, at: index)
            }
        }
        budget -= html.count - start
        return nil
    }

    /// Takes the attribute at `start`; returns where it ends.
    private mutating func readAttribute(_ html: Span<UInt8>, at start: Int) -> Int {
        var index = start + 1
        while index < html.count, !Self.endsName(html[index]) { index += 1 }
        let key = start..<index
        var next = index
        while next < html.count, html[next] <= 0x20 { next += 1 }
        guard next < html.count, html[next] == UInt8(ascii: "=") else {
            take(key, nil, html)
            return index
        }
        next += 1
        while next < html.count, html[next] <= 0x20 { next += 1 }
        guard next < html.count else { return next }
        let quote = html[next]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let valueStart = next
            while next < html.count, html[next] > 0x20, html[next] != UInt8(ascii: ">") { next += 1 }
            take(key, valueStart..<next, html)
            return next
        }
        let valueStart = next + 1
        next = valueStart
        while next < html.count, html[next] != quote { next += 1 }
        take(key, valueStart..<next, html)
        return min(next + 1, html.count)
    }

    private static func endsName(_ unit: UInt8) -> Bool {
        unit <= 0x20 || unit == UInt8(ascii: "=") || unit == UInt8(ascii: ">") || unit == UInt8(ascii: "/")
    }

    private mutating func take(_ key: Range<Int>, _ value: Range<Int>?, _ html: Span<UInt8>) {
        func isKey(_ name: StaticString) -> Bool { key.count == name.utf8CodeUnitCount && html.matches(name, at: key.lowerBound) }
        if isKey("hidden") { isHidden = true }
        guard let value else { return }
        if isKey("src") {
            source = value
        } else if isKey("id"), element == .rule {
            isAnswerRule = value.count == 6 && html.matches("answer", at: value.lowerBound)
        } else if isKey("style"), let found = html.extracting(value).offset(of: "display:", from: 0) {
            var index = value.lowerBound + found + 8
            while index < value.upperBound, html[index] <= 0x20 { index += 1 }
            if html.matches("none", at: index), index + 4 <= value.upperBound { isHidden = true }
        }
    }
}
