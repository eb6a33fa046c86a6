import EventCoding
import Foundation
import StudyModel
import Testing

@testable import Engram

/// What other processes write reaches a feed, and nobody looks for it meanwhile.
@Suite(.timeLimit(.minutes(1))) struct ChangeWatcherTests {
    /// The types of the next events of a feed, up to one of that type.
    private static func types(_ feed: ChangeFeed, upTo last: String) async throws -> [String] {
        var found: [String] = []
        for try await change in feed {
            guard case .event(let event) = change else { continue }
            found.append(event.type)
            if event.type == last { break }
        }
        return found
    }

    /// Waits until the watcher has nothing left to look at.
    private static func settled(_ watcher: ChangeWatcher) async throws -> Int {
        var (last, rounds) = (-1, 0)
        // On a busy machine a thread that is woken may wait long for its turn.
        while rounds < 5 {
            rounds = watcher.wakeups == last ? rounds + 1 : 0
            last = watcher.wakeups
            try await Task.sleep(for: .milliseconds(50))
        }
        return last
    }

    @Test("A commit of another process comes, and one that the file's replacement follows")
    func otherProcess() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let card = try store.card(in: store.deck())
        let path = store.path
        let (one, feed) = (store.changes(), store.changes())
        async let first = Self.types(one, upTo: "deck_created")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try StudyStore.open(at: path)
            for number in 0..<20 { try store.perform(.createDeck(title: "\(number)", colour: nil), at: moment(number)) }
        }
        #expect(try await first == ["deck_created"])
        // Clearing what is erased puts another data file in the place of this one.
        try await store.erase(card, at: moment(30))
        async let second = Self.types(feed, upTo: "card_practised")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try StudyStore.open(at: path)
            try store.perform(.createDeck(title: "last", colour: nil), at: moment(40))
            let card = try store.card("new", in: store.decks(at: moment())[0].id, at: 41)
            try store.perform(.practise(card, .good, took: nil), at: moment(42))
        }
        #expect(try await second.count == 24)
    }

    @Test("One watcher a store: from the first listener to the last, and no thread wakes while nothing is written")
    func idle() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        #expect(store.signal.watcher == nil)
        var first: ChangeFeed.Iterator? = store.changes().makeAsyncIterator()
        let watcher = try #require(store.signal.watcher)
        var second: ChangeFeed.Iterator? = store.changes().makeAsyncIterator()
        #expect(store.signal.watcher === watcher)
        try store.perform(.createDeck(title: "new", colour: nil), at: moment())
        _ = try await first?.next()
        _ = try await second?.next()
        if watcher.isExact {
            let before = try await Self.settled(watcher)
            #expect(before > 0)
            _ = try store.decks(at: moment())
            try await Task.sleep(for: .milliseconds(600))
            #expect(watcher.wakeups == before)
        }
        first = nil
        #expect(store.signal.watcher === watcher)
        second = nil
        #expect(store.signal.watcher == nil)
    }

    @Test("A writer that stops between its commit and what makes it seen is waited for")
    func suspendedWriter() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let feed = store.changes().makeAsyncIterator()
        let watcher = try #require(store.signal.watcher)
        guard watcher.isExact else { return }
        _ = try await Self.settled(watcher)
        let file = try FileHandle(forUpdating: URL(filePath: store.path + "/writer.lock"))
        #expect(flock(file.fileDescriptor, LOCK_EX) == 0)
        try file.write(contentsOf: Data("x".utf8))
        // As long as the lock is held it looks again; then once more, and no more.
        let before = watcher.wakeups
        while watcher.wakeups < before + 5 { try await Task.sleep(for: .milliseconds(5)) }
        try file.close()
        let last = try await Self.settled(watcher)
        try await Task.sleep(for: .milliseconds(100))
        #expect(watcher.wakeups == last)
        withExtendedLifetime(feed) {}
    }
}
