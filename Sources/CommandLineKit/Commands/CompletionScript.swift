/// A shell that completion scripts are made for.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    package func completionScript(of program: Program) -> String {
        let lines =
            switch self {
            case .bash: BashCompletion(program).lines
            case .zsh: ZshCompletion(program).lines
            case .fish: FishCompletion(program).lines
            }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// What the scripts of all shells need of a command.
struct CompletedCommand {
    /// `engram deck add`.
    let path: String
    let summary: String
    let options: [OptionDescription]
    let arguments: [ArgumentDescription]
    let subcommands: [Command]

    static func all(of program: Program) -> [CompletedCommand] {
        let top = CompletedCommand(
            path: program.name, summary: program.summary, options: program.options, arguments: [], subcommands: program.commands)
        return [top]
            + program.allCommands.map { path, command in
                CompletedCommand(
                    path: ([program.name] + path).joined(separator: " "), summary: command.summary,
                    options: command.options + program.options, arguments: command.arguments, subcommands: command.subcommands)
            }
    }

    /// The name of a shell function for this command: `_engram_deck_add`.
    var functionName: String { "_" + path.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }

    /// The completion of the argument at a place, counting the words after the command.
    var placed: [(place: Int, argument: ArgumentDescription)] { arguments.enumerated().map { ($0.offset, $0.element) } }
}

/// `text` in single quotes, for bash, zsh and other POSIX shells.
func posixQuoted(_ text: String) -> String { "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'" }
