internal import JSONText

extension FieldType {
    /// The type of the Swift property.
    var swiftType: String {
        switch self {
        case .uniqueID: "UniqueID"
        case .text: "String"
        case .bytes: "[UInt8]"
        case .unsigned, .index: "UInt64"
        case .signed: "Int64"
        case .bool: "Bool"
        case .digest: "SHA256Digest"
        case .event: "EventID"
        case .choice(let choice): choice.swiftName
        case .record(let record): record.swiftName
        case .list(let element, _): "[\(element.swiftType)]"
        }
    }

    /// Whether a field of this type may be erased.
    var canBeErased: Bool {
        switch self {
        case .text, .bytes: true
        default: false
        }
    }

    /// Whether the Swift type is one of `EventCoding`.
    var isEventCoding: Bool {
        switch self {
        case .uniqueID, .digest, .event: true
        case .list(let element, _): element.isEventCoding
        default: false
        }
    }

    /// The statement that writes `value`, which isn't a list.
    func encoding(_ value: String) -> String {
        switch self {
        case .uniqueID, .digest, .event: "writer.write(\(value))"
        case .text: "writer.writeText(\(value))"
        case .bytes: "writer.writeCounted(bytes: \(value))"
        case .unsigned, .index: "writer.writeVariable(\(value))"
        case .signed: "writer.writeVariableSigned(\(value))"
        case .bool: "writer.writeFlag(\(value))"
        case .choice: "writer.write(\(value).rawValue)"
        case .record: "\(value).encode(into: &writer, version: version)"
        case .list: preconditionFailure("lists don't lie in lists")
        }
    }

    /// The expression, without its `try`, that reads a value which isn't a list.
    func decoding() -> String {
        switch self {
        case .uniqueID: "reader.readUniqueID()"
        case .text: "reader.readText(limit: FieldLimit.textBytes)"
        case .bytes: "reader.readBlob(limit: FieldLimit.textBytes)"
        case .unsigned(let maximum): "reader.readUnsigned(maximum: \(Self.limit(maximum)))"
        case .signed(let range): "reader.readSigned(in: \(Self.limits(range)))"
        case .index(let list): "reader.readIndex(below: \(swiftPropertyName(list)).count)"
        case .bool: "reader.readFlag()"
        case .digest: "reader.readDigest()"
        case .event: "reader.readEventID()"
        case .choice(let choice): "reader.readChoice(\(choice.swiftName).self)"
        case .record(let record): "\(record.swiftName)(decoding: &reader, version: version)"
        case .list: preconditionFailure("lists don't lie in lists")
        }
    }

    /// The expression that turns `value` into JSON.
    func json(_ value: String) -> String {
        switch self {
        case .uniqueID, .digest, .event: ".string(\(value).description)"
        case .text: ".string(\(value))"
        case .bytes: ".string(hexadecimal(\(value)))"
        case .unsigned, .index: ".integer(Int64(clamping: \(value)))"
        case .signed: ".integer(\(value))"
        case .bool: ".bool(\(value))"
        case .choice: ".string(\(value).name)"
        case .record: "\(value).json(version: version)"
        case .list(let element, _): ".array(\(value).map { \(element.json("$0")) })"
        }
    }

    /// The function that reads a value, or a list's element, from JSON.
    var jsonReading: String {
        switch self {
        case .uniqueID: "JSONField.uniqueID"
        case .text: "JSONField.text"
        case .bytes: "JSONField.bytes"
        case .unsigned, .index: "JSONField.unsigned"
        case .signed: "JSONField.signed"
        case .bool: "JSONField.bool"
        case .digest: "JSONField.digest"
        case .event: "JSONField.eventID"
        case .choice: "JSONField.choice"
        case .record(let record):
            "{ json, path throws(SchemaError) in try \(record.swiftName)(json: json, at: path, version: version) }"
        case .list(let element, _): element.jsonReading
        }
    }

    /// The check of `value` at the path that the expression `path` gives, without its `try`; `nil` where every value will do.
    func check(_ value: String, at path: String) -> String? {
        switch self {
        case .uniqueID, .bool, .digest, .choice: nil
        case .text: "\(path).check(text: \(value))"
        case .bytes: "\(path).check(byteCount: \(value).count)"
        case .unsigned(let maximum): "\(path).check(unsigned: \(value), maximum: \(Self.limit(maximum)))"
        case .signed(let range): range == .min ... .max ? nil : "\(path).check(signed: \(value), in: \(Self.limits(range)))"
        case .index(let list): "\(path).check(index: \(value), below: \(swiftPropertyName(list)).count)"
        case .event: "\(path).check(eventNumber: \(value).number)"
        case .record: "\(value).validate(at: \(path))"
        case .list(_, let counts): "\(path).check(count: \(value).count, in: \(Self.limits(counts)))"
        }
    }

    static func limits(_ range: ClosedRange<Int>) -> String { "\(grouped(range.lowerBound))...\(grouped(range.upperBound))" }

    private static func limit(_ maximum: UInt64) -> String { maximum == UInt64(Int64.max) ? "FieldLimit.unsigned" : grouped(maximum) }

    private static func limits(_ range: ClosedRange<Int64>) -> String {
        let lower = range.lowerBound == .min ? "Int64.min" : grouped(range.lowerBound)
        let upper = range.upperBound == .max ? "Int64.max" : grouped(range.upperBound)
        return range == .min ... .max ? "Int64.min...Int64.max" : "\(lower)...\(upper)"
    }

    /// The Swift literal of a default that a schema gives.
    func literal(_ value: JSONValue) -> String {
        switch (self, value) {
        case (.unsigned, .integer(let number)), (.signed, .integer(let number)): grouped(number)
        case (.bool, .bool(let flag)): flag ? "true" : "false"
        case (.text, .string): value.text()
        case (.choice, .string(let name)): ".\(swiftPropertyName(name))"
        case (.list, .array(let elements)) where elements.isEmpty: "[]"
        default: preconditionFailure("a default of \(value.kindName) for \(swiftType)")
        }
    }
}

extension Field {
    /// The Swift type, with `?` where the field is optional.
    var swiftType: String { type.swiftType + (isOptional ? "?" : "") }

    /// What the doc comment of its property says: the summary, and the limits that the type doesn't show.
    var documentation: String {
        var text = summary
        if let unit, unit != "rgb" { text += " In \(["ms": "milliseconds", "hour": "hours"][unit] ?? unit)." }
        switch type {
        case .unsigned(let maximum) where maximum != UInt64(Int64.max): text += " At most \(grouped(maximum, by: ","))."
        case .list(_, let counts): text += " From \(counts.lowerBound) to \(grouped(counts.upperBound, by: ",")) of them."
        default: break
        }
        return text
    }

    /// What stands for the field in events of versions before it.
    var defaultLiteral: String { defaultValue.map(type.literal) ?? "nil" }
}
