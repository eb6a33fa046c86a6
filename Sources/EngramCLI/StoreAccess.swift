import CommandLineKit
import Engram
import FileSystem
import StudyJSON

/// The store that a call is about.
enum StoreAccess {
    /// `--store`, else `$ENGRAM_STORE`, else the user's data folder. From here on a crash is told as what that store did.
    static func path(_ call: Invocation, _ session: Session) throws -> String {
        let path = try namedPath(call, session)
        installCrashHandler(in: path)
        return path
    }

    private static func namedPath(_ call: Invocation, _ session: Session) throws -> String {
        if let path = call[Parameters.store] ?? session.variable("ENGRAM_STORE") { return path }
        // What isn't an absolute path there is to be passed over, says the standard.
        if let data = session.variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/engram" }
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
        try StudyStore.open(at: path(call, session))
    }

    /// The same for a command that only asks: nothing is made, and nothing written but LMDB's own lock file, if that can be.
    static func ask(_ call: Invocation, _ session: Session) throws -> StudyStore {
        try StudyStore.open(at: path(call, session), readOnly: true)
    }

    /// LMDB trusts its file. Opening looks at the pages that lead to all others; a damaged one further down can still kill the
    /// process, which then says so, with the exit code for a store that can't be read.
    private static func installCrashHandler(in path: String) {
        System.installCrashHandler(
            saying: "engram: the store at \(shown(path)) can't be read: its file seems to be damaged, and nothing of this command was "
                + "kept that wasn't whole\nRun: engram verify --store \(shown(path))\n",
            shortage: "engram: there isn't enough memory; nothing of this command was kept that wasn't whole\n"
                + "Close other programs or raise the limit (ulimit -v), then try again; if that doesn't help, run: "
                + "engram verify --store \(shown(path))\n", code: .store)
    }

    /// Runs `body`, which reads the file or store at `path` as its input: that nothing is there is wrong input.
    static func reading<Value>(_ path: String, _ body: () throws(StoreError) -> Value) throws -> Value {
        do throws(StoreError) { return try body() } catch {
            guard case .noStore(path) = error else { throw error }
            throw CommandFailure(.usage, "\(shown(path)) is no store and no file of events", next: "Look whether the path is right.")
        }
    }

    /// Makes an empty store at `path`, with the folders that lead to it.
    static func create(at path: String) throws -> StudyStore {
        if let status = try? Files.status(of: path, followingLinks: true), !status.isDirectory {
            throw CommandFailure(.store, "\(shown(path)) is a file, and a store is a folder", next: "Name another place with --store PATH.")
        }
        try makeFolders(above: path, next: "Name another place with --store PATH.")
        return try StudyStore.create(at: path)
    }

    /// Makes the folders above `path` that are missing, open to their owner alone.
    static func makeFolders(above path: String, next: String? = nil) throws {
        do throws(SystemCode) { try Files.makeFolders(above: path) } catch {
            throw CommandFailure(.store, "the folder of \(shown(path)) can't be made: \(error.message)", next: next)
        }
    }
}

extension Session {
    /// Prints one JSON document.
    func print(_ answer: some JSONRepresentable) {
        out.write(bytes: answer.json)
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
