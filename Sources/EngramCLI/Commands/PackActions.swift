import CommandLineKit
import Engram
import StudyJSON

/// What the commands about packs do.
enum PackActions {
    static func install(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        var bar: ProgressBar?
        defer { bar?.finish() }
        let report = try store.installPack(
            at: try call.value(of: PackCommands.file), map: call[PackCommands.map], name: call[PackCommands.name], moment: session.now()
        ) { done, total in
            let shown = bar ?? session.progress("Installing", total: total)
            bar = shown
            shown.update(done)
        }
        bar?.finish()
        if session.isJSON { session.print(report) } else { show(report, session) }
        return .success
    }

    private static func show(_ report: PackReport, _ session: Session) {
        let pack = report.pack
        session.out.line(
            (report.isChanged ? "installed " : "nothing has changed in ") + Style.bold(shown(pack.name), on: session.surface) + "  "
                + Style.dim(pack.id.description, on: session.surface))
        session.out.line(
            "\(Numbers.count(pack.words, "word")), \(Numbers.count(pack.questions, "question")), \(Numbers.count(pack.types, "test type"))")
        if report.skippedCount > 0 {
            session.remark("Left out: \(Numbers.count(report.skippedCount, "row"))")
            for row in report.skipped.prefix(20) {
                let key = row.key.map { " (\(shown($0).truncated(to: 40)))" } ?? ""
                session.remark("  \(shown(row.table)), row \(Numbers.grouped(row.row))\(key): \(row.reason)")
            }
            if report.skippedCount > 20 { session.remark("  and more; --json lists a hundred") }
        }
        for type in report.refused {
            session.warn("the test type \(shown(type.id)) can't be used: \(shown(type.reason))")
        }
        if pack.questions > 0 { session.remark("Next: engram quiz types, or engram quiz start all") }
    }

    static func list(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let packs = try StoreAccess.ask(call, session).packs()
        if session.isJSON {
            session.print(JSONAnswer.packs(packs))
        } else if call[PackCommands.names] {
            session.out.lines(packs.map { shown($0.name) })
        } else if packs.isEmpty {
            session.remark("There are no packs yet; install one with: engram pack install FILE")
        } else {
            var table = Table([
                .init("Pack", isFlexible: true), .init("Words", .right), .init("Questions", .right), .init("Types", .right), .init("Since"),
                .init("Id"),
            ])
            for pack in packs {
                table.add([
                    Table.Cell(pack.name, .bold), Table.Cell(Numbers.grouped(pack.words)), Table.Cell(Numbers.grouped(pack.questions)),
                    Table.Cell(Numbers.grouped(pack.types)), Table.Cell(String(pack.installedAt.iso.prefix(10))),
                    Table.Cell(String(pack.id.description.prefix(8)), .dim),
                ])
            }
            session.out.lines(table.lines(on: session.surface))
            for pack in packs where pack.content != .here {
                session.warn(
                    pack.content == .damaged
                        ? "the content of \(shown(pack.name)) is damaged: install its file again"
                        : "\(shown(pack.name)) was installed elsewhere"
                            + (pack.content == .other ? " in another version than the one that is here" : "")
                            + ": install its file here too")
            }
        }
        return .success
    }

    static func remove(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let id = try store.pack(named: try call.value(of: PackCommands.pack))
        guard let pack = try store.packs().first(where: { $0.id == id }) else { throw StoreError.notFound(.pack, name: "\(id)") }
        let result = try store.removePack(id, at: session.now())
        if session.isJSON {
            session.print(JSONAnswer.removal(of: pack, result))
        } else {
            session.out.line("removed \(shown(pack.name)) with \(Numbers.count(pack.questions, "question"))")
            session.remark("Next: engram undo brings it back.")
        }
        return .success
    }
}
