import EngramTesting
import EventCoding
import Foundation
import StudyModel
import Testing

@testable import StudyProjections

/// Cards that are read out of a checkpoint when they are asked for are the cards that were folded.
struct CardTableTests {
    private static func log(of events: Int, cards: Int, seed: UInt64) -> MemoryLog {
        var shape = HistoryShape()
        shape.events = events...events
        shape.cards = cards
        var generator = SeededGenerator(seed: seed)
        return MemoryLog(HistoryGenerator(shape).history(using: &generator))
    }

    @Test(
        "Whatever is touched in whatever order between whatever checkpoints, the state is the folded one",
        arguments: 1...60 as ClosedRange<UInt64>)
    func touchedInAnyOrder(seed: UInt64) throws {
        let whole = Self.log(of: 120, cards: 20, seed: seed)
        var generator = SeededGenerator(seed: seed &* 77)
        var log = MemoryLog()
        let ids = whole.state.knownCards.map(\.id)
        for event in whole.events {
            log.take([event])
            if generator.below(10) == 0 {
                let isRead = log.passThroughCheckpoint(inBlocksOf: 1 + generator.below(4))
                try #require(isRead)
            }
            guard generator.below(4) == 0, !ids.isEmpty else { continue }
            let id = ids[generator.below(ids.count)]
            let seen = log.state.card(id)
            #expect(seen == MemoryLog(log.events).state.card(id))
            #expect(log.state.knownCards(from: id, through: id) == [seen].compactMap(\.self))
        }
        #expect(log.canonical == whole.canonical)
        #expect(log.state.differences(from: whole.state).isEmpty)
        #expect(log.statistics(today: StudyDay(days: 20_000)) == whole.statistics(today: StudyDay(days: 20_000)))
    }

    @Test("A change beside a copy copies the cards that were touched, not those of the checkpoint")
    func copies() throws {
        var log = Self.log(of: 300, cards: 60, seed: 5)
        let cards = log.state.knownCards
        try #require(cards.count > 20)
        #expect(log.state.touchedCardCount >= cards.count)
        var state = log.state
        _ = state.settleIntoCheckpoint()
        #expect(state.touchedCardCount == 0 && state.knownCards.count == cards.count)
        let isRead = log.passThroughCheckpoint(inBlocksOf: 4)
        try #require(isRead)
        #expect(log.state.touchedCardCount == 0)
        for card in cards.prefix(3) { #expect(state.cards.place(of: card.id) != nil) }
        #expect(state.touchedCardCount == 3 && log.state.touchedCardCount == 0)
    }

    @Test("A block that isn't as it was written gives no card, and the state says so; so does one that is gone")
    func damage() throws {
        let log = Self.log(of: 300, cards: 40, seed: 9)
        var state = log.state
        let blocks = state.settleIntoCheckpoint(inBlocksOf: 8)
        let cards = log.state.knownCards.sorted { $0.id < $1.id }
        try #require(blocks.count > 4)
        func read(_ changed: [[UInt8]]) throws -> StudyState {
            try StudyState(checkpoint: { blocks[$0] }, cards: BlockList(changed))
        }
        for place in stride(from: 0, to: blocks[2].count, by: 7) {
            var changed = blocks
            changed[2][place] ^= 0x20
            let state = try read(changed)
            #expect(state.card(cards[0].id) == cards[0] && !state.hasLostCards, "the first block is sound")
            let found = cards.filter { state.card($0.id) != nil }
            #expect(found.allSatisfy { state.card($0.id) == nil || state.card($0.id) == $0 })
            #expect(state.hasLostCards && state.loadCards() != nil, "byte \(place)")
        }
        let short = try read(Array(blocks.prefix(2)))
        #expect(short.card(cards[0].id) == cards[0] && !short.hasLostCards)
        #expect(short.knownCards.count < cards.count && short.hasLostCards)
        let other = try read([blocks[0], blocks[2], blocks[1]] + blocks[3...])
        #expect(other.card(cards[0].id) == nil && other.hasLostCards, "another block in its place")
        #expect(try read(blocks).loadCards() == nil && read(blocks).hasAllCards == false)
    }
}
