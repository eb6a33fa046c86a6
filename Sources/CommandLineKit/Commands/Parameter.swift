/// Something that stands on its place in the command line: declared once, then the key to its value in an ``Invocation``.
package struct Argument<Value: Sendable>: Sendable {
    package let kind: ValueKind<Value>
    package let description: ArgumentDescription

    package init(_ kind: ValueKind<Value>, _ summary: String, _ count: ArgumentDescription.Count = .one) {
        self.kind = kind
        description = ArgumentDescription(name: kind.name, summary: summary, count: count, completion: kind.completion) {
            text throws(ValueError) in
            _ = try kind.read(text)
        }
    }

    /// The same argument where it may be left out.
    package var optional: Argument { Argument(kind, description.summary, .optional) }
    /// The same argument, any number of times.
    package var many: Argument { Argument(kind, description.summary, .many) }
}

/// An option with a value: `--took MS`.
package struct Option<Value: Sendable>: Sendable {
    package let kind: ValueKind<Value>
    package let description: OptionDescription

    package init(
        _ name: String, _ kind: ValueKind<Value>, _ summary: String, isRequired: Bool = false, repeats: Bool = false
    ) {
        self.kind = kind
        description = OptionDescription(
            name: name, short: nil, value: kind.name, summary: summary, isRequired: isRequired, repeats: repeats,
            completion: kind.completion
        ) { text throws(ValueError) in _ = try kind.read(text) }
    }

    /// The same option where it must be given.
    package var required: Option {
        Option(description.name, kind, description.summary, isRequired: true, repeats: description.repeats)
    }
}

/// An option without a value: `--json`.
package struct Flag: Sendable {
    package let description: OptionDescription

    package init(_ name: String, short: Character? = nil, _ summary: String) {
        description = OptionDescription(
            name: name, short: short, value: nil, summary: summary, isRequired: false, repeats: true, completion: .nothing
        ) { _ in }
    }
}

/// What help, completion and the parser know of an argument.
package struct ArgumentDescription: Sendable {
    package enum Count: Sendable {
        case one
        case optional
        /// Any number, also none.
        case many
        /// At least one.
        case some
    }

    package let name: String
    package let summary: String
    package let count: Count
    package let completion: Completion
    let check: @Sendable (String) throws(ValueError) -> Void

    var isRequired: Bool { count == .one || count == .some }
    var repeats: Bool { count == .many || count == .some }

    /// `DECK`, `[DECK]`, `[DECK…]`.
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .many: "[\(name)...]"
        case .some: "\(name)..."
        }
    }
}

/// What help, completion and the parser know of an option.
package struct OptionDescription: Sendable {
    package let name: String
    package let short: Character?
    /// What the value is called; nil for a flag.
    package let value: String?
    package let summary: String
    package let isRequired: Bool
    package let repeats: Bool
    package let completion: Completion
    let check: @Sendable (String) throws(ValueError) -> Void

    /// `--took`.
    var dashed: String { "--" + name }

    /// `-h, --help` or `--took MS`.
    var signature: String {
        (short.map { "-\($0), " } ?? "") + dashed + (value.map { " " + $0 } ?? "")
    }

    var usage: String {
        let text = dashed + (value.map { " " + $0 } ?? "") + (repeats && value != nil ? "..." : "")
        return isRequired ? text : "[\(text)]"
    }
}
