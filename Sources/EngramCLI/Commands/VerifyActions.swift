import CommandLineKit
import Engram
import StudyJSON

/// What `verify` does.
enum VerifyActions {
    static func verify(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let level = call[InsightCommands.level] ?? .deep
        let start = ContinuousClock.now
        let bar = session.progress("Verifying", total: nil)
        let path = try StoreAccess.path(call, session)
        let report = try StudyStore.verify(
            at: path, level: level, part: try part(call, level, since: start),
            expecting: call.all(InsightCommands.expect).map { ($0.origin, $0.digest) }
        ) { bar.update($0) }
        bar.finish()
        let seconds = Session.seconds(since: start)
        if session.isJSON {
            session.print(JSONAnswer.verification(report, seconds: seconds, advice: StoreFailure.advice(in: path)))
        } else {
            show(report, seconds, session)
        }
        return report.isSound ? .success : .failure
    }

    private static func part(_ call: Invocation, _ level: VerifyLevel, since start: ContinuousClock.Instant) throws -> VerifyPart {
        let (sample, seconds) = (call[InsightCommands.sample], call[InsightCommands.maximumTime])
        guard sample != nil || seconds != nil else { return .everything }
        guard level == .log || level == .deep else {
            throw CommandFailure(.usage, "--sample and --max-time are for the levels log and deep", next: "Leave them out, or --level.")
        }
        guard sample == nil || seconds == nil else {
            throw CommandFailure(.usage, "--sample and --max-time don't go together", next: "Use one of them.")
        }
        if let seconds {
            let end = start + .seconds(seconds)
            return .until { ContinuousClock.now >= end }
        }
        // Another sample each time.
        let seed = UInt64.random(in: .min ... .max)
        return switch sample {
        case .percent(let percent): .percent(percent, seed: seed)
        case .commits(let count): .commits(count, seed: seed)
        case nil: .everything
        }
    }

    private static func show(_ report: VerifyReport, _ seconds: Double, _ session: Session) {
        for finding in report.findings {
            session.out.line(
                Style.colour(.red)(finding.kind, on: session.surface)
                    + "  \(shown(finding.place)): \(shown(StoreFailure.message(finding)))")
        }
        let parts = [
            report.level == .quick ? "the head and length of the file" : Numbers.count(report.pages, "page"),
            report.commits > 0 ? Numbers.count(report.commits, "commit") : "",
            report.events > 0 ? Numbers.count(report.events, "event") : "",
            report.projections > 0 ? Numbers.count(report.projections, "projection") : "",
        ]
        session.out.line(
            "checked " + parts.filter { !$0.isEmpty }.joined(separator: ", ")
                + " (level \(report.level.rawValue)) in \(Int(seconds * 1000)) ms")
        if let pages = report.pageFigures.first {
            session.out.line(
                "pages: \(Numbers.grouped(Int(clamping: pages.used))) in use, \(Numbers.grouped(Int(clamping: pages.free))) free, "
                    + "\(Numbers.grouped(Int(clamping: pages.leaked))) leaked")
        }
        if let part = report.part {
            session.out.line(
                part.isContinuous
                    ? "commits \(part.first) to \(part.last) of \(part.total): of the others nothing is said"
                    : "a sample of \(Numbers.grouped(report.commits)) of the \(Numbers.count(Int(clamping: part.total), "commit")): "
                        + "of the others nothing is said")
        }
        for head in report.knownHeads {
            session.out.line(
                "origin \(head.origin): the expected head is there, "
                    + (head.commitsSince == 0 ? "and is the last" : "\(Numbers.count(Int(clamping: head.commitsSince), "commit")) ago"))
        }
        if report.unknownEvents > 0 {
            session.out.line("\(Numbers.count(report.unknownEvents, "event")) of newer kinds: kept, and passed over")
        }
        for held in report.heldAside {
            session.out.line(
                "held aside: commit \(held.commit) of origin \(held.origin) (\(shown(held.reason)): \(shown(held.message)))")
        }
        for remark in report.remarks { session.out.line(remark) }
        if report.isSound {
            session.out.line(Style.colour(.green)("sound: nothing was found", on: session.surface))
            return
        }
        let listed = report.findings.count
        session.out.line(
            Style.colour(.red)(Numbers.count(report.findingCount, "finding"), on: session.surface)
                + (listed < report.findingCount ? ", the first \(listed) of them listed" : ""))
        var told: Set<String> = []
        for finding in report.findings {
            let next = StoreFailure.next(after: finding.kind, in: report.path)
            if told.insert(next).inserted { session.remark("Next: engram \(shown(next)), for what is called \(finding.kind)") }
        }
    }
}
