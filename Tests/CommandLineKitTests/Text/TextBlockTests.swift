import CommandLineKit
import Testing

struct TextBlockTests {
    @Test(
        "Words are wrapped, long words cut between characters, line breaks kept",
        arguments: [
            ("", 10, [""]), ("one two three", 20, ["one two three"]), ("one two three", 8, ["one two", "three"]),
            ("one\ntwo\r\n\rthree", 10, ["one", "two", "", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("ab cdefgh", 4, ["ab", "cdef", "gh"]), ("猫猫猫猫", 5, ["猫猫", "猫猫"]), ("a猫b", 2, ["a", "猫", "b"]),
            ("שלום עולם", 5, ["שלום", "עולם"]), ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
            ("a\tb", 20, ["a    b"]), ("a\u{1B}[31mb", 20, ["a\\e[31mb"]), ("👨‍👩‍👧👨‍👩‍👧", 3, ["👨‍👩‍👧", "👨‍👩‍👧"]),
        ])
    func blocks(text: String, width: Int, lines: [String]) {
        #expect(text.block(width: width) == lines)
    }

    @Test("No line is wider than the width, and nothing but spaces gets lost")
    func nothingLost() {
        let text = "勉強する、日本語 Wörter und e\u{301}in sehr langes Wort: Donaudampfschifffahrtsgesellschaft 👩🏽‍🚀 ok"
        for width in 2...60 {
            let lines = text.block(width: width)
            #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(width)")
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(width)")
        }
    }
}
