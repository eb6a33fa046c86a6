public import Engram

/// What the engine answers, as one JSON object: the same for every face.
///
/// Keys are snake_case and stay, since scripts rely on them. Times are ISO 8601 with their offset, days `YYYY-MM-DD`, identities and
/// digests lower-case; what isn't known or isn't there is `null`.
public protocol JSONRepresentable {
    /// Writes its members into the object that `writer` has open.
    func writeMembers(to writer: inout JSONWriter)
}

extension JSONRepresentable {
    /// The object as UTF-8, in one line without its end.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

/// An answer that is put together from several values.
public struct JSONAnswer: JSONRepresentable, Sendable {
    private let members: @Sendable (inout JSONWriter) -> Void

    init(_ members: @escaping @Sendable (inout JSONWriter) -> Void) { self.members = members }

    /// Writes what it was made of.
    public func writeMembers(to writer: inout JSONWriter) { members(&writer) }
}

extension JSONWriter {
    /// An object.
    public mutating func value(_ object: some JSONRepresentable) {
        beginObject()
        object.writeMembers(to: &self)
        endObject()
    }

    /// A member that is an object; `null` where there is none.
    public mutating func member(_ key: String, _ object: (some JSONRepresentable)?) {
        self.key(key)
        if let object { value(object) } else { null() }
    }

    /// A member that is an array of objects.
    public mutating func array(_ key: String, _ objects: some Sequence<some JSONRepresentable>) {
        array(key, objects) { $0.value($1) }
    }

    // MARK: For the forms

    mutating func member(_ key: String, _ value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    mutating func member(_ key: String, _ value: Bool?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    mutating func member(_ key: String, _ value: Double?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// What lies beyond 64 bits with a sign is cut off: many readers of JSON refuse it.
    mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
        self.key(key)
        if let value { self.value(Int64(clamping: value)) } else { null() }
    }

    mutating func object(_ key: String, _ members: (inout JSONWriter) -> Void) {
        self.key(key)
        object(members)
    }

    private mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// An array with what `element` writes for each of `values`.
    mutating func array<Value>(_ key: String, _ values: some Sequence<Value>, _ element: (inout JSONWriter, Value) -> Void) {
        self.key(key)
        beginArray()
        for value in values { element(&self, value) }
        endArray()
    }

    /// An array of objects, with what `members` writes for each of `values`.
    mutating func objects<Value>(_ key: String, _ values: some Sequence<Value>, _ members: (inout JSONWriter, Value) -> Void) {
        array(key, values) { writer, value in writer.object { members(&$0, value) } }
    }

    mutating func strings(_ key: String, _ values: [String]) { array(key, values) { $0.value($1) } }

    mutating func numbers(_ key: String, _ values: [Int]) { array(key, values) { $0.value($1) } }

    /// What was left out or put right, by reason.
    mutating func reasons(_ key: String, _ reasons: some Sequence<(reason: String, count: Int)>) {
        objects(key, reasons) { writer, entry in
            writer.member("reason", entry.reason)
            writer.member("count", entry.count)
        }
    }

    /// Only where there are some: the schedulers that this version doesn't know.
    mutating func unknownSchedulers(_ specs: [String]) {
        if !specs.isEmpty { strings("unknown_schedulers", specs) }
    }
}
