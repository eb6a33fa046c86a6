import CommandLineKit
import Engram
import StudyJSON

/// What the commands about decks do.
enum DeckActions {
    static func addDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let colour = call[Parameters.colour].flatMap { Colour(rgb: $0.value) }
        let result = try store.perform(.createDeck(title: try call.value(of: Parameters.title), colour: colour), at: session.now())
        return try show(deck: result.subject, store, session, said: "made the deck")
    }

    static func listDecks(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let decks = try StoreAccess.ask(call, session).decks(at: session.now())
        if session.isJSON {
            session.print(JSONAnswer.decks(decks))
        } else if call[DeckCommands.titles] {
            session.out.lines(decks.map { shown($0.title) })
        } else if decks.isEmpty {
            session.remark("There are no decks yet; make one with: engram deck add TITLE")
        } else {
            session.out.lines(table(of: decks, session))
        }
        return .success
    }

    /// The decks as a screen shows them: title, cards, how they lie in the boxes, how much is learned, what is due.
    private static func table(of decks: [DeckView], _ session: Session) -> [String] {
        let surface = session.surface
        var columns = [Table.Column("Deck", isFlexible: true), .init("Cards", .right), .init("Learned", .right), .init("Due", .right)]
        // Pictures are for eyes: a pipe gets the figures alone.
        if surface.isTerminal { columns.insert(contentsOf: [.init("Boxes"), .init("Progress")], at: 2) }
        var table = Table(columns)
        for deck in decks {
            let style = style(of: deck)
            var cells = [
                Table.Cell(deck.title, style), Table.Cell(Numbers.grouped(deck.cards)),
                Table.Cell(Numbers.percent(deck.learned, of: deck.cards)),
                Table.Cell(Numbers.grouped(deck.due), deck.due > 0 ? .colour(.yellow) : .dim),
            ]
            if surface.isTerminal {
                let bar = Bar.text(deck.learned, of: deck.cards, width: 12, unicode: surface.unicode, background: true)
                cells.insert(
                    contentsOf: [
                        Table.Cell(Sparkline.text(deck.boxes, on: surface), .colour(.cyan)), Table.Cell(bar, .colour(.green)),
                    ], at: 2)
            }
            table.add(cells)
        }
        return table.lines(on: surface)
    }

    static func showDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        if session.isJSON { return try show(deck: id, store, session, said: "") }
        guard let deck = try store.decks(at: session.now()).first(where: { $0.id == id }) else {
            throw StoreError.notFound(.deck, name: "\(id)")
        }
        guard session.surface.isTerminal else {
            session.out.lines(StatisticsPage.fields(plainFields(of: deck)))
            return .success
        }
        session.out.line(
            style(of: deck)(shown(deck.title), on: session.surface) + "  " + Style.dim(deck.id.description, on: session.surface))
        session.out.line(Gauges.progress("Learned", learned: deck.learned, of: deck.cards, on: session.surface))
        session.out.line("\(Numbers.count(deck.cards, "card")), \(Numbers.grouped(deck.due)) due")
        session.out.line()
        session.out.lines(BarList.boxes(deck.boxes).lines(on: session.surface))
        session.out.line()
        return CardActions.list(try store.cards(in: id), session)
    }

    private static func plainFields(of deck: DeckView) -> [(String, String)] {
        [
            ("deck", deck.id.description), ("title", shown(deck.title)), ("colour", deck.colour?.description ?? ""),
            ("cards", "\(deck.cards)"), ("learned", "\(deck.learned)"), ("due", "\(deck.due)"),
        ] + deck.boxes.enumerated().map { ("box \($0)", "\($1)") }
    }

    static func renameDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        try store.perform(.renameDeck(id, title: try call.value(of: DeckCommands.newTitle)), at: session.now())
        return try show(deck: id, store, session, said: "renamed the deck")
    }

    static func recolourDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        let colour = try call.value(of: DeckCommands.newColour).flatMap { Colour(rgb: $0.value) }
        try store.perform(.recolourDeck(id, colour: colour), at: session.now())
        return try show(deck: id, store, session, said: "recoloured the deck")
    }

    static func deleteDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        let deck = try store.decks(at: session.now()).first { $0.id == id }
        let result = try store.perform(.deleteDeck(id), at: session.now())
        if session.isJSON {
            session.print(JSONAnswer.deletion(of: deck, result))
        } else {
            session.out.line(
                "deleted the deck \(shown(deck?.title ?? "")) with \(Numbers.count(deck?.cards ?? 0, "card"))")
            session.remark("Next: engram undo brings it back.")
        }
        return .success
    }

    private static func show(deck id: UniqueID, _ store: StudyStore, _ session: Session, said: String) throws -> ExitCode {
        guard let deck = try store.decks(at: session.now()).first(where: { $0.id == id }) else {
            throw StoreError.notFound(.deck, name: "\(id)")
        }
        if session.isJSON {
            session.print(deck)
        } else {
            session.out.line(
                "\(said) \(style(of: deck)(shown(deck.title), on: session.surface))  \(Style.dim(deck.id.description, on: session.surface))"
            )
        }
        return .success
    }

    static func style(of deck: DeckView) -> Style { deck.colour.map { .exact(RGB($0.rgb)) } ?? .bold }
}
