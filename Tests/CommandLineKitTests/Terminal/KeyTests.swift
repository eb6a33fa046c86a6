import Testing

@testable import CommandLineKit

struct KeyTests {
    @Test(
        "What a terminal sends, and which keys that is",
        arguments: [
            ("a", [Key.text("a")]), ("ж猫", [.text("ж"), .text("猫")]), ("e\u{301}", [.text("e"), .text("\u{301}")]),
            ("\r", [.enter]), ("\n", [.lineBreak]), ("\t", [.tab]), ("\u{7F}\u{8}", [.backspace, .backspace]), ("\u{3}", [.interrupt]),
            ("\u{4}", [.endOfInput]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[1~\u{1B}[F", [.home, .end]),
            ("\u{1B}[3~", [.delete]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}", [.escape]),
            ("\u{1B}x", [.escape, .text("x")]),
            ("\u{1B}\u{1B}[C", [.escape, .right]), ("\u{1B}[999;1~q", [.other, .text("q")]), ("\u{1A}", [.other]),
            (
                "\u{1B}[200~one\rtwo\u{1B}[201~\r",
                [.text("o"), .text("n"), .text("e"), .lineBreak, .text("t"), .text("w"), .text("o"), .enter]
            ),
            ("\u{1B}[", [.other]),
        ])
    func decoding(sent: String, keys: [Key]) {
        // All at once, and byte by byte.
        var whole = KeyDecoder()
        whole.feed(sent.utf8)
        #expect(Array(sequence(state: ()) { _ in whole.next(isComplete: true) }) == keys)
        var piecewise = KeyDecoder()
        var found: [Key] = []
        for byte in sent.utf8 {
            piecewise.feed([byte])
            while let key = piecewise.next(isComplete: false) { found.append(key) }
        }
        while let key = piecewise.next(isComplete: true) { found.append(key) }
        #expect(found == keys)
    }

    @Test("Bytes that are no text are other keys, and nothing hangs on them")
    func garbage() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xE2, 0x28, 0xA1], [0xF5, 0x80], [0xED, 0xA0, 0x80], [0x80]] {
            var decoder = KeyDecoder()
            decoder.feed(bytes + [0x71])
            var keys: [Key] = []
            while let key = decoder.next(isComplete: true) { keys.append(key) }
            #expect(keys.contains(.other) && keys.last == .text("q") && keys.count <= bytes.count + 1, "\(bytes)")
        }
        var endless = KeyDecoder()
        endless.feed([0x1B, 0x5B] + Array(repeating: 0x31, count: 100))
        #expect(endless.next(isComplete: false) == .other)
    }
}

struct LineEditorTests {
    private func edited(_ text: String, _ keys: [Key]) -> String {
        var editor = LineEditor(text)
        for key in keys { _ = editor.take(key) }
        return editor.text
    }

    @Test("Keys change whole characters, at the cursor")
    func keys() {
        #expect(edited("abc", [.backspace, .text("d")]) == "abd")
        #expect(edited("abc", [.home, .text("x"), .right, .delete]) == "xac")
        #expect(edited("abc", [.left, .left, .text("-")]) == "a-bc")
        #expect(edited("👨‍👩‍👧e\u{301}", [.backspace]) == "👨‍👩‍👧")
        #expect(edited("👨‍👩‍👧", [.left, .text("a")]) == "a👨‍👩‍👧")
        #expect(edited("e", [.text("\u{301}"), .left, .text("x")]) == "xe\u{301}")
        #expect(edited("", [.backspace, .delete, .left, .right, .lineBreak]) == "\n")
        var editor = LineEditor("x")
        #expect(!editor.take(.enter) && !editor.take(.escape) && editor == LineEditor("x"))
    }

    @Test("The window shows the part around the cursor and is never wider than it may be")
    func window() {
        var editor = LineEditor("0123456789")
        #expect(editor.window(width: 6, unicode: true) == ("56789", 5))
        for _ in 0..<10 { _ = editor.take(.left) }
        #expect(editor.window(width: 6, unicode: true) == ("012345", 0))
        let wide = LineEditor("猫猫猫\n猫").window(width: 6, unicode: true)
        #expect(wide == ("猫↵猫", 5) && wide.line.displayWidth <= 6)
    }
}
