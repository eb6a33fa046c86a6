import EngramTesting
import Testing
import TextFolding

@Suite struct SearchKeyTests {
    /// A rule, texts that it makes one, and their key.
    static let rules: [(rule: String, texts: [String], key: String)] = [
        ("case", ["Haus", "HAUS", "haus"], "haus"),
        ("case of every script", ["ΟΔΟΣ", "Οδος", "οδοσ"], "οδοσ"),
        ("case of every script", ["Дом", "ДОМ"], "дом"),
        ("case of every script", ["Երևան", "ԵՐԵՒԱՆ"], "երեւան"),
        ("final sigma", ["ὁδός", "ΟΔΌΣ", "οδοσ"], "οδοσ"),
        ("accents", ["Über", "U\u{308}BER", "uber"], "uber"),
        ("accents", ["é", "e\u{301}", "E\u{301}", "É", "ê", "ë", "ė", "ē", "ĕ", "ě", "ẹ", "ế"], "e"),
        ("accents", ["Nguyễn", "NGUYỄN", "nguyen"], "nguyen"),
        ("accents, in any order", ["ǭ", "o\u{328}\u{304}", "o\u{304}\u{328}"], "o"),
        ("tonos, breathings, iota subscript", ["ᾳ", "ᾼ", "ἀ", "Ἄ", "ά", "α\u{345}"], "α"),
        ("ё is е", ["ёлка", "ЁЛКА", "е\u{308}лка", "елка"], "елка"),
        ("stress marks", ["звони\u{301}т", "звони\u{300}т", "звонит"], "звонит"),
        ("й is a letter of its own", ["йод", "ЙОД", "и\u{306}од", "И\u{306}ОД"], "йод"),
        ("й with a stress mark between", ["и\u{323}\u{306}"], "й"),
        ("и has no breve", ["иод", "ѝод"], "иод"),
        ("ї, ў, ѓ lose their marks", ["їўѓ"], "іуг"),
        ("ß", ["Straße", "STRASSE", "STRAẞE", "strasse"], "strasse"),
        ("ligatures and strokes", ["ÆON", "æon"], "aeon"),
        ("ligatures and strokes", ["œuvre", "ŒUVRE"], "oeuvre"),
        ("ligatures and strokes", ["Łódź", "lodz"], "lodz"),
        ("ligatures and strokes", ["Đà", "đa"], "da"),
        ("ligatures and strokes", ["Øre", "ǿre"], "ore"),
        ("ligatures and strokes", ["Þórr", "thorr"], "thorr"),
        ("ligatures and strokes", ["Ðað", "dad"], "dad"),
        ("ligatures and strokes", ["Ħal", "ŧat"].map { $0 == "ŧat" ? "ħal" : $0 }, "hal"),
        ("ligatures and strokes", ["ŧƀǥɨƶĸŋ"], "tbgizkng"),
        ("Turkish i", ["ılık", "İlİk", "ilik", "ILIK"], "ilik"),
        ("the middle dot of Catalan", ["col·lega", "coŀlega", "COĿLEGA", "collega"], "collega"),
        ("compatibility", ["ﬁn", "ｆｉｎ", "ⒻIN", "fin"], "fin"),
        ("compatibility", ["x²", "x2"], "x2"),
        ("compatibility", ["…", "..."], "..."),
        ("apostrophes", ["l'eau", "l’eau", "lʼeau", "l`eau", "l´eau", "l‘eau"], "l'eau"),
        ("quotation marks", ["„so“", "«so»", "\"so\"", "“so”"], "\"so\""),
        ("dashes", ["E-Mail", "e‐mail", "e‑mail", "e–mail", "e−mail"], "e-mail"),
        ("what is not seen", ["co\u{AD}op", "co\u{200B}op", "co\u{200D}op", "coop", "coop\u{FE0F}", "\u{FEFF}coop"], "coop"),
        ("spaces", [" auf  gutem\u{A0}Fuß\t", "auf gutem fuss"], "auf gutem fuss"),
        ("spaces", ["a\u{3000}b", "a\nb", "a\u{0}b", "a b"], "a b"),
        ("a percent sign, an underscore, a backslash are what they are", ["100%_\\*?"], "100%_\\*?"),
        ("Arabic points and stretching", ["كِتَابٌ", "كتـــاب", "كتاب"], "كتاب"),
        ("Arabic hamza", ["أمل", "امل", "إمل"], "امل"),
        ("Arabic forms of presentation", ["\u{FEDB}\u{FE98}\u{FE8E}\u{FE8F}"], "كتاب"),
        ("Hebrew points and final letters", ["שָׁלוֹם", "שלום", "שלומ"], "שלומ"),
        ("Hebrew geresh and maqaf", ["ג׳ינס", "ג'ינס"], "ג'ינס"),
        ("kana with voicing marks are their own", ["がっこう", "か\u{3099}っこう"], "がっこう"),
        ("kana of half width", ["ﾊﾟﾝ", "パン"], "パン"),
        ("vowel signs spell", ["हिन्दी"], "हिन्दी"),
        ("vowel signs spell, nuktas don't", ["क़लम", "क\u{93C}लम", "कलम"], "कलम"),
        ("Thai vowels and tones spell", ["น\u{E49}ำ"], "น\u{E49}\u{E4D}า"),
        ("ideographs of compatibility", ["\u{F900}", "豈"], "豈"),
        ("Hangul as it is typed", ["한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"], "하ᄂ그ᄅ"),
        ("Hangul as it is typed", ["닭", "달ㄱ"], "다ᄅᄀ"),
        ("Hangul as it is typed", ["과", "고ㅏ"], "\u{1100}\u{1169}\u{1161}"),
        ("marks alone are kept", ["\u{301}"], "\u{301}"),
        ("nothing", ["", " ", "\u{AD}", "\n\t"], ""),
    ]

