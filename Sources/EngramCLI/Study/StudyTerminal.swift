import CommandLineKit
import Engram

/// `engram study`: picks decks, goes on with a session or begins one, and tells at the end what was done.
enum StudyTerminal {
    static let free = Flag("free", "free learn: all cards of the decks; it changes no level, no due day and no figure of learning")
    static let new = Flag("new", "begin a new session even where one was interrupted")
    static let seed = Option("seed", .integer("N", 0...Int(StudyStore.largestSessionSeed)), "draw the order of cards from this number")

    static var command: Command {
        Command(
            "study", "learn what is due, card by card",
            details: [
                "Shows the front of a card, any key turns it, 1 to 4 answer Again, Hard, Good or Easy; each shows the interval that it gives. "
                    + "u takes the last answer back, e edits the card, f makes it a favourite, q ends the session. Every answer is on the "
                    + "disk before the next card is shown.",
                "Failed cards and those in box 0 come back after the others. A session that broke off goes on where it was.",
            ],
            arguments: [StudyCommands.decks.description], options: [free.description, new.description, seed.description],
            examples: [
                .init("engram study", "pick among the decks that have due cards"),
                .init("engram study Spanish", "learn what is due in one deck"),
                .init("engram study Spanish --free", "go through all of its cards, without consequences"),
            ], success: "the session ended, or nothing was due", failure: Parameters.noSuchDeck, printsData: false, run: run)
    }

    private static func run(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = Console.isPossible(session) ? try StoreAccess.open(call, session) : try StoreAccess.ask(call, session)
        let mode: SessionMode = call[free] ? .free : .spaced
        let named = try call.all(StudyCommands.decks).map { try store.deck(named: $0) }
        let entries = try candidates(store, mode, session).filter { named.isEmpty || named.contains($0.id) }
        let open = call[new] ? nil : try store.openSession().flatMap { isMeant($0, mode, named) ? $0 : nil }
        if open == nil, entries.isEmpty {
            try tellNothingDue(store, mode, named, session)
            return .success
        }
        guard let console = Console(session) else {
            throw CommandFailure(
                .usage, "studying needs a terminal", next: "In scripts, 'engram due --json' lists what is due and 'engram review' answers.")
        }
        defer { console.close() }
        var study: StudySession
        var note = ""
        if let open {
            study = open
            note = "going on with the session of \(open.startedAt.iso)"
        } else {
            // Where there is nothing to pick from, nobody is asked.
            let only = named.isEmpty && entries.count == 1 ? entries.map(\.id) : named
            guard let decks = only.isEmpty ? pick(entries, mode, console, session) : only else { return .success }
            study = try store.startSession(mode, decks: decks, seed: call[seed].map { UInt64($0) }, at: session.now())
        }
        let title = try self.title(study, store, session)
        var loop = StudyLoop(study, title: title, note: note, on: console, session)
        let ending = try loop.run()
        console.close()
        switch ending {
        case .ended(let summary): session.out.lines(try summaryLines(summary, store, session))
        case .interrupted: session.remark("The session was interrupted; nothing is lost. Go on with: engram study")
        }
        return .success
    }

    /// Whether an interrupted session is what the person asks for.
    private static func isMeant(_ open: StudySession, _ mode: SessionMode, _ decks: [UniqueID]) -> Bool {
        open.mode == mode && (decks.isEmpty || Set(decks) == Set(open.decks))
    }

    private static func candidates(_ store: StudyStore, _ mode: SessionMode, _ session: Session) throws -> [DeckPicker.Entry] {
        try store.decks(at: session.now()).compactMap { deck in
            let count = mode == .spaced ? deck.due : deck.cards
            return count == 0 ? nil : DeckPicker.Entry(id: deck.id, title: deck.title, count: count, colour: deck.colour)
        }
    }

    /// Lets the person pick; `nil` where they left.
    private static func pick(_ entries: [DeckPicker.Entry], _ mode: SessionMode, _ console: Console, _ session: Session) -> [UniqueID]? {
        var picker = DeckPicker(entries, heading: mode == .spaced ? "What is due" : "Free learn")
        while true {
            console.draw(picker.lines(on: console.surface(session), rows: console.rows))
            guard let key = console.key() else { continue }
            switch picker.take(key) {
            case .undecided: continue
            case .begin(let decks): return decks
            case .leave: return nil
            }
        }
    }

    private static func title(_ study: StudySession, _ store: StudyStore, _ session: Session) throws -> String {
        let titles = try store.decks(at: session.now()).filter { study.decks.contains($0.id) }.map(\.title)
        let name = study.decks.isEmpty ? "All decks" : titles.joined(separator: ", ")
        return study.mode == .free ? "\(name) (free learn)" : name
    }

    private static func tellNothingDue(_ store: StudyStore, _ mode: SessionMode, _ decks: [UniqueID], _ session: Session) throws {
        guard mode == .spaced else {
            session.out.line("There are no cards to learn.")
            return
        }
        session.out.line("Nothing is due.")
        let next = try store.statistics(at: session.now(), deck: decks.count == 1 ? decks.first : nil).due.forecast
            .first { $0.cards > 0 }
        if let next { session.out.line("Next: \(Numbers.count(next.cards, "card")) on \(next.day)") }
    }

    static func summaryLines(_ summary: SessionSummary, _ store: StudyStore, _ session: Session) throws -> [String] {
        let surface = session.surface
        guard summary.answers > 0 else { return ["Nothing was answered."] }
        let names = ["again", "hard", "good", "easy"]
        let colours: [Style.Colour] = [.red, .yellow, .green, .cyan]
        let grades = zip(names, zip(summary.grades, colours)).map { name, grade in
            (text: "\(Numbers.grouped(grade.0)) \(name)", style: Style.colour(grade.1))
        }
        var lines = [Style.bold("\(Numbers.count(summary.answers, "answer")) to \(Numbers.count(summary.cards, "card"))", on: surface)]
        lines += StudyScreen.flow(grades, on: surface)
        lines += [
            "pass rate \(Numbers.percent(summary.passed, of: summary.answers)), "
                + "time \(Numbers.duration(seconds: Int(summary.milliseconds / 1000)))"
        ]
        if summary.mode == .spaced {
            let left = try store.due(at: session.now()).cards.count
            lines.append(left == 0 ? "Nothing is due any more." : "\(Numbers.count(left, "card")) still due.")
        }
        return lines
    }
}
