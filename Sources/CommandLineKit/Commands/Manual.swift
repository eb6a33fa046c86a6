/// The manual page, in roff with the macros of `man`.
package enum Manual {
    package static func text(of program: Program) -> String {
        let name = program.name
        var lines = [
            #".\" Made by "\#(name) man"."#,
            ".TH \(name.uppercased()) 1 \"\" \"\(name) \(escaped(program.version))\" \"User commands\"",
            ".nh", ".ad l",
            ".SH NAME", "\(name) \\- \(escaped(program.summary))",
            ".SH SYNOPSIS", ".B \(name)", ".I COMMAND", "[\\fIOPTION\\fR...]",
            ".SH DESCRIPTION",
        ]
        lines += paragraphs(program.details)
        lines += examples(program.examples, heading: ".SH EXAMPLES")
        lines += [".SH \"OPTIONS OF EVERY COMMAND\""]
        lines += program.options.flatMap { term($0.signature, $0.summary) }
        for group in program.groups {
            lines.append(".SH \"\(escaped(group.title.uppercased()))\"")
            for command in group.commands { lines += section(command, path: [name, command.name]) }
        }
        lines += [".SH \"EXIT STATUS\""]
        lines += Help.generalCodes.flatMap { term($0.0, $0.1) }
        lines += [".SH ENVIRONMENT AND FILES"]
        lines += program.environment.flatMap { term($0.name, $0.meaning) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ command: Command, path: [String]) -> [String] {
        var lines: [String] = []
        if command.run != nil {
            lines += [".SS \"\(escaped(path.joined(separator: " ")))\"", ".nf"]
            lines += [escaped(Help.usage(command, path)), ".fi", ".PP", sentence(command.summary)]
            lines += paragraphs(command.details + (command.literalRule(path).map { [$0] } ?? []))
            lines += command.arguments.flatMap { term($0.name, Help.summary($0.summary, $0.completion)) }
            lines += command.options.flatMap { term($0.signature, Help.summary($0.summary, $0.completion)) }
            lines += examples(command.examples, heading: nil)
            let codes = command.exitCodes.prefix { $0.code.rawValue < 2 }.map { "\($0.code.rawValue): \($0.meaning)" }
            lines += [".PP", "Exit status " + escaped(codes.joined(separator: "; ")) + "."]
        }
        return lines + command.subcommands.flatMap { section($0, path: path + [$0.name]) }
    }

    private static func paragraphs(_ texts: [String]) -> [String] { texts.flatMap { [".PP", escaped($0)] } }

    private static func term(_ term: String, _ meaning: String) -> [String] { [".TP", "\\fB\(escaped(term))\\fR", sentence(meaning)] }

    private static func examples(_ examples: [Command.Example], heading: String?) -> [String] {
        (heading.map { [$0] } ?? []) + examples.flatMap { [".PP", sentence($0.summary), ".RS 4", ".nf", escaped($0.line), ".fi", ".RE"] }
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : "."))
    }

    /// Text that roff takes literally: no escape, no request at the start of a line, no hyphen made of a minus sign.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "\n": result += " "
            case ".": result += result.isEmpty ? "\\&." : "."
            default: result.append(character)
            }
        }
        return result
    }
}
