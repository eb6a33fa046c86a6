/// Reads separated values (RFC 4180, with any separator) record by record. Lines may end in any way; a byte order mark is
/// skipped.
struct CSVReader {
    /// One field of a record.
    struct Field {
        /// Its bytes, without the quotes around them.
        let range: Range<Int>
        /// Whether it holds quotes written twice.
        let hasDoubledQuotes: Bool
    }

    /// What can't be a table, and the line where it stands.
    struct CSVError: Error {
        enum Kind {
            /// A quoted field that doesn't end where it should.
            case quotes
            /// A record of more than ``CSVReader/maximumFields`` fields.
            case columns
            /// A quoted field of more than ``CSVReader/maximumQuotedBytes``: its quote is one that nobody meant.
            case size
        }

        let kind: Kind
        let line: Int

        init(_ kind: Kind, line: Int) {
            self.kind = kind
            self.line = line
        }

        /// What it means for an import.
        var reason: ImportError.Reason {
            switch kind {
            case .quotes: .badQuotes
            case .columns: .tooMany("columns", limit: maximumFields)
            case .size: .tooMany("bytes in a quoted field", limit: maximumQuotedBytes)
            }
        }
    }

    /// More fields than this in one record are a fault: no table of cards has them, and each takes memory.
    static let maximumFields = 10_000
    /// More bytes than this between two quotes are a fault: sixteen times the longest text of a card.
    static let maximumQuotedBytes = 1 << 20
    /// More rows than this in one list are refused by its reader: each takes memory, and nobody has so many cards.
    static let maximumRows = 500_000

    let bytes: [UInt8]
    let separator: UInt8
    /// What a line begins with that is no record, in formats that have such lines.
    private let commentMark: UInt8?
    /// The fields of the record that was read last.
    private(set) var fields: [Field] = []
    /// The line on which that record begins, from 1.
    private(set) var line = 0
    /// Where that record begins.
    private(set) var start = 0
    /// Whether it is a comment: then its only field is the whole line.
    private(set) var isComment = false

    private var index = 0
    private var nextLine = 1

    init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
        commentMark = nil
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Reads from the byte at `offset` on, which stands at the beginning of `line`.
    init(_ bytes: [UInt8], separator: UInt8, commentMark: UInt8? = nil, from offset: Int, line: Int) {
        self.bytes = bytes
        self.separator = separator
        self.commentMark = commentMark
        index = offset
        nextLine = line
    }

    /// How many bytes have been read.
    var offset: Int { index }

    /// Reads the next record. `false` where there is none.
    mutating func next() throws(CSVError) -> Bool {
        fields.removeAll(keepingCapacity: true)
        guard index < bytes.count else { return false }
        line = nextLine
        start = index
        isComment = bytes[index] == commentMark
        if isComment {
            while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
            fields.append(Field(range: start..<index, hasDoubledQuotes: false))
            endLine()
            return true
        }
        while true {
            fields.append(try readField())
            guard index < bytes.count, bytes[index] == separator else { break }
            guard fields.count < Self.maximumFields else { throw CSVError(.columns, line: line) }
            index += 1
        }
        endLine()
        return true
    }

    /// Whether the record is an empty line.
    var isBlank: Bool { fields.count == 1 && fields[0].range.isEmpty }

    /// The text of a field; what is no UTF-8 in it becomes U+FFFD.
    func text(_ field: Field) -> String {
        guard field.hasDoubledQuotes else { return String(decoding: bytes[field.range], as: UTF8.self) }
        var units: [UInt8] = []
        var at = field.range.lowerBound
        while at < field.range.upperBound {
            units.append(bytes[at])
            at += bytes[at] == UInt8(ascii: "\"") ? 2 : 1
        }
        return String(decoding: units, as: UTF8.self)
    }

    private mutating func readField() throws(CSVError) -> Field {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            let start = index
            while index < bytes.count, !endsField(bytes[index]) { index += 1 }
            return Field(range: start..<index, hasDoubledQuotes: false)
        }
        // A fault is told where the quotes begin: that is where somebody must look.
        let began = nextLine
        index += 1
        let start = index
        var hasDoubledQuotes = false
        while index < bytes.count {
            guard index - start <= Self.maximumQuotedBytes else { throw CSVError(.size, line: began) }
            let unit = bytes[index]
            if unit == 0x0A || (unit == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) { nextLine += 1 }
            if unit == UInt8(ascii: "\"") {
                guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else {
                    let end = index
                    index += 1
                    guard index == bytes.count || endsField(bytes[index]) else { throw CSVError(.quotes, line: nextLine) }
                    return Field(range: start..<end, hasDoubledQuotes: hasDoubledQuotes)
                }
                hasDoubledQuotes = true
                index += 1
            }
            index += 1
        }
        throw CSVError(.quotes, line: began)
    }

    private func endsField(_ unit: UInt8) -> Bool { unit == separator || unit == 0x0A || unit == 0x0D }

    private mutating func endLine() {
        guard index < bytes.count else { return }
        if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
        index += 1
        nextLine += 1
    }
}
