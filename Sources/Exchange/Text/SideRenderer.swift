/// Makes one side's HTML out of its template and the card's content.
struct SideRenderer {
    /// What one side may cost, in bytes looked at and written: far more than any honest card, and little enough that a
    /// template which repeats a long field a million times does no harm.
    static let maximumWork = 32 << 20

    private(set) var html: [UInt8] = []
    /// Whether the work ran out, so that the rest of the side is missing.
    var isCut: Bool { budget <= 0 }

    private var budget = maximumWork

    /// Renders `template`. `front` is the HTML of the front where the back is being made, else `nil`.
    mutating func render(_ template: CardTemplate, _ content: CardContent, front: [UInt8]?) {
        html.removeAll(keepingCapacity: true)
        budget = Self.maximumWork
        render(template.nodes, content, front: front)
    }

    private mutating func render(_ nodes: [CardTemplate.Node], _ content: CardContent, front: [UInt8]?) {
        for node in nodes where budget > 0 {
            switch node {
            case .text(let text):
                budget -= text.count
                html.append(contentsOf: text)
            case .value(.field(let index), let filters):
                append(content.field(index), filters, content, isBack: front != nil)
            case .value(let source, _):
                append(special: source, content, front: front)
            case .section(let source, let isInverted, let inner):
                if isEmpty(source, content) == isInverted { render(inner, content, front: front) }
            }
        }
    }

    private mutating func append(_ field: ArraySlice<UInt8>, _ filters: [FieldFilter], _ content: CardContent, isBack: Bool) {
        budget -= field.count * (filters.count + 1) + 1
        guard budget > 0 else { return }
        guard !filters.isEmpty else {
            html.append(contentsOf: field)
            return
        }
        let side = FieldFilter.Side(cloze: content.ordinal + 1, isBack: isBack)
        html.append(contentsOf: filters.reduce(Array(field)) { value, filter in filter.apply(to: value, on: side) })
    }

    private mutating func append(special source: CardTemplate.Source, _ content: CardContent, front: [UInt8]?) {
        let start = html.count
        switch source {
        case .frontSide: html.append(contentsOf: front ?? [])
        case .tags: appendEscaped(content.tags.utf8, to: &html)
        case .deck: appendEscaped(content.deck.utf8, to: &html)
        case .subdeck: appendEscaped(content.subdeck.utf8, to: &html)
        case .noteType: appendEscaped(content.noteType.utf8, to: &html)
        case .card: appendEscaped(content.card.utf8, to: &html)
        case .field, .clozeNumber, .nothing: break
        }
        budget -= html.count - start + 1
    }

    private mutating func isEmpty(_ source: CardTemplate.Source, _ content: CardContent) -> Bool {
        switch source {
        case .field(let index):
            let (isBlank, looked) = Self.isBlank(content.field(index))
            budget -= looked + 1
            return isBlank
        case .tags: return content.tags.isEmpty
        case .clozeNumber(let number): return !(content.isCloze && content.ordinal + 1 == number)
        case .frontSide, .nothing: return true
        case .deck, .subdeck, .noteType, .card: return false
        }
    }

    /// Whether a field counts as empty: white space, and the line breaks and blocks that editors leave behind. Also how
    /// many bytes it took to see that.
    private static func isBlank(_ field: ArraySlice<UInt8>) -> (isBlank: Bool, looked: Int) {
        var index = field.startIndex
        let leftovers: [StaticString] = ["<br>", "<br/>", "<br />", "</br>", "<div>", "</div>", "&nbsp;"]
        while index < field.endIndex {
            if field[index] <= 0x20 {
                index += 1
                continue
            }
            guard let found = leftovers.first(where: { field.span.matches($0, at: index - field.startIndex) }) else {
                return (false, index - field.startIndex)
            }
            index += found.utf8CodeUnitCount
        }
        return (true, field.count)
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
