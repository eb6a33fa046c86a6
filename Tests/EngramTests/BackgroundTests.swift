import Dispatch
import EventCoding
import EventLog
import Foundation
import LMDB
import Scheduling
import StudyModel
import Synchronization
import Testing

@testable import Engram

/// Asks for an interruption with the first answer that it is given.
private struct Interrupting: Scheduler {
    static let name = "interrupting"
    static let first = Mutex<Interruption?>(nil)

    var revision: Int { 1 }
    var parameters: [(name: String, value: String)] { [] }

    init() {}
    init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {}

    func newCard(on day: StudyDay) -> SchedulerMemory { SchedulerMemory(0) }
    func memory(placed placement: Placement) -> SchedulerMemory { SchedulerMemory(0) }
    func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
        Self.first.withLock { $0 }?.request()
        return SchedulerMemory(1)
    }
    func interval(of memory: SchedulerMemory) -> Int { 1 }
    func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] { [] }
    func hasSameMemory(as other: Interrupting) -> Bool { true }
}

/// What takes long is done elsewhere, and can be ended as long as nothing of it is there.
@Suite(.timeLimit(.minutes(1))) struct BackgroundTests {
    /// A list of so many cards.
    private static func list(_ count: Int, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/list.csv"
        try (0..<count).map { "front \($0),back \($0)\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func names(in path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// What came of an operation whose task is cancelled when it first calls the closure that it gets, which stands still until then.
    private static func cancelled<Value: Sendable>(
        _ operation: @escaping @Sendable (_ here: @escaping @Sendable () -> Void) async throws -> Value
    ) async -> Result<Value, any Error> {
        let (reached, continuation) = AsyncStream.makeStream(of: Void.self)
        let mayGo = DispatchSemaphore(value: 0)
        let task = Task {
            defer { continuation.finish() }
            return try await operation {
                continuation.finish()
                mayGo.wait()
                mayGo.signal()
            }
        }
        for await _ in reached {}
        task.cancel()
        mayGo.signal()
        return await task.result
    }

    private static func error<Value>(_ result: Result<Value, any Error>) -> StoreError? {
        if case .failure(let error) = result { error as? StoreError } else { nil }
    }

    @Test("An import that is cancelled while it reads, judges or writes leaves nothing; the next one is whole", arguments: [1, 400, 900])
    func imports(cancelledAt thousandths: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.deck()
        let path = try Self.list(12_000, in: folder)
        let (sequence, digest) = (try store.lastSequence(), try store.digest())
        let names = try Self.names(in: store.path)
        let result = await Self.cancelled { here in
            try await store.importHistory(at: path, format: .list, moment: moment(1)) { done, _ in if done >= thousandths { here() } }
        }
        #expect(Self.error(result) == .cancelled)
        #expect(try store.lastSequence() == sequence && store.digest() == digest && Self.names(in: store.path) == names)
        #expect(try await store.importHistory(at: path, format: .list, moment: moment(2)).newCards == 12_000)
    }

    @Test("Other operations that are cancelled under way leave nothing, in the store, beside it, or where they write to")
    func others() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        for number in 0..<1100 { _ = try store.card("\(number)", in: deck) }
        let path = store.path
        let lines = Mutex<[[UInt8]]>([])
        try await store.exportLog { line in
            lines.withLock { $0.append(line) }
            return true
        }
        let other = try folder.create("other")
        let names = (try Self.names(in: folder.path), try Self.names(in: path), try Self.names(in: other.path))
        let errors: [(String, StoreError?)] = [
            (
                "export to a file",
                Self.error(
                    await Self.cancelled { here in
                        try await store.export(.csv, toFile: folder.path + "/cards.csv", at: moment()) { _, _ in here() }
                    })
            ),
            (
                "export of a package",
                Self.error(
                    await Self.cancelled { here in
                        try await store.export(.apkg, toFile: folder.path + "/cards.apkg", at: moment()) { _, _ in here() }
                    })
            ),
            (
                "verification",
                Self.error(
                    await Self.cancelled { here in
                        try await StudyStore.verify(
                            at: path, level: .log,
                            part: .until {
                                here()
                                return false
                            })
                    })
            ),
            (
                "import of a log",
                Self.error(
                    await Self.cancelled { here in
                        try await other.importLog(path: "lines", at: moment()) {
                            here()
                            return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                        }
                    })
            ),
            (
                "salvage",
                Self.error(
                    await Self.cancelled { here in
                        try await StudyStore.salvage(from: path, to: folder.path + "/saved") { _ in here() }
                    })
            ),
        ]
        for (name, error) in errors { #expect(error == .cancelled, "\(name)") }
        #expect(try Self.names(in: folder.path) == names.0 && Self.names(in: path) == names.1 && Self.names(in: other.path) == names.2)
        #expect(try other.lastSequence() == 0)
        #expect(try await other.merge(with: path, at: moment()).newEvents == 1101)
        #expect(try await StudyStore.verify(at: other.path, level: .deep).isSound)
    }

    @Test("A task that is cancelled already begins nothing")
    func cancelledBefore() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.card(in: store.deck())
        let (path, sequence) = (store.path, try store.lastSequence())
        let other = try folder.create("other")
        let operations: [@Sendable () async throws -> Void] = [
            { _ = try await store.replay(at: moment()) },
            { try await store.rebuild() },
            { _ = try await store.explain(.cards, at: moment()) },
            { _ = try await store.backup(to: folder.path + "/backup") },
            { _ = try await StudyStore.compact(at: path) },
            { _ = try await StudyStore.migrate(at: path) }, { _ = try await other.merge(with: path, at: moment()) },
            { _ = try await store.installPack(at: "none", moment: moment()) },
            { _ = try await store.importWords(at: "none", moment: moment()) },
            { try await store.exportLog { _ in true } },
            { _ = try await store.export(.csv, at: moment()) { _ in true } },
        ]
        for operation in operations {
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await operation()
            }
            #expect(await Self.error(task.result) == .cancelled)
        }
        #expect(try store.lastSequence() == sequence && other.lastSequence() == 0)
        #expect(try await store.replay(at: moment()).isEqual == true)
        #expect(try await store.explain(.cards, at: moment()).count == 1)
        #expect(try await store.backup(to: folder.path + "/backup").events == 2)
    }

    @Test("What is cancelled once it is on the disk is done, and says so")
    func cancelledAfter() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try Self.list(10, in: folder)
        let interruption = Interruption()
        let report = interruption.run {
            let report = try? store.importHistory(at: path, format: .list, moment: moment()) { _, _ in }
            interruption.request()
            // As what comes after a commit does.
            return (report?.newCards, try? store.cards().count)
        }
        #expect(report == (10, 10))
    }

    @Test("The fold of what has come, which all wait for, goes on to its end whoever is ended meanwhile")
    func foldsForAll() throws {
        let folder = try TemporaryFolder()
        let configuration = StudyStore.Configuration(schedulers: [Interrupting.self])
        let store = try StudyStore.create(at: folder.path + "/store", configuration: configuration)
        try store.perform(.configureScheduler(ConfiguredScheduler(Interrupting())), at: moment())
        let card = try store.card(in: store.deck())
        let other = try StudyStore.open(at: store.path, configuration: configuration)
        for number in 0..<300 { try other.perform(.review(card, .good, took: nil), at: moment(number)) }
        let interruption = Interruption()
        Interrupting.first.withLock { $0 = interruption }
        let passed = interruption.run { try? store.card(card).passed }
        Interrupting.first.withLock { $0 = nil }
        #expect(passed == 300)
        #expect(interruption.run { Interruption.isRequested })
        let (known, all) = (store.projection.withLock { $0.heads.sequence }, try store.lastSequence())
        #expect(known == all)
    }
}
