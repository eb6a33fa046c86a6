import Dispatch
import EventCoding
import Foundation
import LMDB
import StudyModel
import Synchronization
import Testing

@testable import Engram

/// Opening, opening for reading, and closing.
@Suite(.timeLimit(.minutes(1))) struct StudyStoreTests {
    @Test("A store that was opened for reading writes nothing, beside a writer of the process as well")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.create()
        let deck = try writer.deck()
        let card = try writer.card(in: deck)
        let list = folder.path + "/list.csv"
        try "front,back\n".write(toFile: list, atomically: true, encoding: .utf8)
        let other = try folder.create("other").path
        let reader = try folder.open(readOnly: true)
        #expect(reader.isReadOnly && !writer.isReadOnly)
        let writes: [(String, () throws -> Void)] = [
            ("act", { try reader.perform(.review(card, .good, took: nil), at: moment()) }),
            ("undo", { try reader.undo(at: moment()) }),
            ("session", { _ = try reader.startSession(at: moment()) }),
            ("import", { _ = try reader.importHistory(at: list, format: .list, moment: moment()) }),
            ("add", { _ = try reader.addCards(fromList: Array("a,b\n".utf8), named: "list", to: deck, at: moment()) }),
            ("merge", { _ = try reader.merge(with: other, at: moment()) }),
            ("erase", { _ = try reader.erase(card, at: moment()) }),
            ("rebuild", { try reader.rebuild() }),
            ("checkpoint", { try reader.checkpoint() }),
        ]
        let (before, names) = (try writer.lastSequence(), try FileManager.default.contentsOfDirectory(atPath: writer.path).sorted())
        for (name, write) in writes {
            #expect(throws: StoreError.readOnly(path: reader.path), "\(name)") { try write() }
        }
        #expect(try writer.lastSequence() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: writer.path).sorted() == names)
        try writer.perform(.review(card, .good, took: nil), at: moment())
        #expect(try reader.card(card).passed == 1)
    }

    @Test("Where a store is, it is opened; where none is, it is made; anything else stays as it is")
    func openOrCreate() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store"
        let first = try StudyStore.openOrCreate(at: path)
        let deck = try first.deck()
        #expect(try StudyStore.openOrCreate(at: path).decks(at: moment()).map(\.id) == [deck])
        try "text".write(toFile: folder.path + "/file", atomically: true, encoding: .utf8)
        #expect(throws: StoreError.self) { try StudyStore.openOrCreate(at: folder.path) }
        #expect(try String(contentsOfFile: folder.path + "/file", encoding: .utf8) == "text")
        let many = folder.path + "/many"
        let origins = Mutex<Set<OriginID>>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                let origin = try StudyStore.openOrCreate(at: many).origin
                origins.withLock { _ = $0.insert(origin) }
            } catch { Issue.record(error) }
        }
        #expect(origins.withLock { $0.count } == 1)
    }

    @Test("After a close every call of that object throws, twice is fine, and others go on until the last has closed")
    func closing() throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try folder.create(), try folder.open())
        let deck = try store.deck()
        store.close()
        store.close()
        let calls: [(String, () throws -> Void)] = [
            ("ask", { _ = try store.decks(at: moment()) }), ("act", { _ = try store.card(in: deck) }),
            ("read", { try store.events { _ in true } }), ("export", { _ = try store.export(.csv, at: moment()) { _ in true } }),
            ("words", { _ = try store.wordCount() }), ("checkpoint", { try store.checkpoint() }),
            ("back up", { _ = try store.backup(to: folder.path + "/backup") }), ("replay", { _ = try store.replay(at: moment()) }),
        ]
        for (name, call) in calls { #expect(throws: StoreError.closed(path: store.path), "\(name)") { try call() } }
        #expect(try other.decks(at: moment()).count == 1)
        #expect(Environment.isOpen(path: store.path))
        other.close()
        #expect(!Environment.isOpen(path: store.path))
        #expect(try StudyStore.compact(at: store.path).events == 1, "nobody has it open")
    }

    @Test("A close ends feeds and their watcher, those that wait and those that are begun later")
    func closingEndsFeeds() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let (waiting, later) = (store.changes(), store.changes(from: .beginning))
        let listener = Task {
            var iterator = waiting.makeAsyncIterator()
            return try await iterator.next() == nil
        }
        while store.signal.watcher == nil { await Task.yield() }
        store.close()
        #expect(try await listener.value && store.signal.watcher == nil)
        for try await _ in later { Issue.record("a closed store tells nothing") }
        for try await _ in store.changes() { Issue.record("a closed store tells nothing") }
        #expect(store.signal.watcher == nil)
    }

    @Test("Two threads read while one writes and one exports, then it is closed: each ends with that error or is done")
    func closingUnderWay() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        let cards = try (0..<40).map { try store.card("\($0)", in: deck) }
        let written = Atomic(0)
        let failures = Mutex<[String]>([])
        let path = store.path
        @Sendable func run(_ thread: Int) {
            do throws(StoreError) {
                switch thread {
                case 0:
                    for round in 0... {
                        try store.perform(.review(cards[round % 40], .good, took: nil), at: moment(round + 1))
                        written.add(1, ordering: .relaxed)
                    }
                case 1: while true { _ = try store.export(.csv, at: moment(500)) { _ in true } }
                case 2, 3: while true { _ = try store.statistics(at: moment(500)) }
                default:
                    while written.load(ordering: .relaxed) < 50 { Thread.sleep(forTimeInterval: 0.001) }
                    store.close()
                }
            } catch { if error != .closed(path: path) { failures.withLock { $0.append("\(error)") } } }
        }
        let done = DispatchGroup()
        for number in 0..<5 {
            done.enter()
            Thread {
                run(number)
                done.leave()
            }.start()
        }
        done.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(!Environment.isOpen(path: path))
        let again = try folder.open()
        #expect(try again.statistics(at: moment(500)).reviews.total == written.load(ordering: .relaxed))
        #expect(try again.disagreement() == nil)
    }
}
