/// Text with gaps: `{{c1::hidden::hint}}`, also within each other, also with several numbers (`c1,2`).
enum ClozeText {
    /// The text with cloze `number` hidden behind its hint (or dots), or shown, and all others shown. Empty where the
    /// text has no such cloze.
    static func render(_ text: [UInt8], number: Int, isRevealed: Bool) -> [UInt8] {
        var reader = Reader(number: number, isRevealed: isRevealed)
        reader.read(text)
        return reader.answers.isEmpty ? [] : reader.output
    }

    /// What cloze `number` hides, with commas between several.
    static func answers(_ text: [UInt8], number: Int) -> [UInt8] {
        var reader = Reader(number: number, isRevealed: true)
        reader.read(text)
        return Array(reader.answers.joined(separator: Array(", ".utf8)))
    }

    private struct Reader {
        /// A cloze that hasn't closed yet.
        struct Open {
            let isAsked: Bool
            /// How it was opened, for the case that it never closes.
            let opening: ArraySlice<UInt8>
            /// Where its content begins in the output.
            let start: Int
            /// Where its hint begins in the output.
            var hintStart: Int?
        }

        let number: Int
        let isRevealed: Bool
        var output: [UInt8] = []
        var answers: [[UInt8]] = []
        var stack: [Open] = []

        /// Deeper ones are text.
        static let maximumDepth = 32

        init(number: Int, isRevealed: Bool) {
            self.number = number
            self.isRevealed = isRevealed
        }

        mutating func read(_ text: [UInt8]) {
            output.reserveCapacity(text.count)
            var index = 0
            while index < text.count {
                let unit = text[index]
                if unit == UInt8(ascii: "{"), stack.count < Self.maximumDepth, let (isAsked, end) = opening(text, at: index) {
                    stack.append(Open(isAsked: isAsked, opening: text[index..<end], start: output.count))
                    index = end
                } else if !stack.isEmpty, index + 1 < text.count, unit == text[index + 1], unit == UInt8(ascii: "}") {
                    close()
                    index += 2
                } else if let last = stack.last, last.hintStart == nil, index + 1 < text.count, unit == text[index + 1],
                    unit == UInt8(ascii: ":")
                {
                    stack[stack.count - 1].hintStart = output.count
                    index += 2
                } else {
                    output.append(unit)
                    index += 1
                }
            }
            while let open = stack.popLast() { restore(open) }
        }

        /// `{{c1::` or `{{c1,2::` at `start`: whether its numbers have the one that is asked for, and where it ends.
        private func opening(_ text: [UInt8], at start: Int) -> (isAsked: Bool, end: Int)? {
            guard text.span.matches("{{c", at: start), text[start + 2] == UInt8(ascii: "c") else { return nil }
            var index = start + 3
            var isAsked = false
            var value: Int?
            while index < text.count {
                switch text[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    value = min(1_000_000, (value ?? 0) * 10 + Int(text[index] - UInt8(ascii: "0")))
                case UInt8(ascii: ","):
                    guard let one = value else { return nil }
                    isAsked = isAsked || one == number
                    value = nil
                case UInt8(ascii: ":"):
                    guard let one = value, index + 1 < text.count, text[index + 1] == UInt8(ascii: ":") else { return nil }
                    return (isAsked || one == number, index + 2)
                default:
                    return nil
                }
                index += 1
            }
            return nil
        }

        private mutating func close() {
            guard let open = stack.popLast() else { return }
            let contentEnd = open.hintStart ?? output.count
            let hint = Array(output[contentEnd...])
            output.removeSubrange(contentEnd...)
            guard open.isAsked else { return }
            answers.append(Array(output[open.start...]))
            guard !isRevealed else { return }
            output.removeSubrange(open.start...)
            output.append(UInt8(ascii: "["))
            output += hint.isEmpty ? Array("...".utf8) : hint
            output.append(UInt8(ascii: "]"))
        }

        /// Puts back as text what was taken for a cloze.
        private mutating func restore(_ open: Open) {
            if let hintStart = open.hintStart { output.insert(contentsOf: Array("::".utf8), at: hintStart) }
            output.insert(contentsOf: open.opening, at: open.start)
        }
    }
}
