import CommandLineFrame
import Engram

/// The store that a call is about, and what the engine's errors are to whoever called.
enum StoreAccess {
    /// `--store`, else `$ENGRAM_STORE`, else the user's data folder.
    static func path(_ call: Invocation, _ session: Session) throws -> String {
        if let path = call[Parameters.store] ?? session.variable("ENGRAM_STORE") { return path }
        if let data = session.variable("XDG_DATA_HOME") { return data + "/engram" }
        guard let home = session.variable("HOME") else {
            throw CommandFailure(.store, "no store was named, and HOME isn't set", next: "Name one with --store PATH.")
        }
        #if os(macOS)
            return home + "/Library/Application Support/engram"
        #else
            return home + "/.local/share/engram"
        #endif
    }

    static func open(_ call: Invocation, _ session: Session) throws -> StudyStore {
        try StudyStore.open(at: try path(call, session))
    }

    /// What went wrong, with the exit code that scripts rely on.
    static func failure(_ error: any Error) -> CommandFailure {
        guard let error = error as? StoreError else { return CommandFailure(.store, String(describing: error)) }
        return CommandFailure(ExitCode(rawValue: error.exitCode) ?? .store, error.description)
    }
}

extension Session {
    /// `--now`, or the system's clock and zone.
    var moment: Moment {
        let now = now()
        return Moment(wallMilliseconds: now.milliseconds, zoneMinutes: Int16(clamping: now.zoneMinutes))
    }

    /// Prints one JSON document.
    func print(json write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        write(&writer)
        out.write(bytes: writer.bytes)
        out.line()
    }

    /// Seconds since `start`, for reports; the clock never goes back.
    static func seconds(since start: ContinuousClock.Instant) -> Double {
        let elapsed = ContinuousClock.now - start
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds / 1_000_000_000_000) / 1_000_000
    }
}

extension StudyStore {
    /// The event that `name` spells.
    static func event(named name: String) throws -> EventID {
        guard let id = EventID(name) else {
            throw CommandFailure(
                .usage, "'\(name)' is not an event", next: "Events are named ORIGIN/NUMBER, as log and timeline print them.")
        }
        return id
    }
}
