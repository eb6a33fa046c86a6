/// The commands about the program itself.
package enum BuiltInCommands {
    private static let shell = Argument(
        .choice("SHELL", [("bash", Shell.bash, "bash 3.2 or later"), ("zsh", .zsh, "zsh"), ("fish", .fish, "fish 3 or later")]),
        "the shell to write the script for")
    private static let topic = Argument(.text("COMMAND"), "the command to explain, with its sub-command").many

    package static func all(_ name: String) -> [Command] { [help(name), completion(name), manual(name), version(name)] }

    private static func help(_ name: String) -> Command {
        Command(
            "help", "explain a command", arguments: [topic.description],
            examples: [.init("\(name) help", "show all commands"), .init("\(name) help deck add", "explain one of them")],
            success: "the help was printed", printsData: false, usesStore: false
        ) { call, session in
            let path = call.all(topic)
            // A wrong name gets the same answer as if the command had been called.
            for (index, word) in path.enumerated() {
                let parent = Array(path[..<index])
                if session.program.command(at: parent + [word]) != nil { continue }
                let known = index == 0 ? session.program.commands : session.program.command(at: parent)?.subcommands ?? []
                throw UsageError.unknownCommand(word, under: [name] + parent, guess: nearest(to: word, among: known.map(\.name)))
            }
            session.out.lines(session.program.helpLines(path, on: session.surface))
            return .success
        }
    }

    private static func completion(_ name: String) -> Command {
        Command(
            "completion", "print a completion script for a shell",
            details: ["The script is made from the same description as the help, so it knows every command and option of this version."],
            arguments: [shell.description],
            examples: [
                .init("source <(\(name) completion bash)", "complete in this bash; put the line into ~/.bashrc to keep it"),
                .init("\(name) completion zsh > \"${fpath[1]}/_\(name)\"", "install it for zsh"),
                .init("\(name) completion fish > ~/.config/fish/completions/\(name).fish", "install it for fish"),
            ], success: "the script was printed", printsData: false, usesStore: false
        ) { call, session in
            session.out.write(try call.value(of: shell).completionScript(of: session.program))
            return .success
        }
    }

    private static func manual(_ name: String) -> Command {
        Command(
            "man", "print the manual page",
            examples: [
                .init("\(name) man | man -l -", "read it (on Linux)"),
                .init("\(name) man > /usr/local/share/man/man1/\(name).1", "install it"),
            ], success: "the page was printed", printsData: false, usesStore: false
        ) { _, session in
            session.out.write(Manual.text(of: session.program))
            return .success
        }
    }

    private static func version(_ name: String) -> Command {
        Command(
            "version", "print the version", examples: [.init("\(name) version", "the same as \(name) --version")],
            success: "the version was printed", usesStore: false
        ) { _, session in
            let program = session.program
            session.out.line(session.isJSON ? "{\"version\":\"\(program.version)\"}" : "\(program.name) \(program.version)")
            return .success
        }
    }
}
