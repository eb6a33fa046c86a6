import CommandLineKit
import Engram

/// What a study session looks like on a terminal: lines for a width and a height, and nothing else.
struct StudyScreen {
    /// What the person sees of the card.
    enum Side {
        case front
        case back
    }

    let title: String
    let done: Int
    let card: SessionCard
    let side: Side
    /// What happened just now.
    var note = ""
    /// Lines of the card's texts that have been scrolled away.
    var scrolled = 0
    let surface: Surface
    let rows: Int

    /// The lines, of which none is wider than the surface and which are at most ``rows``.
    var lines: [String] {
        let foot = footer
        let room = max(1, rows - header.count - foot.count)
        let body = texts
        let start = min(scrolled, max(0, body.count - room))
        var shownLines = Array(body.dropFirst(start).prefix(room))
        if start + room < body.count, let last = shownLines.indices.last {
            shownLines[last] = Style.dim("more: arrow down".truncated(to: surface.width, ellipsis: surface.ellipsis), on: surface)
        }
        let gap = Array(repeating: "", count: max(0, room - shownLines.count))
        return header + shownLines + gap + foot
    }

    /// How far the texts can be scrolled.
    var furthestScroll: Int { max(0, texts.count - max(1, rows - header.count - footer.count)) }

    private var header: [String] {
        let left = card.remaining + 1
        let counts = "\(Numbers.grouped(done)) done, \(Numbers.grouped(left)) left"
        let name = shown(title).truncated(to: max(1, surface.width - counts.displayWidth - 2), ellipsis: surface.ellipsis)
        let first =
            counts.displayWidth + 4 > surface.width
            ? Style.dim(counts.truncated(to: surface.width, ellipsis: surface.ellipsis), on: surface)
            : Style.bold(name, on: surface)
                + String(repeating: " ", count: max(1, surface.width - name.displayWidth - counts.displayWidth))
                + Style.dim(counts, on: surface)
        let bar = Bar.text(done, of: done + left, width: surface.width, unicode: surface.unicode, background: true)
        return [first, Style.colour(.green)(bar, on: surface), ""]
    }

    private var texts: [String] {
        let width = surface.width
        var lines = card.card.front.block(width: width).map { Style.bold($0, on: surface) }
        if card.card.isFavourite {
            lines.insert(Style.colour(.yellow)(surface.unicode ? "★ favourite" : "* favourite", on: surface), at: 0)
        }
        guard side == .back else { return lines }
        lines += ["", Style.dim(String(repeating: surface.unicode ? "─" : "-", count: width), on: surface), ""]
        return lines + card.card.back.block(width: width)
    }

    private var footer: [String] {
        var lines = [""]
        if !note.isEmpty { lines += note.block(width: surface.width).map { Style.colour(.yellow)($0, on: surface) } }
        if side == .back { lines += buttons }
        let keys = side == .front ? "any key: turn the card   " : ""
        return lines
            + Self.flow((keys + "u undo   e edit   f favourite   q quit").split(separator: "   ").map { (String($0), .dim) }, on: surface)
    }

    /// The four buttons with the interval that each would give; in free learn without.
    private var buttons: [String] {
        let looks: [(Grade, String, Style)] = [
            (.again, "Again", Style(bold: true, colour: .red)), (.hard, "Hard", Style(bold: true, colour: .yellow)),
            (.good, "Good", Style(bold: true, colour: .green)), (.easy, "Easy", Style(bold: true, colour: .cyan)),
        ]
        let texts = looks.map { grade, name, style in
            let preview = card.answers.first { $0.grade == grade }
            let interval = preview?.intervalDays.map { $0 == 0 ? " today" : " \(Numbers.count($0, "day"))" } ?? ""
            return ("\(grade.rawValue) \(name)\(interval)", style)
        }
        return Self.flow(texts, on: surface)
    }

    /// Pieces on as few lines as they fit on, three columns apart.
    static func flow(_ pieces: [(text: String, style: Style)], on surface: Surface) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for piece in pieces {
            let text = piece.text.truncated(to: surface.width, ellipsis: surface.ellipsis)
            let size = text.displayWidth
            if used > 0, used + 3 + size > surface.width {
                lines.append(line)
                line = ""
                used = 0
            }
            if used > 0 {
                line += "   "
                used += 3
            }
            line += piece.style(text, on: surface)
            used += size
        }
        lines.append(line)
        return lines
    }
}

/// The list of decks that hold due cards, or in free learn of all decks, from which some are picked.
struct DeckPicker {
    struct Entry: Equatable {
        let id: UniqueID
        let title: String
        let count: Int
        let colour: Colour?
    }

    let entries: [Entry]
    let heading: String
    private(set) var picked: Set<Int> = []
    /// 0 is the line for all decks.
    private(set) var line = 0

    init(_ entries: [Entry], heading: String) {
        self.entries = entries
        self.heading = heading
    }

    /// What the person has decided: the decks, none standing for all.
    enum Outcome: Equatable {
        case undecided
        case begin([UniqueID])
        case leave
    }

    mutating func take(_ key: Key) -> Outcome {
        switch key {
        case .up, .text("k"): line = max(0, line - 1)
        case .down, .text("j"): line = min(entries.count, line + 1)
        case .home: line = 0
        case .end: line = entries.count
        case .text(" "):
            if line == 0 {
                picked = picked.count == entries.count ? [] : Set(entries.indices)
            } else {
                picked.formSymmetricDifference([line - 1])
            }
        case .text("a"): return .begin([])
        case .enter:
            if line == 0, picked.isEmpty { return .begin([]) }
            if picked.isEmpty { return .begin([entries[line - 1].id]) }
            return .begin(picked.sorted().map { entries[$0].id })
        case .text("q"), .escape, .interrupt, .endOfInput: return .leave
        default: break
        }
        return .undecided
    }

    func lines(on surface: Surface, rows: Int) -> [String] {
        let keys = StudyScreen.flow(
            ["arrows move", "space picks", "enter begins", "a all", "q quit"].map { ($0, .dim) }, on: surface)
        let room = max(1, rows - keys.count - 3)
        let start = max(0, min(line - room / 2, entries.count + 1 - room))
        let total = entries.reduce(0) { $0 + $1.count }
        var rows: [String] = []
        for index in start..<min(start + room, entries.count + 1) {
            let entry = index == 0 ? nil : entries[index - 1]
            let isPicked = index == 0 ? picked.count == entries.count : picked.contains(index - 1)
            let mark = (index == line ? (surface.unicode ? "▸ " : "> ") : "  ") + (isPicked ? "[x] " : "[ ] ")
            let count = Numbers.grouped(entry?.count ?? total)
            let name = shown(entry?.title ?? "All decks")
                .truncated(to: max(1, surface.width - mark.displayWidth - count.displayWidth - 2), ellipsis: surface.ellipsis)
            let style: Style = entry?.colour.map { .exact(RGB($0.rgb)) } ?? (index == line ? .bold : .plain)
            let gap = String(repeating: " ", count: max(1, surface.width - mark.displayWidth - name.displayWidth - count.displayWidth))
            rows.append(mark + style(name, on: surface) + gap + Style.colour(.yellow)(count, on: surface))
        }
        let title = Style.bold(heading.truncated(to: surface.width, ellipsis: surface.ellipsis), on: surface)
        return [title, ""] + rows + [""] + keys
    }
}
