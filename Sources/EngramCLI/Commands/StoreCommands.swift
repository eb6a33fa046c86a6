import CommandLineKit

/// The store and its settings.
enum StoreCommands {
    static let schedulerDeck = Option(
        "deck", .word("DECK", completion: Parameters.decks), "only for the cards of this deck, by its title or id")
    static let hour = Argument(.integer("HOUR", 0...23), "the hour at which a new study day begins")

    static var all: [Command] { [initialise, scheduler, day] }

    private static var initialise: Command {
        Command(
            "init", "make an empty store", details: ["Refuses to touch a store that exists, and any folder that holds something."],
            examples: [
                .init("engram init", "make the user's own store"),
                .init("engram init --store ~/french", "make one at another place"),
            ], success: "the store was made", run: StudyActions.initialise)
    }

    private static var scheduler: Command {
        Command(
            group: "scheduler", "show or change how due days are computed",
            examples: [.init("engram scheduler show", "show the scheduler and its parameters")],
            [
                Command(
                    "show", "show the scheduler and its parameters",
                    examples: [.init("engram scheduler show --json", "the same for a script")],
                    success: "the scheduler was shown", run: StudyActions.showScheduler),
                Command(
                    "set", "change the scheduler from now on",
                    details: [
                        "The change is an event: what was scheduled before stays as it was.",
                        "With --deck it is for the cards of that deck, whatever is set for the store before or after; undo takes it back. A card that is moved goes on by the rules of the deck that it comes into.",
                    ],
                    arguments: [Parameters.scheduler.description], options: [schedulerDeck.description],
                    examples: [
                        .init("engram scheduler set boxes:count=8,first=3,multiplier=41/20", "the default, spelt out"),
                        .init(
                            "engram scheduler set boxes:count=5,first=1,multiplier=2", "five boxes; one day, then twice as long each time"),
                        .init("engram scheduler set fixed:days=1/3/7/30", "a list of intervals; the last one holds for good"),
                        .init("engram scheduler set boxes:count=4 --deck Spanish", "one deck by rules of its own"),
                    ], success: "the scheduler is in force", run: StudyActions.setScheduler),
            ])
    }

    private static var day: Command {
        Command(
            group: "day", "show or change when a study day begins",
            examples: [.init("engram day set 4", "until four in the morning it is still yesterday")],
            [
                Command(
                    "show", "show the study day of now, and when the next one begins",
                    examples: [.init("engram day show", "show today's study day")],
                    success: "the day was shown", run: StudyActions.showDay),
                Command(
                    "set", "change when a study day begins", details: ["Days that are recorded already never change."],
                    arguments: [hour.description],
                    examples: [.init("engram day set 4", "until four in the morning it is still yesterday")],
                    success: "the hour is in force", run: StudyActions.setDay),
            ])
    }
}
