import CommandLineKit
import Engram
import StudyJSON

/// What the engine's errors and findings are to a person at a terminal: an exit code, and the command that helps.
enum StoreFailure {
    /// What went wrong, with the exit code that scripts rely on.
    static func failure(_ error: any Error) -> CommandFailure {
        guard let error = error as? StoreError else { return CommandFailure(.store, String(describing: error)) }
        return CommandFailure(exitCode(error.code), message(error), next: advice(error))
    }

    /// Nothing of that name; a wrong request or input; or a store that can't be opened, read or written.
    static func exitCode(_ code: StoreError.Code) -> ExitCode {
        switch code {
        case .notFound, .nothingToUndo, .noQuizOpen: .failure
        case .ambiguous, .deleted, .textTooLong, .emptyText, .badValue, .notCorrectable, .momentOutOfRange, .badInput, .damagedInput,
            .fileExists, .quizOpen, .quizDisabled, .questionAnswered:
            .usage
        default: .store
        }
    }

    /// One line: what is wrong, where, and the command that helps.
    static func message(_ error: StoreError) -> String { shown(error.description + hint(error)) }

    private static func hint(_ error: StoreError) -> String {
        switch error {
        case .fileExists: "; say --force to have it overwritten, or name another file"
        case .noStore(let path): "; make one with: engram init --store \(path)"
        case .unknownFormat: "; use a newer engram"
        case .olderFormat(let path, _, let known): "; carry it over to format \(known) with: engram migrate --store \(path)"
        case .damaged(let path, _, _), .damagedInput(let path, _, _): "; run: engram verify --store \(path)"
        case .contentDamaged(let path, _, _):
            ". engram verify --store \(path) names the pack or dictionary; then: engram pack install FILE again, or engram words import FILE"
        case .indexDamaged(let path, _, _): "; run: engram rebuild --store \(path)"
        default: ""
        }
    }

    private static func advice(_ error: StoreError) -> String? {
        switch error {
        case .notFound(let noun, _): return advice(noun)
        case .quiz(.noneOpen): return "'engram quiz types' shows what can be started, 'engram quiz start TYPE' starts it."
        case .quiz(.openAlready): return "'engram quiz show' goes on with it; 'engram quiz abandon', or --abandon, leaves it."
        case .quiz(.disabled): return "'engram quiz types' shows what can be started."
        default: return nil
        }
    }

    private static func advice(_ noun: StoreError.Noun) -> String {
        switch noun {
        case .deck: "'engram deck list' shows the decks."
        case .card: "'engram card list' shows the cards; their names begin with 4 characters or more of the id."
        case .event: "'engram log' shows the events, 'engram timeline CARD' those of a card."
        case .session: "'engram study' begins one."
        case .item:
            "An item is a card, word or question, by 4 characters or more of its id, or a word by its text; 'engram favourite list' and "
                + "'engram mistakes list' show what is on the lists."
        case .pack: "'engram pack list' shows the packs."
        case .testType: "'engram quiz types' shows the kinds of test."
        case .question, .option, .quiz: "'engram quiz show' shows the test that goes on."
        }
    }

    /// A finding about the store at `path` as JSON tells it, with the command that comes next.
    static func advice(in path: String) -> FindingAdvice {
        { (message($0), "engram " + next(after: $0.kind, in: path)) }
    }

    /// What a verification found, in words.
    static func message(_ finding: VerifyReport.Finding) -> String {
        finding.message + (finding.kind == "erasure_incomplete" ? "; engram erase does it again" : "")
    }

    /// The arguments of the command that comes after a finding of that kind about the store at `path`.
    static func next(after kind: String, in path: String) -> String {
        switch kind {
        case "projection_differs", "fold_order", "checkpoint_damaged", "timeline_index_wrong", "action_index_wrong":
            "rebuild --store \(path)"
        case "content_damaged", "content_missing", "content_differs": "pack install FILE --store \(path)"
        case "leaked_pages", "texts_not_cleared": "compact --store \(path)"
        case "head_missing": "merge BACKUP --store \(path)"
        default: "salvage \(path) NEW-STORE"
        }
    }
}
