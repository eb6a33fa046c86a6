import EngramTesting
import EventCoding
import LMDB
import Testing

@testable import Words

/// The index against the rule as it is written.
@Suite struct NaiveIndexTests {
    /// Letters that fold together, or nearly, in several scripts.
    private static let alphabets: [[String]] = [
        ["a", "A", "ä", "b", "B", "ß", "ss", "s", " ", "-", "é", "e", "%", "_"], ["е", "ё", "Е", "Ё", "ж", "й", "и", "Й", " ", "\u{301}"],
        ["ο", "Ο", "ό", "δ", "σ", "ς", "Σ"], ["한", "하", "ㄴ", "글", "그", "가"], ["ש", "שׁ", "ם", "מ", "\u{5B8}"],
        ["か", "が", "カ", "\u{3099}", "ﾊ", "ﾟ"], ["ك", "كِ", "ت", "\u{640}"], ["क", "कि", "क़", "ि"], ["a", "\u{0}", "\u{1}", "\u{308}", "a "],
    ]

    static func word(_ generator: inout SeededGenerator) -> String {
        guard let alphabet = alphabets.randomElement(using: &generator) else { return "" }
        // Now and then words that share more bytes than a key has.
        let beginning =
            Int.random(in: 0..<12, using: &generator) == 0
            ? String(repeating: "ab", count: Int.random(in: 118...122, using: &generator)) : ""
        return beginning
            + (0..<Int.random(in: 1...5, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test("For any words and any prefix, the index answers what filtering and sorting all of them gives", arguments: 0..<8)
    func sameAnswers(_ number: Int) throws {
        var generator = SeededGenerator(seed: 0x3D1C).part(number)
        let fixture = try IndexFixture()
        var texts: [[String]] = []
        for source in 1...3 {
            let entries = (0..<150).map { index in
                WordEntry(
                    headwords: (0...Int.random(in: 0...1, using: &generator)).map { _ in Self.word(&generator) }, text: "\(source).\(index)"
                )
            }
            texts.append(entries.flatMap(\.headwords))
            try fixture.install(UInt64(source), entries)
        }
        if number.isMultiple(of: 2) { try fixture.remove(2) }
        if number.isMultiple(of: 3) { try fixture.install(1, texts[0].map { WordEntry($0) }) }
        let naive = NaiveIndex(
            try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                var all: [FoundWord] = []
                var ids: [UniqueID] = []
                var cursor = try transaction.cursor(in: fixture.index.words)
                while try cursor.next() {
                    var reader = ByteReader(cursor.key)
                    if let id = try? reader.readUniqueID() { ids.append(id) }
                }
                for id in ids { if let word = try fixture.index.word(id, transaction) { all.append(word) } }
                return all
            })
        for _ in 0..<120 {
            let known = texts.randomElement(using: &generator)?.randomElement(using: &generator) ?? ""
            var typed = Bool.random(using: &generator) ? Self.word(&generator) : known
            typed = String(typed.prefix(Int.random(in: 0...max(0, typed.count), using: &generator)))
            if Int.random(in: 0..<4, using: &generator) == 0 { typed += " " }
            let limit = Int.random(in: 1...30, using: &generator)
            let found = try fixture.words(typed, limit: limit)
            #expect(found == naive.words(typed, limit: limit), "seed \(generator), typed \(typed.debugDescription), limit \(limit)")
        }
    }
}
