import CommandLineKit
import Engram
import FileSystem
import StudyJSON

/// What the commands about the log, imports and merges do.
enum LogActions {
    static func log(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let types = Set(call.all(LogCommands.type))
        for type in types where StudyEvent.type(named: type) == nil && !type.hasPrefix("type_") {
            throw CommandFailure(
                .usage, "'\(shown(type))' is not a type of event", next: "Types are named like card_reviewed; see Schemas/.")
        }
        let since = UInt64(call[LogCommands.since] ?? 0)
        return try reading(call, session) { store in
            try store.events(since: since, types: types) { show($0, session) }
        } newer: { path in
            try StudyStore.events(ofNewerStoreAt: path, since: since) {
                types.isEmpty || types.contains($0.type) ? show($0, session) : true
            }
        }
    }

    static func exportLog(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try reading(call, session) { store in
            try store.exportLog { line in
                session.out.write(bytes: line)
                session.out.line()
                return session.out.isOpen
            }
        } newer: { path in
            try StudyStore.events(ofNewerStoreAt: path) { show($0, session) }
        }
    }

    private static func show(_ event: LoggedEvent, _ session: Session) -> Bool {
        session.out.write(bytes: event.line())
        session.out.line()
        return session.out.isOpen
    }

    /// Lists a store's events; of a store that a newer program wrote, what can be read of them, with a warning.
    private static func reading(
        _ call: Invocation, _ session: Session, _ known: (StudyStore) throws -> Void, newer: (String) throws -> Int
    ) throws -> ExitCode {
        do {
            try known(try StoreAccess.ask(call, session))
        } catch StoreError.unknownFormat(let path, let found, let program) where found > program {
            let unread = try newer(path)
            session.warn(
                "the store has format \(found), and this program knows \(program): what it could read was listed, unproved"
                    + (unread == 0 ? "" : "; \(Numbers.count(unread, "commit")) could not be read"))
        }
        return .success
    }

    static func importLog(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let file = try call.value(of: LogCommands.logFile)
        guard file == "-" else {
            return tell(try StoreAccess.reading(file) { () throws(StoreError) in try store.merge(with: file, at: session.now()) }, session)
        }
        return tell(try store.importLog(standardInputNamed: "standard input", at: session.now()), session)
    }

    /// More than an event can state: the store says where the limit is.
    private static let maximumStatementBytes = 1 << 20

    static func append(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let subject = try call[LogCommands.subject].map { text in
            guard text.utf8.count == 36, let id = UniqueID(text) else {
                throw CommandFailure(.usage, "'\(shown(text))' is not an id", next: "Give all 36 characters, as --json prints them.")
            }
            return id
        }
        var event = AppEvent(name: try call.value(of: LogCommands.eventName), revision: UInt64(call[LogCommands.revision] ?? 1))
        if let file = call[LogCommands.statement.optional] {
            let bytes = try statement(file)
            if call[LogCommands.isBinary] {
                event.bytes = bytes
            } else if let text = String(validating: bytes, as: UTF8.self) {
                event.text = text
            } else {
                throw CommandFailure(.usage, "'\(shown(file))' isn't text", next: "Give --bytes to record bytes.")
            }
        }
        let store = try StoreAccess.open(call, session)
        let about = subject ?? store.newID()
        let result = try store.perform(.record(event, about: about), at: session.now())
        if session.isJSON {
            session.print(JSONAnswer.recording(of: result, about: about))
        } else {
            session.out.line("recorded \(shown(event.name)) about \(about)")
        }
        return .success
    }

    private static func statement(_ file: String) throws -> [UInt8] {
        if file == "-" {
            switch System.readAll(System.standardInput, limit: maximumStatementBytes) {
            case .success(let bytes): return bytes
            case .failure(let fault): throw CommandFailure(.usage, "standard input can't be read: \(fault.words)")
            }
        }
        do throws(InputFile.Refusal) { return try InputFile(path: file).bytes(count: maximumStatementBytes) } catch {
            throw CommandFailure(.usage, "'\(shown(file))' can't be read: \(error)")
        }
    }

    static func merge(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let other = try call.value(of: LogCommands.other)
        return tell(try StoreAccess.reading(other) { () throws(StoreError) in try store.merge(with: other, at: session.now()) }, session)
    }

    private static func tell(_ report: MergeReport, _ session: Session) -> ExitCode {
        defer { if let remark = report.remark { session.warn(shown(remark)) } }
        if session.isJSON {
            session.print(report)
        } else {
            session.out.line(
                "\(Numbers.count(report.newEvents, "new event")), \(Numbers.grouped(report.knownEvents)) known"
                    + (report.quarantined > 0
                        ? ", \(Numbers.grouped(report.quarantined)) held back: their time lies more than a day ahead" : ""))
            if report.erasedCards + report.erasedEvents > 0 {
                session.out.line(
                    "erased the texts of \(Numbers.count(report.erasedEvents, "event")); other devices had erased "
                        + Numbers.count(report.erasedCards, "more card"))
            }
            show(report.heldAside, session)
            if let digest = report.digest { session.out.line("digest \(digest)") }
        }
        for refusal in report.refused {
            session.warn("origin \(refusal.origin) was left out from commit \(refusal.commit) on: \(shown(refusal.reason))")
        }
        if !report.isCleared {
            session.warn(
                "the store is open elsewhere, or couldn't be written anew: unused parts of its file may still hold erased texts; the next command that writes while "
                    + "nobody else has it open clears them")
        }
        return report.refused.isEmpty ? .success : .failure
    }

    private static func show(_ held: [HeldAside], _ session: Session) {
        guard let first = held.first else { return }
        session.out.line(
            "\(Numbers.count(held.count, "commit")) held aside, from commit \(first.commit) of origin \(first.origin) on "
                + "(\(shown(first.message))): kept and passed on, and taken in by a version that can read them")
    }

    static func importFile(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let zone = call[LogCommands.zone]
        let isDryRun = call[Parameters.dryRun]
        let store = isDryRun ? try StoreAccess.ask(call, session) : try StoreAccess.open(call, session)
        let file = try call.value(of: LogCommands.file)
        var bar: ProgressBar?
        defer { bar?.finish() }
        let report = try store.importHistory(
            at: file, format: call[LogCommands.format], deckTitle: call[LogCommands.deck],
            zone: zone.map { zone in { milliseconds in Int16(clamping: zone.minutesEast(at: milliseconds)) } },
            isRaw: call[LogCommands.raw], isDryRun: isDryRun,
            moment: session.now()
        ) { done, total in
            let shown = bar ?? session.progress("Reading", total: total)
            bar = shown
            shown.update(done)
        }
        bar?.finish()
        let name = String(file.split(separator: "/").last ?? "")
        ImportReportPage(report, name: name, isDryRun: isDryRun).tell(session)
        if let remark = report.remark { session.warn(shown(remark)) }
        return .success
    }
}
