import CommandLineKit
import Engram

/// `quiz`: tests over the questions of packs.
enum QuizCommands {
    static let type = Argument(
        .word("TYPE", completion: .output(of: "quiz types --ids")), "a kind of test: its id or its title, as quiz types shows them")
    static let ids = Flag("ids", "print the ids of what can be started alone, one a line")
    static let count = Option(
        "count", .integer("N", 1...StudyStore.largestQuestionCount), "how many questions (\(StudyStore.usualQuestionCount))")
    static let seed = Option("seed", .integer("S", 0...Int.max), "what questions and order are drawn from; the same draws the same")
    static let abandon = Flag("abandon", "leave the test that goes on, if one does")
    static let question = Argument(.word("QUESTION"), "a question of the test: its number, its id or the start of it")
    static let option = Argument(.word("OPTION"), "an option: its number as shown, or its text")
    static let marks = Option("marks", .markScale, "percent of right answers for a 5, a 4 and a 3 (\(GradingScale.standard))")

    static var group: Command {
        Command(
            "quiz", "take tests over the questions of packs",
            details: [
                "A test is begun, answered question by question, and finished; interrupted, it goes on. Each step is on the disk at once. A wrong answer puts its word on the list of mistakes.",
                "By itself, in a terminal, it asks key by key: 1 to 8 answer, f makes the word a favourite, u takes the last answer back, x abandons the test, q leaves it to go on another time. In a pipe it shows the test that goes on, like 'engram quiz show'.",
            ],
            examples: [
                .init("engram quiz types", "show the kinds of test"),
                .init("engram quiz start mistakes --count 10", "begin one of ten questions"),
                .init("engram quiz answer 1 2", "the second option answers the first question"),
                .init("engram quiz finish", "see the mark"),
            ], success: "the test that goes on was shown", failure: noTest,
            subcommands: [types, select, start, show, answer, finish, leave], run: QuizTerminal.run)
    }

    private static let noTest = "no test goes on"

    private static var types: Command {
        Command(
            "types", "show the kinds of test", options: [ids.description],
            examples: [.init("engram quiz types", "with how many questions each has; what has none can't be started")],
            success: "the kinds of test were listed", run: QuizActions.types)
    }

    private static var select: Command {
        Command(
            "select", "select a kind of test", details: ["Exactly one is selected at a time; starting a test selects its kind too."],
            arguments: [type.description], examples: [.init("engram quiz select mistakes", "it is marked in the list from now on")],
            success: "it is selected", failure: "there is no such kind of test", run: QuizActions.select)
    }

    private static var start: Command {
        Command(
            "start", "begin a test", details: ["Without a TYPE, one of the kind that is selected."],
            arguments: [type.optional.description], options: [count.description, seed.description, abandon.description],
            examples: [
                .init("engram quiz start all", "draw questions from all packs"),
                .init("engram quiz start mistakes --count 10 --seed 7", "ten, the same ones whenever the seed is 7"),
            ], success: "the test goes on from here", failure: "there is no such kind of test", run: QuizActions.start)
    }

    private static var show: Command {
        Command(
            "show", "show the test that goes on", examples: [.init("engram quiz show", "the question to answer now")],
            success: "the test was shown", failure: noTest, run: QuizActions.show)
    }

    private static var answer: Command {
        Command(
            "answer", "answer a question of the test", details: ["'engram undo' takes the answer back."],
            arguments: [question.description, option.description], options: [Parameters.took.description],
            examples: [
                .init("engram quiz answer 1 2", "the second option answers the first question"),
                .init("engram quiz answer 0192f3a1 \"the house\" --took 5400", "by id and text, after 5.4 seconds"),
            ], success: "the answer is on the disk, be it right or wrong", failure: "no test goes on, or it has no such question",
            run: QuizActions.answer)
    }

    private static var finish: Command {
        Command(
            "finish", "end the test and show the mark",
            details: ["Questions without an answer count as not right."],
            options: [marks.description],
            examples: [
                .init("engram quiz finish", "the number right, the mark, and the list of answers"),
                .init("engram quiz finish --marks 95,80,60", "with marks that are harder to get"),
            ], success: "the test has ended", failure: noTest, run: QuizActions.finish)
    }

    private static var leave: Command {
        Command(
            "abandon", "leave the test", details: ["Its answers stay in the log, and mistakes on their list."],
            examples: [.init("engram quiz abandon", "another one can be begun")],
            success: "the test was left", failure: noTest, run: QuizActions.abandon)
    }
}

extension ValueKind where Value == GradingScale {
    /// Three shares in percent.
    static var markScale: ValueKind {
        ValueKind("A,B,C") { text throws(ValueError) in
            guard let scale = GradingScale(text) else { throw ValueError("three falling shares in percent, such as 90,75,50") }
            return scale
        }
    }
}
