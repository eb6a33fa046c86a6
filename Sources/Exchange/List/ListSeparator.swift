/// Finds out what separates the fields of a list: what gives most rows the same number of fields, at least two.
///
/// Which separator occurs first, or most often, says little: `9:00,wake up` has a colon before its comma.
enum ListSeparator {
    /// In the order in which they are preferred where several fit alike.
    static let candidates = [0x09, UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: ","), UInt8(ascii: ":")]

    /// So many rows are looked at.
    private static let rowCount = 1000
    /// Shares of rows that differ by up to this count as alike: a comma more or less in a text decides nothing.
    private static let tolerance = 0.1

    /// Whether a header may name it.
    static func isPossible(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            false
        default: 0x20..<0x7F ~= unit || unit == 0x09
        }
    }

    /// The separator of the rows from the byte at `offset` on, or a comma where nothing separates.
    static func find(in bytes: [UInt8], from offset: Int) -> UInt8 {
        let shares = candidates.map { share(of: $0, in: bytes, from: offset) }
        let best = shares.max() ?? 0
        guard best > 0 else { return UInt8(ascii: ",") }
        return zip(candidates, shares).first { $1 > 0 && $1 >= best - tolerance }?.0 ?? UInt8(ascii: ",")
    }

    /// Which share of the rows has the number of fields that most have; 0 where that is one.
    private static func share(of separator: UInt8, in bytes: [UInt8], from offset: Int) -> Double {
        var reader = CSVReader(bytes, separator: separator, commentMark: UInt8(ascii: "#"), from: offset, line: 1)
        var counts: [Int: Int] = [:]
        var rows = 0
        var hasFault = false
        while rows < rowCount {
            guard let isThere = try? reader.next() else {
                hasFault = true
                break
            }
            if !isThere { break }
            guard !reader.isBlank, !reader.isComment else { continue }
            counts[reader.fields.count, default: 0] += 1
            rows += 1
        }
        let most = counts.filter { $0.key >= 2 }.values.max() ?? 0
        guard rows > 0 else { return 0 }
        // Quotes that don't end at a separator speak against it.
        return Double(most) / Double(rows) * (hasFault ? 0.5 : 1)
    }
}
