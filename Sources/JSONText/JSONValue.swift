/// A JSON value (RFC 8259). An object keeps its members in the order in which they were written.
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 signed bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object: its members in order, no key twice.
    case object([(key: String, value: JSONValue)])
}

extension JSONValue: Equatable {
    /// Equal where both would be written the same: the order of members counts, and so do the bytes of strings.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): isSameText(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { isSameText($0.key, $1.key) && $0.value == $1.value }
        default: false
        }
    }

    /// Swift's own equality takes "é" and "e" with an accent for one; JSON doesn't.
    private static func isSameText(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

extension JSONValue {
    /// The value of the member `key` of an object; `nil` where there is none, and for anything but an object.
    ///
    /// Complexity: linear in the number of members.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { Self.isSameText($0.key, key) }?.value
    }

    /// The string, if it is one.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The integer, if it is one: `2` and not `2.0`.
    public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The number, if it is one, whole or not.
    public var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// `true` or `false`, if it is one of them.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements, if it is an array.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members in order, if it is an object.
    public var objectValue: [(key: String, value: JSONValue)]? { if case .object(let value) = self { value } else { nil } }

    /// Whether it is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// What kind of value it is, in a word that fits a message.
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Its text as UTF-8: in one line, or indented by two spaces a level.
    public func bytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.bytes
    }

    /// Its text: in one line, or indented by two spaces a level.
    public func text(pretty: Bool = false) -> String { String(decoding: bytes(pretty: pretty), as: UTF8.self) }
}
