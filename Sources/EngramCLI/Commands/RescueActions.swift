import CommandLineKit
import Engram
import StudyJSON

/// What the commands do that keep a store safe, or get one back.
enum RescueActions {
    static func backup(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let target = try call.value(of: RescueCommands.target)
        try StoreAccess.makeFolders(above: target)
        let store = try StoreAccess.ask(call, session)
        let report = try store.backup(
            to: target, ndjson: call[RescueCommands.ndjson], drill: call[RescueCommands.drill])
        if session.isJSON {
            session.print(report)
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
        if session.isJSON {
            session.print(JSONAnswer.salvage(report, advice: StoreFailure.advice(in: report.path)))
        } else {
            show(report, session)
        }
        return report.isProved && report.missingContent.isEmpty ? .success : .failure
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
            session.print(report)
            return .success
        }
        session.out.line(
            report.isChanged
                ? "the store has \(Numbers.grouped(report.bytesAfter)) bytes, and had \(Numbers.grouped(report.bytesBefore))"
                : "nothing to gain: the store keeps its \(Numbers.grouped(report.bytesAfter)) bytes")
        return .success
    }
}
