import CommandLineFrame
import Engram

/// What the commands do that keep a store safe, or get one back.
enum RescueActions {
    static func backup(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let target = try call.value(of: RescueCommands.target)
        let error = System.makeFolders(above: target)
        guard error == 0 else {
            throw CommandFailure(.store, "the folder of \(shown(target)) can't be made: \(System.message(error))")
        }
        let store = try StoreAccess.open(call, session)
        let report = try store.backup(
            to: target, openForm: call[RescueCommands.openForm], drill: call[RescueCommands.drill])
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
            return .right
        }
        session.out.line(
            "copied \(Numbers.count(report.events, "event")) in \(Numbers.count(report.commits, "commit")) to \(shown(report.path))")
        session.out.line("digest \(report.digest)")
        if report.drill != nil { session.out.line("restored elsewhere, it folds to the same digest") }
        session.remark("Next: engram verify --store \(shown(report.path)), now and then")
        return .right
    }

    static func erase(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let path = try StoreAccess.path(call, session)
        let name = try call.value(of: Parameters.card)
        // The store must be closed again before its file can be written anew.
        let (card, report) = try { () throws -> (UniqueID, EraseReport) in
            let store = try StoreAccess.open(call, session)
            let card = try store.card(named: name)
            return (card, try store.erase(card, at: session.moment))
        }()
        var isCleared = true
        do throws(StoreError) { try StudyStore.rewrite(at: path) } catch {
            guard case .inUse = error else { throw error }
            isCleared = false
        }
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.member("id", card.description)
                    writer.member("event", report.event?.description)
                    writer.member("erased", report.events)
                    writer.key("cleared")
                    writer.value(isCleared)
                }
            }
        } else {
            session.out.line("erased the texts of card \(card) from \(Numbers.count(report.events, "event"))")
        }
        if !isCleared {
            session.warn(
                "the store is open elsewhere: unused parts of its file may still hold the texts; erase the card again once the store is closed"
            )
        }
        return .right
    }

    static func migrate(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let path = try StoreAccess.path(call, session)
        let isDryRun = call[Parameters.dryRun]
        let bar = session.progress("migrating", total: nil)
        defer { bar.finish() }
        let report = try StudyStore.migrate(at: path, dryRun: isDryRun) { bar.update($0) }
        bar.finish()
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.key("changed")
                    writer.value(report.isChanged)
                    writer.member("events", report.events)
                    writer.member("backup", report.keptAt)
                    writer.member("lost", 0)
                    writer.member("from", report.from)
                    writer.member("to", report.to)
                    writer.key("types")
                    JSONForms.array(&writer, report.kinds) { writer, kind in
                        JSONForms.object(&writer) { writer in
                            writer.member("type", kind.type)
                            writer.member("version", kind.version)
                            writer.key("read_as")
                            if let readAs = kind.readAs { writer.value(readAs) } else { writer.null() }
                            writer.member("events", kind.events)
                            writer.member("erasable", kind.erasable)
                        }
                    }
                }
            }
            return .right
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
        return .right
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
            return .right
        }
        session.out.line(
            report.isChanged
                ? "the store has \(Numbers.grouped(report.bytesAfter)) bytes, and had \(Numbers.grouped(report.bytesBefore))"
                : "nothing to gain: the store keeps its \(Numbers.grouped(report.bytesAfter)) bytes")
        return .right
    }
}
