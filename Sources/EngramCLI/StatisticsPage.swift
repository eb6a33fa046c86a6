import CommandLineKit
import Engram

/// The statistics as a page for a terminal: gauges, boxes, what is coming, the hours and the calendar.
struct StatisticsPage {
    private let figures: Statistics
    private let title: String
    private let surface: Surface

    init(_ figures: Statistics, title: String, on surface: Surface) {
        self.figures = figures
        self.title = title
        self.surface = surface
    }

    var lines: [String] {
        guard surface.isTerminal else { return Self.fields(plain) }
        var lines = [Style.bold(shown(title), on: surface) + Style.dim("  \(figures.today)", on: surface), ""]
        lines += summary
        section("Boxes", BarList.boxes(figures.boxes).lines(on: surface), &lines)
        if figures.reviews.total > 0 { section("Pass rate by box", passRates, &lines) }
        if figures.due.forecast.contains(where: { $0.cards > 0 }) || figures.due.total > 0 {
            section("Due in the next 30 days", forecast, &lines)
        }
        if figures.reviews.total > 0 {
            section("Hours of the day", Gauges.hours(figures.hours, on: surface), &lines)
            section("Reviews a day", HeatMap(lastDay: Int(figures.today.days), values: lastYear).lines(on: surface), &lines)
        }
        return lines
    }

    /// A line each for a pipe: a name, a tab, the value.
    static func fields(_ fields: [(String, String)]) -> [String] { fields.map { $0 + "\t" + $1 } }

    private var plain: [(String, String)] {
        let reviews = figures.reviews
        var fields: [(String, String)] = [
            ("day", "\(figures.today)"), ("reviews", "\(reviews.total)"), ("again", "\(reviews.again)"), ("hard", "\(reviews.hard)"),
            ("good", "\(reviews.good)"), ("easy", "\(reviews.easy)"),
            ("pass rate", reviews.total > 0 ? Numbers.percent(reviews.passed, of: reviews.total) : ""),
            ("practised", "\(figures.practised)"), ("cards", "\(figures.cards.total)"), ("new", "\(figures.cards.new)"),
            ("learned", "\(figures.cards.learned)"), ("deleted", "\(figures.cards.deleted)"), ("due", "\(figures.due.total)"),
            ("overdue", "\(figures.due.overdue)"), ("turned", "\(figures.turned)"),
            ("seconds until turned", "\(figures.turnedMilliseconds / 1000)"),
            ("streak", "\(figures.streak.current)"),
            ("longest streak", "\(figures.streak.longest)"), ("seconds", "\(figures.milliseconds / 1000)"),
            ("average interval", figures.averageIntervalDays.map { "\(Int($0 + 0.5))" } ?? ""),
        ]
        fields += figures.boxes.enumerated().map { ("box \($0)", "\($1)") }
        fields += figures.reviewsByBox.enumerated().map { ("pass rate box \($0)", Numbers.percent($1.passed, of: $1.total)) }
        fields += figures.due.forecast.map { ("due \($0.day)", "\($0.cards)") }
        fields += figures.hours.enumerated().map { ("hour \($0)", "\($1)") }
        fields += figures.days.map { ("reviews \($0.day)", "\($0.reviews)") }
        return fields
    }

    /// The cards that were forgotten most often.
    func hardest(of cards: [CardView]) -> [String] {
        let hardest = cards.filter { $0.failed > 0 }.sorted { ($1.failed, $0.passed, $0.id) < ($0.failed, $1.passed, $1.id) }.prefix(5)
        guard !hardest.isEmpty else { return [] }
        var table = Table([
            .init("Card"), .init("Front", isFlexible: true), .init("Failed", .right), .init("Passed", .right), .init("Box", .right),
        ])
        for card in hardest {
            table.add([
                Table.Cell(String(card.id.description.prefix(8)), .dim), Table.Cell(card.front),
                Table.Cell(Numbers.grouped(card.failed), .colour(.red)), Table.Cell(Numbers.grouped(card.passed)),
                Table.Cell(CardActions.text(card.box)),
            ])
        }
        return ["", Style.bold("Hardest cards", on: surface)] + table.lines(on: surface)
    }

    private func section(_ name: String, _ content: [String], _ lines: inout [String]) {
        lines += ["", Style.bold(name, on: surface)] + content
    }

    private var summary: [String] {
        let cards = figures.cards
        let reviews = figures.reviews
        var lines = [Gauges.progress("Learned", learned: cards.learned, of: cards.total, labelWidth: 9, on: surface)]
        lines.append(Gauges.rate("Pass rate".padded(to: 9), reviews.passed, of: reviews.total, on: surface))
        lines.append(
            Gauges.streak(
                current: figures.streak.current, longest: figures.streak.longest, lastDays: activeDays, labelWidth: 9, on: surface))
        lines += facts([
            ("Cards", "\(Numbers.grouped(cards.total)), \(Numbers.grouped(cards.new)) new, \(Numbers.grouped(cards.deleted)) deleted"),
            ("Due", "\(Numbers.grouped(figures.due.total)), \(Numbers.grouped(figures.due.overdue)) overdue"),
            (
                "Reviews",
                "\(Numbers.grouped(reviews.total)): \(Numbers.grouped(reviews.again)) again, \(Numbers.grouped(reviews.hard)) hard, "
                    + "\(Numbers.grouped(reviews.good)) good, \(Numbers.grouped(reviews.easy)) easy"
            ),
            ("Practised", Numbers.grouped(figures.practised)),
            (
                "Time",
                Numbers.duration(seconds: Int(figures.milliseconds / 1000))
                    + (figures.turned == 0
                        ? "" : ", \(Self.tenths(figures.turnedMilliseconds / Int64(figures.turned))) s until a card is turned")
            ),
            ("Interval", figures.averageIntervalDays.map { "\(Int($0 + 0.5)) days on average" } ?? "none yet"),
        ])
        return lines
    }

    /// Milliseconds as seconds with one decimal.
    private static func tenths(_ milliseconds: Int64) -> String { "\(milliseconds / 1000).\(milliseconds % 1000 / 100)" }

    private func facts(_ facts: [(String, String)]) -> [String] {
        facts.flatMap { name, text in
            let wrapped = text.wrapped(to: max(20, surface.width - 11))
            return wrapped.enumerated().map { index, line in
                (index == 0 ? Style.dim(name.padded(to: 9), on: surface) : String(repeating: " ", count: 9)) + "  " + line
            }
        }
    }

    /// How many of the reviews of cards that were in a box were passed.
    private var passRates: [String] {
        figures.reviewsByBox.enumerated().filter { $0.element.total > 0 }.map { box, reviews in
            Gauges.rate("Box \(box)".padded(to: 9), reviews.passed, of: reviews.total, on: surface)
        }
    }

    private var forecast: [String] {
        var cards = figures.due.forecast.map(\.cards)
        if !cards.isEmpty { cards[0] = figures.due.total }
        return Gauges.forecast(cards, firstDay: Int(figures.today.days), on: surface)
    }

    /// Reviews of each of the last 371 days (53 weeks), today the last.
    private var lastYear: [Int] {
        var values = [Int](repeating: 0, count: 371)
        for day in figures.days {
            let place = values.count - 1 - (Int(figures.today.days) - Int(day.day.days))
            if values.indices.contains(place) { values[place] = day.reviews }
        }
        return values
    }

    private var activeDays: [Bool] { lastYear.suffix(30).map { $0 > 0 } }
}
