/// A line of a Ding dictionary.
enum DingLine {
    private static let separator: [UInt8] = Array("::".utf8)

    static func holdsSeparator(_ line: ArraySlice<UInt8>) -> Bool { places(of: separator, in: line).count == 1 }

    /// Adds an entry for each part of the line; what is wrong with it, or nil. Nothing is added then.
    static func read(_ line: ArraySlice<UInt8>, into entries: inout [DictionaryEntry]) -> DictionaryFaults.Reason? {
        guard String(validating: line, as: UTF8.self) != nil else { return .notUTF8 }
        guard line.count <= DictionaryLimit.entryBytes else { return .entryTooLong }
        let places = places(of: separator, in: line)
        guard places.count == 1, let place = places.first else { return .badSeparator }
        let bar = UInt8(ascii: "|")
        let left = line[..<place].split(separator: bar, omittingEmptySubsequences: false)
        let right = line[(place + separator.count)...].split(separator: bar, omittingEmptySubsequences: false)
        guard left.count == right.count else { return .unequalParts }
        // "to" is no part of an English verb; of a noun it may be.
        let isVerb = !self.places(of: Array("{v".utf8), in: line).isEmpty
        var made: [DictionaryEntry] = []
        for (one, other) in zip(left, right) {
            var headwords: [String] = []
            var isTaken: Set<String> = []
            for side in [one, other] {
                for word in DingHeadwords(side).words {
                    let word = isVerb && word.hasPrefix("to ") ? String(word.dropFirst(3)) : word
                    if !word.isEmpty, isTaken.insert(word).inserted { headwords.append(word) }
                }
            }
            guard headwords.allSatisfy({ $0.utf8.count <= DictionaryLimit.headwordBytes }) else { return .headwordTooLong }
            guard !headwords.isEmpty else { continue }
            made.append(DictionaryEntry(headwords: headwords, text: "\(text(of: one)) :: \(text(of: other))"))
        }
        guard !made.isEmpty else { return .noHeadword }
        entries += made
        return nil
    }

    private static func text(of part: ArraySlice<UInt8>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let start = part.firstIndex(where: { !isSpace($0) }), let end = part.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: part[start...end], as: UTF8.self)
    }

    private static func places(of word: [UInt8], in line: ArraySlice<UInt8>) -> [Int] {
        guard let first = word.first else { return [] }
        var places: [Int] = []
        var start = line.startIndex
        while let place = line[start...].firstIndex(of: first) {
            let isThere = line[place...].starts(with: word)
            if isThere { places.append(place) }
            start = place + (isThere ? word.count : 1)
        }
        return places
    }
}

/// The words of one side of a part: separated by semicolons, and without what is said of them in brackets.
///
/// `{f}`, `[med.]`, `(von etw.)` and `<see>` are left out, whether they stand apart or hang on a word; an abbreviation between
/// slashes, `/ASU/`, is a word of its own. A bracket that isn't closed is a letter like any other.
struct DingHeadwords {
    private(set) var words: [String] = []
    private let bytes: [UInt8]
    private var word: [UInt8] = []
    private var abbreviations: [String] = []

    init(_ side: ArraySlice<UInt8>) {
        bytes = Array(side)
        let ends = Self.closingBrackets(bytes)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if let end = ends[position] {
                position = end + 1
            } else if byte == UInt8(ascii: "/"), let end = abbreviationEnd(from: position) {
                abbreviations.append(String(decoding: bytes[(position + 1)..<end], as: UTF8.self))
                position = end + 1
            } else {
                if byte == UInt8(ascii: ";") { finishWord() } else { take(byte) }
                position += 1
            }
        }
        finishWord()
    }

    /// Adds a byte to the word; spaces once, and none at its beginning.
    private mutating func take(_ byte: UInt8) {
        guard byte == 0x20 || byte == 0x09 else { return word.append(byte) }
        if let last = word.last, last != 0x20 { word.append(0x20) }
    }

    private mutating func finishWord() {
        if word.last == 0x20 { word.removeLast() }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        words += abbreviations
        word.removeAll(keepingCapacity: true)
        abbreviations.removeAll()
    }

    /// Where an abbreviation that begins here ends: after a space or at the beginning, of one word, before a space or the end.
    private func abbreviationEnd(from start: Int) -> Int? {
        guard start == 0 || bytes[start - 1] == 0x20 else { return nil }
        for end in (start + 1)..<max(start + 1, bytes.count) {
            switch bytes[end] {
            case UInt8(ascii: "/"):
                guard end > start + 1, end + 1 == bytes.count || [0x20, UInt8(ascii: ";")].contains(bytes[end + 1]) else { return nil }
                return end
            case 0x20, UInt8(ascii: ";"): return nil
            default: continue
            }
        }
        return nil
    }

    /// For each bracket that opens and is closed, where; those within another are passed over with it. One pass, so that no
    /// heap of brackets takes long.
    ///
    /// A bracket closes the innermost of its kind, if that is among the innermost eight; what was opened within and not closed
    /// is none.
    private static func closingBrackets(_ bytes: [UInt8]) -> [Int?] {
        var open: [(place: Int, closing: UInt8)] = []
        var ends = [Int?](repeating: nil, count: bytes.count)
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "{"): open.append((place, UInt8(ascii: "}")))
            case UInt8(ascii: "["): open.append((place, UInt8(ascii: "]")))
            case UInt8(ascii: "("): open.append((place, UInt8(ascii: ")")))
            case UInt8(ascii: "<"): open.append((place, UInt8(ascii: ">")))
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: ">"):
                guard let match = open.suffix(8).lastIndex(where: { $0.closing == byte }) else { continue }
                ends[open[match].place] = place
                open.removeLast(open.count - match)
            default: continue
            }
        }
        return ends
    }
}
