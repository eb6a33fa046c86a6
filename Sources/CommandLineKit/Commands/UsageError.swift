/// What is wrong with a command line. `description` says it in one line, `next` in one more what to do.
package enum UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    case noCommand(program: String)
    case unknownCommand(String, under: [String], guess: String?)
    case missingSubcommand(of: [String], known: [String])
    case unknownOption(String, of: [String], guess: String?)
    case missingValue(option: String, name: String, of: [String])
    case unwantedValue(option: String, of: [String])
    case repeatedOption(String, of: [String])
    case missingOption(String, of: [String], usage: String)
    case missingArgument(String, of: [String], usage: String)
    case unexpectedArgument(String, of: [String], usage: String)
    case badValue(String, for: String, reason: String, of: [String])
    case noJSON(of: [String])

    package var description: String {
        switch self {
        case .noCommand: "a command is missing"
        case .unknownCommand(let name, let path, _): "there is no command \(quoted(path.dropFirst().map { $0 } + [name]))"
        case .missingSubcommand(let path, _): "\(quoted(path)) wants a sub-command"
        case .unknownOption(let name, let path, _): "\(quoted(path)) has no option \(quoted([name]))"
        case .missingValue(let option, let name, _): "\(quoted([option])) wants a value: \(name)"
        case .unwantedValue(let option, _): "\(quoted([option])) takes no value"
        case .repeatedOption(let option, _): "\(quoted([option])) is given twice"
        case .missingOption(let option, let path, _): "\(quoted(path)) wants \(option)"
        case .missingArgument(let name, let path, _): "\(quoted(path)) wants \(name)"
        case .unexpectedArgument(let text, let path, _): "\(quoted([text])) is more than \(quoted(path)) takes"
        case .badValue(let text, let name, let reason, _): "\(name): \(quoted([text])) is not \(reason)"
        case .noJSON(let path): "\(quoted(path)) prints nothing that --json could change"
        }
    }

    /// What to do next.
    package var next: String {
        switch self {
        case .noCommand(let program): "See \(quoted([program, "help"]))."
        case .unknownCommand(_, let path, let guess): suggestion(guess.map { quoted(path + [$0]) }, path)
        case .missingSubcommand(let path, let known): "Say one of: \(known.joined(separator: ", ")). See \(quoted(path + ["--help"]))."
        case .unknownOption(_, let path, let guess): suggestion(guess.map { quoted([$0]) }, path)
        case .missingOption(_, _, let usage), .missingArgument(_, _, let usage): "Usage: \(usage)"
        case .unexpectedArgument(_, _, let usage): "Put text of several words in quotes. Usage: \(usage)"
        case .missingValue(_, _, let path), .unwantedValue(_, let path), .repeatedOption(_, let path), .badValue(_, _, _, let path),
            .noJSON(let path):
            "See \(quoted(path + ["--help"]))."
        }
    }

    private func suggestion(_ guess: String?, _ path: [String]) -> String {
        guess.map { "Did you mean \($0)?" } ?? "See \(quoted(path + ["--help"]))."
    }

    private func quoted(_ words: [String]) -> String {
        "'" + shown(words.joined(separator: " ")).truncated(to: 60) + "'"
    }
}
