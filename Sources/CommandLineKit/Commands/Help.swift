/// The texts of `--help`, made from the description of the commands.
package struct Help {
    private let surface: Surface
    private let width: Int
    private var lines: [String] = []

    private init(_ surface: Surface) {
        self.surface = surface
        // Longer lines than this are hard to read.
        width = min(max(surface.width, 30), 100)
    }

    /// Help on the program: what there is, by theme.
    package static func lines(of program: Program, on surface: Surface) -> [String] {
        var help = Help(surface)
        help.text("\(program.name) \(program.version): \(program.summary)")
        help.section("Usage", ["\(program.name) COMMAND [OPTION...]"].map { ($0, "") })
        help.examples(program.examples)
        for paragraph in program.details {
            help.lines.append("")
            help.text(paragraph)
        }
        for group in program.groups {
            help.section(group.title, group.commands.map { ($0.name, $0.summary) })
        }
        help.section("Options of every command", program.options.map { ($0.signature, $0.summary) })
        help.section("Exit codes", Self.generalCodes)
        help.lines.append("")
        help.text("'\(program.name) help COMMAND' explains a command; '\(program.name) man' prints the whole manual.")
        return help.lines
    }

    /// Help on one command: examples first.
    package static func lines(of command: Command, path: [String], program: Program, on surface: Surface) -> [String] {
        var help = Help(surface)
        let fullPath = [program.name] + path
        help.text("\(fullPath.joined(separator: " ")): \(command.summary)")
        help.section("Usage", usages(command, fullPath).map { ($0, "") })
        help.examples(command.examples)
        for paragraph in command.details + (command.literalRule(fullPath).map { [$0] } ?? []) {
            help.lines.append("")
            help.text(paragraph)
        }
        help.section("Sub-commands", command.subcommands.map { ($0.name, $0.summary) })
        help.section("Arguments", command.arguments.map { ($0.name, Self.summary($0.summary, $0.completion)) })
        help.section("Options", command.options.map { ($0.signature, Self.summary($0.summary, $0.completion)) })
        help.section("Options of every command", program.options.map { ($0.signature, $0.summary) })
        help.section("Exit codes", command.exitCodes.map { (String($0.code.rawValue), $0.meaning) })
        return help.lines
    }

    /// `engram card add DECK --front TEXT --back TEXT`.
    package static func usage(_ command: Command, _ path: [String]) -> String {
        (path + command.arguments.map(\.usage) + command.options.map(\.usage)).joined(separator: " ")
    }

    static func usages(_ command: Command, _ path: [String]) -> [String] {
        (command.run == nil ? [] : [usage(command, path)])
            + (command.subcommands.isEmpty ? [] : [(path + ["SUB-COMMAND", "..."]).joined(separator: " ")])
    }

    static let generalCodes: [(String, String)] = [
        ("0", "right"),
        ("1", "the answer is no: findings, differences, or nothing found that was named"),
        ("2", "wrong usage or wrong input; nothing was changed"),
        ("3", "the store, or the output, can't be opened, read or written"),
    ]

    /// A summary with the few words that are allowed, where each isn't explained by itself.
    static func summary(_ summary: String, _ completion: Completion) -> String {
        guard case .words(let words) = completion, words.count > 1 else { return summary }
        return summary + ": " + words.map(\.text).joined(separator: ", ")
    }

    // MARK: Layout

    private mutating func text(_ text: String) { lines += text.wrapped(to: width) }

    private mutating func heading(_ title: String) {
        lines += ["", Style.bold(title + ":", on: surface)]
    }

    /// Terms on the left and their meanings on the right, or below where a term is too long.
    private mutating func section(_ title: String, _ rows: [(term: String, meaning: String)]) {
        if rows.isEmpty { return }
        heading(title)
        let column = min(max(12, width / 3), (rows.map(\.term.displayWidth).max() ?? 0) + 4)
        for row in rows {
            if row.meaning.isEmpty {
                hang(row.term, first: 2, rest: 6)
                continue
            }
            let meaning = row.meaning.wrapped(to: width - column)
            if row.term.displayWidth + 4 > column {
                hang(row.term, first: 2, rest: 6)
                lines += meaning.map { .spaces(column) + $0 }
            } else {
                lines.append(("  " + row.term).padded(to: column) + (meaning.first ?? ""))
                lines += meaning.dropFirst().map { .spaces(column) + $0 }
            }
        }
    }

    private mutating func hang(_ text: String, first: Int, rest: Int) {
        for (index, line) in text.wrapped(to: width - rest).enumerated() { lines.append(.spaces(index == 0 ? first : rest) + line) }
    }

    private mutating func examples(_ examples: [Command.Example]) {
        if examples.isEmpty { return }
        heading("Examples")
        for example in examples {
            hang(example.line, first: 2, rest: 4)
            lines += example.summary.wrapped(to: width - 6).map { Style.dim(.spaces(6) + $0, on: surface) }
        }
    }
}
