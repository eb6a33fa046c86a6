/// Lines of code, indented by blocks.
struct CodeText {
    private(set) var lines: [String] = []
    private var depth = 0

    /// As wide as a line of code may be, as `.swift-format` has it.
    static let width = 140

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// `head`, what `body` writes one step further in, and a closing brace.
    mutating func block(_ head: String, _ body: (inout CodeText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// `head` and `tail` with `items` between round brackets: in one line, or a line each where that is too wide.
    mutating func list(_ head: String, _ items: [String], _ tail: String) {
        let whole = "\(head)(\(items.joined(separator: ", ")))\(tail)"
        if 4 * depth + whole.count <= Self.width {
            line(whole)
            return
        }
        line("\(head)(")
        depth += 1
        for (index, item) in items.enumerated() { line(index + 1 < items.count ? item + "," : item) }
        depth -= 1
        line(")\(tail)")
    }

    /// `head` and `statement` in braces: in one line, or in three where that is too wide.
    mutating func oneLiner(_ head: String, _ statement: String) {
        let whole = "\(head) { \(statement) }"
        if 4 * depth + whole.count <= Self.width { line(whole) } else { block(head) { $0.line(statement) } }
    }

    /// A call with its arguments behind the bracket, or in the next line where that is too wide.
    mutating func call(_ head: String, _ arguments: String) {
        let whole = "\(head)(\(arguments))"
        if 4 * depth + whole.count <= Self.width { return line(whole) }
        line("\(head)(")
        line("    \(arguments))")
    }

    /// A doc comment.
    mutating func comment(_ text: String) {
        var row = "///"
        for word in text.split(separator: " ") {
            if 4 * depth + row.count + 1 + word.count > 120 {
                line(row)
                row = "///"
            }
            row += " " + word
        }
        line(row)
    }
}

/// `1234567` as `1_234_567`, as code and comments have numbers.
func grouped(_ number: some BinaryInteger, by separator: Character = "_") -> String {
    let text = String(number)
    let digits = text.drop { $0 == "-" }
    guard digits.count > 4 else { return text }
    var result = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { result.append(separator) }
        result.append(digit)
    }
    return (text.hasPrefix("-") ? "-" : "") + result
}
