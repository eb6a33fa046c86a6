import CommandLineKit
import Engram

/// What keeps a store safe, and what gets one back.
enum RescueCommands {
    static let target = Argument(.directory("TO"), "a folder that isn't there yet")
    static let damaged = Argument(.directory("DAMAGED"), "the damaged store's folder, or its data file alone")
    static let helper = Option(
        "with", .directory("STORE"), "a backup or another device's store that may hold what is lost here", repeats: true)
    static let ndjson = Flag("ndjson", "also write all events as NDJSON into the folder, for any program to read")
    static let drill = Flag("drill", "also restore the backup elsewhere, fold it, and compare the digests")

    static var all: [Command] { [backup, salvage, compact, migrate, erase] }

    private static var backup: Command {
        Command(
            "backup", "copy the store while it is in use",
            details: [
                "The copy is proved before it gets its name: pages, digests, events and projections, and that its chain is this store's.",
                "A backup is a store: name it with --store, verify it, merge it, or copy its folder back. What is recorded in a copy gets an origin of its own.",
            ],
            arguments: [target.description], options: [ndjson.description, drill.description],
            examples: [
                .init("engram backup /media/stick/engram-2026-03", "a copy to keep"),
                .init("engram backup copy --ndjson --drill", "one that any program can read, restored once as a test"),
            ], success: "the backup was made and proved", run: RescueActions.backup)
    }

    private static var erase: Command {
        Command(
            "erase", "delete a card and erase its texts for good",
            details: [
                "The texts of a card go, or what an app's events state about something. They go from every event of the log and, by writing the file anew, from all that nothing uses in it; reviews stay, and stay provable. It can't be undone, and every device that merges with this one erases them too.",
                "Copies in the store's own folder go too: the store that a migration kept, and a backup's events.ndjson. Backups and exports elsewhere still hold them: see to those yourself.",
                "Where the store is open elsewhere the file can't be written anew: then the answer is no, verify says so too, and the next command that writes while nobody else has the store open does it.",
            ],
            arguments: [Parameters.card.description],
            examples: [.init("engram erase 0192f3a1", "a card that should never have been written down")],
            success: "the texts are gone", failure: "the texts aren't gone yet, or there is no such card", run: UpkeepActions.erase)
    }

    private static var migrate: Command {
        Command(
            "migrate", "carry the store over to the format that this program writes",
            details: [
                "A new store is made beside the old one, held against it event by event, and put in its place in one step. The old one is kept in a folder inside the store's. Nobody else may have the store open."
            ],
            options: [Parameters.dryRun.description],
            examples: [
                .init("engram migrate --dry-run", "what would change, by type and version; nothing does"),
                .init("engram migrate", "carry it over"),
            ], success: "the store has the present format, or would have it", run: UpkeepActions.migrate)
    }

    private static var salvage: Command {
        Command(
            "salvage", "make a new store of what is left of a damaged one",
            details: [
                "Reads every page by plain reads, and carries over each event that is whole; the damaged file is never changed. Works with both heads of the file lost.",
                "Events after a gap can't keep their numbers, since a chain has no gaps: they go over under an origin of their own, and what takes them back or corrects them goes with them. A backup named by --with fills the gaps.",
                "That nothing was lost is said only where it is proved: both heads of the file are sound and bear each other out, and the newest tree of commits is whole. Who writes to the store waits meanwhile.",
            ],
            arguments: [damaged.description, target.description], options: [helper.description],
            examples: [
                .init("engram salvage ~/.local/share/engram rescued", "every event that is whole, in a new store"),
                .init("engram salvage data.mdb rescued --with /media/stick/engram", "with the help of a backup"),
            ], success: "it is proved that nothing was lost",
            failure:
                "something was lost, which is listed by origin and number, or it can't be known whether anything was, or a pack or dictionary isn't carried over",
            run: RescueActions.salvage)
    }

    private static var compact: Command {
        Command(
            "compact", "give back the space that nothing uses",
            details: [
                "Writes the store anew, proves the copy, and puts it in the store's place in one step. Nobody else may have the store open."
            ],
            examples: [.init("engram compact", "after much was undone, or a large import was merged")],
            success: "the store takes up no more space than it needs", run: RescueActions.compact)
    }
}
