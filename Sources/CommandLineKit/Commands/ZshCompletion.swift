/// A script for zsh, one function a command.
struct ZshCompletion {
    let lines: [String]

    init(_ program: Program) {
        let name = program.name
        let commands = CompletedCommand.all(of: program)
        lines =
            ["#compdef \(name)", "# zsh completion for \(name); load it with: source <(\(name) completion zsh)"]
            + [
                "_\(name)_lines() {",
                "    local -a found",
                "    found=(${(f)\"$(_call_program values \(name) $1 2>/dev/null)\"})",
                "    compadd -a found",
                "}",
            ] + commands.flatMap { Self.function($0, name) }
            + [
                "if [ \"$funcstack[1]\" = _\(name) ]; then",
                "    _\(name) \"$@\"",
                "else",
                "    compdef _\(name) \(name)",
                "fi",
            ]
    }

    private static func function(_ command: CompletedCommand, _ name: String) -> [String] {
        var specifications = command.options.map { option in
            let marks = option.repeats ? "*" : ""
            let value = option.value.map { "=:\(plain($0)):\(action(option.completion, name))" }
            return posixQuoted(
                "\(marks)--\(option.name)" + (value == nil ? "" : "=") + "[\(bracketed(option.summary))]" + (value?.dropFirst() ?? ""))
        }
        if command.subcommands.isEmpty {
            specifications += command.arguments.map { argument in
                let place = argument.repeats ? "*:" : argument.isRequired ? ":" : "::"
                return posixQuoted("\(place)\(plain(argument.name)):\(action(argument.completion, name))")
            }
        } else {
            specifications += [posixQuoted("1: :->command"), posixQuoted("*:: :->rest")]
        }
        var lines = ["\(command.functionName)() {", "    local curcontext=\"$curcontext\" state line", "    typeset -A opt_args"]
        lines += ["    _arguments -C \\"] + specifications.map { "        \($0) \\" } + ["        && return 0"]
        if !command.subcommands.isEmpty { lines += dispatch(command, name) }
        return lines + ["}"]
    }

    private static func dispatch(_ command: CompletedCommand, _ name: String) -> [String] {
        let described = command.subcommands.map { "            " + posixQuoted("\($0.name):\($0.summary)") }
        let calls = command.subcommands.map {
            "            \($0.name)) \(command.functionName)_\($0.name.map { $0.isLetter ? $0 : "_" }.map(String.init).joined()) ;;"
        }
        return ["    case $state in", "    command)", "        local -a commands", "        commands=("] + described
            + ["        )", "        _describe command commands"] + besides(command, name) + [
                "        ;;", "    rest)", "        case $words[1] in",
            ] + calls
            + ["        esac", "        ;;", "    esac"]
    }

    /// What may stand beside a sub-command.
    private static func besides(_ command: CompletedCommand, _ name: String) -> [String] {
        guard let argument = command.arguments.first else { return [] }
        switch argument.completion {
        case .nothing: return []
        case .words(let words): return ["        compadd -- \(words.map { posixQuoted($0.text) }.joined(separator: " "))"]
        case .files, .directories, .output: return ["        " + action(argument.completion, name)]
        }
    }

    private static func action(_ completion: Completion, _ name: String) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words): "(\(words.map(\.text).map(plain).joined(separator: " ")))"
        case .output(let line): "_\(name)_lines \"\(line)\""
        }
    }

    private static func bracketed(_ text: String) -> String {
        text.map { "[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func plain(_ text: String) -> String {
        text.map { ":()[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
