import Engram
import EngramFoundation
import Foundation
import Observation
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct StudyQueryTests {
    private let morning = ZonedTime(wallMilliseconds: 1_772_354_400_000, zoneMinutes: 60)

    /// Waits until `isSo`, however long that takes.
    private func wait(until isSo: () -> Bool) async { while !isSo() { await Task.yield() } }

    @Test("An answer follows what is done, here and through another object, and changes only where it is another one")
    func following() async throws {
        let store = try StudyStore.inMemory()
        let at = morning
        let query = StudyQuery(store) { store throws(StoreError) in try store.decks(at: at).map(\.title) }
        await wait { query.value == [] }
        let deck = try store.perform(.createDeck(title: "Spanish", colour: nil), at: at).subject
        await wait { query.value == ["Spanish"] }
        let changes = Counter()
        withObservationTracking {
            _ = query.value
        } onChange: {
            changes.add()
        }
        try store.perform(.createCard(deck: deck, front: "a", back: "b"), at: at)
        let other = try StudyStore.open(at: store.path)
        let cards = StudyQuery(other) { store throws(StoreError) in try store.cards().count }
        await wait { cards.value == 1 }
        #expect(changes.count == 0)
        try other.perform(.renameDeck(deck, title: "Greek"), at: at)
        await wait { query.value == ["Greek"] }
        #expect(changes.count == 1)
    }

    @Test("That there is no answer is told, and the last one stays")
    func failing() async throws {
        let store = try StudyStore.inMemory()
        let deck = try store.perform(.createDeck(title: "Spanish", colour: nil), at: morning).subject
        let query = StudyQuery(store) { store throws(StoreError) in try store.deck(named: "Spanish") }
        await wait { query.value == deck }
        try store.perform(.deleteDeck(deck), at: morning)
        await wait { query.error?.code == .notFound }
        #expect(query.value == deck)
        try store.undo(at: morning)
        await wait { query.error == nil }
    }

    @Test("It ends with its last reference, and nothing holds it")
    func ending() async throws {
        let store = try StudyStore.inMemory()
        var query: StudyQuery<Int>? = StudyQuery(store) { store throws(StoreError) in try store.cards().count }
        await wait { query?.value == 0 }
        weak let weakQuery = query
        query = nil
        await wait { weakQuery == nil }
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}
