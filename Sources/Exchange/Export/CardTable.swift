internal import EventCoding
internal import StudyModel

/// Writes cards as separated values (RFC 4180), which ``ImportedList`` reads again: the same cards, by their identities, with
/// the same texts.
package struct CardTable {
    /// The names of its columns.
    static let columns = [
        "deck", "front", "back", "id", "created_at", "last_reviewed_at", "level", "box", "interval_days", "due", "passed", "failed",
        "favourite",
    ]

    private let separator: UInt8
    private let lineEnd: [UInt8]
    private let marksFormulas: Bool
    private var bytes: [UInt8] = []

    /// Whether a file that begins with `bytes` is such a table, whatever its texts hold.
    static func isHeader(_ bytes: [UInt8]) -> Bool {
        [",", "\t"].contains { separator in
            let line = Array(columns.joined(separator: separator).utf8)
            return bytes.starts(with: line) && bytes.dropFirst(line.count).first.map { $0 == 0x0A || $0 == 0x0D } == true
        }
    }

    /// A table with its first line, the names of the columns.
    ///
    /// - Parameters:
    ///   - separator: a comma or a tab.
    ///   - marksFormulas: whether cells that a spreadsheet would run get a ``FormulaMark``.
    package init(separator: UInt8, marksFormulas: Bool = true) {
        self.separator = separator
        self.marksFormulas = marksFormulas
        lineEnd = separator == UInt8(ascii: ",") ? [0x0D, 0x0A] : [0x0A]
        write(Self.columns)
    }

    package mutating func append(_ card: ExportedCard) {
        let level = card.levelHalfSteps.map { "\($0 / 2)" + ($0 % 2 == 0 ? "" : ".5") } ?? ""
        let texts = [card.deck, card.front, card.back].map { marksFormulas ? FormulaMark.marked($0) : $0 }
        write(
            texts + [
                card.id.description, card.createdAt.iso, card.lastReviewedAt?.iso ?? "",
                level, card.box.map { "\($0)" } ?? "", "\(card.intervalDays)", card.due?.description ?? "", "\(card.passed)",
                "\(card.failed)", card.isFavourite ? "true" : "false",
            ])
    }

    /// How many bytes wait to be taken.
    package var count: Int { bytes.count }

    /// What was written since the last call.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func write(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(separator) }
            write(field)
        }
        bytes += lineEnd
    }

    private mutating func write(_ field: String) {
        guard needsQuotes(field) else { return bytes.append(contentsOf: field.utf8) }
        bytes.append(UInt8(ascii: "\""))
        for unit in field.utf8 {
            if unit == UInt8(ascii: "\"") { bytes.append(unit) }
            bytes.append(unit)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a field would be read as something else without quotes: several fields, a comment, or a text without its spaces.
    private func needsQuotes(_ field: String) -> Bool {
        guard let first = field.utf8.first, let last = field.utf8.last else { return false }
        return first == UInt8(ascii: "#") || first == 0x20 || last == 0x20
            || field.utf8.contains { $0 == separator || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }
}
