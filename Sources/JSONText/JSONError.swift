/// What is wrong with a JSON text, and where.
public struct JSONError: Error, Hashable, Sendable {
    /// The reader's number for what is wrong. Numbers that this program doesn't name survive.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number itself.
        public let rawValue: Int32

        /// The code of that number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Arrays and objects within each other, deeper than ``JSONValue/maximumDepth``.
        public static let tooDeep = Code(rawValue: -1)
        /// More values than ``JSONValue/maximumValues``.
        public static let tooMany = Code(rawValue: -2)
    }

    /// What is wrong, as a number.
    public let code: Code
    /// Line of the fault, from 1.
    public let line: Int
    /// Column of the fault in that line, in characters, from 1.
    public let column: Int
    /// Offset of the fault from the start of the text, in bytes.
    public let offset: Int
    /// What is wrong, in English.
    public let message: String

    /// A fault of those parts.
    public init(code: Code, line: Int, column: Int, offset: Int, message: String) {
        self.code = code
        self.line = line
        self.column = column
        self.offset = offset
        self.message = message
    }
}

extension JSONError: CustomStringConvertible {
    /// Where and what, in one line.
    public var description: String { "line \(line), column \(column): \(message)" }
}
