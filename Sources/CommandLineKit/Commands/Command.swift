/// A command: everything that help, completion, the manual and the parser need to know, and what it does.
package struct Command: Sendable {
    package typealias Run = @Sendable (Invocation, Session) throws -> ExitCode

    package let name: String
    /// One line without a full stop, beginning with a verb.
    package let summary: String
    /// Further paragraphs for `--help` and the manual.
    package var details: [String]
    package var arguments: [ArgumentDescription]
    package var options: [OptionDescription]
    package var examples: [Example]
    /// What the exit codes 0 and 1 mean here; nil for 1 where it can't happen.
    package var success: String
    package var failure: String?
    /// Whether it prints data, and so knows `--json`.
    package var printsData: Bool
    /// Whether it works on a store, and so can fail on it.
    package var usesStore: Bool
    package var subcommands: [Command]
    /// Nil for a command that is only the name of a group.
    package let run: Run?

    /// A command line and what it is good for.
    package struct Example: Sendable {
        package let line: String
        package let summary: String

        package init(_ line: String, _ summary: String) {
            self.line = line
            self.summary = summary
        }
    }

    /// A command that does something, perhaps beside sub-commands.
    package init(
        _ name: String, _ summary: String, details: [String] = [], arguments: [ArgumentDescription] = [],
        options: [OptionDescription] = [], examples: [Example], success: String, failure: String? = nil, printsData: Bool = true,
        usesStore: Bool = true, subcommands: [Command] = [], run: @escaping Run
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.success = success
        self.failure = failure
        self.printsData = printsData
        self.usesStore = usesStore
        self.subcommands = subcommands
        self.run = run
    }

    /// A group of commands.
    package init(group name: String, _ summary: String, details: [String] = [], examples: [Example], _ subcommands: [Command]) {
        self.name = name
        self.summary = summary
        self.details = details
        self.examples = examples
        self.subcommands = subcommands
        arguments = []
        options = []
        success = "the sub-command did what it should"
        printsData = true
        usesStore = true
        run = nil
    }

    /// How to write an argument that reads like a sub-command; nil where nothing could be mistaken for another.
    func literalRule(_ path: [String]) -> String? {
        guard run != nil, let argument = arguments.first, let subcommand = subcommands.first else { return nil }
        let line = (path + ["--", subcommand.name]).joined(separator: " ")
        return "\(argument.name) that reads like a sub-command is written after --, as in '\(line)'."
    }

    package func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }

    /// What the exit codes mean here.
    package var exitCodes: [(code: ExitCode, meaning: String)] {
        var codes: [(ExitCode, String)] = [(.success, success)]
        if let failure { codes.append((.failure, failure)) }
        codes.append((.usage, "wrong usage or wrong input; nothing was changed"))
        codes.append((.store, usesStore ? "the store can't be opened, read or written" : "the output can't be written"))
        return codes
    }
}

/// The program: its commands and the options that all of them know.
package struct Program: Sendable {
    package let name: String
    package let version: String
    package let summary: String
    package let details: [String]
    package let examples: [Command.Example]
    package let options: [OptionDescription]
    /// Commands by theme, in the order of help.
    package let groups: [(title: String, commands: [Command])]
    /// Variables of the environment and files, for the manual.
    package let environment: [(name: String, meaning: String)]
    /// Turns any error that a command throws into what a person should read.
    package let explain: @Sendable (any Error) -> CommandFailure

    package init(
        name: String, version: String, summary: String, details: [String], examples: [Command.Example], options: [OptionDescription],
        groups: [(title: String, commands: [Command])], environment: [(name: String, meaning: String)],
        explain: @escaping @Sendable (any Error) -> CommandFailure
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.details = details
        self.examples = examples
        self.options = GlobalOptions.all + options
        self.groups = groups
        self.environment = environment
        self.explain = explain
    }

    package var commands: [Command] { groups.flatMap(\.commands) }

    /// The command at a path such as `["deck", "add"]`.
    package func command(at path: [String]) -> Command? {
        guard let first = path.first, var found = commands.first(where: { $0.name == first }) else { return nil }
        for name in path.dropFirst() {
            guard let next = found.subcommand(name) else { return nil }
            found = next
        }
        return found
    }

    /// Every command with its path, parents before their sub-commands.
    package var allCommands: [(path: [String], command: Command)] {
        func collect(_ command: Command, under path: [String]) -> [(path: [String], command: Command)] {
            let path = path + [command.name]
            return [(path, command)] + command.subcommands.flatMap { collect($0, under: path) }
        }
        return commands.flatMap { collect($0, under: []) }
    }
}

/// The options that every command knows because the frame itself obeys them.
package enum GlobalOptions {
    package static let json = Flag("json", "print exactly one JSON document (one a line for log and timeline)")
    package static let now = Option("now", .instant, "stand in for the clock and its zone")
    package static let noColour = Flag("no-color", "never use colour")
    package static let quiet = Flag("quiet", short: "q", "show no progress and no remarks")
    package static let help = Flag("help", short: "h", "explain the command")
    package static let version = Flag("version", "print the version")

    static let all = [
        json.description, now.description, noColour.description, quiet.description, help.description, version.description,
    ]
}
