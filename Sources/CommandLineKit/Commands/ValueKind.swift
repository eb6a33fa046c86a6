/// Why a value can't be taken. `reason` continues the sentence "… is not", such as "a whole number from 0 to 23".
package struct ValueError: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A kind of value on the command line: what it is called in a usage line, how a shell completes it and how it is read.
package struct ValueKind<Value: Sendable>: Sendable {
    /// In capitals: `DECK`, `FILE`, `MS`.
    package let name: String
    package let completion: Completion
    package let read: @Sendable (String) throws(ValueError) -> Value

    package init(
        _ name: String, completion: Completion = .nothing, read: @escaping @Sendable (String) throws(ValueError) -> Value
    ) {
        self.name = name
        self.completion = completion
        self.read = read
    }

    /// The same values under another name.
    package func named(_ name: String) -> ValueKind { ValueKind(name, completion: completion, read: read) }
}

extension ValueKind where Value == String {
    /// Any text, even none.
    package static func text(_ name: String, completion: Completion = .nothing) -> ValueKind {
        ValueKind(name, completion: completion) { $0 }
    }

    /// Text that isn't empty.
    package static func word(_ name: String, completion: Completion = .nothing) -> ValueKind {
        ValueKind(name, completion: completion) { text throws(ValueError) in
            if text.isEmpty { throw ValueError("allowed here: it is empty") }
            return text
        }
    }

    package static func file(_ name: String = "FILE") -> ValueKind { word(name, completion: .files) }
    package static func directory(_ name: String = "PATH") -> ValueKind { word(name, completion: .directories) }
}

extension ValueKind where Value == Int {
    /// A whole number in decimal digits.
    package static func integer(_ name: String, _ range: ClosedRange<Int>) -> ValueKind {
        ValueKind(name) { text throws(ValueError) in
            guard let value = Int(text), range.contains(value) else {
                throw ValueError("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }
}

extension ValueKind where Value: Equatable {
    /// One of a few words.
    package static func choice(_ name: String, _ choices: [(word: String, value: Value, summary: String)]) -> ValueKind {
        let words = choices.map { Completion.Word($0.word, $0.summary) }
        return ValueKind(name, completion: .words(words)) { text throws(ValueError) in
            if let found = choices.first(where: { $0.word == text }) { return found.value }
            throw ValueError(oneOf(choices.map(\.word), typed: text))
        }
    }
}

extension ValueKind where Value == RGB {
    package static var colour: ValueKind {
        ValueKind("COLOUR", completion: .words(RGB.names.map { Completion.Word($0.name) })) { text throws(ValueError) in
            guard let value = RGB(text) else { throw ValueError("a colour: use #1e88e5, or a name such as blue") }
            return value
        }
    }
}

/// "one of a, b or c", with a guess where one is near.
private func oneOf(_ words: [String], typed: String) -> String {
    let list = words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
    guard let guess = nearest(to: typed, among: words) else { return "one of \(list)" }
    return "one of \(list) (did you mean \(guess)?)"
}
