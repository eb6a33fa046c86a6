import CommandLineKit
import Engram
import StudyJSON

/// What the commands about cards do.
enum CardActions {
    static func addCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        if call[CardCommands.fromInput] { return try addCardsFromInput(call, session) }
        // Both sides are asked for before the store is opened: what is wrong with a command line is told first.
        let front = try call.value(of: Parameters.front.required)
        let back = try call.value(of: Parameters.back.required)
        let store = try StoreAccess.open(call, session)
        let deck = try store.deck(named: try call.value(of: Parameters.deck))
        let action = Action.createCard(deck: deck, front: front, back: back)
        let result = try store.perform(action, at: session.now())
        return try tell(result, store, session, said: "made the card")
    }

    /// Makes the cards of a list that comes from standard input.
    private static func addCardsFromInput(_ call: Invocation, _ session: Session) throws -> ExitCode {
        guard call[Parameters.front] == nil, call[Parameters.back] == nil else {
            throw CommandFailure(
                .usage, "--stdin and a side of a card don't go together",
                next: "Give --front and --back for one card, or --stdin for a list.")
        }
        let store = try StoreAccess.open(call, session)
        let deck = try store.deck(named: try call.value(of: Parameters.deck))
        let text: [UInt8]
        switch System.readAll(System.standardInput, limit: maximumInputBytes) {
        case .success(let bytes): text = bytes
        case .failure(let fault): throw CommandFailure(.usage, "standard input can't be read: \(fault.words)")
        }
        let report = try store.addCards(fromList: text, named: "standard input", to: deck, at: session.now())
        ImportReportPage(report, name: "standard input", isDryRun: false).tell(session)
        return .success
    }

    /// So much of standard input is read: more than fits in one action.
    private static let maximumInputBytes = 64 << 20

    static func listCards(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let deck = try call[Parameters.deck.optional].map { try store.deck(named: $0) }
        return list(try store.cards(in: deck), session)
    }

    static func list(_ cards: [CardView], _ session: Session) -> ExitCode {
        if session.isJSON {
            session.print(JSONAnswer.cards(cards))
            return .success
        }
        guard !cards.isEmpty else {
            session.remark("There are no cards here.")
            return .success
        }
        var table = Table([
            .init("Card"), .init("Front", isFlexible: true), .init("Back", isFlexible: true), .init("Box", .right), .init("Due"),
        ])
        for card in cards {
            table.add([
                Table.Cell(String(card.id.description.prefix(8)), .dim), Table.Cell((card.isFavourite ? "★ " : "") + card.front),
                Table.Cell(card.back), Table.Cell(text(card.box)), Table.Cell(card.due?.description ?? ""),
            ])
        }
        session.out.lines(table.lines(on: session.surface))
        return .success
    }

    static func showCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let card = try store.card(try store.card(named: try call.value(of: Parameters.card)))
        if session.isJSON {
            session.print(card)
        } else {
            session.out.lines(describe(card, session, showsBack: call[CardCommands.flip] || !session.surface.isTerminal))
        }
        return .success
    }

    static func editCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let front = call[Parameters.front]
        let back = call[Parameters.back]
        guard front != nil || back != nil else {
            throw CommandFailure(.usage, "there is nothing to change", next: "Give --front TEXT, --back TEXT or both.")
        }
        return try act(call, session, said: "changed the card") { .editCard($0, front: front, back: back) }
    }

    static func moveCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let card = try store.card(named: try call.value(of: Parameters.card))
        let deck = try store.deck(named: try call.value(of: CardCommands.newDeck))
        return try tell(try store.perform(.moveCard(card, deck: deck), at: session.now()), store, session, said: "moved the card")
    }

    static func deleteCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try act(call, session, said: "deleted the card") { .deleteCard($0) }
    }

    static func restoreCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try act(call, session, said: "brought back the card") { .restoreCard($0) }
    }

    /// Does an action to the card that the call names, and tells how the card stands.
    static func act(_ call: Invocation, _ session: Session, said: String, _ action: (UniqueID) throws -> Action) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let card = try store.card(named: try call.value(of: Parameters.card))
        return try tell(try store.perform(try action(card), at: session.now()), store, session, said: said)
    }

    /// How the subject of an action stands now: a card, a deck, or the settings.
    static func tell(
        _ result: ActionResult, targets: [EventID] = [], _ store: StudyStore, _ session: Session, said: String
    ) throws -> ExitCode {
        let card = try found { () throws(StoreError) in try store.card(result.subject) }
        let deck = card == nil ? try store.decks(at: session.now()).first { $0.id == result.subject } : nil
        let word = card == nil && deck == nil ? try store.word(result.subject) : nil
        let unknown = card == nil ? [] : try store.unknownSchedulers()
        if session.isJSON {
            session.print(
                JSONAnswer.outcome(of: result, target: targets.first, card: card, deck: deck, word: word, unknownSchedulers: unknown))
            return .success
        }
        let lines = card == nil ? [] : try found { () throws(StoreError) in try store.timeline(of: result.subject) } ?? []
        let named = targets.map { target in
            lines.first { $0.event == target }.map { "\(TimelinePage.words(for: $0)) (\(target))" } ?? target.description
        }
        let event = result.events.first.map { "  " + Style.dim("event \($0)", on: session.surface) } ?? ""
        session.out.line(([said] + named).joined(separator: " ") + event)
        if let card { session.out.lines(describe(card, session)) }
        StudyActions.remark(unknown, session)
        if let deck { session.out.line(DeckActions.style(of: deck)(shown(deck.title), on: session.surface)) }
        if let word { session.out.line(shown(word.word)) }
        if result.subject == .none, !targets.isEmpty {
            let settings = try store.settings()
            session.out.line("scheduler \(settings.scheduler.spec), day begins at \(settings.rolloverHour):00")
        }
        return .success
    }

    /// What `find` gives; nil where there is nothing of that name.
    private static func found<Value>(_ find: () throws(StoreError) -> Value) throws -> Value? {
        do throws(StoreError) { return try find() } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
    }

    static func describe(_ card: CardView, _ session: Session, showsBack: Bool = true) -> [String] {
        let dim = { (text: String) in Style.dim(text, on: session.surface) }
        var lines = [(card.isFavourite ? "★ " : "") + Style.bold(shown(card.front), on: session.surface)]
        if !showsBack {
            lines.append(dim("--flip shows the back"))
        } else if !card.back.isEmpty {
            lines.append(shown(card.back))
        }
        var standing = [("interval", Numbers.count(card.intervalDays, "day")), ("due", card.due?.description ?? "nobody knows")]
        if let box = card.box, let level = card.level {
            standing = [("box", "\(box)"), ("level", text(level))] + standing
        } else {
            standing = card.memory.figures.map { ($0.name.replacing("_", with: " "), text($0.value)) } + standing
        }
        lines.append(standing.map { dim($0.0) + " " + $0.1 }.joined(separator: "  "))
        lines.append(
            dim("passed") + " \(card.passed)  " + dim("failed") + " \(card.failed)"
                + (card.lastReviewedAt.map { "  " + dim("last reviewed") + " \($0.iso)" } ?? ""))
        lines.append(
            dim("card \(card.id)") + (card.isLive ? "" : dim(card.createdAt == nil ? ", known from its history alone" : ", deleted")))
        return lines
    }

    /// A level in steps of 0.5, without a needless decimal.
    static func text(_ level: Double?) -> String {
        guard let level else { return "" }
        return Int(exactly: level).map { "\($0)" } ?? "\(level)"
    }

    /// A box; nothing where there are none.
    static func text(_ box: Int?) -> String { box.map { "\($0)" } ?? "" }
}
