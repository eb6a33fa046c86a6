import CommandLineKit
import Testing

struct TextTests {
    @Test(
        "Text takes the columns that a terminal gives it",
        arguments: [
            ("", 0), ("abc", 3), ("naïve", 5), ("nai\u{308}ve", 5), ("日本語", 6), ("ｆｕｌｌ", 8), ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("e\u{301}\u{323}", 1), ("a\u{200B}b", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("©", 1),
            ("©️", 2),
            ("שלום", 4), ("مرحبا", 5), ("Привет", 6), ("ไทย", 3), ("…", 1), ("█", 1), ("\u{20000}", 2), ("（）", 4), ("\u{AD}", 0),
        ])
    func width(_ text: String, _ expected: Int) {
        #expect(text.displayWidth == expected, "\(text)")
    }

    @Test(
        "Control characters are spelt out; letters of all scripts stay",
        arguments: [
            ("plain", "plain"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{1B}[31m", "\\e[31m"),
            ("\u{0}\u{7}\u{7F}\u{9B}", "\\u{0}\\u{7}\\u{7F}\\u{9B}"),
            ("a\r\nb", "a\\r\\nb"), ("\u{202E}txt", "\\u{202E}txt"), ("\u{2028}", "\\u{2028}"), ("\u{2066}", "\\u{2066}"), ("שלום", "שלום"),
            ("مرحبا\u{200F}", "مرحبا\\u{200F}"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("\u{E0001}", "\\u{E0001}"),
            ("a\u{200B}\u{2060}\u{FEFF}\u{AD}b", "a\\u{200B}\\u{2060}\\u{FEFF}\\u{AD}b"), ("\u{61C}\u{200E}", "\\u{61C}\\u{200E}"),
            ("pay\u{200D}pal", "pay\\u{200D}pal"), ("é\u{200C}t", "é\\u{200C}t"), ("\u{200D}", "\\u{200D}"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("क्\u{200D}ष", "क्\u{200D}ष"), ("ش\u{200D}\u{200D}", "ش\u{200D}\\u{200D}"), ("❤️‍🔥", "❤️‍🔥"), ("1️⃣", "1️⃣"), ("葛\u{E0100}", "葛\u{E0100}"),
            ("x\u{FE0F}", "x\\u{FE0F}"), ("x\u{E0100}", "x\\u{E0100}"), ("👍\u{FE01}\u{FE02}", "👍\u{FE01}\\u{FE02}"),
            ("\u{3164}", "\\u{3164}"),
            ("\u{E0041}\u{E007F}", "\\u{E0041}\\u{E007F}"), ("🏴\u{E0067}\u{E007F}", "🏴\\u{E0067}\\u{E007F}"), ("\u{FFF9}", "\\u{FFF9}"),
            ("\u{180E}\u{34F}", "\\u{180E}\\u{34F}"), ("\u{600}١", "\u{600}١"),
        ])
    func escaping(_ text: String, _ expected: String) {
        #expect(shown(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
        #expect(shown(shown(text)).unicodeScalars.elementsEqual(expected.unicodeScalars), "what is harmless stays so")
    }

    @Test(
        "Of what acts on a terminal, lines and styles pass where they are meant to",
        arguments: [
            ("a\n\tb", "a\n\tb"), ("\u{1B}[1;32mgreen\u{1B}[0m", "\u{1B}[1;32mgreen\u{1B}[0m"), ("\u{1B}[2J", "\\e[2J"),
            ("\u{1B}]0;x\u{7}", "\\e]0;x\\u{7}"),
            ("\u{1B}[31", "\\e[31"), ("\u{1B}", "\\e"), ("\u{9B}31m", "\\u{9B}31m"), ("a\rb", "a\\rb"),
            ("\u{1B}[38;5;1m\u{202E}", "\u{1B}[38;5;1m\\u{202E}"),
        ])
    func keeping(_ text: String, _ expected: String) {
        #expect(shown(text, keeping: [.layout, .styles]) == expected)
        #expect(!shown(text, keeping: .layout).unicodeScalars.contains("\u{1B}"))
    }

    @Test("Nothing that a terminal draws nothing for is sent by itself")
    func everyScalar() {
        for value: UInt32 in 0...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isHidden = scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .control
            guard isHidden || value == 0x2028 || value == 0x2029 else { continue }
            let text = "a" + String(scalar) + "b"
            #expect(shown(text).isPrintable, "U+\(String(value, radix: 16))")
        }
    }

    @Test(
        "Text is cut between characters and never wider than asked for",
        arguments: [
            ("hello", 5, "hello"), ("hello!", 5, "hell…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
            ("日本語", 1, "…"), ("日本語", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"), ("", 0, ""), ("x", -3, ""),
        ])
    func truncation(_ text: String, _ width: Int, _ expected: String) {
        #expect(text.truncated(to: width) == expected)
        for ellipsis in ["…", "..."] { #expect(text.truncated(to: width, ellipsis: ellipsis).displayWidth <= max(0, width)) }
    }

    @Test("Text is padded by columns, and wrapped at spaces")
    func fitting() {
        #expect("日本".padded(to: 6) == "日本  ")
        #expect("日本".padded(to: 6, .right) == "  日本")
        #expect("日本".padded(to: 7, .centre) == " 日本  ")
        #expect("日本".padded(to: 3) == "日本")
        #expect("the quick brown fox".wrapped(to: 10) == ["the quick", "brown fox"])
        #expect("incomprehensibilities are".wrapped(to: 5) == ["incomprehensibilities", "are"])
        #expect("  ".wrapped(to: 5) == [])
    }

    @Test("Numbers and durations read well, at the edges too")
    func numbers() {
        for (value, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (Int.min, "-9,223,372,036,854,775,808")]
        {
            #expect(Numbers.grouped(value) == text)
        }
        for (part, whole, text) in [
            (0, 0, "0.0%"), (1, 0, "0.0%"), (7, 8, "87.5%"), (1, 3, "33.3%"), (2, 3, "66.7%"), (1, 1_000_000, "0.1%"),
            (999_999, 1_000_000, "99.9%"), (5, 5, "100.0%"), (9, 5, "100.0%"), (-1, 5, "0.0%"), (Int.max - 1, Int.max, "99.9%"),
        ] {
            #expect(Numbers.percent(part, of: whole) == text, "\(part) of \(whole)")
        }
        for (seconds, text) in [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (61, "1 min 01 s"), (600, "10 min"), (3599, "59 min"), (3600, "1 h 00 min"),
            (11_100, "3 h 05 min"), (187_200, "2 d 4 h"), (-5, "0 s"),
        ] {
            #expect(Numbers.duration(seconds: seconds) == text)
        }
        #expect(Numbers.clock(seconds: 5) == "0:05" && Numbers.clock(seconds: 3723) == "1:02:03")
        #expect(Numbers.count(1, "card") == "1 card" && Numbers.count(2, "box", "boxes") == "2 boxes")
    }
}

extension String {
    fileprivate var isPrintable: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}
