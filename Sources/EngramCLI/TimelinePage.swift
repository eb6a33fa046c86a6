import CommandLineKit
import Engram

/// A card's life as a table: what happened, and how level, box, interval and due day changed by it.
struct TimelinePage {
    private let card: CardView
    private let events: [TimelineLine]
    private let surface: Surface

    init(_ events: [TimelineLine], of card: CardView, on surface: Surface) {
        self.events = events
        self.card = card
        self.surface = surface
    }

    /// Names of events are long, and in the life of a card mostly of one origin: where room is short, it is told once.
    private static let roomForNames = 96

    private var commonOrigin: OriginID? {
        guard surface.isTerminal, surface.width < Self.roomForNames, let first = events.first?.event.origin else { return nil }
        return events.allSatisfy { $0.event.origin == first } ? first : nil
    }

    var lines: [String] {
        let origin = commonOrigin
        var table = Table([
            .init("When"), .init("What", isFlexible: true), .init("Level"), .init("Box"), .init("Days"), .init("Due"), .init("Event"),
        ])
        for line in events {
            let style: Style = line.isVoided ? .dim : .plain
            let name = origin == nil ? line.event.description : "/\(line.event.number)"
            table.add([
                Table.Cell(String(line.at.iso.prefix(16)).replacing("T", with: " "), style),
                Table.Cell(line.isVoided ? Self.words(for: line) + ", void" : Self.words(for: line), style),
                Table.Cell(change(memory(line.before), memory(line.after)), style),
                Table.Cell(change(CardActions.text(line.before.box), CardActions.text(line.after.box)), style),
                Table.Cell(change("\(line.before.intervalDays)", "\(line.after.intervalDays)"), style),
                Table.Cell(due(line), style), Table.Cell(name, .dim),
            ])
        }
        // In a pipe, rows alone.
        guard surface.isTerminal else { return table.lines(on: surface) }
        var heading = [Style.bold(shown(card.front), on: surface), Style.dim("card \(card.id)", on: surface)]
        if let origin { heading.append(Style.dim("events of \(origin)/…", on: surface)) }
        return heading + table.lines(on: surface)
    }

    private func change(_ before: String, _ after: String) -> String {
        before == after ? after : before + (surface.unicode ? "→" : ">") + after
    }

    /// The level; where the scheduler has none, all that it remembers.
    private func memory(_ card: CardSnapshot) -> String {
        if let level = card.level { return CardActions.text(level) }
        return card.memory.figures.map { "\($0.name.replacing("_", with: " ")) \(CardActions.text($0.value))" }.joined(separator: ", ")
    }

    /// The due day after; where there is room, the one before it too, which is otherwise that of the line above.
    private func due(_ line: TimelineLine) -> String {
        let after = line.after.due?.description ?? ""
        guard let before = line.before.due?.description, !surface.isTerminal || surface.width >= Self.roomForNames + 10 else {
            return after
        }
        return change(before, after)
    }

    /// What happened, in a few words.
    static func words(for line: TimelineLine) -> String {
        var text = line.type.replacing("card_", with: "").replacing("_", with: " ")
        if let grade = line.grade { text += " \(grade.name)" }
        if let took = line.tookMilliseconds { text += ", \(took / 1000) s" }
        if let target = line.target { text += " of \(target.number)" }
        return text
    }
}
