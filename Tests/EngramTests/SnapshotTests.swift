import Dispatch
import Engram
import EventCoding
import Foundation
import StudyModel
import Synchronization
import Testing

/// No lock is held while somebody's code runs: reads don't wait for reads or writes, and callbacks may ask the store.
@Suite struct SnapshotTests {
    private static func filled(_ folder: TemporaryFolder, cards: Int = 40) throws -> (store: StudyStore, deck: UniqueID) {
        let store = try folder.create()
        let deck = try store.deck()
        for _ in 0..<cards { _ = try store.card(in: deck) }
        return (store, deck)
    }

    @Test("What an export, a replayed log or an import tells may ask the store and act on it")
    func callbacksAsk() throws {
        let folder = try TemporaryFolder()
        let (store, deck) = try Self.filled(folder)
        let card = try #require(try store.cards().first?.id)
        var seen: [Int] = []
        _ = try store.export(.csv, at: moment()) { _ in
            do {
                try store.perform(.review(card, .good, took: nil), at: moment(seen.count + 1))
                seen.append(try store.cards(in: deck).count)
            } catch { Issue.record(error) }
            return true
        }
        try store.events { _ in
            do { seen.append(try store.cards(in: deck).count) } catch { Issue.record(error) }
            return true
        }
        #expect(seen.count > 40 && seen.allSatisfy { $0 == 40 })
        #expect(try store.card(card).passed >= 1)
    }

    @Test("A write from inside a write is an error with a sentence, and the outer one goes on")
    func writesInside() throws {
        let folder = try TemporaryFolder()
        let (store, deck) = try Self.filled(folder, cards: 1)
        let list = folder.path + "/list.csv"
        try (0..<3000).map { "front \($0),back \($0)\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
        let refusals = Mutex<[String]>([])
        let counts = Mutex<Set<Int>>([])
        _ = try store.importHistory(at: list, format: .list, moment: moment(1)) { _, _ in
            counts.withLock { _ = $0.insert((try? store.cards(in: deck).count) ?? -1) }
            do { try store.perform(.createDeck(title: "inside", colour: nil), at: moment(2)) } catch {
                refusals.withLock { $0.append("\(error)") }
            }
        }
        #expect(refusals.withLock { !$0.isEmpty && $0.allSatisfy { $0.contains("a write inside a write") } })
        #expect(counts.withLock { $0 } == [1], "the state of before the import, as long as it isn't done")
        #expect(try store.cards().count == 3001)
    }

    @Test("While an export stands still, others ask and act")
    func readsDontWait() throws {
        let folder = try TemporaryFolder()
        let (store, _) = try Self.filled(folder)
        let card = try #require(try store.cards().first?.id)
        let (isIn, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let export = Thread {
            var isFirst = true
            _ = try? store.export(.csv, at: moment()) { _ in
                if isFirst {
                    isIn.signal()
                    mayGo.wait()
                }
                isFirst = false
                return true
            }
            isIn.signal()
        }
        export.start()
        isIn.wait()
        // Neither of these returns before the export does if it holds what they need.
        let due = try store.due(at: moment(1)).cards.count
        try store.perform(.review(card, .good, took: nil), at: moment(1))
        let passed = try store.card(card).passed
        mayGo.signal()
        isIn.wait()
        #expect(due == 40 && passed == 1)
    }

    @Test("Where an older file was written over the open one, that is an error and no endless wait")
    func olderFileInPlace() throws {
        let folder = try TemporaryFolder()
        let (store, deck) = try Self.filled(folder)
        let older = try Data(contentsOf: URL(filePath: store.path + "/data.mdb"))
        for _ in 0..<5 { _ = try store.card(in: deck) }
        let file = try FileHandle(forWritingTo: URL(filePath: store.path + "/data.mdb"))
        try file.write(contentsOf: older)
        try file.close()
        #expect(throws: StoreError.self) { try store.cards() }
    }

    @Test("Two threads read while one writes and one exports: each sees whole states, none goes back")
    func manyAtOnce() throws {
        let folder = try TemporaryFolder()
        let (store, deck) = try Self.filled(folder)
        let cards = try store.cards().map(\.id)
        let failures = Mutex<[String]>([])
        let isDone = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            do {
                switch thread {
                case 0:
                    defer { isDone.store(true, ordering: .releasing) }
                    for round in 0..<200 { try store.perform(.review(cards[round % cards.count], .good, took: nil), at: moment(round + 1)) }
                case 1:
                    while !isDone.load(ordering: .acquiring) { _ = try store.export(.csv, at: moment(500)) { _ in true } }
                default:
                    var last = 0
                    while !isDone.load(ordering: .acquiring) {
                        let reviews = try store.statistics(at: moment(500)).reviews.total
                        if reviews < last { failures.withLock { $0.append("\(reviews) after \(last)") } }
                        last = reviews
                        if try store.cards(in: deck).count != cards.count { failures.withLock { $0.append("cards") } }
                    }
                }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try store.statistics(at: moment(500)).reviews.total == 200)
        #expect(try store.replay(at: moment(500)).isEqual == true)
    }
}
