import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct SharingTests {
    @Test("Two handles on one store see each other's actions at once, across checkpoints of either")
    func handles() throws {
        let folder = try TemporaryFolder()
        let first = try folder.create(checkpointInterval: 3)
        let second = try folder.open()
        let deck = try first.deck()
        var cards: [UniqueID] = []
        for number in 0..<40 {
            let (one, two) = number % 2 == 0 ? (first, second) : (second, first)
            cards.append(try one.card("\(number)", in: deck, at: number))
            try two.perform(.review(cards[number], .good, took: 10), at: moment(number))
            if number % 5 == 4 { try one.undo(at: moment(number)) }
            if number % 7 == 6 { try two.perform(.configureDay(rolloverHour: number % 24), at: moment(number)) }
            if number % 11 == 10 { try two.checkpoint() }
            if number % 13 == 12 { try one.rebuild() }
            #expect(try first.digest() == second.digest() && first.cards().count == number + 1)
        }
        #expect(try first.disagreement() == nil && second.disagreement() == nil)
        #expect(try folder.open().digest() == first.digest())
    }

    @Test("Many threads may act and ask at once: every action is there once, and every answer is of a whole state")
    func threads() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create(checkpointInterval: 16)
        let other = try folder.open()
        let deck = try store.deck()
        let card = try store.card(in: deck)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    let handle = worker % 2 == 0 ? store : other
                    for number in 0..<12 {
                        try handle.perform(.review(card, .good, took: nil), at: moment(number), key: "\(worker % 3)/\(number)")
                        try handle.perform(.createCard(deck: deck, front: "\(worker) \(number)", back: ""), at: moment(number))
                        let seen = try handle.statistics(at: moment())
                        let days = seen.days.reduce(0) { $0 + $1.reviews }
                        #expect(seen.reviews.total == days && seen.hours.reduce(0, +) == days)
                    }
                }
            }
            try await group.waitForAll()
        }
        // Two workers share each key, and each key counts once.
        #expect(try store.card(card).passed == 36 && store.cards().count == 73)
        #expect(try store.digest() == other.digest() && store.disagreement() == nil)
    }

    @Test("Devices that went on by themselves see the same after merging, in whatever order, and a copy is a device of its own")
    func merging() throws {
        let folder = try TemporaryFolder()
        let first = try folder.create("first")
        let deck = try first.deck()
        let card = try first.card(in: deck)
        let second = try folder.copy("first", to: "second")
        for (number, store) in [first, second].enumerated() {
            for answer in 0..<5 { try store.perform(.review(card, answer % 2 == number ? .good : .again, took: 5), at: moment(answer)) }
            try store.perform(.renameDeck(deck, title: "deck \(number)"), at: moment(9))
            try store.undo(at: moment(10 + number))
        }
        #expect(try first.origin != second.origin)
        let third = try folder.create("third")
        for path in [second.path, first.path, second.path] { _ = try third.merge(with: path, at: moment(30)) }
        _ = try first.merge(with: second.path, at: moment(30))
        _ = try second.merge(with: third.path, at: moment(30))
        #expect(try [second, third].allSatisfy { try $0.digest() == first.digest() && $0.disagreement() == nil })
        let again = try first.merge(with: third.path, at: moment(31))
        #expect(again.newEvents == 0 && again.knownEvents > 0)
        #expect(try first.merge(with: first.path, at: moment(32)).newEvents == 0)
        #expect(try first.statistics(at: moment()).reviews.total == 10)
    }
}
