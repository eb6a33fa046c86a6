import CommandLineKit

/// `card`: what is learned.
enum CardCommands {
    static let fromInput = Flag("stdin", "make the cards of a list that comes from standard input, in one action")
    static let newDeck = Argument(.word("DECK", completion: Parameters.decks), "the deck that it goes to")

    static let flip = Flag("flip", "show the back too, as turning the card does")

    static var group: Command {
        Command(
            group: "card", "make cards and look after them",
            examples: [
                .init("engram card add Spanish --front \"la casa\" --back \"the house\"", "make a card"),
                .init("engram card list Spanish", "show the cards of a deck"),
            ], [add, list, show, edit, move, delete, restore])
    }

    private static var add: Command {
        Command(
            "add", "make a card, or several at once",
            details: [
                "Say --front and --back for one card. With --stdin, cards are read as 'engram import' reads a list: a line each, front and back with a tab, comma or semicolon between them."
            ], arguments: [Parameters.deck.description],
            options: [Parameters.front.description, Parameters.back.description, fromInput.description],
            examples: [
                .init("engram card add Spanish --front \"la casa\" --back \"the house\"", "make a card; it is due at once"),
                .init("cat words.tsv | engram card add Spanish --stdin", "make all cards of a list; 'engram undo' takes all of them back"),
                .init("engram card add Signs --front=--help --back \"asks for help\"", "text that looks like an option goes behind ="),
            ], success: "the card was made, or all of them", failure: Parameters.noSuchDeck, run: CardActions.addCard)
    }

    private static var list: Command {
        Command(
            "list", "show the cards of a deck, or all of them", arguments: [Parameters.deck.optional.description],
            examples: [
                .init("engram card list Spanish", "show the cards of one deck"),
                .init("engram card list --json", "all cards for a script"),
            ], success: "the cards were listed, if there are any", failure: Parameters.noSuchDeck, run: CardActions.listCards)
    }

    private static var show: Command {
        Command(
            "show", "show one card",
            details: ["Looking a card up changes nothing. A terminal sees the front, and with --flip the back; a pipe and JSON get both."],
            arguments: [Parameters.card.description], options: [flip.description],
            examples: [
                .init("engram card show 0192f3a1", "show its front, its box and when it is due"),
                .init("engram card show 0192f3a1 --flip", "and the back"),
            ],
            success: "the card was shown", failure: Parameters.noSuchCard, run: CardActions.showCard)
    }

    private static var edit: Command {
        Command(
            "edit", "change the front or the back of a card, or both", arguments: [Parameters.card.description],
            options: [Parameters.front.description, Parameters.back.description],
            examples: [.init("engram card edit 0192f3a1 --back \"the house, the home\"", "change one side; what was learned stays")],
            success: "the card has the text", failure: Parameters.noSuchCard, run: CardActions.editCard)
    }

    private static var move: Command {
        Command(
            "move", "put a card into another deck", arguments: [Parameters.card.description, newDeck.description],
            examples: [.init("engram card move 0192f3a1 \"Spanish, first year\"", "move it; what was learned stays")],
            success: "the card is in the deck", failure: "there is no such card or deck",
            run: CardActions.moveCard)
    }

    private static var delete: Command {
        Command(
            "delete", "delete a card", details: ["Nothing is lost: its reviews stay in the log and in the statistics."],
            arguments: [Parameters.card.description],
            examples: [.init("engram card delete 0192f3a1", "delete it; 'engram card restore' brings it back")],
            success: "the card is deleted", failure: Parameters.noSuchCard, run: CardActions.deleteCard)
    }

    private static var restore: Command {
        Command(
            "restore", "bring a deleted card back", arguments: [Parameters.card.description],
            examples: [.init("engram card restore 0192f3a1", "the card is there again, with all that was learned")],
            success: "the card is there again", failure: Parameters.noSuchCard, run: CardActions.restoreCard)
    }
}
