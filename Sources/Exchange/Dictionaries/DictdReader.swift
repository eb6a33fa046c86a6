internal import EventCoding
internal import TextFolding

/// Reads the index and the text of a dictd dictionary.
struct DictdReader {
    private let index: [UInt8]
    private let text: [UInt8]
    private let indexPath: String
    private let textPath: String

    private(set) var entries: [DictionaryEntry] = []
    private(set) var faults = DictionaryFaults()
    /// What the dictionary calls itself, without the number of its version.
    private(set) var name: String?

    /// The entry that was made of a part of the text: several headwords may share it.
    private var entryOfPart: [Range<Int>: Int] = [:]
    private var headwordCount = 0
    private var takenBytes = 0
    /// Whether it says that it is UTF-8; what isn't may be Latin-1 in dictionaries that don't.
    private var isUTF8 = false

    init(index: [UInt8], text: [UInt8], indexPath: String, textPath: String) {
        self.index = index
        self.text = text
        self.indexPath = indexPath
        self.textPath = textPath
    }

    mutating func read(progress: ReadingProgress? = nil) throws(ImportError) {
        isUTF8 = Self.says(index, "00databaseutf8") || Self.says(index, "00-database-utf8")
        var line = 0
        var start = 0
        while start < index.count {
            line += 1
            if line & 0x3FF == 0 { try progress?(start, index.count) }
            let end = index[start...].firstIndex(of: UInt8(ascii: "\n")) ?? index.count
            var content = index[start..<end]
            if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
            if !content.isEmpty, let fault = try take(content, line: line) { faults.add(fault, path: indexPath, line: line) }
            start = end + 1
        }
    }

    /// Whether a line of the index begins so.
    private static func says(_ index: [UInt8], _ word: String) -> Bool {
        let wanted = Array(word.utf8)
        var start = 0
        while start < index.count {
            // Such lines stand at the beginning; sorting may put a few words before them.
            if index[start...].starts(with: wanted) { return true }
            guard let end = index[start...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
            start = end + 1
        }
        return false
    }

    /// Takes a line of the index; what is wrong with it, or nil.
    private mutating func take(_ line: ArraySlice<UInt8>, line number: Int) throws(ImportError) -> DictionaryFaults.Reason? {
        let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard columns.count == 3 || columns.count == 4 else { return .badColumns }
        guard let offset = Self.number(columns[1]), let length = Self.number(columns[2]) else { return .badNumber }
        let (end, overflow) = offset.addingReportingOverflow(length)
        guard !overflow, end <= text.count else { return .outOfBounds }
        guard let word = string(columns[0]) else { return .notUTF8 }
        let part = offset..<end
        if Self.tellsOfTheDictionary(columns[0]) {
            takeFact(word, part)
            return nil
        }
        guard part.count <= DictionaryLimit.entryBytes else { return .entryTooLong }
        guard let content = string(text[part]) else { return .notUTF8 }
        let written = columns.count == 4 ? string(columns[3]) : nil
        let headword = written.flatMap { $0.isEmpty ? nil : $0 } ?? Self.headword(word, in: content)
        guard !headword.isEmpty else { return .noHeadword }
        guard headword.utf8.count <= DictionaryLimit.headwordBytes else { return .headwordTooLong }
        try add(headword, content, part)
        return nil
    }

    private mutating func add(_ headword: String, _ content: String, _ part: Range<Int>) throws(ImportError) {
        headwordCount += 1
        guard headwordCount <= DictionaryLimit.headwords else {
            throw ImportError(path: indexPath, reason: .damaged("it has more than \(DictionaryLimit.headwords) headwords"))
        }
        if let known = entryOfPart[part] {
            entries[known].headwords.append(headword)
            return
        }
        takenBytes += part.count
        // Entries follow on one another. Ranges that overlap again and again would take memory without end.
        guard takenBytes <= 4 * text.count + 1 << 20 else {
            throw ImportError(path: indexPath, reason: .damaged("its entries overlap: they have more than four times the text's bytes"))
        }
        entryOfPart[part] = entries.count
        entries.append(DictionaryEntry(headwords: [headword], text: Self.trimmed(content)))
    }

    // MARK: - Facts about the dictionary

    private static func tellsOfTheDictionary(_ word: ArraySlice<UInt8>) -> Bool {
        word.starts(with: "00database".utf8) || word.starts(with: "00-database".utf8)
    }

    private mutating func takeFact(_ word: String, _ part: Range<Int>) {
        guard word == "00databaseshort" || word == "00-database-short", part.count <= 4096, let text = string(text[part]) else { return }
        // The fact may follow its own name on a line of its own.
        let lines = text.split(whereSeparator: \.isNewline).map { Self.trimmed(String($0)) }
        guard let line = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("00-database") && !$0.hasPrefix("00database") }) else { return }
        name = Self.withoutVersion(line)
    }

    /// `Deutsch-Russisch ver. 2022.11.18` is `Deutsch-Russisch`: a newer edition is the same dictionary.
    private static func withoutVersion(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard words.count > 2, let last = words.last, last.first?.isNumber ?? false,
            ["ver.", "version", "v."].contains(words[words.count - 2].lowercased())
        else { return name }
        return words.dropLast(2).joined(separator: " ")
    }

    // MARK: - Text

    private func string(_ bytes: ArraySlice<UInt8>) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        guard !isUTF8 else { return nil }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// A number in digits of base 64, the most significant first.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        // Nine digits have 54 bits: more than any file has bytes.
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        var value = 0
        for digit in digits {
            let sextet: UInt8
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): sextet = digit - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): sextet = digit - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): sextet = digit - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): sextet = 62
            case UInt8(ascii: "/"): sextet = 63
            default: return nil
            }
            value = value << 6 | Int(sextet)
        }
        return value
    }

    /// The headword as the entry writes it, where the entry begins with it; else as the index does.
    static func headword(_ word: String, in entry: String) -> String {
        let wanted = letters(of: word)
        var line = Array(entry.utf8.prefix(DictionaryLimit.headwordBytes))
        if let end = line.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) { line.removeLast(line.count - end) }
        var end = 0
        var words = 0
        while end < line.count, !wanted.isEmpty, words < 32 {
            words += 1
            end = line[(end + 1)...].firstIndex(of: 0x20) ?? line.count
            let beginning = String(decoding: line[..<end], as: UTF8.self)
            let found = letters(of: beginning)
            guard found.count < wanted.count || found == wanted else { break }
            guard found != wanted else {
                // A comma ends the headword, a full stop may be of it.
                return trimmed(String(beginning.reversed().drop { ",;:".contains($0) }.reversed()))
            }
        }
        return trimmed(word)
    }

    /// What two spellings of a headword share: the folded letters and digits.
    private static func letters(of text: String) -> [UInt8] {
        SearchKey(text).bytes.filter { byte in
            byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
