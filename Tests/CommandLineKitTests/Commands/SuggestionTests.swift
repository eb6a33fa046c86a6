import CommandLineKit
import Testing

struct SuggestionTests {
    @Test(
        "The distance counts letters missing, added, changed and swapped",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("deck", "deck", 0), ("dekc", "deck", 1), ("dck", "deck", 1), ("decks", "deck", 1),
            ("duck", "deck", 1), ("verfiy", "verify", 1), ("ca", "abc", 3), ("kitten", "sitting", 3), ("naïve", "naive", 1),
        ])
    func distance(_ first: String, _ second: String, _ expected: Int) {
        #expect(editDistance(first, second) == expected)
        #expect(editDistance(second, first) == expected)
    }

    @Test(
        "Only a near word is suggested",
        arguments: [
            ("dekc", "deck"), ("Deck", "deck"), ("verfy", "verify"), ("completoin", "completion"), ("fav", "favourite"), ("x", nil),
            ("zzzz", nil), ("", nil), ("crd", "card"), ("favorite", "favourite"), (String(repeating: "a", count: 10_000), nil),
        ])
    func nearestWord(_ typed: String, _ expected: String?) {
        #expect(nearest(to: typed, among: ["deck", "card", "verify", "completion", "favourite"]) == expected)
    }
}
