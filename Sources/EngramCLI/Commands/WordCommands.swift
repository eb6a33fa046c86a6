import CommandLineKit
import Engram

/// The dictionary.
enum WordCommands {
    static let prefix = Argument(.word("PREFIX"), "what the word begins with")
    static let limit = Option("limit", .integer("N", 1...1000), "show at most so many words (20, if not given)")
    static let file = Argument(.file(), "the dictionary's file")
    static let name = Option("name", .word("NAME"), "what to call the dictionary, where its own name won't do")
    static let format = Option(
        "from",
        .choice(
            "FORMAT",
            [
                ("dictd", DictionaryFormat.dictd, "an .index and its .dict or .dict.dz, as FreeDict has them"),
                ("ding", .ding, "lines of 'word :: word', as the program Ding has them"),
            ]), "the file's format, where its name and content don't tell")

    static var all: [Command] { [words] }

    private static var words: Command {
        Command(
            "words", "find words by what they begin with",
            details: [
                "Case, accents, stress marks and points count for nothing, in any script: 'uber' finds the word with an umlaut, 'ss' the sharp s. Words that equal PREFIX come first. A space at its end ends the word: 'auf ' finds auf and auf Reisen, and not Aufgabe."
            ],
            arguments: [prefix.description], options: [limit.description],
            examples: [
                .init("engram words uber", "the first words that begin so, with and without an umlaut"),
                .init("engram words \"auf g\" --limit 5 --json", "for a script"),
            ], success: "words were found", failure: "no word begins so", subcommands: [importWords], run: WordActions.words)
    }

    private static var importWords: Command {
        Command(
            "import", "take in a dictionary",
            details: [
                "A newer edition of a dictionary, by its name, takes the place of the older one; words keep their ids. A line that can't be read is passed over and named.",
                "Of a dictd dictionary, name either file; the other lies beside it.",
            ],
            arguments: [file.description], options: [name.description, format.description, Parameters.dryRun.description],
            examples: [
                .init("engram words import freedict-deu-rus.index", "a dictionary of FreeDict"),
                .init("engram words import de-en.txt --name German --dry-run", "say what would come in"),
            ], success: "the words of the dictionary are here", run: WordActions.importWords)
    }
}
