import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct ChangeFeedTests {
    /// The changes up to the event of that sequence number, with the moments that follow it.
    private func changes(_ store: StudyStore, since sequence: UInt64 = 0) async throws -> [Change] {
        let last = try store.lastSequence()
        var found: [Change] = []
        // One more action, at whose event the feed is left.
        try store.perform(.createDeck(title: "mark", colour: nil), at: moment(100 * day))
        for try await change in store.changes(since: sequence) {
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
        #expect(try await named(changes(store, since: 500)).prefix(101) == log[500...])
        let live = store.changes(since: try store.lastSequence())
        let listener = Task {
            for try await change in live { if case .event(let event) = change { return event.type } }
            return "none"
        }
        try folder.open().perform(.renameDeck(deck, title: "new"), at: moment(200 * day))
        #expect(try await listener.value == "deck_renamed")
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
        #expect(try await streaks(changes(store, since: 4)) == [2, 3, 1])
        let before = try store.lastSequence()
        let voided = try review(6 * day)
        try store.perform(.void(voided), at: moment(6 * day + 1))
        _ = try review(6 * day + 2)
        _ = try review(4 * day)
        #expect(try await streaks(changes(store, since: before)) == [2])
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
        let feed = store.changes(since: try store.lastSequence())
        let listener = Task {
            for try await _ in feed { return false }
            return true
        }
        listener.cancel()
        #expect(try await listener.value)
    }
}
