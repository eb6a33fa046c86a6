import CommandLineKit
import Engram

/// The arguments and options that several commands share: declared once, they mean the same everywhere.
enum Parameters {
    static let store = Option("store", .directory(), "the store; else $ENGRAM_STORE, else the user's data folder")

    static let decks = Completion.output(of: "deck list --titles")

    static let deck = Argument(.word("DECK", completion: decks), "a deck: its id, the start of it, or its exact title")
    static let card = Argument(.word("CARD"), "a card: its id, or the start of it (4 characters or more)")
    static let item = Argument(.word("ITEM"), "a card, word or question: its id, the start of it, or a word's text")
    static let event = Argument(.word("EVENT"), "an event as ORIGIN/NUMBER, as log and timeline print it")

    static let grade = Argument(
        .choice(
            "GRADE",
            [
                ("again", Grade.again, "forgotten: back to box 0"), ("hard", .hard, "one level down"), ("good", .good, "one level up"),
                ("easy", .easy, "one and a half levels up"),
            ]), "how well the answer was known")
    static let took = Option(
        "took", .integer("MS", 0...Int(StudyStore.longestAnswerMilliseconds)), "how long the answer took, in milliseconds")

    static let title = Argument(.text("TITLE"), "what the deck is called")
    static let colour = Option("colour", .colour, "the deck's colour, as #1e88e5 or by name")
    static let front = Option("front", .text("TEXT"), "the question side")
    static let back = Option("back", .text("TEXT"), "the answer side")

    static let schedulerWords = Completion.words([
        .init("boxes", "boxes with growing intervals, the default"),
        .init("boxes:count=8,first=3,multiplier=41/20", "the default, spelt out"),
        .init("fixed:days=1/3/7", "a list of intervals in days"),
    ])
    static let scheduler = Argument(
        .word("SPEC", completion: schedulerWords), "a scheduler, perhaps with parameters (boxes:count=8,first=3)")

    static let dryRun = Flag("dry-run", short: "n", "say what would happen, and change nothing")

    static let noSuchCard = "there is no such card"
    static let noSuchDeck = "there is no such deck"
}
