import CommandLineKit
import Testing

struct TableTests {
    private static var table: Table {
        var table = Table([.init("Title", isFlexible: true), .init("Cards", .right), .init("Due", .right)])
        table.add(["日本語 kanji", "1200", "7"])
        table.add([Table.Cell("two\nlines"), "3", "0"])
        table.add(["a deck with quite a long title", "12"])
        return table
    }

    @Test(
        "Columns line up by what is seen; the widest flexible one gives way; very narrow ones become blocks",
        arguments: [
            (
                80,
                [
                    "Title                           Cards  Due", "日本語 kanji                     1200    7",
                    "two\\nlines                          3    0", "a deck with quite a long title     12     ",
                ]
            ),
            (
                26,
                [
                    "Title           Cards  Due", "日本語 kanji     1200    7", "two\\nlines          3    0", "a deck with q…     12     ",
                ]
            ),
            (
                18,
                [
                    "Title 日本語 kanji", "Cards 1200", "Due   7", "", "Title two\\nlines", "Cards 3", "Due   0", "", "Title a deck with…",
                    "Cards 12",
                    "Due   ",
                ]
            ),
        ])
    func terminal(_ width: Int, _ expected: [String]) {
        let lines = Self.table.lines(on: Surface(isTerminal: true, width: width))
        #expect(lines == expected)
        #expect(lines.allSatisfy { $0.displayWidth <= width })
    }

    @Test("A pipe gets fields and tabs, whole and escaped")
    func pipe() {
        #expect(
            Self.table.lines(on: Surface(width: 20)) == ["日本語 kanji\t1200\t7", "two\\nlines\t3\t0", "a deck with quite a long title\t12\t"])
        #expect(Table([.init("A")]).lines(on: Surface(isTerminal: true)).isEmpty)
    }

    @Test("No width makes a table wider than its terminal")
    func allWidths() {
        for width in 10...60 {
            let lines = Self.table.lines(on: Surface(isTerminal: true, width: width))
            #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(width)")
        }
    }
}
