internal import CJansson

extension JSONValue {
    /// How deep arrays and objects may lie within each other: enough for any document of ours, and little enough
    /// for the stack of any thread.
    public static let maximumDepth = 256

    /// How many values one text may hold: each takes dozens of bytes of memory.
    public static let maximumValues = 4_000_000

    /// The value that `bytes`, one JSON text in UTF-8, spell.
    ///
    /// Refuses an object that has a key twice, integers beyond 64 signed bits, reals beyond a double, and anything
    /// nested deeper than ``maximumDepth`` or of more values than ``maximumValues``.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try unsafe self.init(parsing: bytes.span.bytes)
    }

    /// The value that the bytes of `span`, one JSON text in UTF-8, spell. Refuses what `init(parsing:)` refuses.
    public init(parsing span: RawSpan) throws(JSONError) {
        // Each value but the first stands behind one of these, also where they stand in strings: never fewer than there are.
        let most = unsafe span.withUnsafeBytes { raw in
            unsafe raw.reduce(1) { $0 + ($1 == UInt8(ascii: ",") || $1 == UInt8(ascii: "[") || $1 == UInt8(ascii: ":") ? 1 : 0) }
        }
        guard most <= Self.maximumValues else {
            throw JSONError(code: .tooMany, line: 1, column: 1, offset: 0, message: "more than \(Self.maximumValues) values")
        }
        var fault = json_error_t()
        let root = unsafe span.withUnsafeBytes { raw in
            // Jansson wants an address even where there is nothing to read.
            let base = unsafe raw.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            return unsafe json_loadb(
                base?.assumingMemoryBound(to: CChar.self), raw.count,
                Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL), &fault)
        }
        guard let root = unsafe root else { throw JSONError(fault) }
        defer { unsafe json_decref(root) }
        guard let value = unsafe Self.convert(root, depth: 0) else {
            throw JSONError(
                code: .tooDeep, line: 1, column: 1, offset: 0, message: "nested deeper than \(Self.maximumDepth) levels")
        }
        self = value
    }

    /// The value that jansson read at `node`; `nil` where it is nested too deep.
    private static func convert(_ node: UnsafeMutablePointer<json_t>, depth: Int) -> JSONValue? {
        switch unsafe node.pointee.type {
        case JSON_NULL: .null
        case JSON_TRUE: .bool(true)
        case JSON_FALSE: .bool(false)
        case JSON_INTEGER: .integer(unsafe Int64(json_integer_value(node)))
        case JSON_REAL: .number(unsafe json_real_value(node))
        case JSON_STRING: .string(unsafe text(json_string_value(node), count: json_string_length(node)))
        case JSON_ARRAY: depth < maximumDepth ? unsafe array(node, depth: depth + 1) : nil
        case JSON_OBJECT: depth < maximumDepth ? unsafe object(node, depth: depth + 1) : nil
        default: nil
        }
    }

    private static func array(_ node: UnsafeMutablePointer<json_t>, depth: Int) -> JSONValue? {
        let count = unsafe json_array_size(node)
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            guard let element = unsafe json_array_get(node, index), let value = unsafe convert(element, depth: depth) else { return nil }
            elements.append(value)
        }
        return .array(elements)
    }

    private static func object(_ node: UnsafeMutablePointer<json_t>, depth: Int) -> JSONValue? {
        var members: [(key: String, value: JSONValue)] = []
        members.reserveCapacity(unsafe json_object_size(node))
        // Jansson's iterator gives members in the order in which they were written.
        var iterator = unsafe json_object_iter(node)
        while let member = unsafe iterator {
            guard let element = unsafe json_object_iter_value(member), let value = unsafe convert(element, depth: depth) else { return nil }
            members.append((unsafe text(json_object_iter_key(member), count: json_object_iter_key_len(member)), value))
            unsafe iterator = unsafe json_object_iter_next(node, member)
        }
        return .object(members)
    }

    /// Jansson has checked that it is UTF-8.
    private static func text(_ start: UnsafePointer<CChar>?, count: Int) -> String {
        guard let start = unsafe start, count > 0 else { return "" }
        let units = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe String(decoding: units, as: UTF8.self)
    }
}

extension JSONError {
    /// Jansson's account of a fault, in types of ours.
    fileprivate init(_ fault: json_error_t) {
        var fault = fault
        let code = unsafe json_error_code(&fault)
        let message = unsafe withUnsafeBytes(of: fault.text) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(
            code: Code(rawValue: Int32(bitPattern: code.rawValue)), line: max(1, Int(fault.line)),
            column: max(1, Int(fault.column)), offset: max(0, Int(fault.position)), message: message)
    }
}
