/// A value that an event's schema doesn't allow, and in which field.
public struct SchemaError: Error, Hashable, Sendable {
    /// The ways in which a value can be wrong.
    public enum Kind: String, Hashable, Sendable {
        /// A field that must be there isn't.
        case missingField = "missing_field"
        /// A field that the schema's version doesn't have.
        case unknownField = "unknown_field"
        /// Another kind of value than the field's, such as a string for a number.
        case wrongType = "wrong_type"
        /// A number beyond the field's limits.
        case outOfRange = "out_of_range"
        /// A text with more bytes, or a list with more or fewer elements, than the field allows.
        case badLength = "bad_length"
        /// A name, identity or digest that spells none.
        case badValue = "bad_value"
        /// A version that no schema ever had.
        case badVersion = "bad_version"
    }

    /// What is wrong.
    public let kind: Kind
    /// Name of the event type, such as `card_reviewed`.
    public let event: String
    /// Path of the field, such as `took_ms` or `questions[2].options`; empty for the payload as a whole.
    public let field: String
    /// What the field takes, or what was found, in English.
    public let detail: String

    /// A fault of those parts.
    public init(_ kind: Kind, event: String, field: String, detail: String) {
        self.kind = kind
        self.event = event
        self.field = field
        self.detail = detail
    }
}

extension SchemaError: CustomStringConvertible {
    /// What is wrong where, in one line.
    public var description: String {
        let place = field.isEmpty ? event : "\(event): \(field)"
        return switch kind {
        case .missingField: "\(place) is missing; give \(detail)"
        case .unknownField: "\(place) is not a field of that event; \(detail)"
        case .wrongType, .outOfRange, .badLength, .badValue, .badVersion: "\(place) must be \(detail)"
        }
    }
}

/// The place of a field in an event, and the checks of what stands there.
package struct FieldPath: Sendable {
    /// Name of the event type.
    package let event: String
    /// Path of the field from the payload's root; empty for the root.
    package let path: String

    /// The root of an event's payload.
    package init(event: String) { self.init(event: event, path: "") }

    private init(event: String, path: String) {
        self.event = event
        self.path = path
    }

    /// The field `name` of what stands here.
    package func field(_ name: String) -> FieldPath { FieldPath(event: event, path: path.isEmpty ? name : "\(path).\(name)") }

    /// The element `index` of the list that stands here.
    package func element(_ index: Int) -> FieldPath { FieldPath(event: event, path: "\(path)[\(index)]") }

    /// A fault here.
    package func fault(_ kind: SchemaError.Kind, _ detail: String) -> SchemaError {
        SchemaError(kind, event: event, field: path, detail: detail)
    }

    /// Throws unless `text` is within the limit of texts.
    package func check(text: String) throws(SchemaError) {
        guard text.utf8.count <= FieldLimit.textBytes else {
            throw fault(.badLength, "a text of at most \(FieldLimit.textBytes) bytes, not \(text.utf8.count)")
        }
    }

    /// Throws unless so many bytes are within their limit.
    package func check(byteCount count: Int) throws(SchemaError) {
        guard count <= FieldLimit.textBytes else { throw fault(.badLength, "at most \(FieldLimit.textBytes) bytes, not \(count)") }
    }

    /// Throws unless `number` is at most `maximum`.
    package func check(unsigned number: UInt64, maximum: UInt64) throws(SchemaError) {
        guard number <= maximum else { throw fault(.outOfRange, "an integer from 0 to \(maximum), not \(number)") }
    }

    /// Throws unless `number` is within `range`.
    package func check(signed number: Int64, in range: ClosedRange<Int64>) throws(SchemaError) {
        guard range.contains(number) else {
            throw fault(.outOfRange, "an integer from \(range.lowerBound) to \(range.upperBound), not \(number)")
        }
    }

    /// Throws unless a list of `count` elements is within `range`.
    package func check(count: Int, in range: ClosedRange<Int>) throws(SchemaError) {
        guard range.contains(count) else {
            throw fault(.badLength, "a list of \(range.lowerBound) to \(range.upperBound) elements, not \(count)")
        }
    }

    /// Throws unless `index` is that of one of `count` elements.
    package func check(index: UInt64, below count: Int) throws(SchemaError) {
        guard index < UInt64(max(0, count)) else { throw fault(.outOfRange, "an index below \(count), not \(index)") }
    }

    /// Throws unless `number` can be an event's number in its origin.
    package func check(eventNumber number: UInt64) throws(SchemaError) {
        guard number >= 1, number <= FieldLimit.unsigned else {
            throw fault(.outOfRange, "an event with a number from 1 to \(FieldLimit.unsigned), not \(number)")
        }
    }
}

/// The limits that every field keeps to.
package enum FieldLimit {
    /// Bytes of UTF-8 in a text, and bytes in a field of them.
    package static let textBytes = 65_536
    /// Unsigned numbers stop where signed ones do, so that JSON carries them.
    package static let unsigned = UInt64(Int64.max)
}
