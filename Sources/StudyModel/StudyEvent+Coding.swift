public import EventCoding
public import JSONText

extension StudyEvent {
    /// Its number in stored events.
    public var type: EventType { kind.type }

    /// Its name, such as `card_reviewed`.
    public var name: String { kind.name }

    /// The version of its schema that ``encodedPayload()`` writes.
    public var version: UInt8 { kind.currentVersion }

    /// The version in which a store writes it: a setting for the whole store, as earlier programs read it; else the current one.
    package var writtenVersion: UInt8 {
        if case .schedulerConfigured(let configured) = self, configured.deck == nil { return 1 }
        return version
    }

    /// The event that `payload` states as `version` of the schema of `type`; `nil` where the type is unknown here or the version newer.
    ///
    /// Strict: the whole payload is read, and every limit checked. Allocates for texts and lists alone.
    public static func decode(type: EventType, version: UInt8, payload: RawSpan) throws(ByteError) -> StudyEvent? {
        guard let kind = StudyEventKind(rawValue: type.rawValue), version <= kind.currentVersion else { return nil }
        guard version >= 1 else { throw ByteError(.unknownFormat, offset: 0) }
        var reader = ByteReader(payload)
        let event = try decode(kind, from: &reader, version: version)
        try reader.finish()
        return event
    }

    /// The event that a stored event states; the texts of one that was erased are empty, or absent where they may be.
    ///
    /// As ``decode(type:version:payload:)``, which knows nothing of erasure.
    public static func decode(_ header: EventHeader, payload: RawSpan) throws(ByteError) -> StudyEvent? {
        guard header.isErased, let kind = StudyEventKind(rawValue: header.type.rawValue) else {
            return try decode(type: header.type, version: header.version, payload: payload)
        }
        // An empty text and an absent one are both one zero byte.
        let whole = payload.copied() + Array(repeating: 0, count: kind.erasableFields(version: header.version))
        return try decode(type: header.type, version: header.version, payload: whole.rawSpan)
    }

    /// How many bytes at the end of a payload are texts that may be erased; 0 where it doesn't decode.
    package static func erasableByteCount(type: EventType, version: UInt8, payload: RawSpan) -> Int {
        guard let kind = StudyEventKind(rawValue: type.rawValue), kind.erasableFields(version: version) > 0,
            let event = try? decode(type: type, version: version, payload: payload)
        else { return 0 }
        return event.erasableByteCount(version: version)
    }

    /// Whether a stored event is known to hold no text that can be erased: it follows its schema, and has none or had them erased. One
    /// of a version that isn't known is held against the current one, which it must fit without its texts.
    package static func isFreeOfTexts(_ header: EventHeader, payload: RawSpan) -> Bool {
        guard let kind = StudyEventKind(rawValue: header.type.rawValue) else { return false }
        var header = header
        if !(1...kind.currentVersion).contains(header.version) {
            guard header.isErased else { return false }
            header.version = kind.currentVersion
        }
        let fields = kind.erasableFields(version: header.version)
        guard fields > 0 || !header.isErased, let event = try? decode(header, payload: payload) else { return false }
        // An empty text and an absent one are both one byte.
        return event.erasableByteCount(version: header.version) == fields && (fields == 0 || header.isErased)
    }

    /// Whether it is about something; one that is about the whole store has ``UniqueID/none`` for a subject.
    package var hasSubject: Bool {
        switch kind {
        case .schedulerConfigured, .dayConfigured, .historyImported: false
        default: true
        }
    }

    /// The event that `json` states as `version` of the schema of `type`; `nil` where the type is unknown here or the version newer.
    ///
    /// Strict: unknown fields, wrong types and values beyond a limit are faults that name the field.
    public static func decode(type: EventType, version: UInt8, json: JSONValue) throws(SchemaError) -> StudyEvent? {
        guard let kind = StudyEventKind(rawValue: type.rawValue), version <= kind.currentVersion else { return nil }
        guard version >= 1 else {
            throw SchemaError(.badVersion, event: kind.name, field: "", detail: "of a version from 1 to \(kind.currentVersion), not 0")
        }
        return try decode(kind, from: json, version: version)
    }

    /// Its payload in the current version. What ``validate()`` refuses must not be written: it wouldn't decode again.
    public func encodedPayload() -> [UInt8] { encodedPayload(version: version) }

    /// Its payload as `version` of its schema had it: fields of later versions are left out.
    public func encodedPayload(version: UInt8) -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        encode(into: &writer, version: version)
        return writer.bytes
    }

    /// Its JSON form in the current version.
    public func json() -> JSONValue { json(version: version) }

    /// The name of `type`, such as `card_reviewed`; `nil` where it is unknown here.
    public static func name(of type: EventType) -> String? { StudyEventKind(rawValue: type.rawValue)?.name }

    /// The type that `name` names; `nil` where it is unknown here.
    public static func type(named name: String) -> EventType? { StudyEventKind(name: name)?.type }
}
