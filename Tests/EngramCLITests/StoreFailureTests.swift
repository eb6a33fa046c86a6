import CommandLineKit
import Engram
import Testing

@testable import EngramCLI

/// What the engine's errors are at a terminal.
@Suite struct StoreFailureTests {
    private static let id = UniqueID(high: 0, low: 1)
    private static let event = EventID(origin: OriginID(rawValue: 1), number: 2)

    /// Each error with its code, the exit code, and what the command line says beyond the error itself.
    static let errors: [(error: StoreError, code: String, exit: Int32, hint: String)] = [
        (.notFound(.deck, name: "n"), "not_found", 1, ""),
        (.ambiguous(.card, name: "n", candidates: ["a", "b"]), "ambiguous", 2, ""),
        (.deleted(.card, id: id), "deleted", 2, ""),
        (.textTooLong(field: "f", bytes: 2, limit: 1), "text_too_long", 2, ""),
        (.emptyText(field: "f"), "empty_text", 2, ""),
        (.badValue(field: "f", value: "v", allowed: "w"), "bad_value", 2, ""),
        (.quiz(.noneOpen), "no_quiz_open", 1, ""),
        (.quiz(.openAlready(id)), "quiz_open", 2, ""),
        (.quiz(.disabled(type: "t", why: "w")), "quiz_disabled", 2, ""),
        (.quiz(.answered(number: 1)), "question_answered", 2, ""),
        (.nothingToUndo, "nothing_to_undo", 1, ""),
        (.notCorrectable(event, why: "w"), "not_correctable", 2, ""),
        (.momentOutOfRange(milliseconds: 1), "moment_out_of_range", 2, ""),
        (.storeExists(path: "s"), "store_exists", 3, ""),
        (.noStore(path: "s"), "no_store", 3, "; make one with: engram init --store s"),
        (.unknownFormat(path: "s", found: 9, known: 2), "unknown_format", 3, "; use a newer engram"),
        (.olderFormat(path: "s", found: 1, known: 2), "older_format", 3, "; carry it over to format 2 with: engram migrate --store s"),
        (.damaged(path: "s", place: "p", why: "w"), "damaged", 3, "; run: engram verify --store s"),
        (
            .contentDamaged(path: "s", place: "p", why: "w"), "content_damaged", 3,
            ". engram verify --store s names the pack or dictionary; then: engram pack install FILE again, or engram words import FILE"
        ),
        (.indexDamaged(path: "s", place: "p", why: "w"), "index_damaged", 3, "; run: engram rebuild --store s"),
        (.storage(path: "s", operation: "o", why: "w"), "storage", 3, ""),
        (.badInput(path: "s", place: "p", why: "w"), "bad_input", 2, ""),
        (.damagedInput(path: "s", place: "p", why: "w"), "damaged_input", 2, "; run: engram verify --store s"),
        (.fileExists(path: "s"), "file_exists", 2, "; say --force to have it overwritten, or name another file"),
        (.forked(origin: OriginID(rawValue: 1), commit: 2), "forked", 3, ""),
        (.inUse(path: "s"), "in_use", 3, ""),
        (.closed(path: "s"), "closed", 3, ""),
        (.cancelled, "cancelled", 3, ""),
        (.readOnly(path: "s"), "read_only", 3, ""),
    ]

    @Test("The command line adds what to do next; the library says what and where, and knows of no command", arguments: errors)
    func hints(error: StoreError, code: String, exit: Int32, hint: String) {
        let failure = StoreFailure.failure(error)
        #expect(error.code.rawValue == code && failure.code.rawValue == exit)
        #expect(failure.what == error.description + hint)
        #expect(!error.description.contains("engram ") && !error.description.contains("--"))
    }

    @Test("Each finding has a command that comes next")
    func next() {
        let ofIndexes = ["projection_differs", "fold_order", "checkpoint_damaged", "timeline_index_wrong", "action_index_wrong"]
        for (kinds, next) in [
            (ofIndexes, "rebuild --store s"),
            (["content_damaged", "content_missing", "content_differs"], "pack install FILE --store s"),
            (["leaked_pages", "texts_not_cleared"], "compact --store s"), (["head_missing"], "merge BACKUP --store s"),
            (["checksum_mismatch", "file_damaged", "log_unreadable"], "salvage s NEW-STORE"),
        ] {
            for kind in kinds { #expect(StoreFailure.next(after: kind, in: "s") == next, "\(kind)") }
        }
    }

    @Test("Errors have names of their own")
    func names() {
        #expect(Set(Self.errors.map(\.code)).count == Self.errors.count)
    }
}
