import CommandLineKit
import Engram

/// `export`: cards for other programs.
enum ExportCommands {
    static let format = Argument(
        .choice(
            "FORMAT",
            [
                ("csv", ExportFormat.csv, "a table of all cards, comma-separated"), ("tsv", .tsv, "the same with tabs"),
                ("apkg", .apkg, "an Anki package: decks, cards and their review log"),
            ]), "the format to write")
    static let target = Argument(.file("TO"), "the file to write; - writes a table to standard output")
    static let force = Flag("force", short: "f", "overwrite the file if it is there; a regular file, never what a link leads to")

    static let raw = Flag("raw", "write cells as they are, without marking formulas")

    static var all: [Command] { [export] }

    private static var export: Command {
        Command(
            "export", "write the cards in a format of other programs",
            details: [
                "A table has a line a card and a first line that names the columns; 'engram import' reads it again and knows every card by its id.",
                "A deck or text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a line's end) gets an apostrophe before it, which 'engram import' takes off again; other programs see it. --raw leaves it out: then import with --raw, too.",
                "An Anki package holds each card with its interval and due day, and all its reviews as they count: without those taken back, with corrected grades. Reviews of deleted cards are left out, since Anki drops them; 'engram log export' has everything.",
            ], arguments: [format.description, target.description], options: [force.description, raw.description],
            examples: [
                .init("engram export csv cards.csv", "a table for a spreadsheet"),
                .init("engram export tsv - | cut -f 2,3", "fronts and backs for another program"),
                .init("engram export apkg cards.apkg", "a package that Anki imports"),
            ], success: "the file holds all cards", run: ExportActions.export)
    }
}
