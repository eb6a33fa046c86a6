import CommandLineFrame
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
            ("مرحبا\u{200F}", "مرحبا\u{200F}"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("\u{E0001}", "\\u{E0001}"),
        ])
    func escaping(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
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
