import CivilTime
import CommandLineKit

/// A small program with every shape of command: a group, a command beside sub-commands, with arguments and without, and all counts of arguments.
enum Toy {
    static let name = Argument(.word("NAME"), "a pot")
    static let spoons = Argument(.integer("SPOONS", 0...9), "how many").many
    static let lid = Argument(.text("LID"), "its lid").optional
    static let tea = Option("tea", .choice("TEA", [("green", 1, ""), ("black", 2, "")]), "which tea")
    static let note = Option("note", .text("TEXT"), "a note", repeats: true)
    static let water = Option("water", .integer("ML", 1...2000), "how much water", isRequired: true)
    static let hot = Flag("hot", "boil it")

    /// What a run saw, in words.
    private static func say(_ call: Invocation, _ session: Session) throws -> ExitCode {
        session.out.line(describe(call))
        return .success
    }

    static func describe(_ call: Invocation) -> String {
        var parts = [call.path.joined(separator: " ")]
        if let value = call[name] { parts.append("name=\(value)") }
        if let value = call[lid] { parts.append("lid=\(value)") }
        if !call.all(spoons).isEmpty { parts.append("spoons=\(call.all(spoons))") }
        if let value = call[tea] { parts.append("tea=\(value)") }
        if let value = call[water] { parts.append("water=\(value)") }
        if !call.all(note).isEmpty { parts.append("note=\(call.all(note))") }
        if call[hot] { parts.append("hot") }
        if call[GlobalOptions.json] { parts.append("json") }
        if let value = call[GlobalOptions.now] { parts.append("now=\(value.iso)") }
        return parts.joined(separator: " ")
    }

    static func command(
        _ name: String, _ arguments: [ArgumentDescription] = [], _ options: [OptionDescription] = [], printsData: Bool = true,
        subcommands: [Command] = [], run: Command.Run? = nil
    ) -> Command {
        Command(
            name, "do \(name)", arguments: arguments, options: options, examples: [.init("toy \(name)", "do it")], success: "done",
            printsData: printsData, subcommands: subcommands, run: run ?? say)
    }

    static func program(_ extra: [Command] = []) -> Program {
        let pot = Command(
            group: "pot", "look after pots", examples: [.init("toy pot add x", "add one")],
            [
                command("add", [name.description, lid.description], [tea.description, note.description]),
                command("fill", [name.description, spoons.description], [water.description, hot.description]),
            ])
        let log = command("log", [], [tea.description], subcommands: [command("export")])
        let find = command("find", [name.description], [tea.description], subcommands: [command("import", [lid.description])])
        return Program(
            name: "toy", version: "1.2", summary: "a toy", details: ["It's a toy."], examples: [.init("toy pot add x", "add a pot")],
            options: [], groups: [("All", [pot, log, find, command("quietly", printsData: false)] + BuiltInCommands.all("toy") + extra)],
            environment: [("TOY", "nothing")]
        ) { CommandFailure(.store, "unforeseen: \($0)") }
    }
}

/// What a program printed, and how it ended.
struct Ending: Equatable, CustomStringConvertible {
    var code: ExitCode
    var out: String
    var talk: String

    var description: String { "\(code)\n--- out\n\(out)\n--- talk\n\(talk)" }

    /// Runs a program; `refusal` is the system's error for every write to its output.
    static func of(_ program: Program, _ arguments: [String], refusal: Int32 = 0, variables: [String: String] = [:]) -> Ending {
        final class Sink { var bytes: [UInt8] = [] }
        let out = Sink()
        let talk = Sink()
        let surface = Surface(isTerminal: false, width: 80, unicode: true)
        let code = program.run(
            arguments,
            out: OutputWriter {
                if refusal == 0 { out.bytes += $0 }
                return refusal
            },
            talk: OutputWriter(capacity: 0) {
                talk.bytes += $0
                return 0
            }, surface: surface, stderrSurface: surface, variables: { variables[$0] })
        return Ending(code: code, out: String(decoding: out.bytes, as: UTF8.self), talk: String(decoding: talk.bytes, as: UTF8.self))
    }
}
