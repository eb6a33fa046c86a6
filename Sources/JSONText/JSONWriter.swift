/// Writes JSON (RFC 8259) as UTF-8, straight into bytes: in one line, or indented by two spaces a level.
///
/// Whatever a terminal would obey or hide (controls, marks of direction, zero-width marks) is written as an escape.
///
/// Members and elements get their commas by themselves. That every object and array is closed, and every value in an
/// object has its key, is the caller's part.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    private let isPretty: Bool
    private var depth = 0
    /// Nothing was written yet where the writer stands: the next value needs no comma.
    private var isFirst = true
    private var isAfterKey = false

    /// A writer of one line, or with `pretty` of indented lines.
    public init(pretty: Bool = false) { isPretty = pretty }

    /// Forgets what was written, and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        isFirst = true
        isAfterKey = false
    }

    /// Ends a line between two values of a stream of them (NDJSON).
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        isFirst = true
    }

    /// `{`
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// `}`
    public mutating func endObject() { end(UInt8(ascii: "}")) }

    /// `[`
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// `]`
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// The key of the member whose value is written next.
    public mutating func key(_ key: String) {
        separate()
        writeString(key)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        isAfterKey = true
    }

    /// A string.
    public mutating func value(_ value: String) {
        separate()
        writeString(value)
    }

    /// A string of ASCII that needs no escape: digits, letters, hyphens and the like.
    public mutating func value(plain units: Span<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe units.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// An integer.
    public mutating func value(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        writeDigits(value.magnitude)
    }

    /// An integer.
    public mutating func value(_ value: Int) { self.value(Int64(value)) }

    /// An integer. Above 2^63 - 1 many readers, ours too, refuse it.
    public mutating func value(_ value: UInt64) {
        separate()
        writeDigits(value)
    }

    /// `true` or `false`
    public mutating func value(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    /// A number, in the shortest form that reads back as the same one; whole numbers up to 2^53 without a point.
    /// JSON has no infinity and no NaN: `null` stands for them.
    public mutating func value(_ value: Double) {
        separate()
        if !value.isFinite {
            append("null")
        } else if value.magnitude <= 0x1p53, Double(Int64(value)) == value, value != 0 || value.sign == .plus {
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            writeDigits(UInt64(value.magnitude))
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    /// `null`
    public mutating func null() {
        separate()
        append("null")
    }

    /// Any value.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .integer(let value): self.value(value)
        case .number(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.key)
                write(member.value)
            }
            endObject()
        }
    }
}

extension JSONWriter {
    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        isFirst = true
    }

    private mutating func end(_ bracket: UInt8) {
        depth = max(0, depth - 1)
        if isPretty, !isFirst { breakLine() }
        bytes.append(bracket)
        isFirst = false
        isAfterKey = false
    }

    /// The comma and the line break that stand before what is written next.
    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if isPretty, depth > 0 { breakLine() }
        isFirst = false
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * depth) { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func append(_ word: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func writeDigits(_ value: UInt64) {
        var digits: [20 of UInt8] = .init(repeating: 0)
        var at = 20
        var rest = value
        repeat {
            at -= 1
            digits[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for index in at..<20 { bytes.append(digits[index]) }
    }

    private mutating func writeString(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { units in
            // Runs of bytes that need no escape are copied whole.
            var start = 0
            var index = 0
            while index < units.count {
                let unit = unsafe units[index]
                if Self.needsEscape(unit) {
                    unsafe bytes.append(contentsOf: units[start..<index])
                    writeEscape(unit)
                    index += 1
                    start = index
                } else if Self.mayBeginHidden(unit) {
                    let (scalar, size) = unsafe Self.scalar(at: index, of: units)
                    if Self.isHidden(scalar) {
                        unsafe bytes.append(contentsOf: units[start..<index])
                        for code in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { writeCode(code) }
                        start = index + size
                    }
                    index += size
                } else {
                    index += 1
                }
            }
            unsafe bytes.append(contentsOf: units[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ unit: UInt8) -> Bool {
        unit < 0x20 || unit == 0x7F || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\")
    }

    /// The first bytes of scalars among which some are hidden; most letters begin with none of them.
    private static func mayBeginHidden(_ unit: UInt8) -> Bool {
        switch unit {
        case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: true
        default: false
        }
    }

    /// Whether the scalar is spelt out, so that a terminal that gets the JSON isn't acted upon: C1 controls, separators of lines,
    /// and all that is drawn as nothing, marks of direction among them. The value is the same to whoever reads the JSON.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80..<0xA0, 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        case ..<0xAD: false
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The scalar whose first byte is at `index`, and how many bytes it has. Text of Swift is whole.
    @unsafe private static func scalar(at index: Int, of units: UnsafeBufferPointer<UInt8>) -> (Unicode.Scalar, Int) {
        let first = unsafe units[index]
        let size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(first) & (0xFF >> UInt32(size + 1))
        for offset in 1..<size { value = unsafe value << 6 | UInt32(units[index + offset] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", size)
    }

    private mutating func writeCode(_ code: UInt16) {
        append(#"\u"#)
        for shift: UInt16 in [12, 8, 4, 0] { bytes.append(Self.hexadecimalDigit(UInt8(code >> shift & 15))) }
    }

    private mutating func writeEscape(_ unit: UInt8) {
        switch unit {
        case UInt8(ascii: "\""): append(#"\""#)
        case UInt8(ascii: "\\"): append(#"\\"#)
        case 0x08: append(#"\b"#)
        case 0x09: append(#"\t"#)
        case 0x0A: append(#"\n"#)
        case 0x0C: append(#"\f"#)
        case 0x0D: append(#"\r"#)
        default:
            append(#"\u00"#)
            bytes.append(Self.hexadecimalDigit(unit >> 4))
            bytes.append(Self.hexadecimalDigit(unit & 15))
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
