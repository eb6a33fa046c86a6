import CommandLineKit

/// `deck`: the boxes' outer shelf.
enum DeckCommands {
    static let newTitle = Argument(.text("TITLE"), "its new title")
    static let newColour = Argument(
        ValueKind<RGB?>.colourOrNone, "its new colour, as #1e88e5 or by name")
    static let titles = Flag("titles", "print titles alone, one a line")

    static var group: Command {
        Command(
            group: "deck", "make decks and look after them",
            examples: [
                .init("engram deck add Spanish --colour blue", "make a deck"),
                .init("engram deck list", "show all decks with their boxes and what is due"),
            ], [add, list, show, rename, recolour, delete])
    }

    private static var add: Command {
        Command(
            "add", "make a deck", arguments: [Parameters.title.description], options: [Parameters.colour.description],
            examples: [
                .init("engram deck add Spanish", "make a deck"),
                .init("engram deck add \"Irregular verbs\" --colour \"#1e88e5\"", "make one with a title of two words and a colour"),
            ], success: "the deck was made", run: DeckActions.addDeck)
    }

    private static var list: Command {
        Command(
            "list", "show all decks with their boxes and what is due", options: [titles.description],
            examples: [
                .init("engram deck list", "show the decks"),
                .init("engram deck list --json", "the same for a script"),
            ], success: "the decks were listed, if there are any", run: DeckActions.listDecks)
    }

    private static var show: Command {
        Command(
            "show", "show one deck", arguments: [Parameters.deck.description],
            examples: [.init("engram deck show Spanish", "show its progress, its boxes and what is due")],
            success: "the deck was shown", failure: Parameters.noSuchDeck, run: DeckActions.showDeck)
    }

    private static var rename: Command {
        Command(
            "rename", "give a deck another title", arguments: [Parameters.deck.description, newTitle.description],
            examples: [.init("engram deck rename Spanish \"Spanish, first year\"", "change the title")],
            success: "the deck has the title", failure: Parameters.noSuchDeck, run: DeckActions.renameDeck)
    }

    private static var recolour: Command {
        Command(
            "recolour", "give a deck another colour", arguments: [Parameters.deck.description, newColour.description],
            examples: [
                .init("engram deck recolour Spanish orange", "change the colour"),
                .init("engram deck recolour Spanish none", "take the colour away"),
            ], success: "the deck has the colour", failure: Parameters.noSuchDeck, run: DeckActions.recolourDeck)
    }

    private static var delete: Command {
        Command(
            "delete", "delete a deck and its cards",
            details: ["Nothing is lost: the reviews stay in the log and in the statistics, and 'engram undo' brings the deck back."],
            arguments: [Parameters.deck.description],
            examples: [.init("engram deck delete Spanish", "delete the deck")],
            success: "the deck is deleted", failure: Parameters.noSuchDeck, run: DeckActions.deleteDeck)
    }
}

extension ValueKind where Value == RGB? {
    /// A colour, or `none` for no colour of its own.
    static var colourOrNone: ValueKind {
        let colour = ValueKind<RGB>.colour
        var words = [Completion.Word("none", "no colour")]
        if case .words(let own) = colour.completion { words += own }
        return ValueKind(colour.name, completion: .words(words)) { text throws(ValueError) in text == "none" ? nil : try colour.read(text) }
    }
}
