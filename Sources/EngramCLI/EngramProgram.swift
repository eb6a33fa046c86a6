import CommandLineKit

/// The program as its users see it: every command, from which come parsing, help, completion and the manual.
let engramProgram = Program(
    name: "engram", version: "0.1.0", summary: "event-sourced study: cards, boxes and the log behind them",
    details: [
        "Every action is an event in a log on this machine; decks, boxes, due days and statistics are computed from it. Nothing is ever sent anywhere.",
        "Results go to standard output, remarks and progress to standard error. A card or deck is named by its id, by the start of it (4 characters or more), or a deck by its exact title.",
    ],
    examples: [
        .init("engram init", "make a store"),
        .init("engram deck add Spanish", "make a deck"),
        .init("engram card add Spanish --front \"la casa\" --back \"the house\"", "make a card"),
        .init("engram due", "see what there is to learn today"),
    ],
    options: [Parameters.store.description],
    groups: [
        ("Decks and cards", [DeckCommands.group, CardCommands.group]),
        ("Learning", StudyCommands.all),
        ("Quiz and dictionary", [PackCommands.group, QuizCommands.group] + WordCommands.all),
        ("What the log tells", InsightCommands.all),
        ("Log, import, export and merge", LogCommands.all + ExportCommands.all),
        ("Store and settings", StoreCommands.all),
        ("Safety", RescueCommands.all),
        ("About the program", BuiltInCommands.all("engram")),
    ],
    environment: [
        ("ENGRAM_STORE", "the store, where --store isn't given"),
        ("XDG_DATA_HOME", "where the user's store is kept: in its folder engram (~/.local/share/engram if it is no absolute path)"),
        ("~/Library/Application Support/engram", "the user's store on macOS"),
        ("NO_COLOR", "if set and not empty, no colour is used"),
        ("TERM, COLORTERM, COLUMNS", "what the terminal can show, and how wide it is"),
        ("LC_ALL, LC_CTYPE, LANG", "if they name UTF-8, graphics use more than ASCII"),
    ],
    explain: { error in StoreFailure.failure(error) }
)
