import Testing
import TextFolding

@Suite struct PrefixTests {
    @Test func longTextsAreCutBetweenCharacters() {
        let family = "👩‍👩‍👧‍👦"
        for (text, limit, expected) in [
            ("abc", 3, "abc"), ("abc", 2, "ab"), ("aä", 2, "a"), ("aä", 1, "a"), ("ä", 1, ""), ("a" + family, 20, "a"),
            (family + "b", 25, family), ("e\u{301}x", 2, ""),
            ("", 0, ""),
        ] { #expect(text.prefix(utf8Count: limit) == expected, "\(text) \(limit)") }
        let stack = "a" + String(repeating: "\u{301}", count: 5000)
        #expect(stack.prefix(utf8Count: 4000).utf8.count == 3999)
    }
}
