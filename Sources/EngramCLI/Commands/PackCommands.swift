import CommandLineKit

/// `pack`: the content that quizzes and the dictionary draw from.
enum PackCommands {
    static let file = Argument(.file("FILE"), "a SQLite database, or a list of questions in JSON")
    static let map = Option("map", .file("MAPFILE"), "a file that says where in the database questions and words lie")
    static let name = Option("name", .word("NAME"), "what the pack is called, where its file doesn't say")
    static let pack = Argument(
        .word("PACK", completion: .output(of: "pack list --names")), "a pack: its id, the start of it, or its exact name")
    static let names = Flag("names", "print names alone, one a line")

    static var group: Command {
        Command(
            group: "pack", "install words and questions",
            examples: [
                .init("engram pack install trivia.db", "install a pack"),
                .init("engram pack list", "show the packs"),
            ], [install, list, remove])
    }

    private static var install: Command {
        Command(
            "install", "install a pack of words and questions",
            details: [
                "The file is read once and never written to. The common shapes of tables are found by themselves; for others, --map says where things lie, as docs/packs.md describes.",
                "The same file again changes nothing; a newer version of a pack replaces it, and favourites and mistakes stay. Rows and test types that can't be used are left out, and told of.",
            ],
            arguments: [file.description], options: [map.description, name.description],
            examples: [
                .init("engram pack install trivia.db", "install it under the file's name, or its own"),
                .init("engram pack install words.sqlite --map words.json --name Spanish", "one whose tables have other names"),
            ], success: "the pack is installed, perhaps without some rows or test types", run: PackActions.install)
    }

    private static var list: Command {
        Command(
            "list", "show the packs", options: [names.description],
            examples: [.init("engram pack list", "each with its words, questions and test types")],
            success: "the packs were listed, if there are any", run: PackActions.list)
    }

    private static var remove: Command {
        Command(
            "remove", "remove a pack",
            details: ["Favourites and mistakes stay on their lists, and 'engram undo' brings the pack back."],
            arguments: [pack.description], examples: [.init("engram pack remove trivia", "its questions are offered no more")],
            success: "the pack is removed", failure: "there is no such pack", run: PackActions.remove)
    }
}
