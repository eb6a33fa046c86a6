/// One side of a note type's template: text with fields, filters and conditions.
///
/// Where a template isn't well formed, what can be understood of it is used: an unknown field is empty, a section
/// that never closes goes to the end, and a closing tag without an opening one is ignored.
struct CardTemplate {
    /// What a name between braces stands for.
    enum Source: Equatable {
        case field(Int)
        case frontSide
        case tags
        case deck
        case subdeck
        case noteType
        case card
        /// `c1`…: in conditions, whether the card is that cloze.
        case clozeNumber(Int)
        case nothing
    }

    /// A part of a template.
    indirect enum Node {
        case text([UInt8])
        case value(Source, [FieldFilter])
        case section(Source, isInverted: Bool, [Node])
    }

    let nodes: [Node]

    /// Whether it begins with the front side, be it within an element.
    let beginsWithFrontSide: Bool

    /// How deep sections may lie within each other; deeper ones count as their content.
    private static let maximumDepth = 64

    /// The template that `text` spells for notes with these fields.
    init(_ text: String, fields: [String]) {
        let units = Array(text.utf8)
        let positions = Dictionary(fields.enumerated().map { ($1, $0) }) { first, _ in first }
        var parser = Parser(fields: positions)
        parser.parse(units)
        nodes = parser.finish()
        beginsWithFrontSide = Self.beginWithFrontSide(nodes)
    }

    private static func beginWithFrontSide(_ nodes: [Node]) -> Bool {
        for node in nodes {
            switch node {
            case .text(let text): if !HTMLText(text.span).bytes.isEmpty { return false }
            case .value(let source, _): return source == .frontSide
            case .section: return false
            }
        }
        return false
    }

    private struct Parser {
        struct Open {
            let name: String
            let source: Source
            let isInverted: Bool
            var nodes: [Node]
        }

        let fields: [String: Int]
        /// Whether a comment can still end.
        var commentsEnd = true
        var stack = [Open(name: "", source: .nothing, isInverted: false, nodes: [])]

        mutating func parse(_ units: [UInt8]) {
            let span = units.span
            var textStart = 0
            var index = 0
            while index + 1 < units.count {
                if units[index] == UInt8(ascii: "<"), let end = commentEnd(span, at: index) {
                    // What is commented out neither shows nor opens a section.
                    append(text: units[textStart..<index])
                    index = end
                    textStart = index
                    continue
                }
                guard units[index] == UInt8(ascii: "{"), units[index + 1] == UInt8(ascii: "{") else {
                    index += 1
                    continue
                }
                guard let end = span.offset(of: "}}", from: index + 2) else { break }
                append(text: units[textStart..<index])
                // {{{x}}} is an old way to write {{x}}.
                let isTriple = end > index + 2 && units[index + 2] == UInt8(ascii: "{")
                take(tag: String(decoding: units[(index + (isTriple ? 3 : 2))..<end], as: UTF8.self))
                index = end + 2
                if isTriple, index < units.count, units[index] == UInt8(ascii: "}") { index += 1 }
                textStart = index
            }
            append(text: units[min(textStart, units.count)...])
        }

        /// Where the comment ends that begins at `start`; `nil` where none does, or none ends.
        private mutating func commentEnd(_ span: Span<UInt8>, at start: Int) -> Int? {
            guard commentsEnd, span.matches("<!--", at: start) else { return nil }
            guard let end = span.offset(of: "-->", from: start + 4) else {
                commentsEnd = false
                return nil
            }
            return end + 3
        }

        mutating func finish() -> [Node] {
            while stack.count > 1 { close() }
            return stack[0].nodes
        }

        private mutating func append(text: ArraySlice<UInt8>) {
            if !text.isEmpty { append(.text(Array(text))) }
        }

        private mutating func append(_ node: Node) { stack[stack.count - 1].nodes.append(node) }

        private mutating func take(tag: String) {
            let tag = trimmed(tag)
            guard let first = tag.first else { return }
            let name = trimmed(String(tag.dropFirst()))
            switch first {
            case "#", "^":
                guard stack.count < maximumDepth else { return }
                stack.append(Open(name: name, source: source(name), isInverted: first == "^", nodes: []))
            case "/":
                guard stack.dropFirst().contains(where: { $0.name == name }) else { return }
                while stack.count > 1 {
                    let isIt = stack[stack.count - 1].name == name
                    close()
                    if isIt { break }
                }
            default:
                var parts = tag.split(separator: ":", omittingEmptySubsequences: false).map { trimmed(String($0)) }
                let last = parts.removeLast()
                // The filter next to the field works first.
                var filters = parts.reversed().map { FieldFilter(named: $0, field: last) }
                // To be typed is what a cloze hides, not the text around it.
                if filters.contains(.type), let cloze = filters.firstIndex(of: .cloze) { filters[cloze] = .clozeOnly }
                append(.value(source(last), filters))
            }
        }

        private mutating func close() {
            let open = stack.removeLast()
            append(.section(open.source, isInverted: open.isInverted, open.nodes))
        }

        private func source(_ name: String) -> Source {
            if let index = fields[name] { return .field(index) }
            switch name {
            case "FrontSide": return .frontSide
            case "Tags": return .tags
            case "Deck": return .deck
            case "Subdeck": return .subdeck
            case "Type": return .noteType
            case "Card": return .card
            default:
                if name.first == "c", let number = Int(name.dropFirst()), number > 0 { return .clozeNumber(number) }
                return .nothing
            }
        }

        private func trimmed(_ text: String) -> String {
            let scalars = text.unicodeScalars
            guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
                let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
            else { return "" }
            return String(scalars[first...last])
        }
    }
}
