import CommandLineKit
import Engram
import StudyJSON

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
            session.print(report)
        } else {
            show(session)
        }
    }

    private var remarks: [(name: String, remarks: [(reason: String, count: Int)])] {
        [("skipped", report.skipped), ("adjusted", report.adjusted)]
    }

    private func show(_ session: Session) {
        session.out.line((isDryRun ? "would take in" : "took in") + " \(shown(name)) (\(report.source))")
        session.out.line(
            "cards    \(Numbers.grouped(report.newCards)) new, \(Numbers.grouped(report.updatedCards)) updated, "
                + "\(Numbers.grouped(report.unchangedCards)) unchanged")
        if !report.isList {
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
