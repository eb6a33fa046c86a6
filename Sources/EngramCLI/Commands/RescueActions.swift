import CommandLineKit
import Engram

/// What the commands do that keep a store safe, or get one back.
enum RescueActions {
    static func backup(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let target = try call.value(of: RescueCommands.target)
        try StoreAccess.makeFolders(above: target)
        let store = try StoreAccess.ask(call, session)
        let report = try store.backup(
            to: target, ndjson: call[RescueCommands.ndjson], drill: call[RescueCommands.drill])
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.key("changed")
                    writer.value(false)
                    writer.member("events", report.events)
                    writer.member("commits", report.commits)
                    writer.member("backup", report.path)
                    writer.member("lost", 0)
                    writer.member("bytes", report.bytes)
                    writer.member("digest", report.digest.description)
                    writer.member("drill", report.drill?.description)
                }
            }
            return .success
        }
        session.out.line(
            "copied \(Numbers.count(report.events, "event")) in \(Numbers.count(report.commits, "commit")) to \(shown(report.path))")
        session.out.line("digest \(report.digest)")
        if report.drill != nil { session.out.line("restored elsewhere, it folds to the same digest") }
        session.remark("Next: engram verify --store \(shown(report.path)), now and then")
        return .success
    }

    static func salvage(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let target = try call.value(of: RescueCommands.target)
        try StoreAccess.makeFolders(above: target)
        let damaged = try call.value(of: RescueCommands.damaged)
        let bar = session.progress("Salvaging", total: nil)
        defer { bar.finish() }
        let report: SalvageReport
        do throws(StoreError) {
            report = try StudyStore.salvage(from: damaged, to: target, with: call.all(RescueCommands.helper)) { bar.update($0) }
        } catch {
            guard case .noStore(let path) = error else { throw error }
            throw CommandFailure(
                .store, "there is no data file at \(shown(path))", next: "Name the store's folder, or its data file alone.")
        }
        bar.finish()
        if session.isJSON { tell(report, session) } else { show(report, session) }
        return report.isProved && report.missingContent.isEmpty ? .success : .failure
    }

    private static func tell(_ report: SalvageReport, _ session: Session) {
        session.print { writer in
            JSONForms.object(&writer) { writer in
                writer.key("changed")
                writer.value(true)
                writer.member("events", report.events)
                writer.member("backup", nil as String?)
                writer.member("lost", report.lost)
                writer.member("store", report.path)
                writer.member("kept", report.keptEvents)
                writer.member("erased", report.erasedEvents)
                writer.key("gaps")
                JSONForms.array(&writer, report.gaps) { writer, gap in
                    JSONForms.object(&writer) { writer in
                        writer.member("origin", gap.origin.description)
                        writer.member("first", Int(clamping: gap.numbers.lowerBound))
                        writer.member("last", Int(clamping: gap.numbers.upperBound))
                    }
                }
                writer.member("missing_commits", report.missingCommits)
                writer.key("complete")
                writer.value(report.isProved)
                writer.member("unknown", report.doubt)
                writer.key("missing_content")
                JSONForms.array(&writer, report.missingContent) { $0.value($1) }
                writer.key("rescued")
                JSONForms.array(&writer, report.rescues) { writer, rescue in
                    JSONForms.object(&writer) { writer in
                        writer.member("from", rescue.from.description)
                        writer.member("origin", rescue.origin.description)
                        writer.member("events", rescue.events)
                    }
                }
                writer.key("findings")
                JSONForms.array(&writer, report.findings) { JSONForms.finding($1, in: report.path, &$0) }
                writer.member("digest", report.digest.description)
            }
        }
    }

    private static func show(_ report: SalvageReport, _ session: Session) {
        session.out.line("carried over \(Numbers.count(report.events, "event")) to \(shown(report.path))")
        if report.erasedEvents > 0 {
            session.out.line("  left out the texts of \(Numbers.count(report.erasedEvents, "event")): they had been erased")
        }
        for rescue in report.rescues {
            session.out.line(
                "  \(Numbers.count(rescue.events, "event")) of origin \(rescue.from) stand after a gap: they are of origin \(rescue.origin) now"
            )
        }
        for gap in report.gaps {
            let (first, last) = (gap.numbers.lowerBound, gap.numbers.upperBound)
            session.out.line(
                Style.colour(.red)("lost", on: session.surface) + "  \(gap.origin)/\(first)" + (last > first ? " to \(last)" : ""))
        }
        if report.missingCommits > 0 {
            session.out.line(
                Style.colour(.red)("lost", on: session.surface)
                    + "  \(Numbers.count(report.missingCommits, "commit")) of which nothing was found")
        }
        for place in report.missingContent {
            session.out.line(
                Style.colour(.red)("not carried over", on: session.surface)
                    + "  the content of \(shown(place)): install its file again")
        }
        for finding in report.findings where !finding.isAboutContent {
            session.out.line("kept with a finding  \(shown(finding.place)): \(shown(StoreFailure.message(finding)))")
        }
        session.out.line("digest \(report.digest)")
        if let doubt = report.doubt {
            session.out.line(
                Style.colour(.red)("unknown", on: session.surface)
                    + "  whether \(report.lost == 0 ? "anything" : "more") was lost: \(shown(doubt))")
        }
        session.remark(
            report.isProved
                ? "Nothing was lost. Next: engram verify --store \(shown(report.path))"
                : "Keep the damaged file. Next: the same into another folder, --with a backup or another device's store, if there is one.")
    }

    static func compact(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let report = try StudyStore.compact(at: try StoreAccess.path(call, session))
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.key("changed")
                    writer.value(report.isChanged)
                    writer.member("events", report.events)
                    writer.member("backup", nil as String?)
                    writer.member("lost", 0)
                    writer.member("bytes_before", report.bytesBefore)
                    writer.member("bytes", report.bytesAfter)
                }
            }
            return .success
        }
        session.out.line(
            report.isChanged
                ? "the store has \(Numbers.grouped(report.bytesAfter)) bytes, and had \(Numbers.grouped(report.bytesBefore))"
                : "nothing to gain: the store keeps its \(Numbers.grouped(report.bytesAfter)) bytes")
        return .success
    }
}
