internal import EventCoding
internal import JSONText

/// Takes the fields of an event or record out of a JSON object, and knows in the end which nobody asked for.
struct JSONFields {
    private let members: [(key: String, value: JSONValue)]
    private let path: FieldPath
    /// A bit for each of the first 64 members, set when it was taken. No schema has more fields than that.
    private var taken: UInt64 = 0

    init(_ json: JSONValue, at path: FieldPath) throws(SchemaError) {
        guard let members = json.objectValue else { throw path.fault(.wrongType, "an object, not \(json.kindName)") }
        self.members = members
        self.path = path
    }

    private mutating func take(_ name: String) -> JSONValue? {
        for (index, member) in members.prefix(64).enumerated() where member.key == name {
            taken |= 1 << UInt64(index)
            return member.value
        }
        return nil
    }

    /// The field `name`, read by `read`; `nil` where it is absent.
    mutating func optional<Value>(
        _ name: String, _ read: (JSONValue, FieldPath) throws(SchemaError) -> Value
    ) throws(SchemaError) -> Value? {
        guard let json = take(name) else { return nil }
        return try read(json, path.field(name))
    }

    /// The field `name`, read by `read`.
    mutating func required<Value>(
        _ name: String, _ read: (JSONValue, FieldPath) throws(SchemaError) -> Value
    ) throws(SchemaError) -> Value {
        guard let value = try optional(name, read) else { throw path.field(name).fault(.missingField, "it a value") }
        return value
    }

    /// The field `name`, a list whose elements are read by `read`.
    mutating func list<Value>(
        _ name: String, _ read: (JSONValue, FieldPath) throws(SchemaError) -> Value
    ) throws(SchemaError) -> [Value] {
        guard let json = take(name) else { throw path.field(name).fault(.missingField, "it a list") }
        let place = path.field(name)
        guard let elements = json.arrayValue else { throw place.fault(.wrongType, "a list, not \(json.kindName)") }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() { values.append(try read(element, place.element(index))) }
        return values
    }

    /// Throws where the object has members that nobody took.
    func finish() throws(SchemaError) {
        for (index, member) in members.enumerated() where index >= 64 || taken & 1 << UInt64(index) == 0 {
            throw path.field(member.key).fault(.unknownField, "leave it out, or raise the version")
        }
    }
}

/// How a field of each type is read from JSON. Limits are checked afterwards, by the event's `validate`.
enum JSONField {
    static func text(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> String {
        guard let text = json.stringValue else { throw path.fault(.wrongType, "a string, not \(json.kindName)") }
        return text
    }

    static func bytes(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> [UInt8] {
        guard let bytes = EventCoding.bytes(hexadecimal: try text(json, path)) else {
            throw path.fault(.badValue, "pairs of hexadecimal digits")
        }
        return bytes
    }

    static func bool(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> Bool {
        guard let value = json.boolValue else { throw path.fault(.wrongType, "true or false, not \(json.kindName)") }
        return value
    }

    static func signed(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> Int64 {
        guard let number = json.integerValue else { throw path.fault(.wrongType, "an integer, not \(json.kindName)") }
        return number
    }

    static func unsigned(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> UInt64 {
        let number = try signed(json, path)
        guard let value = UInt64(exactly: number) else { throw path.fault(.outOfRange, "0 or more, not \(number)") }
        return value
    }

    static func uniqueID(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> UniqueID {
        let text = try text(json, path)
        guard text.utf8.count == 36, let id = UniqueID(text) else { throw path.fault(.badValue, "a UUID") }
        return id
    }

    static func digest(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> SHA256Digest {
        guard let digest = SHA256Digest(try text(json, path)) else { throw path.fault(.badValue, "64 hexadecimal digits") }
        return digest
    }

    static func eventID(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> EventID {
        guard let id = EventID(try text(json, path)) else {
            throw path.fault(.badValue, "an event, as ORIGIN/NUMBER: 16 hexadecimal digits, and a number from 1")
        }
        return id
    }

    static func choice<Choice: NamedChoice>(_ json: JSONValue, _ path: FieldPath) throws(SchemaError) -> Choice {
        guard let choice = Choice(name: try text(json, path)) else {
            throw path.fault(.badValue, "one of \(Choice.allCases.map(\.name).joined(separator: ", "))")
        }
        return choice
    }
}