    @Test("Each rule makes its texts one", arguments: rules)
    func folding(_ rule: String, _ texts: [String], _ key: String) {
        let expected = Array(String(key).utf8)
        for text in texts {
            let found = SearchKey(text).bytes
            #expect(found == Self.decomposedHangul(expected), "\(rule): \(text) has the key \(String(decoding: found, as: UTF8.self))")
        }
    }

    /// The table writes syllables, the key has letters.
    private static func decomposedHangul(_ bytes: [UInt8]) -> [UInt8] {
        var result = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard (0xAC00...0xD7A3).contains(scalar.value) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let index = scalar.value - 0xAC00
            result.unicodeScalars.append(Unicode.Scalar(0x1100 + index / 588) ?? scalar)
            result.unicodeScalars.append(Unicode.Scalar(0x1161 + index % 588 / 28) ?? scalar)
        }
        return Array(result.utf8)
    }

    @Test(
        "What isn't the same word has another key",
        arguments: [
            ("йод", "иод"), ("が", "か"), ("ば", "ぱ"), ("कि", "की"), ("กุ", "กู"), ("가", "까"), ("a b", "ab"), ("l'eau", "leau"),
            ("е", "є"), ("e-mail", "email"), ("i", "l"), ("o", "ö̲x"), ("ъ", "ь"), ("千", "干"),
        ])
    func apart(_ first: String, _ second: String) {
        #expect(SearchKey(first) != SearchKey(second))
    }

    @Test(
        "What is typed of a word finds it, letter by letter",
        arguments: [
            "Straße", "ёлка", "ὁδός", "한글날", "닭고기", "과일", "שָׁלוֹם", "école", "l’eau", "auf gutem Fuß", "がっこう", "हिन्दी", "Łódź",
            "كِتَابٌ", "col·lega", "İstanbul", "ﬁnden",
        ])
    func prefixes(_ word: String) {
        let key = SearchKey(word)
        for count in 1...word.count {
            let query = SearchQuery(String(word.prefix(count)))
            #expect(query.matches(key), "\(word.prefix(count)) of \(word)")
            #expect(SearchQuery(word.prefix(count).uppercased()).matches(key), "\(word.prefix(count).uppercased()) of \(word)")
        }
    }

    @Test(
        "A space that was typed last ends a word",
        arguments: [
            ("auf", "auf", true), ("auf", "Aufgabe", true), ("auf ", "auf", true), ("auf ", "auf gutem Fuß", true),
            ("auf ", "Aufgabe", false),
            ("auf g", "auf gutem Fuß", true), ("auf  g", "auf gutem Fuß", true), ("auf\u{A0}", "aufgabe", false), (" auf", "Aufgabe", true),
            ("", "auf", true), (" ", "auf", true), ("auf", "au", false), ("%", "auf", false), ("_uf", "auf", false),
        ])
    func spaces(_ typed: String, _ word: String, _ isFound: Bool) {
        #expect(SearchQuery(typed).matches(SearchKey(word)) == isFound)
    }

    @Test("Text reads the same in every normalisation form, and has no control characters")
    func composed() {
        #expect(composedText(" e\u{301}\tA\u{30A}\u{0} ") == Array("é Å".utf8))
        #expect(composedText("plain") == Array("plain".utf8))
        #expect(composedText("\u{1F}\u{7F}") == [])
    }

    @Test("A key has a key that is the key, no byte below a space, no space at its ends, and is the same for every form of a text")
    func laws() {
        let property = Property<UInt32>(named: "folding is idempotent and blind to normalisation") { generator in
            (0..<Int.random(in: 0...12, using: &generator)).map { _ in Self.scalars.randomElement(using: &generator) ?? 0x61 }
        } violation: { values, _ in
            let text = String(String.UnicodeScalarView(values.compactMap(Unicode.Scalar.init)))
            let key = SearchKey(text)
            let name = String(decoding: key.bytes, as: UTF8.self)
            if SearchKey(name) != key { return "the key of \(text.debugDescription), \(name.debugDescription), has another key" }
            if key.bytes.contains(where: { $0 < 0x20 }) || name.utf8.first == 0x20 || name.utf8.last == 0x20 || name.contains("  ") {
                return "\(name.debugDescription) isn't tidy"
            }
            if SearchKey(String(decoding: composedText(text), as: UTF8.self)) != key { return "\(text.debugDescription) composed differs" }
            return nil
        }
        #expect(property.counterexample(runs: PropertyRuns(cases: 5000)) == nil)
    }

    @Test("ASCII, which has a way of its own, folds as it would among other letters")
    func ascii() {
        let property = Property<UInt8>(named: "ASCII folds alike") { generator in
            (0..<Int.random(in: 0...12, using: &generator)).map { _ in UInt8.random(in: 0...0x7F, using: &generator) }
        } violation: { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            return SearchKey(text + "e") == SearchKey(text + "e\u{301}") ? nil : "\(text.debugDescription)"
        }
        #expect(property.counterexample(runs: PropertyRuns(cases: 2000)) == nil)
    }

    /// Letters, marks, spaces and oddities of many scripts.
    private static let scalars: [UInt32] =
        Array(0x20...0x24F) + Array(0x300...0x36F) + Array(0x370...0x52F) + Array(0x591...0x5F4) + Array(0x610...0x670)
        + Array(0x900...0x97F) + Array(0xE01...0xE5B) + Array(0xF00...0xFD4) + Array(0x1100...0x11FF) + Array(0x1E00...0x1FFE)
        + Array(0x2000...0x206F) + Array(0x20D0...0x20F0) + Array(0x2100...0x218B) + Array(0x3041...0x30FF) + Array(0x3131...0x318E)
        + Array(0xAC00...0xAC70) + Array(0xF900...0xF920) + Array(0xFB00...0xFB06) + Array(0xFB1D...0xFBA0) + Array(0xFDF0...0xFDFC)
        + Array(0xFE70...0xFEFC) + Array(0xFF01...0xFFDC) + [0, 9, 10, 0x1F, 0x7F, 0x10400, 0x1D400, 0x1E900, 0x1F600, 0x10FFFF]

    @Test("Hostile text ends soon")
    func hostile() {
        let marks = String(repeating: "\u{301}\u{323}\u{334}", count: 400_000)
        #expect(SearchKey("a" + marks).bytes == [0x61])
        #expect(SearchKey(marks).bytes.count <= 3 * SearchKey.textLimit)
        #expect(SearchKey(String(repeating: "\u{FDFA}", count: 100_000)).bytes.count < 20 * SearchKey.textLimit)
        #expect(composedText("a" + marks).count <= 2 * SearchKey.textLimit)
    }
}
