import CommandLineKit
import Engram

/// What the log tells: statistics, lives of cards, proofs.
enum InsightCommands {
    /// How much `verify` looks at.
    static let level = Option(
        "level",
        .choice(
            "LEVEL",
            [
                ("quick", VerifyLevel.quick, "the file's head and length"), ("pages", .pages, "every page of the file"),
                ("log", .log, "every commit and event as well"), ("deep", .deep, "every projection as well"),
            ]), "how much to check (deep, if not given)")
    static let sample = Option(
        "sample", .sample, "prove a sample of the commits, one at least: so many in a hundred (5%), or about so many (500)")
    static let maximumTime = Option(
        "max-time", .integer("SECONDS", 1...86_400),
        "prove what can be proved in that time, from where the last such verification ended")
    static let expect = Option(
        "expect", .head, "a head noted elsewhere: the digest must be that of a commit of the origin", repeats: true)
    static let asOf = Option("as-of", .instant, "fold only what happened up to then")
    static let scheduler = Option(
        "scheduler", .word("SPEC", completion: Parameters.schedulerWords), "fold with this scheduler instead of the recorded ones")

    static let explain = Option(
        "explain", .word("FIGURE", completion: .words(Metric.names.map { .init($0, "") })),
        "list the events behind one figure, named as in the JSON")

    static var all: [Command] { [stats, timeline, replay, verify, rebuild] }

    private static var stats: Command {
        Command(
            "stats", "show statistics of a deck, or of everything",
            details: [
                "Reviews of deleted cards count; boxes and due cards are those of live cards alone.",
                "Figures that --explain knows: " + Metric.names.joined(separator: ", ") + ".",
            ],
            arguments: [Parameters.deck.optional.description], options: [explain.description],
            examples: [
                .init("engram stats", "reviews, boxes, forecast, calendar and streak"),
                .init("engram stats Spanish --json", "one deck's numbers for a script"),
                .init("engram stats --explain due.overdue", "the events that made each overdue card due when it was"),
            ], success: "the statistics were shown", failure: Parameters.noSuchDeck, run: InsightActions.stats)
    }

    private static var timeline: Command {
        Command(
            "timeline", "show the whole life of a card",
            details: ["One line an event, with box, level, interval and due day before and after."],
            arguments: [Parameters.card.description],
            examples: [
                .init("engram timeline 0192f3a1", "everything that happened to the card, voided events too"),
                .init("engram timeline 0192f3a1 --json", "one JSON document a line"),
            ], success: "the life of the card was shown", failure: Parameters.noSuchCard, run: InsightActions.timeline)
    }

    private static var replay: Command {
        Command(
            "replay", "fold the log from zero and show what results",
            details: [
                "Works in memory and changes nothing. Without options, it also compares the result with what is stored."
            ],
            options: [asOf.description, scheduler.description],
            examples: [
                .init("engram replay", "prove that the stored state is what the log says"),
                .init("engram replay --as-of 2025-12-31T23:59:59+01:00", "the statistics at the end of a year"),
                .init("engram replay --scheduler boxes:count=5", "what would be, had there been five boxes"),
            ], success: "the log was folded; the result equals what is stored, where both are compared",
            failure: "the result differs from what is stored", run: InsightActions.replay)
    }

    private static var verify: Command {
        Command(
            "verify", "prove that the store is whole",
            details: [
                "Checks the pages of the file, the chain of digests of every device, every event, and that every projection is what a fold from zero gives.",
                "A chain can't tell that its end was cut off: note the heads that 'verify --json' prints, or those of a backup, and name them with --expect ORIGIN=DIGEST.",
                "With --max-time, how far it came is remembered in the file 'verified' in the store's folder. The report says which part was proved; nothing is said of the rest.",
            ],
            options: [level.description, sample.description, maximumTime.description, expect.description],
            examples: [
                .init("engram verify", "check everything"),
                .init("engram verify --level quick", "a look at the file's head, in a moment"),
                .init("engram verify --level log --max-time 10", "ten seconds' worth, each time the next part"),
            ], success: "nothing was found", failure: "there are findings; each is printed with its place", run: VerifyActions.verify)
    }

    private static var rebuild: Command {
        Command(
            "rebuild", "fold all projections anew from the log",
            details: [
                "Projections are only a summary of the log: this loses nothing.",
                "Where pages of the file are damaged they aren't written to: if the log is whole, the store is written from scratch from it and put in the old one's place; else nothing is changed, and 'engram salvage' gets back what is left.",
            ],
            examples: [.init("engram rebuild", "throw the projections away and make them again")],
            success: "the projections are those that the log gives", run: InsightActions.rebuild)
    }
}

/// How much of the log a sample holds.
enum SampleSize: Hashable, Sendable {
    case percent(Double)
    case commits(Int)
}

extension ValueKind where Value == SampleSize {
    static var sample: ValueKind {
        ValueKind("N") { text throws(ValueError) in
            if text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 100 { return .percent(percent) }
            if let count = Int(text), count > 0 { return .commits(count) }
            throw ValueError("a share such as 5%, or a number of commits")
        }
    }
}

/// A head that somebody noted.
struct NotedHead: Hashable, Sendable {
    let origin: OriginID
    let digest: SHA256Digest
}

extension ValueKind where Value == NotedHead {
    static var head: ValueKind {
        ValueKind("ORIGIN=DIGEST") { text throws(ValueError) in
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let origin = OriginID(String(parts[0])), let digest = SHA256Digest(String(parts[1])) else {
                throw ValueError("of the form ORIGIN=DIGEST, 16 and 64 digits as verify --json prints them")
            }
            return NotedHead(origin: origin, digest: digest)
        }
    }
}
