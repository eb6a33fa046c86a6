/// Swift source with comments and the text of string literals turned into spaces; what is interpolated stays. Lines keep
/// their numbers.
func codeAlone(_ source: String) -> String {
    var reader = CodeReader(Array(source.utf8))
    return reader.read()
}

private struct CodeReader {
    /// What the reader stands in: code, perhaps interpolated and so with parentheses to count, or a string literal.
    enum Context {
        case code(openParentheses: Int)
        case literal(pounds: Int, isMultiline: Bool)
    }

    let bytes: [UInt8]
    var code: [UInt8] = []
    var position = 0
    var contexts: [Context] = [.code(openParentheses: 0)]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        code.reserveCapacity(bytes.count)
    }

    mutating func read() -> String {
        while position < bytes.count {
            switch contexts.last {
            case .code(let open): readCode(openParentheses: open)
            case .literal(let pounds, let isMultiline): readLiteral(pounds: pounds, isMultiline: isMultiline)
            case nil: contexts = [.code(openParentheses: 0)]
            }
        }
        return String(decoding: code, as: UTF8.self)
    }

    private func isAt(_ text: String, _ offset: Int = 0) -> Bool { bytes[min(position + offset, bytes.count)...].starts(with: text.utf8) }

    private mutating func keep() {
        code.append(bytes[position])
        position += 1
    }

    private mutating func blank(_ count: Int = 1) {
        let end = min(position + count, bytes.count)
        while position < end {
            code.append(bytes[position] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
            position += 1
        }
    }

    private mutating func readCode(openParentheses: Int) {
        switch bytes[position] {
        case UInt8(ascii: "/") where isAt("//"):
            while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { blank() }
        case UInt8(ascii: "/") where isAt("/*"):
            readComment()
        case UInt8(ascii: "\""), UInt8(ascii: "#"):
            let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
            guard isAt("\"", pounds) else { return keep() }
            let isMultiline = isAt("\"\"\"", pounds)
            blank(pounds + (isMultiline ? 3 : 1))
            contexts.append(.literal(pounds: pounds, isMultiline: isMultiline))
        case UInt8(ascii: "("):
            contexts[contexts.count - 1] = .code(openParentheses: openParentheses + 1)
            keep()
        case UInt8(ascii: ")"):
            if openParentheses == 0, contexts.count > 1 {
                contexts.removeLast()
                blank()
            } else {
                contexts[contexts.count - 1] = .code(openParentheses: max(0, openParentheses - 1))
                keep()
            }
        default: keep()
        }
    }

    private mutating func readComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                blank(2)
            } else if isAt("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func readLiteral(pounds: Int, isMultiline: Bool) {
        let marks = String(repeating: "#", count: pounds)
        switch bytes[position] {
        case UInt8(ascii: "\\") where isAt(marks + "(", 1):
            blank(2 + pounds)
            contexts.append(.code(openParentheses: 0))
        case UInt8(ascii: "\\") where isAt(marks, 1):
            blank(2 + pounds)
        case UInt8(ascii: "\"") where isAt((isMultiline ? "\"\"\"" : "\"") + marks):
            blank((isMultiline ? 3 : 1) + pounds)
            contexts.removeLast()
        case UInt8(ascii: "\n") where !isMultiline:
            contexts.removeLast()
        default: blank()
        }
    }
}
