import CommandLineKit
import Engram

/// What a question of a test looks like on a terminal: lines for a width and a height, and nothing else.
struct QuizScreen {
    let quiz: QuizView
    let question: QuizView.Question
    let isFavourite: Bool
    /// What happened just now.
    var note = ""
    let surface: Surface
    let rows: Int

    /// The lines, of which none is wider than the surface and which are at most ``rows``.
    var lines: [String] {
        let top = header
        let foot = footer
        let body = (prompt + [""] + options).prefix(max(1, rows - top.count - foot.count))
        return top + body + Array(repeating: "", count: max(0, rows - top.count - body.count - foot.count)) + foot
    }

    private var header: [String] {
        let counts = "\(question.number) of \(quiz.total), \(quiz.right) right"
        let name = shown(quiz.testType).truncated(to: max(0, surface.width - counts.displayWidth - 2), ellipsis: surface.ellipsis)
        let gap = String(repeating: " ", count: max(0, surface.width - name.displayWidth - counts.displayWidth))
        let bar = Bar.text(quiz.answered, of: quiz.total, width: surface.width, unicode: surface.unicode, background: true)
        return [
            Style.bold(name, on: surface) + gap + Style.dim(counts.truncated(to: surface.width, ellipsis: surface.ellipsis), on: surface),
            Style.colour(.green)(bar, on: surface), "",
        ]
    }

    private var prompt: [String] {
        let mark = isFavourite ? [Style.colour(.yellow)(surface.unicode ? "★ favourite" : "* favourite", on: surface)] : []
        return mark + question.prompt.block(width: surface.width).map { Style.bold($0, on: surface) }
    }

    /// The options with their numbers; once the question is answered, the right one in green and a wrong choice in red.
    private var options: [String] {
        question.options.enumerated().flatMap { index, option in
            let style = style(of: index)
            let mark = question.answer == nil ? " " : mark(of: index)
            let text = option.block(width: max(2, surface.width - 5))
            return text.enumerated().map { line, part in
                line == 0
                    ? Style.colour(.cyan)("\(index + 1)", on: surface) + " \(mark) " + style(part, on: surface)
                    : "    " + style(part, on: surface)
            }
        }
    }

    private func style(of index: Int) -> Style {
        guard let answer = question.answer else { return .plain }
        if index == question.right { return Style(bold: true, colour: .green) }
        return index == answer.chosen ? Style(bold: true, colour: .red) : .dim
    }

    /// What tells the options apart where there is no colour.
    private func mark(of index: Int) -> String {
        if index == question.right { return surface.unicode ? "✓" : "+" }
        return index == question.answer?.chosen ? (surface.unicode ? "✗" : "x") : " "
    }

    private var footer: [String] {
        var lines = [""]
        if !note.isEmpty { lines += note.block(width: surface.width).map { Style.colour(.yellow)($0, on: surface) } }
        let keys =
            question.answer == nil
            ? ["1 to \(question.options.count) answer", "f favourite", "u undo", "x abandon", "q leave"]
            : ["any key: next", "f favourite", "u undo", "q leave"]
        return lines + StudyScreen.flow(keys.map { ($0, .dim) }, on: surface)
    }
}

/// The list of kinds of test, of which one is selected; those without questions can't be.
struct TestTypePicker {
    let types: [TestTypeView]
    private(set) var line: Int

    init(_ types: [TestTypeView]) {
        self.types = types
        line = types.firstIndex { $0.isSelected && $0.isEnabled } ?? types.firstIndex(where: \.isEnabled) ?? 0
    }

    /// What the person has decided.
    enum Outcome: Equatable {
        case undecided
        case begin(String)
        case leave
    }

    mutating func take(_ key: Key) -> Outcome {
        switch key {
        case .up, .text("k"): line = types[..<line].lastIndex(where: \.isEnabled) ?? line
        case .down, .text("j"): line = types[(line + 1)...].firstIndex(where: \.isEnabled) ?? line
        case .enter, .text(" "):
            if types.indices.contains(line), types[line].isEnabled { return .begin(types[line].id) }
        case .text("q"), .escape, .interrupt, .endOfInput: return .leave
        default: break
        }
        return .undecided
    }

    func lines(on surface: Surface, rows: Int) -> [String] {
        let keys = StudyScreen.flow(["arrows move", "enter begins", "q quit"].map { ($0, .dim) }, on: surface)
        let explanation = types.indices.contains(line) ? types[line].explanation.block(width: surface.width) : []
        let foot = [""] + explanation.prefix(3).map { Style.dim($0, on: surface) } + keys
        let room = max(1, rows - foot.count - 2)
        let start = max(0, min(line - room / 2, types.count - room))
        let list = types.indices.dropFirst(start).prefix(room).map { index in
            let type = types[index]
            let mark = index == line ? (surface.unicode ? "▸ " : "> ") : "  "
            let count = Numbers.grouped(type.questions)
            let name = shown(type.title).truncated(
                to: max(1, surface.width - mark.displayWidth - count.displayWidth - 2), ellipsis: surface.ellipsis)
            let gap = String(repeating: " ", count: max(1, surface.width - mark.displayWidth - name.displayWidth - count.displayWidth))
            let style: Style = !type.isEnabled ? .dim : index == line ? .bold : .plain
            return mark + style(name, on: surface) + gap + (type.isEnabled ? Style.colour(.yellow) : .dim)(count, on: surface)
        }
        return [Style.bold("Tests", on: surface), ""] + list + foot
    }
}
