import CommandLineKit
import Testing

struct ChartTests {
    private static let wide = Surface(width: 80)
    private static let narrow = Surface(width: 40)
    private static let ascii = Surface(width: 40, unicode: false)

    @Test("A bar shows eighths, a sliver of the least, and a gap before all")
    func bars() {
        for (value, whole, expected) in [
            (0, 8, "    "), (1, 32, "▏   "), (1, 1000, "▏   "), (4, 8, "██  "), (17, 32, "██▏ "), (999, 1000, "███▉"), (8, 8, "████"),
            (9, 8, "████"),
            (-1, 8, "    "), (1, 0, "    "), (Int.max, Int.max, "████"),
        ] {
            #expect(Bar.text(value, of: whole, width: 4, unicode: true).padded(to: 4) == expected, "\(value) of \(whole)")
        }
        #expect(Bar.text(3, of: 8, width: 4, unicode: true, background: true) == "█▌░░")
        #expect(Bar.text(3, of: 8, width: 4, unicode: false, background: true) == "##..")
        #expect(Bar.text(1, of: 2, width: -3, unicode: true).isEmpty)
    }

    @Test("The boxes of a deck, with counts and shares")
    func boxes() {
        let list = BarList.boxes([120, 61, 1, 0])
        #expect(
            list.lines(on: Self.narrow) == [
                "Box 0  ████████████████████  120   65.9%", "Box 1  ██████████▏            61   33.5%",
                "Box 2  ▏                       1    0.5%",
                "Box 3                          0    0.0%",
            ])
        #expect(list.lines(on: Self.ascii).first == "Box 0  ####################  120   65.9%")
        #expect(BarList.boxes([]).lines(on: Self.wide).isEmpty)
    }

    @Test("A calendar: weeks as columns, months above, the newest weeks where not all fit")
    func heatMap() {
        // 2024-10-07 was a Monday.
        let map = HeatMap(lastDay: 20_003, values: Array(repeating: 0, count: 30) + [1, 2, 3, 4, 0, 5, 6])
        #expect(
            map.lines(on: Self.narrow) == [
                "      Sep       Oct",
                "Mon   · · · · · █",
                "      · · · · ░",
                "Wed   · · · · ░",
                "      · · · · ▒",
                "Fri   · · · · ▓",
                "      · · · · ·",
                "    · · · · · ▓",
                "    less · ░ ▒ ▓ █ more",
            ])
        let year = HeatMap(lastDay: 20_003, values: (0..<366).map { $0 % 7 })
        for width in [20, 40, 57, 80, 120] {
            let lines = year.lines(on: Surface(width: width))
            #expect(lines.count == 9 && lines.allSatisfy { $0.displayWidth <= width })
        }
    }

    @Test("The forecast and the hours stand on an axis with labels")
    func columns() {
        let forecast = Gauges.forecast([8, 4, 2, 1, 0, 0, 0, 0, 3, 5], firstDay: 20_003, on: Self.narrow)
        #expect(
            forecast == [
                " 8┤██",
                "  │██",
                "  │██                         ▆▆",
                "  │██ ██                   ▂▂ ██",
                "  │██ ██ ▄▄                ██ ██",
                " 0┤██ ██ ██ ▆▆             ██ ██",
                "   now                  Oct 14",
            ])
        let hours = Gauges.hours(Array(0..<24), on: Self.wide)
        #expect(hours.last == "   00       03       06       09       12       15       18       21")
        #expect(hours.count == 5)
        for surface in [Self.wide, Self.narrow, Self.ascii, Surface(width: 10)] {
            for lines in [
                Gauges.forecast(Array(repeating: 12_345, count: 30), firstDay: 0, on: surface),
                Gauges.hours(Array(repeating: 0, count: 24), on: surface),
                ColumnChart([Int.max, Int.min, 0]).lines(on: surface), ColumnChart([]).lines(on: surface),
            ] {
                #expect(lines.allSatisfy { $0.displayWidth <= surface.width }, "\(lines)")
            }
        }
    }

    @Test("Rates, progress and streaks take one line")
    func gauges() {
        #expect(Gauges.rate("Pass rate", 700, of: 800, on: Self.narrow) == "Pass rate  ███████░  87.5%  (700 of 800)")
        #expect(Gauges.rate("Pass rate", 0, of: 0, on: Self.narrow) == "Pass rate  ░░░░░░░░░░░░░░░░  nothing yet")
        #expect(Gauges.progress("Spanish", learned: 12, of: 40, on: Self.ascii) == "Spanish  #####.............   30%  12/40")
        #expect(
            Gauges.streak(current: 1, longest: 40, lastDays: [true, false, true], on: Self.narrow) == "Streak  1 day  (longest 40)  ●○●")
        #expect(Sparkline.text([0, 1, 4, 8], on: Self.wide) == " ▁▄█" && Sparkline.text([0, 1, 4, 8], on: Self.ascii) == ".159")
        for width in 10...90 {
            let surface = Surface(width: width)
            let lines = [
                Gauges.rate("Pass rate", 700, of: 800, on: surface), Gauges.progress("日本語の単語", learned: 5, of: 9, on: surface),
                Gauges.streak(current: 12, longest: 345, lastDays: Array(repeating: true, count: 60), on: surface),
            ]
            #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(width)")
        }
    }

    @Test("Without colour no code is sent, with it every line ends plain")
    func colour() {
        let colourful = Surface(isTerminal: true, width: 80, colour: .full)
        let map = HeatMap(lastDay: 20_003, values: Array(0..<100))
        let pictures = { (surface: Surface) in
            BarList.boxes([1, 2]).lines(on: surface) + map.lines(on: surface) + [Gauges.rate("x", 1, of: 2, on: surface)]
        }
        #expect(pictures(Self.wide).allSatisfy { !$0.contains("\u{1B}") })
        #expect(pictures(colourful).contains { $0.contains("\u{1B}[38;2;") })
        for line in pictures(colourful) {
            let last = line.split(separator: "\u{1B}").last ?? ""
            #expect(!line.contains("\u{1B}") || last.hasPrefix("[0m"))
        }
    }
}
