import CommandLineKit
import Engram

/// The log itself, and what comes into it from elsewhere.
enum LogCommands {
    static let since = Option("since", .integer("N", 0...Int.max), "only events after the one with this sequence")
    static let type = Option("type", .word("TYPE"), "only events of this type, such as card_reviewed", repeats: true)
    static let logFile = Argument(.file("FILE"), "events as NDJSON; - reads standard input")
    static let file = Argument(.file("FILE"), "the file to read")
    static let format = Option(
        "from",
        .choice(
            "FORMAT",
            [
                ("fsrs-csv", ImportFormat.reviewTable, "a review log in CSV, as FSRS tools write it"),
                ("anki", .anki, "an Anki collection or package, of any generation"),
                ("coredata", .coreData, "the Core Data store of a flashcards app"),
                ("list", .list, "a list of cards: comma or tab-separated values, or Anki's text form"),
                ("csv", .list, "the same"), ("tsv", .list, "the same"), ("anki-text", .list, "the same"),
            ]), "the file's format, where its content doesn't tell")
    static let deck = Option(
        "deck", .word("DECK", completion: Parameters.decks), "the deck for cards that have none; for a list, the deck of all its cards")
    static let zone = Option("zone", .zone, "the zone of times that have none (UTC, +02:00 or Europe/Berlin)")
    static let raw = Flag("raw", "take the cells of a list as they are: leave the apostrophe that marks formulas")
    static let eventName = Argument(.word("NAME"), "what the app calls such events")
    static let statement = Argument(.file("FILE"), "what the event states, as JSON; - reads standard input")
    static let subject = Option("subject", .word("ID"), "what the event is about, a card's id for one; something new where it isn't given")
    static let revision = Option("revision", .integer("N", 0...Int.max), "the app's version of what such events state; else 1")
    static let isBinary = Flag("bytes", "FILE is bytes, not JSON")
    static let other = Argument(.file("STORE|FILE"), "another store, or events as NDJSON")

    static var all: [Command] { [log, importFile, merge] }

    private static var log: Command {
        Command(
            "log", "show the events of the log", options: [since.description, type.description],
            examples: [
                .init("engram log --type card_reviewed", "all reviews"),
                .init("engram log --since 1000 --json", "what came after event 1000, one JSON document a line"),
            ], success: "the events were shown, if there are any", subcommands: [exportLog, importLog, append], run: LogActions.log)
    }

    private static var exportLog: Command {
        Command(
            "export", "print the whole log as NDJSON",
            details: [
                "One event a line. 'engram log import' makes the same store from it, digest for digest. Commits that are held aside come last, as bytes."
            ],
            examples: [.init("engram log export > events.ndjson", "keep a copy that any program can read")],
            success: "all events were printed", run: LogActions.exportLog)
    }

    private static var importLog: Command {
        Command(
            "import", "take in events that 'log export' printed",
            details: [
                "Events that are there already are not added again. The lines are read to their end before the store is locked, and a line has at most 16 MiB.",
                "What is held aside or left out is told as by 'engram merge', with the same exit codes.",
            ],
            arguments: [logFile.description],
            examples: [
                .init("engram log import events.ndjson", "take in a file"),
                .init("engram --store old log export | engram --store new log import -", "carry one store into another"),
            ], success: "the store holds all events of the file",
            failure: "a device was left out, since both sides numbered different commits of it alike", run: LogActions.importLog)
    }

    private static var append: Command {
        Command(
            "append", "record an event of an app's own",
            details: [
                "The event is kept, merged, exported and voided like all others, and changes nothing of what is studied; an app's own projections fold it. It states up to 64 KiB, which 'engram erase' can erase with all else that is said of its subject."
            ],
            arguments: [eventName.description, statement.optional.description],
            options: [subject.description, revision.description, isBinary.description],
            examples: [
                .init("engram log append listened talk.json --subject 0192f3a1-7c5e-4d2b-9a01-6f1e2d3c4b5a", "something about a card"),
                .init("echo '{\"minutes\": 12}' | engram log append walked -", "something of its own"),
            ], success: "the event was recorded", run: LogActions.append)
    }

    private static var importFile: Command {
        Command(
            "import", "take in cards and reviews of another program",
            details: [
                "Rows are known by what they say: importing a file again, or a newer copy of it, adds only what is new.",
                "Of a list of cards, the first two columns are front and back, unless a first row names the columns; what further columns hold goes to the back. A front that its deck has already gives its card the back of the row. Cards go to the deck that --deck names, else to the one that the list names in '#deck:' or in a column, else to one that is called like the file.",
            ],
            arguments: [file.description],
            options: [format.description, deck.description, zone.description, raw.description, Parameters.dryRun.description],
            examples: [
                .init("engram import collection.apkg --dry-run", "say what would come in, and what would not"),
                .init("engram import words.csv --deck Spanish", "cards out of a spreadsheet"),
                .init("engram import reviews.csv --deck Spanish --zone Europe/Madrid", "a review log, with the zone of its times"),
            ], success: "the file was taken in; rows that couldn't be used are counted by reason", run: LogActions.importFile)
    }

    private static var merge: Command {
        Command(
            "merge", "take in the events of another device",
            details: [
                "A merge is a union: the same two stores give the same state, whichever takes in the other, and however often.",
                "A commit that doesn't fit what this version knows is held aside, with what follows of its device: kept, passed on, named by 'engram verify', and taken in by a version that can read it.",
                "Where both sides have different commits of one device under the same number, nothing more of that device is taken, all else is, and the exit code is 1. A source that is damaged is wrong input, and changes nothing.",
            ],
            arguments: [other.description],
            examples: [.init("engram merge /media/stick/engram", "take in what the other device recorded")],
            success: "this store holds all events of both",
            failure: "a device was left out, since both sides numbered different commits of it alike", run: LogActions.merge)
    }
}
