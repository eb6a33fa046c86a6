import CommandLineKit
import Engram
import StudyJSON

/// What the export command does.
enum ExportActions {
    static func export(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let format = try call.value(of: ExportCommands.format)
        let target = try call.value(of: ExportCommands.target)
        if target == "-" { return try exportToOutput(format, call, session) }
        let store = try StoreAccess.ask(call, session)
        var bar: ProgressBar?
        defer { bar?.finish() }
        let report = try store.export(
            format, toFile: target, overwriting: call[ExportCommands.force], isRaw: call[ExportCommands.raw], at: session.now()
        ) { done, total in
            let shown = bar ?? session.progress("Writing", total: total)
            bar = shown
            shown.update(done)
        }
        bar?.finish()
        tell(report, format, target, session)
        return .success
    }

    /// Writes a table to standard output, where nothing else may go then.
    private static func exportToOutput(_ format: ExportFormat, _ call: Invocation, _ session: Session) throws -> ExitCode {
        guard format != .apkg else {
            throw CommandFailure(.usage, "a package isn't written to standard output", next: "Name a file.")
        }
        guard !session.isJSON else {
            throw CommandFailure(
                .usage, "--json and a table on standard output don't go together", next: "Name a file, or leave --json out.")
        }
        let store = try StoreAccess.ask(call, session)
        _ = try store.export(format, isRaw: call[ExportCommands.raw], at: session.now()) { piece in
            // A file's bytes are for programs; a terminal gets what they say, with its controls spelt out.
            if session.surface.isTerminal {
                session.out.write(String(decoding: piece, as: UTF8.self).replacing("\r\n", with: "\n"))
            } else {
                session.out.write(bytes: piece)
            }
            return session.out.isOpen
        }
        return .success
    }

    private static func tell(_ report: ExportReport, _ format: ExportFormat, _ target: String, _ session: Session) {
        if session.isJSON {
            session.print(JSONAnswer.export(report, as: format, to: target))
            return
        }
        var parts = [Numbers.count(report.cards, "card")]
        if format == .apkg {
            parts.append(Numbers.count(report.reviews, "review"))
            if report.practised > 0 { parts.append("\(Numbers.grouped(report.practised)) practised") }
        }
        session.out.line("wrote \(shown(target)): \(parts.joined(separator: ", "))")
    }
}
