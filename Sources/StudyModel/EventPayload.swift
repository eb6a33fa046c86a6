package import EventCoding
package import JSONText

/// What every generated event can do. The generator writes the conformances; folds use ``StudyEvent`` or a type itself.
package protocol EventPayload: Sendable, Equatable {
    /// Which event it is.
    static var kind: StudyEventKind { get }
    /// The version of its schema that this program writes, and the newest that it reads.
    static var currentVersion: UInt8 { get }

    /// Appends its binary form, as `version` of the schema had it.
    func encode(into writer: inout ByteWriter, version: UInt8)
    /// Reads its binary form, as `version` of the schema had it, up to its last field.
    init(decoding reader: inout ByteReader, version: UInt8) throws(ByteError)

    /// Its JSON form, as `version` of the schema had it.
    func json(version: UInt8) -> JSONValue
    /// Reads its JSON form, as `version` of the schema had it.
    init(json: JSONValue, at path: FieldPath, version: UInt8) throws(SchemaError)

    /// Throws unless every field keeps to its limits.
    func validate(at path: FieldPath) throws(SchemaError)
}

extension EventPayload {
    /// Its number in stored events.
    package static var type: EventType { kind.type }
    /// Its name, such as `card_reviewed`.
    package static var name: String { kind.name }

    /// Throws unless every field keeps to its limits. What passes decodes again; what doesn't must not be written.
    package func validate() throws(SchemaError) { try validate(at: FieldPath(event: Self.name)) }

    /// The payload that is the whole of `span`.
    package static func decode(_ span: RawSpan, version: UInt8) throws(ByteError) -> Self {
        var reader = ByteReader(span)
        let payload = try Self(decoding: &reader, version: version)
        try reader.finish()
        return payload
    }
}

/// A choice with a name for each case and a number for each name.
package protocol NamedChoice: RawRepresentable<UInt8>, Sendable, CaseIterable {
    /// The case that `name` names.
    init?(name: String)
    /// Its name, in lower case.
    var name: String { get }
}

extension Grade: NamedChoice {}
