internal import EventCoding
internal import EventLog
internal import JSONText

/// The open form of a commit as bytes, in lines of bounded length:
///
///     {"held_aside":{"origin":"…","commit":5,"reason":"payload_invalid","message":"…","part":1,"parts":2,"bytes":"…"}}
///
/// For commits that are held aside, and for those of the log whose events have no open form of their own.
struct HeldAsideParts {
    struct PartsError: Error {
        let why: String
    }

    static let field = "held_aside"
    /// Bytes of a commit in one line; twice as many digits.
    private static let partSize = 4 << 20
    private static let mostParts = Int64((Commit.maximumSize + partSize - 1) / partSize)

    private var parts: Int64 = 0
    private var seen: Int64 = 0
    private var origin = OriginID(rawValue: 0)
    private var number: Int64 = 0
    private var bytes: [UInt8] = []

    /// Whether no commit is under way.
    var isEmpty: Bool { seen == 0 }

    /// The lines of one commit, without their ends.
    static func lines(of held: HeldCommit) -> [[UInt8]] {
        let count = max(1, (held.bytes.count + partSize - 1) / partSize)
        return (0..<count).map { index in
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(field)
            writer.beginObject()
            writer.key("origin")
            writer.value(held.origin.description)
            writer.key("commit")
            // Beyond what JSON's readers carry only where it is no number of a commit.
            writer.value(Int64(clamping: held.number))
            writer.key("reason")
            writer.value(held.reason)
            writer.key("message")
            writer.value(held.message)
            writer.key("part")
            writer.value(Int64(index + 1))
            writer.key("parts")
            writer.value(Int64(count))
            writer.key("bytes")
            writer.value(hexadecimal(Array(held.bytes[index * partSize..<min(held.bytes.count, (index + 1) * partSize)])))
            writer.endObject()
            writer.endObject()
            return writer.bytes
        }
    }

    /// Takes the next part; the commit once the last one came.
    mutating func take(_ part: JSONValue) throws(PartsError) -> HeldCommit? {
        guard let origin = part["origin"]?.stringValue.flatMap({ OriginID($0) }) else { throw wrong("origin", "16 hexadecimal digits") }
        guard let number = part["commit"]?.integerValue, number >= 0 else { throw wrong("commit", "a number from 0 up") }
        guard let reason = part["reason"]?.stringValue, reason.utf8.count <= 100 else { throw wrong("reason", "a short text") }
        guard let message = part["message"]?.stringValue, message.utf8.count <= 1000 else { throw wrong("message", "a short text") }
        guard let parts = part["parts"]?.integerValue, (1...Self.mostParts).contains(parts) else {
            throw wrong("parts", "a number from 1 to \(Self.mostParts)")
        }
        guard let index = part["part"]?.integerValue, index == seen + 1, index <= parts else {
            throw wrong("part", "the next one, \(seen + 1)")
        }
        guard let more = part["bytes"]?.stringValue.flatMap({ EventCoding.bytes(hexadecimal: $0) }), more.count <= Self.partSize else {
            throw wrong("bytes", "up to \(Self.partSize) bytes in hexadecimal digits")
        }
        guard isEmpty || (self.parts == parts && self.origin == origin && self.number == number) else {
            throw PartsError(why: "it is no part of the commit of the line before")
        }
        (self.parts, self.origin, self.number) = (parts, origin, number)
        seen = index
        bytes += more
        guard index == parts else { return nil }
        let held = HeldCommit(origin: origin, number: UInt64(number), reason: reason, message: message, bytes: bytes)
        self = HeldAsideParts()
        return held
    }

    private func wrong(_ field: String, _ allowed: String) -> PartsError {
        PartsError(why: "\(Self.field).\(field) is missing or isn't \(allowed)")
    }
}

/// What a line that comes from elsewhere may ask of the reader of JSON.
enum LineLimit {
    /// Bytes of a line.
    static let bytes = 16 << 20
    /// Values in it: some forty times those of the longest event.
    static let values = 1 << 20

    /// Why the line isn't read at all; `nil` where it is. Complexity: O(bytes).
    static func violation(of line: [UInt8]) -> String? {
        guard line.count <= bytes else { return "the line has more than \(bytes >> 20) MiB" }
        var found = 0
        var isText = false
        var isEscaped = false
        for byte in line {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): found += 1
            default: break
            }
            if found > values { return "the line has more than \(values) values" }
        }
        return nil
    }
}
