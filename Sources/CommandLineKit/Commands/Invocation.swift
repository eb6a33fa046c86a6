/// A command line that was understood: which command, and the values of its parameters, which were all read once already.
package struct Invocation: Sendable {
    package let command: Command
    /// The command's path, without the program's name: `["deck", "add"]`.
    package let path: [String]
    var arguments: [String: [String]] = [:]
    var options: [String: [String]] = [:]

    init(command: Command, path: [String]) {
        self.command = command
        self.path = path
    }

    /// The value of an argument that may be left out.
    package subscript<Value>(_ argument: Argument<Value>) -> Value? {
        arguments[argument.description.name]?.first.flatMap { try? argument.kind.read($0) }
    }

    /// The value of an argument that the parser has seen to.
    package func value<Value>(of argument: Argument<Value>) throws -> Value {
        if let value = self[argument] { return value }
        throw UsageError.missingArgument(argument.description.name, of: path, usage: path.joined(separator: " "))
    }

    /// All values of an argument that may be repeated.
    package func all<Value>(_ argument: Argument<Value>) -> [Value] {
        (arguments[argument.description.name] ?? []).compactMap { try? argument.kind.read($0) }
    }

    /// The value of an option that may be left out.
    package subscript<Value>(_ option: Option<Value>) -> Value? {
        options[option.description.name]?.last.flatMap { try? option.kind.read($0) }
    }

    /// The value of an option that must be given.
    package func value<Value>(of option: Option<Value>) throws -> Value {
        if let value = self[option] { return value }
        throw UsageError.missingOption(option.description.dashed, of: path, usage: path.joined(separator: " "))
    }

    /// All values of an option that may be repeated, in their order.
    package func all<Value>(_ option: Option<Value>) -> [Value] {
        (options[option.description.name] ?? []).compactMap { try? option.kind.read($0) }
    }

    package subscript(_ flag: Flag) -> Bool { options[flag.description.name] != nil }
}
