/// A script for bash 3.2 and later (the one of macOS), without the bash-completion package.
struct BashCompletion {
    let lines: [String]

    init(_ program: Program) {
        let commands = CompletedCommand.all(of: program)
        let name = program.name
        lines =
            [
                "# bash completion for \(name); load it with: source <(\(name) completion bash)",
                "_\(name)_lines() {",
                "    local line",
                "    while IFS= read -r line; do",
                "        [[ $line == \"$cur\"* ]] && COMPREPLY+=(\"$(printf '%q' \"$line\")\")",
                "    done",
                "}",
                "_\(name)_words() { local word; for word in \"$@\"; do [[ $word == \"$cur\"* ]] && COMPREPLY+=(\"$word\"); done; }",
                "_\(name)_files() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$cur\")); }",
                "_\(name)_directories() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -d -- \"$cur\")); }",
                "_\(name)() {",
                "    local cur=${COMP_WORDS[COMP_CWORD]} at=\(posixQuoted(name)) i=1 place=0 option='' word",
                "    COMPREPLY=()",
                "    while (( i < COMP_CWORD )); do",
                "        word=${COMP_WORDS[i]}",
                "        if [[ -n $option ]]; then",
                "            [[ $word == '=' ]] || option=''",
                "        else",
                "            case \"$at $word\" in",
            ] + Self.optionPatterns(commands) + Self.commandPatterns(commands)
            + [
                "                *' '-*) ;;",
                "                *) place=$((place + 1)) ;;",
                "            esac",
                "        fi",
                "        i=$((i + 1))",
                "    done",
                "    [[ $cur == '=' ]] && cur=''",
                "    if [[ -n $option ]]; then",
                "        case \"$at $option\" in",
            ] + Self.optionValues(commands, program)
            + [
                "        esac",
                "        return",
                "    fi",
                "    if [[ $cur == -* ]]; then",
                "        case $at in",
            ] + commands.map { "            \(posixQuoted($0.path))) _\(name)_words \($0.options.map(\.dashed).joined(separator: " ")) ;;" }
            + [
                "        esac",
                "        return",
                "    fi",
                "    case \"$at $place\" in",
            ] + commands.flatMap { Self.places($0, program) }
            + [
                "    esac",
                "}",
                "complete -F _\(name) \(name)",
            ]
    }

    /// Options that eat the word after them.
    private static func optionPatterns(_ commands: [CompletedCommand]) -> [String] {
        let names = commands.flatMap(\.options).filter { $0.value != nil }.map(\.dashed)
        return ["                " + unique(names).map { "*' '\($0)" }.joined(separator: "|") + ") option=$word ;;"]
    }

    private static func commandPatterns(_ commands: [CompletedCommand]) -> [String] {
        commands.flatMap { command in
            command.subcommands.map { "                \(posixQuoted(command.path + " " + $0.name))) at=\"$at $word\"; place=0 ;;" }
        }
    }

    private static func optionValues(_ commands: [CompletedCommand], _ program: Program) -> [String] {
        commands.flatMap { command in
            command.options.compactMap { option -> String? in
                let isGlobal = program.options.contains { $0.name == option.name }
                if isGlobal, command.path != program.name { return nil }
                guard option.value != nil, let action = action(option.completion, program) else { return nil }
                let pattern = isGlobal ? "*' '\(option.dashed)" : posixQuoted(command.path + " " + option.dashed)
                return "            \(pattern)) \(action) ;;"
            }
        }
    }

    private static func places(_ command: CompletedCommand, _ program: Program) -> [String] {
        var lines: [String] = []
        let names = command.subcommands.map(\.name).joined(separator: " ")
        if !names.isEmpty {
            // What may stand there beside a sub-command.
            let other = command.arguments.first.flatMap { action($0.completion, program) }.map { other in "\(other); " } ?? ""
            lines.append("        \(posixQuoted(command.path + " 0"))) \(other)_\(program.name)_words \(names) ;;")
        }
        for (place, argument) in command.placed {
            guard let action = action(argument.completion, program), names.isEmpty || place > 0 else { continue }
            let pattern = argument.repeats ? posixQuoted(command.path + " ") + "[0-9]*" : posixQuoted("\(command.path) \(place)")
            lines.append("        \(pattern)) \(action) ;;")
        }
        return lines
    }

    private static func action(_ completion: Completion, _ program: Program) -> String? {
        switch completion {
        case .nothing: nil
        case .files: "_\(program.name)_files"
        case .directories: "_\(program.name)_directories"
        case .words(let words): "_\(program.name)_words \(words.map { posixQuoted($0.text) }.joined(separator: " "))"
        case .output(let line): "_\(program.name)_lines < <(\(program.name) \(line) 2>/dev/null)"
        }
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
