import CommandLineKit
import Engram

/// Learning, and taking back what went wrong.
enum StudyCommands {
    static let decks = Parameters.deck.many
    static let newGrade = Parameters.grade
    static let turned = Option(
        "turned", .integer("MS", 0...Int(StudyStore.longestAnswerMilliseconds)), "of that, the time until the card was turned")

    static var all: [Command] { [StudyTerminal.command, review, practise, due, undo, void, correct, favourite, mistakes] }

    private static var review: Command {
        Command(
            "review", "record one scheduled review of a card",
            arguments: [Parameters.card.description, Parameters.grade.description],
            options: [Parameters.took.description, turned.description],
            examples: [
                .init("engram review 0192f3a1 good", "the card goes up one level and is due later"),
                .init("engram review 0192f3a1 again --took 5400", "forgotten, after 5.4 seconds"),
            ], success: "the review is on the disk", failure: Parameters.noSuchCard, run: StudyActions.review)
    }

    private static var practise: Command {
        Command(
            "practise", "record a free practice of a card",
            details: ["Practice is recorded, but changes no level, no due day and no statistic of learning."],
            arguments: [Parameters.card.description, Parameters.grade.description], options: [Parameters.took.description],
            examples: [.init("engram practise 0192f3a1 hard", "it was hard; nothing moves")],
            success: "the practice is on the disk", failure: Parameters.noSuchCard, run: StudyActions.practise)
    }

    private static var due: Command {
        Command(
            "due", "show what is due now", arguments: [decks.description],
            examples: [
                .init("engram due", "the decks with cards that are due, and how many"),
                .init("engram due Spanish Verbs --json", "the cards of two decks in the order of study, for a script"),
                .init("engram due --now 2026-12-24T09:00:00+01:00", "what will be due then"),
            ], success: "what is due was shown, even if that is nothing", failure: Parameters.noSuchDeck, run: StudyActions.due)
    }

    private static var undo: Command {
        Command(
            "undo", "take back the last action",
            details: ["The action stays in the log; another event says that it no longer counts. Undoing again takes back the one before."],
            examples: [.init("engram undo", "take back the last action of this device")],
            success: "the action no longer counts", failure: "there is nothing to take back", run: StudyActions.undo)
    }

    private static var void: Command {
        Command(
            "void", "take back any action", details: ["Voiding the event that voided something restores it."],
            arguments: [Parameters.event.description],
            examples: [.init("engram void 5c0ffee123456789/42", "the event no longer counts; see 'engram timeline' for its name")],
            success: "the action no longer counts", failure: "there is no such event", run: StudyActions.void)
    }

    private static var correct: Command {
        Command(
            "correct", "change the grade of any answer",
            details: ["The first grade stays in the log; everything that followed is computed anew."],
            arguments: [Parameters.event.description, newGrade.description],
            examples: [.init("engram correct 5c0ffee123456789/42 again", "the answer counts as forgotten")],
            success: "the answer counts with the new grade", failure: "there is no such event", run: StudyActions.correct)
    }

    private static var favourite: Command {
        func action(
            _ name: String, _ summary: String, _ example: String, _ success: String,
            _ run: @escaping @Sendable (Invocation, Session) throws -> ExitCode
        ) -> Command {
            Command(
                name, summary, arguments: [Parameters.item.description],
                examples: [.init("engram favourite \(name) 0192f3a1", example)], success: success,
                failure: "there is no such item", run: run)
        }
        return Command(
            group: "favourite", "keep a list of favourites",
            examples: [
                .init("engram favourite toggle 0192f3a1", "make a card a favourite, or no longer"),
                .init("engram favourite list", "show them"),
            ],
            [
                action("add", "make something a favourite", "put a card on the list", "it is on the list", StudyActions.addFavourite),
                action(
                    "remove", "take something off the list", "take a card off the list", "it is not on the list",
                    StudyActions.removeFavourite),
                action(
                    "toggle", "put something on the list, or take it off", "twice is as good as never", "the list has changed",
                    StudyActions.toggleFavourite),
                Command(
                    "list", "show the favourites", examples: [.init("engram favourite list", "the newest first")],
                    success: "the favourites were listed, if there are any", run: StudyActions.listFavourites),
            ])
    }

    private static var mistakes: Command {
        Command(
            group: "mistakes", "look after the list of mistakes",
            examples: [.init("engram mistakes list", "show what was answered wrong, and how often")],
            [
                Command(
                    "list", "show the mistakes", examples: [.init("engram mistakes list", "the newest first")],
                    success: "the mistakes were listed, if there are any", run: StudyActions.listMistakes),
                Command(
                    "dismiss", "take something off the list", arguments: [Parameters.item.description],
                    examples: [.init("engram mistakes dismiss 0192f3a1", "it is known now")], success: "it is not on the list",
                    failure: "there is no such mistake", run: StudyActions.dismissMistake),
            ])
    }
}
