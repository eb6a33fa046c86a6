import CommandLineFrame
import Engram

/// What the commands about decks and cards do.
enum CardActions {
    // MARK: Decks

    static func addDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let colour = call[Parameters.colour].flatMap { Colour(rgb: $0.value) }
        let result = try store.perform(.createDeck(title: try call.value(of: Parameters.title), colour: colour), at: session.moment)
        return try show(deck: result.subject, store, session, said: "made the deck")
    }

    static func listDecks(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let decks = try StoreAccess.open(call, session).decks(at: session.moment)
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.key("decks")
                    JSONForms.array(&writer, decks) { writer, deck in JSONForms.object(&writer) { JSONForms.deck(deck, &$0) } }
                }
            }
        } else if call[DeckCommands.titles] {
            session.out.lines(decks.map { shown($0.title) })
        } else if decks.isEmpty {
            session.remark("There are no decks yet; make one with: engram deck add TITLE")
        } else {
            var table = Table([
                .init("Deck", isFlexible: true), .init("Cards", .right), .init("Learned", .right), .init("Progress"), .init("Due", .right),
            ])
            for deck in decks {
                table.add([
                    Table.Cell(deck.title, style(of: deck)), Table.Cell(Numbers.grouped(deck.cards)),
                    Table.Cell(Numbers.percent(deck.learned, of: deck.cards)),
                    Table.Cell(
                        Bar.text(deck.learned, of: deck.cards, width: 12, unicode: session.surface.unicode, background: true),
                        .colour(.green)),
                    Table.Cell(Numbers.grouped(deck.due), deck.due > 0 ? .colour(.yellow) : .dim),
                ])
            }
            session.out.lines(table.lines(on: session.surface))
        }
        return .right
    }

    static func showDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        if session.isJSON { return try show(deck: id, store, session, said: "") }
        guard let deck = try store.decks(at: session.moment).first(where: { $0.id == id }) else {
            throw StoreError.notFound(.deck, name: "\(id)")
        }
        session.out.line(
            style(of: deck)(shown(deck.title), on: session.surface) + "  " + Style.dim(deck.id.description, on: session.surface))
        session.out.line(Gauges.progress("Learned", learned: deck.learned, of: deck.cards, on: session.surface))
        session.out.line("\(Numbers.count(deck.cards, "card")), \(Numbers.grouped(deck.due)) due")
        session.out.line()
        session.out.lines(BarList.boxes(deck.boxes).lines(on: session.surface))
        session.out.line()
        return list(try store.cards(in: id), session)
    }

    static func renameDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        try store.perform(.renameDeck(id, title: try call.value(of: DeckCommands.newTitle)), at: session.moment)
        return try show(deck: id, store, session, said: "renamed the deck")
    }

    static func recolourDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        let colour = try call.value(of: DeckCommands.newColour).flatMap { Colour(rgb: $0.value) }
        try store.perform(.recolourDeck(id, colour: colour), at: session.moment)
        return try show(deck: id, store, session, said: "recoloured the deck")
    }

    static func deleteDeck(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.deck(named: try call.value(of: Parameters.deck))
        let deck = try store.decks(at: session.moment).first { $0.id == id }
        let result = try store.perform(.deleteDeck(id), at: session.moment)
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.member("event", result.events.first?.description)
                    if let deck { JSONForms.deck(deck, &writer) }
                }
            }
        } else {
            session.out.line(
                "deleted the deck \(shown(deck?.title ?? "")) with \(Numbers.count(deck?.cards ?? 0, "card")); engram undo brings it back")
        }
        return .right
    }

    private static func show(deck id: UniqueID, _ store: StudyStore, _ session: Session, said: String) throws -> ExitCode {
        guard let deck = try store.decks(at: session.moment).first(where: { $0.id == id }) else {
            throw StoreError.notFound(.deck, name: "\(id)")
        }
        if session.isJSON {
            session.print { writer in JSONForms.object(&writer) { JSONForms.deck(deck, &$0) } }
        } else {
            session.out.line(
                "\(said) \(style(of: deck)(shown(deck.title), on: session.surface))  \(Style.dim(deck.id.description, on: session.surface))"
            )
        }
        return .right
    }

    private static func style(of deck: DeckView) -> Style { deck.colour.map { .exact(RGB($0.rgb)) } ?? .bold }

    // MARK: Cards

    static func addCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let deck = try store.deck(named: try call.value(of: Parameters.deck))
        let action = Action.createCard(
            deck: deck, front: try call.value(of: Parameters.front), back: try call.value(of: Parameters.back))
        let result = try store.perform(action, at: session.moment)
        return try tell(result, store, session, said: "made the card")
    }

    static func listCards(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let deck = try call[Parameters.deck.optional].map { try store.deck(named: $0) }
        return list(try store.cards(in: deck), session)
    }

    private static func list(_ cards: [CardView], _ session: Session) -> ExitCode {
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.key("cards")
                    JSONForms.array(&writer, cards) { writer, card in JSONForms.object(&writer) { JSONForms.card(card, &$0) } }
                }
            }
            return .right
        }
        guard !cards.isEmpty else {
            session.remark("There are no cards here.")
            return .right
        }
        var table = Table([
            .init("Card"), .init("Front", isFlexible: true), .init("Back", isFlexible: true), .init("Box", .right), .init("Due"),
        ])
        for card in cards {
            table.add([
                Table.Cell(String(card.id.description.prefix(8)), .dim), Table.Cell((card.isFavourite ? "★ " : "") + card.front),
                Table.Cell(card.back), Table.Cell("\(card.box)"), Table.Cell(card.due.description),
            ])
        }
        session.out.lines(table.lines(on: session.surface))
        return .right
    }

    static func showCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let card = try store.card(try store.card(named: try call.value(of: Parameters.card)))
        if session.isJSON {
            session.print { writer in JSONForms.object(&writer) { JSONForms.card(card, &$0) } }
        } else {
            session.out.lines(describe(card, session))
        }
        return .right
    }

    static func editCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try act(call, session, said: "changed the card") { .editCard($0, front: call[Parameters.front], back: call[Parameters.back]) }
    }

    static func moveCard(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let card = try store.card(named: try call.value(of: Parameters.card))
        let deck = try store.deck(named: try call.value(of: CardCommands.newDeck))
        return try tell(try store.perform(.moveCard(card, deck: deck), at: session.moment), store, session, said: "moved the card")
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
        return try tell(try store.perform(try action(card), at: session.moment), store, session, said: said)
    }

    /// How the subject of an action stands now.
    static func tell(
        _ result: ActionResult, targets: [EventID] = [], _ store: StudyStore, _ session: Session, said: String
    ) throws -> ExitCode {
        let card: CardView?
        do throws(StoreError) { card = try store.card(result.subject) } catch {
            guard case .notFound = error else { throw error }
            card = nil
        }
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    if let card { JSONForms.card(card, &writer) }
                    writer.member("event", result.events.first?.description)
                    if let target = targets.first { writer.member("target", target.description) }
                }
            }
            return .right
        }
        let target = targets.isEmpty ? "" : " \(targets.map(\.description).joined(separator: ", "))"
        session.out.line("\(said)\(target)" + (result.events.first.map { "  " + Style.dim("event \($0)", on: session.surface) } ?? ""))
        if let card { session.out.lines(describe(card, session)) }
        return .right
    }

    static func describe(_ card: CardView, _ session: Session) -> [String] {
        let dim = { (text: String) in Style.dim(text, on: session.surface) }
        var lines = [(card.isFavourite ? "★ " : "") + Style.bold(shown(card.front), on: session.surface)]
        if !card.back.isEmpty { lines.append(shown(card.back)) }
        lines.append(
            dim("box") + " \(card.box)  " + dim("level") + " \(text(card.level))  " + dim("interval") + " "
                + Numbers.count(card.intervalDays, "day") + "  " + dim("due") + " \(card.due)")
        lines.append(
            dim("passed") + " \(card.passed)  " + dim("failed") + " \(card.failed)"
                + (card.lastReviewedAt.map { "  " + dim("last reviewed") + " \($0.iso)" } ?? ""))
        lines.append(
            dim("card \(card.id)") + (card.isLive ? "" : dim(card.createdAt == nil ? ", known from its history alone" : ", deleted")))
        return lines
    }

    /// A level in steps of 0.5, without a needless decimal.
    static func text(_ level: Double) -> String {
        let whole = Int(level)
        return Double(whole) == level ? "\(whole)" : "\(level)"
    }
}
