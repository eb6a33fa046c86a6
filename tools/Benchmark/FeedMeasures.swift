import Dispatch
import Engram
import Foundation
import Synchronization

/// What an app waits for that listens: the first event of a long log, and what another process has just done.
struct FeedMeasures {
    /// This program, which runs again as the other process.
    let program: String
    /// A store with so many events.
    let path: String
    let events: Int
    /// A folder for more.
    let folder: String

    private static let runs = 5
    private static let actions = 200

    func measures() throws -> [Measure] {
        let store = try StudyStore.open(at: path)
        let times = try (0..<Self.runs).map { _ in
            try Self.waiting {
                let start = ContinuousClock.now
                for try await _ in store.changes(from: .beginning) { break }
                return Self.seconds(since: start)
            }
        }
        let whole = try ChildProcess.run(program, ["--listen-to", path, "--events", "\(events)"], samplesMemory: true)
        let alone = try ChildProcess.run(program, ["--listen-to", path, "--events", "0"], samplesMemory: true)
        guard whole.exitCode == 0, alone.exitCode == 0 else { throw ChildProcess.CannotStart(path: program) }
        return [
            Measure(
                key: "feed_first", what: "first event of a feed from the beginning of the log", unit: "ms",
                ours: Clock.median(times) * 1000,
                floor: nil, must: 20),
            Measure(
                key: "feed_memory", what: "peak resident that a feed over the whole log adds, the mapped file aside", unit: "MB",
                ours: Double(max(0, whole.anonymousBytes - alone.anonymousBytes)) / 1e6, floor: nil, must: 40),
            Measure(
                key: "feed_latency", what: "from an action in another process to its event here, the commit included",
                unit: "ms", ours: try latency() * 1000, floor: nil, must: 20),
        ]
    }

    /// How long an event of another process takes to come, in seconds.
    private func latency() throws -> Double {
        let store = try StudyStore.create(at: folder + "/feed")
        let feed = store.changes()
        let (program, path) = (program, store.path)
        return try Self.waiting {
            let listener = Task {
                var times: [Double] = []
                for try await case .event(let event) in feed {
                    let begun = event.payload["title"]?.stringValue.flatMap { Double($0) } ?? 0
                    times.append(Date().timeIntervalSince1970 - begun)
                    if times.count == Self.actions { break }
                }
                return times
            }
            _ = try ChildProcess.run(program, ["--act-on", path])
            let times = try await listener.value
            talk("  (the longest took \(Int((times.max() ?? 0) * 1e6)) µs)")
            return Clock.median(times)
        }
    }

    /// What the other process does: actions that say when they were begun.
    static func act(on path: String) throws {
        let store = try StudyStore.open(at: path)
        for _ in 0..<actions {
            try store.perform(.createDeck(title: "\(Date().timeIntervalSince1970)", colour: nil), at: BenchmarkStore.now)
            usleep(5000)
        }
    }

    /// Opens the store, listens to so many events from its beginning, and holds none of them.
    static func listen(to path: String, events: Int) throws {
        let store = try StudyStore.open(at: path)
        guard events > 0 else { return }
        try waiting {
            var left = events
            for try await case .event in store.changes(from: .beginning) {
                left -= 1
                if left == 0 { break }
            }
        }
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        let elapsed = ContinuousClock.now - start
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }

    /// What `body` comes to, for a program that has nothing else to do.
    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
        Task.detached {
            let found: Result<Value, any Error>
            do { found = .success(try await body()) } catch { found = .failure(error) }
            result.withLock { $0 = found }
            done.signal()
        }
        done.wait()
        return try result.withLock { $0 }.get()
    }
}
