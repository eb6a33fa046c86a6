/// What a card gives its templates.
struct CardContent {
    /// The note's fields, one after the other.
    var fieldBytes: [UInt8] = []
    /// Where each field lies in `fieldBytes`.
    var fields: [Range<Int>] = []
    var tags = ""
    var deck = ""
    var noteType = ""
    var card = ""
    /// Which of the note's cards it is, from 0: the template, or the cloze less one.
    var ordinal = 0
    var isCloze = false

    /// Takes the fields apart, which a note keeps in one text with U+001F between them.
    mutating func setFields(_ joined: RawSpan) {
        fieldBytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        unsafe joined.withUnsafeBytes { unsafe fieldBytes.append(contentsOf: $0) }
        var start = 0
        for index in fieldBytes.indices where fieldBytes[index] == 0x1F {
            fields.append(start..<index)
            start = index + 1
        }
        fields.append(start..<fieldBytes.count)
    }

    /// The bytes of the field at `index`; none where the note has fewer.
    func field(_ index: Int) -> ArraySlice<UInt8> {
        fields.indices.contains(index) ? fieldBytes[fields[index]] : []
    }
}

extension CardTemplate {
    /// Appends the side's HTML to `html`. `front` is the HTML of the front where the back is being made, else `nil`.
    func render(_ content: CardContent, front: [UInt8]?, into html: inout [UInt8]) {
        Self.render(nodes, content, front: front, into: &html)
    }

    private static func render(_ nodes: [Node], _ content: CardContent, front: [UInt8]?, into html: inout [UInt8]) {
        for node in nodes {
            switch node {
            case .text(let text):
                html.append(contentsOf: text)
            case .value(let source, let filters):
                append(source, filters, content, front: front, into: &html)
            case .section(let source, let isInverted, let inner):
                if isEmpty(source, content) == isInverted { render(inner, content, front: front, into: &html) }
            }
        }
    }

    private static func append(
        _ source: Source, _ filters: [FieldFilter], _ content: CardContent, front: [UInt8]?, into html: inout [UInt8]
    ) {
        guard case .field(let index) = source else {
            append(special: source, content, front: front, into: &html)
            return
        }
        guard !filters.isEmpty else {
            html.append(contentsOf: content.field(index))
            return
        }
        var value = Array(content.field(index))
        let side = FieldFilter.Side(cloze: content.ordinal + 1, isBack: front != nil)
        for filter in filters { value = filter.apply(to: value, on: side) }
        html.append(contentsOf: value)
    }

    private static func append(special source: Source, _ content: CardContent, front: [UInt8]?, into html: inout [UInt8]) {
        switch source {
        case .frontSide: html.append(contentsOf: front ?? [])
        case .tags: appendEscaped(content.tags.utf8, to: &html)
        case .deck: appendEscaped(content.deck.utf8, to: &html)
        case .subdeck: appendEscaped(content.deck.split(separator: "::").last?.utf8 ?? "".utf8[...], to: &html)
        case .noteType: appendEscaped(content.noteType.utf8, to: &html)
        case .card: appendEscaped(content.card.utf8, to: &html)
        case .field, .clozeNumber, .nothing: break
        }
    }

    private static func isEmpty(_ source: Source, _ content: CardContent) -> Bool {
        switch source {
        case .field(let index): isBlank(content.field(index))
        case .tags: content.tags.isEmpty
        case .clozeNumber(let number): !(content.isCloze && content.ordinal + 1 == number)
        case .frontSide, .nothing: true
        case .deck, .subdeck, .noteType, .card: false
        }
    }

    /// Whether a field counts as empty: white space, and the line breaks and blocks that editors leave behind.
    private static func isBlank(_ field: ArraySlice<UInt8>) -> Bool {
        var index = field.startIndex
        let leftovers: [StaticString] = ["<br>", "<br/>", "<br />", "</br>", "<div>", "</div>", "&nbsp;"]
        while index < field.endIndex {
            if field[index] <= 0x20 {
                index += 1
                continue
            }
            guard let found = leftovers.first(where: { field.span.matches($0, at: index - field.startIndex) }) else { return false }
            index += found.utf8CodeUnitCount
        }
        return true
    }
}

/// Appends plain text as HTML that shows it.
func appendEscaped(_ text: some Sequence<UInt8>, to html: inout [UInt8]) {
    for unit in text {
        switch unit {
        case UInt8(ascii: "&"): html.append(contentsOf: Array("&amp;".utf8))
        case UInt8(ascii: "<"): html.append(contentsOf: Array("&lt;".utf8))
        case UInt8(ascii: ">"): html.append(contentsOf: Array("&gt;".utf8))
        case 0x0A: html.append(contentsOf: Array("<br>".utf8))
        default: html.append(unit)
        }
    }
}
