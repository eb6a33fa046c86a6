/// The lines at the top of a list that say how to read it: `#key:value`, as Anki writes them.
///
/// A key ends at the first colon; its case doesn't count. Keys that aren't known, and other lines that begin with `#`,
/// are comments.
struct ListHeader {
    /// Where the rows begin, and on which line.
    private(set) var end = 0
    private(set) var endLine = 1
    private(set) var separator: UInt8?
    private(set) var isHTML = false
    private(set) var deck: String?
    /// Names of the columns, not yet taken apart.
    private(set) var columns: [UInt8]?
    /// What columns hold that are no sides, by their place from 0.
    private(set) var special: [Int: ListColumns.Content] = [:]
    private(set) var onMatch = ListMatch.updateCurrent
    /// Lines that say nothing, with their numbers.
    private(set) var comments: [(line: Int, text: ArraySlice<UInt8>)] = []

    init(_ bytes: [UInt8]) {
        // What comes after so many lines is no header: its comments are read like those between rows.
        while end < bytes.count, endLine <= 1000 {
            let isOld = end == 0 && bytes.starts(with: Array("tags:".utf8))
            guard bytes[end] == UInt8(ascii: "#") || isOld else { return }
            var stop = end
            while stop < bytes.count, bytes[stop] != 0x0A, bytes[stop] != 0x0D { stop += 1 }
            let line = bytes[end..<stop]
            if !isOld, !take(line.dropFirst()) { comments.append((endLine, line)) }
            if stop + 1 < bytes.count, bytes[stop] == 0x0D, bytes[stop + 1] == 0x0A { stop += 1 }
            end = min(stop + 1, bytes.count)
            endLine += 1
        }
    }

    /// Takes a line behind its `#`. False where it is a comment.
    private mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let key = ListText.trimmed(String(decoding: line[..<colon], as: UTF8.self)).lowercased()
        let raw = line[(colon + 1)...]
        let value = ListText.trimmed(String(decoding: raw, as: UTF8.self))
        switch key {
        case "separator": separator = Self.separator(raw, Self.cut(value)) ?? separator
        case "html": isHTML = Self.cut(value).lowercased() == "true"
        case "columns": columns = Array(raw)
        case "deck": deck = value.isEmpty ? nil : value
        case "deck column": mark(value, .deck)
        case "guid column": mark(value, .identity)
        case "tags column", "notetype column": mark(value, .nothing)
        case "if matches": onMatch = ListMatch(rawValue: Self.cut(value, keepsSpaces: true).lowercased()) ?? onMatch
        case "tags", "notetype", "match scope": break
        default: return false
        }
        return true
    }

    private mutating func mark(_ value: String, _ content: ListColumns.Content) {
        guard let number = Int(Self.cut(value)), 1...ListColumns.maximumCount ~= number else { return }
        special[number - 1] = content
    }

    /// The value up to what a spreadsheet that saved the file may have put behind it.
    private static func cut(_ value: String, keepsSpaces: Bool = false) -> String {
        guard let first = value.first else { return "" }
        return String(first) + value.dropFirst().prefix { $0.isLetter || $0.isNumber || (keepsSpaces && $0 == " ") }
    }

    private static func separator(_ raw: ArraySlice<UInt8>, _ value: String) -> UInt8? {
        switch value.lowercased() {
        case "comma": return UInt8(ascii: ",")
        case "semicolon": return UInt8(ascii: ";")
        case "tab", #"\"#: return 0x09
        case "space": return 0x20
        case "pipe": return UInt8(ascii: "|")
        case "colon": return UInt8(ascii: ":")
        case "": return raw.contains(0x09) ? 0x09 : raw.first == 0x20 ? 0x20 : nil
        default:
            guard value.utf8.count == 1, let unit = value.utf8.first, ListSeparator.isPossible(unit) else { return nil }
            return unit
        }
    }
}

/// What becomes of a row whose front has a card already.
package enum ListMatch: String, Sendable {
    /// The card gets the row's back.
    case updateCurrent = "update current"
    /// The card stays as it is.
    case keepCurrent = "keep current"
    /// Where the backs differ, the row is a card of its own.
    case keepBoth = "keep both"
}
