import CommandLineKit
import Engram

/// A study session on a terminal, from the first key to the last.
struct StudyLoop {
    private let console: Console
    private let session: Session
    private let title: String
    private var study: StudySession
    private var side = StudyScreen.Side.front
    private var note = ""
    private var scrolled = 0
    private var shownAt = System.steadyNanoseconds()
    private var turnedAt = System.steadyNanoseconds()
    private var done: Int

    /// How a session on the terminal ended.
    enum Ending {
        /// Nothing was left, or the person quit: the session has ended.
        case ended(SessionSummary)
        /// The input broke off: the session can be gone on with.
        case interrupted
    }

    init(_ study: StudySession, title: String, note: String, on console: Console, _ session: Session) {
        self.study = study
        self.title = title
        self.note = note
        self.console = console
        self.session = session
        done = study.answerCount
    }

    mutating func run() throws -> Ending {
        var shown = try study.next(at: session.now())
        while let card = shown {
            let surface = console.surface(session)
            let screen = StudyScreen(
                title: title, done: done, card: card, side: side, note: note, scrolled: scrolled, surface: surface, rows: console.rows)
            scrolled = min(scrolled, screen.furthestScroll)
            console.draw(screen.lines)
            guard let key = console.key() else { continue }
            switch key {
            case .interrupt, .endOfInput: return .interrupted
            case .resized: continue
            case .down: scrolled += 1
            case .up: scrolled = max(0, scrolled - 1)
            case .pageDown: scrolled += console.rows / 2
            case .pageUp: scrolled = max(0, scrolled - console.rows / 2)
            case .text("q"), .text("Q"): return .ended(try study.end(at: session.now()))
            default: shown = try take(key, card)
            }
        }
        return .ended(try study.end(at: session.now()))
    }

    /// What a key does to the card that is shown; the card to show then.
    private mutating func take(_ key: Key, _ card: SessionCard) throws -> SessionCard? {
        note = ""
        switch key {
        case .text("u"), .text("U"): return try undo()
        case .text("e"), .text("E"): return try edit(card)
        case .text("f"), .text("F"):
            note = try study.toggleFavourite(at: session.now()) ? "a favourite now" : "no favourite any more"
            return study.current
        default: break
        }
        if side == .front {
            side = .back
            scrolled = 0
            turnedAt = System.steadyNanoseconds()
            return card
        }
        guard case .text(let scalar) = key, let digit = UInt8(String(scalar)), let grade = Grade(rawValue: digit) else { return card }
        return try answer(grade)
    }

    private mutating func answer(_ grade: Grade) throws -> SessionCard? {
        let took = milliseconds(since: shownAt, until: System.steadyNanoseconds())
        let turned = milliseconds(since: shownAt, until: turnedAt)
        switch try study.answer(grade, took: took, turned: min(turned, took), at: session.now()) {
        case .recorded: done += 1
        case .changedMeanwhile: note = "The last card was changed or answered elsewhere meanwhile: that answer was not recorded."
        case .deletedMeanwhile: note = "The last card was deleted elsewhere meanwhile."
        }
        return try turn()
    }

    /// At most a day, which is as long as an answer may take.
    private func milliseconds(since start: UInt64, until end: UInt64) -> Int64 {
        end < start ? 0 : Int64(min((end - start) / 1_000_000, 86_400_000))
    }

    /// The next card, its front up.
    private mutating func turn() throws -> SessionCard? {
        side = .front
        scrolled = 0
        shownAt = System.steadyNanoseconds()
        return try study.next(at: session.now())
    }

    private mutating func undo() throws -> SessionCard? {
        do {
            let card = try study.undo(at: session.now())
            done = study.answerCount
            note = "took back the last answer"
            side = .front
            scrolled = 0
            shownAt = System.steadyNanoseconds()
            return card
        } catch StoreError.nothingToUndo {
            note = "There is no answer of this session to take back."
            return study.current
        }
    }

    private mutating func edit(_ card: SessionCard) throws -> SessionCard? {
        guard let front = try ask("Front", card.card.front), let back = try ask("Back", card.card.back) else {
            note = "left as it was"
            return card
        }
        guard front != card.card.front || back != card.card.back else { return card }
        do {
            try study.edit(
                front: front == card.card.front ? nil : front, back: back == card.card.back ? nil : back, at: session.now())
            note = "changed the card"
        } catch {
            note = StoreFailure.message(error)
        }
        return study.current ?? card
    }

    /// Lets the person change a text; `nil` where they gave up.
    private func ask(_ name: String, _ text: String) throws -> String? {
        var editor = LineEditor(text)
        while true {
            let surface = console.surface(session)
            let window = editor.window(width: surface.width, unicode: surface.unicode)
            let keys = StudyScreen.flow(
                ["enter accepts", "escape leaves it", "ctrl-j new line"].map { ($0, .dim) }, on: surface)
            console.draw([Style.bold(name, on: surface), window.line, ""] + keys, cursor: (1, window.column))
            switch console.key() {
            case .enter?: return editor.text
            case .escape?, .interrupt?, .endOfInput?: return nil
            case let key?: _ = editor.take(key)
            case nil: continue
            }
        }
    }
}
