/// What a command line asks for.
package enum Request: Sendable {
    case run(Invocation)
    /// Help on the command at a path; on the program if it is empty.
    case help([String])
    case version
}

/// Reads a command line by the program's description.
///
/// Options may stand anywhere, as `--name value` or `--name=value`, until `--`. Neither commands nor options may be shortened, so that
/// a command added later breaks no script. A value that looks like one of the command's own options is refused: it was forgotten.
package struct Parser {
    private let program: Program
    private var rest: ArraySlice<String>
    private var path: [String] = []
    private var command: Command?
    private var words: [String] = []
    private var given: [(option: OptionDescription, value: String?)] = []
    private var endOfOptions = false

    private init(_ program: Program, _ arguments: [String]) {
        self.program = program
        rest = arguments[...]
    }

    /// - Parameter arguments: without the name of the program.
    package static func parse(_ arguments: [String], _ program: Program) throws(UsageError) -> Request {
        if let request = helpRequest(arguments, program) { return request }
        var parser = Parser(program, arguments)
        return try parser.parse()
    }

    /// The path with the program's name in front, as messages name a command.
    private var fullPath: [String] { [program.name] + path }

    private var knownOptions: [OptionDescription] { (command?.options ?? []) + program.options }

    private mutating func parse() throws(UsageError) -> Request {
        while let word = rest.popFirst() {
            if !endOfOptions, word == "--" {
                endOfOptions = true
            } else if !endOfOptions, word.hasPrefix("--") {
                try takeLongOption(word)
            } else if !endOfOptions, word.hasPrefix("-"), word != "-", !Self.isNumber(word) {
                try takeShortOptions(word)
            } else {
                try takeWord(word)
            }
        }
        if given.contains(where: { $0.option.name == GlobalOptions.version.description.name }) { return .version }
        guard let command else { throw .noCommand(program: program.name) }
        guard command.run != nil else { throw .missingSubcommand(of: fullPath, known: command.subcommands.map(\.name)) }
        return .run(try invocation(of: command))
    }

    /// `--help` or `-h` before `--`: help on the command that the words name, however wrong the rest is.
    private static func helpRequest(_ arguments: [String], _ program: Program) -> Request? {
        let withValue = Set((program.options + program.allCommands.flatMap(\.command.options)).filter { $0.value != nil }.map(\.dashed))
        var path: [String] = []
        var isWanted = false
        var isValue = false
        for word in arguments {
            if word == "--" { break }
            // The front of a card may be "-h".
            if word == "--help" || (word == "-h" && !isValue) {
                isWanted = true
            } else if !isValue, program.command(at: path + [word]) != nil {
                path.append(word)
            }
            isValue = !isValue && withValue.contains(word)
        }
        return isWanted ? .help(path) : nil
    }

    private static func isNumber(_ word: String) -> Bool { word.dropFirst().utf8.first.map { (0x30...0x39).contains($0) } ?? false }
}

// MARK: - Words

extension Parser {
    private mutating func takeWord(_ word: String) throws(UsageError) {
        let choices = command.map(\.subcommands) ?? program.commands
        if words.isEmpty, !endOfOptions, let next = choices.first(where: { $0.name == word }) {
            command = next
            path.append(word)
            return
        }
        let takesWords = command.map { !$0.arguments.isEmpty } ?? false
        if !takesWords, !choices.isEmpty {
            throw .unknownCommand(word, under: fullPath, guess: nearest(to: word, among: choices.map(\.name)))
        }
        words.append(word)
    }

    private func invocation(of command: Command) throws(UsageError) -> Invocation {
        var invocation = Invocation(command: command, path: path)
        try place(words, of: command, in: &invocation)
        let known = Set(knownOptions.map(\.name))
        for (option, value) in given {
            guard known.contains(option.name) else { throw .unknownOption(option.dashed, of: fullPath, guess: nil) }
            if invocation.options[option.name] != nil, !option.repeats { throw .repeatedOption(option.dashed, of: fullPath) }
            if let value { try check(value, option.dashed, option.check) }
            invocation.options[option.name, default: []].append(value ?? "")
        }
        for option in command.options where option.isRequired && invocation.options[option.name] == nil {
            throw .missingOption(option.dashed + (option.value.map { " " + $0 } ?? ""), of: fullPath, usage: Help.usage(command, fullPath))
        }
        if invocation[GlobalOptions.json], !command.printsData { throw .noJSON(of: fullPath) }
        return invocation
    }

    /// Gives each argument its words. One that repeats takes all that those after it don't need.
    private func place(_ words: [String], of command: Command, in invocation: inout Invocation) throws(UsageError) {
        var left = words[...]
        for (index, argument) in command.arguments.enumerated() {
            let later = command.arguments[(index + 1)...].count { $0.isRequired }
            let available = max(0, left.count - later)
            let count = argument.repeats ? available : argument.isRequired ? 1 : min(1, available)
            if argument.isRequired, left.isEmpty || count == 0 {
                throw .missingArgument(argument.name, of: fullPath, usage: Help.usage(command, fullPath))
            }
            let taken = left.prefix(count)
            left = left.dropFirst(count)
            for word in taken { try check(word, argument.name, argument.check) }
            if !taken.isEmpty { invocation.arguments[argument.name] = Array(taken) }
        }
        guard let extra = left.first else { return }
        // Of a command that takes words and has sub-commands: more words than it takes begin with a mistyped sub-command.
        if let first = words.first, !endOfOptions, let guess = nearest(to: first, among: command.subcommands.map(\.name)) {
            throw .unknownCommand(first, under: fullPath, guess: guess)
        }
        throw .unexpectedArgument(extra, of: fullPath, usage: Help.usage(command, fullPath))
    }

    private func check(
        _ text: String, _ name: String, _ body: (String) throws(ValueError) -> Void
    ) throws(UsageError) {
        do throws(ValueError) {
            try body(text)
        } catch {
            throw .badValue(text, for: name, reason: error.reason, of: fullPath)
        }
    }
}

// MARK: - Options

extension Parser {
    private mutating func takeLongOption(_ word: String) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = String(parts[0].dropFirst(2))
        guard let option = knownOptions.first(where: { $0.name == name }) else {
            let guess = nearest(to: name, among: knownOptions.map(\.name)).map { "--" + $0 }
            throw .unknownOption(parts[0], of: fullPath, guess: guess)
        }
        guard option.value != nil else {
            if parts.count > 1 { throw .unwantedValue(option: option.dashed, of: fullPath) }
            given.append((option, nil))
            return
        }
        given.append((option, parts.count > 1 ? parts[1] : try nextValue(of: option)))
    }

    private mutating func nextValue(of option: OptionDescription) throws(UsageError) -> String {
        let names = knownOptions.map(\.dashed)
        guard let value = rest.first, value != "--", !names.contains(value) else {
            throw .missingValue(option: option.dashed, name: option.value ?? "", of: fullPath)
        }
        rest = rest.dropFirst()
        return value
    }

    /// `-q`, or several in one word: `-qh`. None of them takes a value.
    private mutating func takeShortOptions(_ word: String) throws(UsageError) {
        for letter in word.dropFirst() {
            guard let option = knownOptions.first(where: { $0.short == letter }) else {
                // `-json` is more likely `--json` than five letters.
                let guess = nearest(to: String(word.dropFirst()), among: knownOptions.map(\.name)).map { "--" + $0 }
                throw .unknownOption(word, of: fullPath, guess: guess)
            }
            given.append((option, nil))
        }
    }
}
