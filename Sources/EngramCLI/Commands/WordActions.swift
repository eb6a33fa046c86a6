import CommandLineKit
import Engram
import StudyJSON

/// What the commands about the dictionary do.
enum WordActions {
    static func words(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let prefix = try call.value(of: WordCommands.prefix)
        let words = try store.words(prefix: prefix, limit: call[WordCommands.limit] ?? 20)
        if session.isJSON {
            session.print(JSONAnswer.words(words))
        } else {
            session.out.lines(table(of: words, session).lines(on: session.surface))
        }
        guard words.isEmpty else { return .success }
        session.remark("No word begins with '\(shown(prefix))'.")
        if try store.wordCount() == 0 { session.remark("There is no dictionary here yet; take one in with: engram words import FILE") }
        return .failure
    }

    private static func table(of words: [WordView], _ session: Session) -> Table {
        var table = Table([.init("Id"), .init("Word", isFlexible: true), .init("Entry", isFlexible: true)])
        let isTerminal = session.surface.isTerminal
        for word in words {
            table.add([
                Table.Cell(isTerminal ? String(word.id.description.prefix(8)) : word.id.description, .dim),
                Table.Cell((isTerminal && word.isFavourite ? "★ " : "") + word.word, .bold),
                Table.Cell(isTerminal ? beginning(of: word) : word.entry),
            ])
        }
        return table
    }

    /// The first lines of an entry in one, without the word that stands beside it anyway.
    private static func beginning(of word: WordView) -> String {
        var lines = word.entry.split(whereSeparator: \.isNewline).prefix(4).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        if let first = lines.first, first.hasPrefix(word.word + " ") || first == word.word {
            lines[0] = String(first.dropFirst(word.word.count + 1))
        }
        return lines.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    static func importWords(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let isDryRun = call[Parameters.dryRun]
        let store = isDryRun ? try StoreAccess.ask(call, session) : try StoreAccess.open(call, session)
        var bar: ProgressBar?
        defer { bar?.finish() }
        let report = try store.importWords(
            at: try call.value(of: WordCommands.file), format: call[WordCommands.format], name: call[WordCommands.name],
            isDryRun: isDryRun, moment: session.now()
        ) { done, total in
            let shown = bar ?? session.progress("Reading", total: total)
            bar = shown
            shown.update(done)
        }
        bar?.finish()
        if session.isJSON { session.print(report) } else { show(report, isDryRun: isDryRun, session) }
        return .success
    }

    private static func show(_ report: WordImportReport, isDryRun: Bool, _ session: Session) {
        session.out.line((isDryRun ? "would take in" : "took in") + " \(shown(report.name)) (\(report.format.rawValue))")
        session.out.line("words    \(Numbers.grouped(report.words)), in \(Numbers.count(report.entries, "entry", "entries"))")
        for skipped in report.skipped {
            session.out.line("\("skipped".padded(to: 9))\(Numbers.grouped(skipped.count)): \(skipped.reason.replacing("_", with: " "))")
        }
        for fault in report.faults.prefix(5) { session.remark("\(shown(fault.path)):\(fault.line): the line \(fault.why)") }
        if !report.isNew {
            session.remark("All of it was here already; nothing was changed.")
        } else {
            session.remark(isDryRun ? "Nothing was changed. Next: the same without --dry-run." : "Next: engram words PREFIX")
        }
    }
}
