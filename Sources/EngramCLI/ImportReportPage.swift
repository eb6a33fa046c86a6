import CommandLineKit
import Engram

/// What an import brought, as a document for scripts or as lines for people.
struct ImportReportPage {
    /// So many rows are told by their lines; --json tells all.
    private static let shownRows = 20

    private let report: ImportReport
    private let name: String
    private let isDryRun: Bool

    init(_ report: ImportReport, name: String, isDryRun: Bool) {
        self.report = report
        self.name = name
        self.isDryRun = isDryRun
    }

    /// Prints it in the form that the session wants.
    func tell(_ session: Session) {
        if session.isJSON {
            session.print { writer in JSONForms.object(&writer) { write(&$0) } }
        } else {
            show(session)
        }
    }

    // MARK: For scripts

    private var isList: Bool { report.source == ImportFormat.list.rawValue }

    private func write(_ writer: inout JSONWriter) {
        writer.member("source", report.source)
        writer.key("cards")
        JSONForms.object(&writer) { writer in
            writer.member("new", report.newCards)
            writer.member("updated", report.updatedCards)
            writer.member("unchanged", report.unchangedCards)
        }
        for (name, new, known) in [
            ("reviews", report.newReviews, report.knownReviews), ("practised", report.newPractice, report.knownPractice),
        ] {
            writer.key(name)
            JSONForms.object(&writer) { writer in
                writer.member("new", new)
                writer.member("known", known)
            }
        }
        for (name, remarks) in remarks {
            writer.key(name)
            JSONForms.array(&writer, remarks) { writer, remark in
                JSONForms.object(&writer) { writer in
                    writer.member("reason", remark.reason)
                    writer.member("count", remark.count)
                }
            }
        }
        writer.member("quarantined", report.quarantined)
        guard isList else { return }
        writer.key("rows")
        JSONForms.array(&writer, report.rows) { writer, row in JSONForms.object(&writer) { write(row, &$0) } }
    }

    private func write(_ row: ImportedRow, _ writer: inout JSONWriter) {
        writer.member("line", row.line)
        writer.member("outcome", row.outcome.rawValue)
        writer.member("reason", row.reason)
        writer.member("front", row.front)
        if let line = row.earlierLine { writer.member("of_line", line) }
    }

    private var remarks: [(name: String, remarks: [(reason: String, count: Int)])] {
        [("skipped", report.skipped), ("adjusted", report.adjusted)]
    }

    // MARK: For people

    private func show(_ session: Session) {
        session.out.line((isDryRun ? "would take in" : "took in") + " \(shown(name)) (\(report.source))")
        session.out.line(
            "cards    \(Numbers.grouped(report.newCards)) new, \(Numbers.grouped(report.updatedCards)) updated, "
                + "\(Numbers.grouped(report.unchangedCards)) unchanged")
        if !isList {
            session.out.line("reviews  \(Numbers.grouped(report.newReviews)) new, \(Numbers.grouped(report.knownReviews)) known")
        }
        if report.newPractice + report.knownPractice > 0 {
            session.out.line("practice \(Numbers.grouped(report.newPractice)) new, \(Numbers.grouped(report.knownPractice)) known")
        }
        for (name, remarks) in remarks {
            for remark in remarks {
                session.out.line("\(name.padded(to: 9))\(Numbers.grouped(remark.count)): \(words(remark.reason))")
            }
        }
        showRows(session)
        if report.quarantined > 0 {
            session.out.line("held     \(Numbers.grouped(report.quarantined)), since their time lies more than a day ahead")
        }
        let isNew = report.newCards + report.updatedCards + report.newReviews + report.newPractice > 0
        if isDryRun {
            session.remark(isNew ? "Nothing was changed. Next: the same without --dry-run." : "Nothing of it would be new.")
        } else {
            session.remark(isNew ? "Next: engram stats, or engram due" : "All of it was here already.")
        }
    }

    /// The rows that are no cards of their own, by their lines.
    private func showRows(_ session: Session) {
        let told = report.rows.filter { $0.outcome == .skipped || $0.outcome == .duplicate }
        for row in told.prefix(Self.shownRows) {
            let front = row.front.isEmpty ? "" : "  " + shown(row.front).truncated(to: 60)
            let earlier = row.earlierLine.map { " of line \($0)" } ?? ""
            session.out.line("line \(row.line): \(words(row.reason ?? ""))\(earlier)\(front)")
        }
        if told.count > Self.shownRows {
            session.out.line("and \(Numbers.grouped(told.count - Self.shownRows)) rows more; --json tells all of them")
        }
    }

    private func words(_ reason: String) -> String { reason.replacing("_", with: " ") }
}
