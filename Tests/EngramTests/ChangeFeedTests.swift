import Dispatch
import EventCoding
import Foundation
import StudyModel
import Synchronization
import Testing

@testable import Engram

struct ChangeFeedTests {
    /// The changes up to the event of that sequence number, with the moments that follow it.
    private func changes(_ store: StudyStore, from start: ChangeFeed.Start = .beginning) async throws -> [Change] {
        let last = try store.lastSequence()
        var found: [Change] = []
        // One more action, at whose event the feed is left.
        try store.perform(.createDeck(title: "mark", colour: nil), at: moment(100 * day))
        for try await change in store.changes(from: start) {
            if case .event(let event) = change, event.sequence > last { break }
            found.append(change)
        }
        try store.undo(at: moment(100 * day))
        return found
    }

    private func streaks(_ changes: [Change]) -> [Int] {
        changes.compactMap { if case .moment(.streakGrown(let days, _)) = $0 { days } else { nil } }
    }

    @Test("Every event comes once and in order, from any point on, whoever wrote it")
    func events() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        for number in 0..<600 { _ = try store.card("card \(number)", in: deck) }
        var log: [String] = []
        try store.events { event in
            log.append(event.event.description)
            return true
        }
        func named(_ changes: [Change]) -> [String] {
            changes.compactMap { if case .event(let event) = $0 { event.event.description } else { nil } }
        }
        #expect(try await named(changes(store)) == log)
        // The mark and its undo are in the log by now.
        #expect(try await named(changes(store, from: .after(500))).prefix(101) == log[500...])
        let live = store.changes()
        let listener = Task {
            for try await change in live { if case .event(let event) = change { return event.type } }
            return "none"
        }
        try folder.open().perform(.renameDeck(deck, title: "new"), at: moment(200 * day))
        #expect(try await listener.value == "deck_renamed")
    }

    private func take(_ list: String, into store: StudyStore) throws {
        _ = try store.importHistory(at: list, format: .list, moment: moment())
    }

    @Test("A commit is read piece by piece: all of its events come, in order, and few are held at a time")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = folder.path + "/list.csv"
        try (0..<2500).map { "front \($0),back \($0) with as many words as a card may have\n" }.joined()
            .write(toFile: path, atomically: true, encoding: .utf8)
        try take(path, into: store)
        var log: [EventID] = []
        try store.events { event in
            log.append(event.event)
            return true
        }
        var reader = FeedReader(after: 0)
        var sizes: [Int] = []
        var found: [EventID] = []
        while true {
            let events = try reader.next(of: store).compactMap { if case .event(let event) = $0 { event.event } else { nil } }
            if events.isEmpty { break }
            sizes.append(events.count)
            found += events
        }
        #expect(found == log)
        #expect(sizes.count > 5 && sizes.allSatisfy { $0 < 700 }, "\(sizes)")
        #expect(try await changes(store).count == log.count)
    }

    private actor Listener {
        func first(_ feed: ChangeFeed) async throws -> Change? { for try await change in feed { return change }; return nil }
        func isFree() -> Bool { true }
    }

    @Test("While a feed reads, the actor that listens is free", .timeLimit(.minutes(1)))
    func actors() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.deck()
        let listener = Listener()
        let (isIn, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // No read gets further than this.
        Thread {
            store.projection.withLock { _ in
                isIn.signal()
                mayGo.wait()
            }
        }.start()
        await withCheckedContinuation { continuation in
            Thread {
                isIn.wait()
                continuation.resume()
            }.start()
        }
        let first = Task { try await listener.first(store.changes(from: .beginning)) }
        while store.signal.watcher == nil { await Task.yield() }
        for _ in 0..<10 {
            #expect(await listener.isFree())
            try await Task.sleep(for: .milliseconds(5))
        }
        mayGo.signal()
        #expect(try await first.value != nil)
    }

    @Test("The streak grows with the first review of a day, not with later or late ones, and not with what was taken back")
    func streak() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        let card = try store.card(in: deck)
        func review(_ minutes: Int) throws -> EventID {
            try store.perform(.review(card, .good, took: nil), at: moment(minutes)).events[0]
        }
        for at in [0, 1, day, 2 * day, 2 * day + 1, 5 * day] { _ = try review(at) }
        #expect(try await streaks(changes(store)) == [1, 2, 3, 1])
        // From the middle on, and from the end.
        #expect(try await streaks(changes(store, from: .after(4))) == [2, 3, 1])
        let before = try store.lastSequence()
        let voided = try review(6 * day)
        try store.perform(.void(voided), at: moment(6 * day + 1))
        _ = try review(6 * day + 2)
        _ = try review(4 * day)
        #expect(try await streaks(changes(store, from: .after(before))) == [2])
    }

    @Test("A session that ends is a moment with what was done; a cancelled feed ends")
    func sessions() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.card(in: store.deck())
        var session = try store.startSession(at: moment())
        _ = try session.next(at: moment())
        _ = try session.answer(.easy, took: 1500, at: moment(1))
        let summary = try session.end(at: moment(2))
        let ends = try await changes(store).compactMap { if case .moment(.sessionEnded(let summary)) = $0 { summary } else { nil } }
        #expect(ends == [summary] && summary.answers == 1 && summary.milliseconds == 1500)
        let feed = store.changes()
        let listener = Task {
            for try await _ in feed { return false }
            return true
        }
        listener.cancel()
        #expect(try await listener.value)
    }
}
