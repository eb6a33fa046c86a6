import CommandLineKit
import Testing

struct SurfaceTests {
    private static let colourful = ["TERM": "xterm"]

    @Test(
        "Colour is for a terminal whose user wants it",
        arguments: [
            (true, false, colourful, ColourDepth.basic),
            (false, false, colourful, .none),
            (true, true, colourful, .none),
            (true, false, ["TERM": "xterm", "NO_COLOR": "1"], .none),
            (true, false, ["TERM": "xterm", "NO_COLOR": ""], .basic),
            (true, false, ["TERM": "dumb"], .none),
            (true, false, ["TERM": ""], .none),
            (true, false, [:], .none),
            (true, false, ["TERM": "xterm-256color"], .palette),
            (true, false, ["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
            (true, false, ["TERM": "xterm-direct"], .full),
            (true, false, ["TERM": "dumb", "COLORTERM": "truecolor"], .none),
            (false, false, ["TERM": "xterm", "COLORTERM": "24bit"], .none),
        ])
    func colour(_ isTerminal: Bool, _ noColour: Bool, _ environment: [String: String], _ expected: ColourDepth) {
        let surface = Surface(isTerminal: isTerminal, columns: nil, noColour: noColour) { environment[$0] }
        #expect(surface.colour == expected)
    }

    @Test(
        "The width is the terminal's, else COLUMNS, else 80",
        arguments: [(120, nil, 120), (nil, "100", 100), (60, "100", 60), (nil, nil, 80), (nil, "wide", 80), (nil, "-3", 80), (3, nil, 10)])
    func width(_ columns: Int?, _ variable: String?, _ expected: Int) {
        let surface = Surface(isTerminal: true, columns: columns, noColour: false) { $0 == "COLUMNS" ? variable : nil }
        #expect(surface.width == expected)
    }

    @Test(
        "More than ASCII is drawn where the locale says UTF-8",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false),
            (["LC_CTYPE": "UTF-8"], true), (["LANG": "de_DE.UTF-8", "LC_ALL": ""], true), (["LANG": "de_DE@euro"], false),
            (["LANG": "de_DE.utf8@euro"], true), ([:], false),
        ])
    func unicode(_ environment: [String: String], _ expected: Bool) {
        #expect(Surface(isTerminal: true, columns: nil, noColour: false) { environment[$0] }.unicode == expected)
    }

    @Test("Styles become codes, each as far as the surface goes")
    func styles() {
        let blue = Style.exact(RGB(0x1E88E5))
        for (style, depth, expected) in [
            (Style.bold, ColourDepth.none, "x"), (.plain, .full, "x"), (.bold, .basic, "\u{1B}[1mx\u{1B}[0m"),
            (Style(bold: true, dim: true, colour: .red), .basic, "\u{1B}[1;2;31mx\u{1B}[0m"),
            (blue, .full, "\u{1B}[38;2;30;136;229mx\u{1B}[0m"),
            (blue, .palette, "\u{1B}[38;5;32mx\u{1B}[0m"), (blue, .basic, "\u{1B}[34mx\u{1B}[0m"), (blue, .none, "x"),
        ] {
            #expect(style("x", on: Surface(colour: depth)) == expected)
        }
        #expect(Style.bold("", on: Surface(colour: .full)).isEmpty)
    }

    @Test(
        "Colours are read as people write them",
        arguments: [
            ("#1e88e5", 0x1E88E5), ("1E88E5", 0x1E88E5), ("#18f", 0x1188FF), ("blue", 0x1E88E5), ("Blue", 0x1E88E5), ("#12345", nil),
            ("+12345", nil), ("", nil), ("#", nil), ("nice", nil), ("#1e88e5a0", nil),
        ] as [(String, UInt32?)])
    func colours(_ text: String, _ expected: UInt32?) {
        #expect(RGB(text)?.value == expected)
        if let colour = RGB(text) { #expect(RGB(colour.description) == colour) }
    }
}
