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
