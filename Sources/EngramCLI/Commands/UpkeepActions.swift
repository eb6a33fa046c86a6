import CommandLineKit
import Engram
import StudyJSON

/// What the commands do that carry a store over to another form, or clear something out of it for good.
enum UpkeepActions {
    static func erase(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let card = try store.erasableCard(named: try call.value(of: Parameters.card))
        let report = try store.erase(card, at: session.now())
        if session.isJSON {
            session.print(JSONAnswer.erasure(of: card, report))
        } else {
            session.out.line("erased what was written about \(card) from \(Numbers.count(report.events, "event"))")
            for name in report.removed { session.out.line("removed \(shown(name)) in the store's folder, which held them too") }
        }
        if report.left > 0 {
            session.warn("not yet gone: \(Numbers.count(report.left, "event")) can't lose theirs without taking other events with them")
        }
        if !report.isCleared {
            session.warn(
                "not yet gone: the store is open elsewhere, or a copy of one is being made beside it, and unused parts of its file may still "
                    + "hold the texts; the next command that writes while it is alone clears them")
        }
        return report.isGone ? .success : .failure
    }

    static func migrate(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let path = try StoreAccess.path(call, session)
        let isDryRun = call[Parameters.dryRun]
        let bar = session.progress("migrating", total: nil)
        defer { bar.finish() }
        let report = try StudyStore.migrate(at: path, dryRun: isDryRun) { bar.update($0) }
        bar.finish()
        if session.isJSON {
            session.print(report)
            return .success
        }
        var table = Table([
            .init("Type"), .init("Version", .right), .init("Read as", .right), .init("Events", .right), .init("Erasable", .right),
        ])
        for kind in report.kinds {
            table.add([
                Table.Cell(kind.type), Table.Cell("\(kind.version)"), Table.Cell(kind.readAs.map { "\($0)" } ?? "kept"),
                Table.Cell(Numbers.grouped(kind.events)), Table.Cell(kind.erasable == 0 ? "" : Numbers.grouped(kind.erasable)),
            ])
        }
        session.out.lines(table.lines(on: session.surface))
        let events = Numbers.count(report.events, "event")
        if report.from == report.to {
            session.remark("The store has format \(report.to) already: nothing is to do for its \(events).")
        } else if isDryRun {
            session.remark("Proved: all \(events) can be carried over from format \(report.from) to \(report.to). Nothing was changed.")
        } else {
            session.remark("Carried \(events) over from format \(report.from) to \(report.to).")
            if let kept = report.keptAt { session.remark("The old store is kept at \(shown(kept)); remove it when you like.") }
        }
        return .success
    }
}
