/// A script for fish: one `complete` a choice, each with the command at which it holds.
struct FishCompletion {
    let lines: [String]

    init(_ program: Program) {
        let name = program.name
        let commands = CompletedCommand.all(of: program)
        let valued = commands.flatMap(\.options).filter { $0.value != nil }.map(\.dashed)
        var lines = [
            "# fish completion for \(name); load it with: \(name) completion fish | source",
            "function __\(name)_at",
            "    set -l at \(name)",
            "    set -l skip 0",
            "    for word in (commandline -opc)[2..-1]",
            "        if test $skip = 1",
            "            set skip 0",
            "            continue",
            "        end",
            "        switch \"$at $word\"",
        ]
        lines.append("            case " + Set(valued).sorted().map { Self.quoted("* " + $0) }.joined(separator: " "))
        lines.append("                set skip 1")
        let inner = commands.flatMap { command in command.subcommands.map { command.path + " " + $0.name } }
        lines.append("            case " + inner.map(Self.quoted).joined(separator: " "))
        lines += ["                set at \"$at $word\"", "        end", "    end", "    test \"$at\" = \"$argv\"", "end"]
        lines.append("complete -c \(name) -f")
        for option in program.options { lines.append(Self.option(option, at: nil, name)) }
        for command in commands {
            lines += command.subcommands.map { sub in
                "complete -c \(name) -n \(Self.condition(command.path, name)) -a \(sub.name) -d \(Self.quoted(sub.summary))"
            }
            let own = command.options.filter { option in !program.options.contains { $0.name == option.name } }
            lines += own.map { Self.option($0, at: command.path, name) }
            lines += command.arguments.compactMap { argument in
                guard let action = Self.action(argument.completion, name) else { return nil }
                return "complete -c \(name) -n \(Self.condition(command.path, name)) \(action)"
            }
        }
        self.lines = lines
    }

    private static func option(_ option: OptionDescription, at path: String?, _ name: String) -> String {
        var line = "complete -c \(name)"
        if let path { line += " -n " + condition(path, name) }
        line += " -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        if option.value != nil { line += option.completion == .files ? " -r" : " -x" }
        if let action = action(option.completion, name) { line += " " + action }
        return line + " -d \(quoted(option.summary))"
    }

    private static func condition(_ path: String, _ name: String) -> String { quoted("__\(name)_at \(path)") }

    private static func action(_ completion: Completion, _ name: String) -> String? {
        switch completion {
        case .nothing: nil
        case .files: "-F"
        case .directories: "-a \(quoted("(__fish_complete_directories)"))"
        case .words(let words):
            "-a " + quoted(words.map { $0.text + ($0.summary.isEmpty ? "" : "\\t" + quoted($0.summary)) }.joined(separator: " "))
        case .output(let line): "-a \(quoted("(\(name) \(line) 2>/dev/null)"))"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
