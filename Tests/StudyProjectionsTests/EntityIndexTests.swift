import EngramTesting
import EventCoding
import StudyModel
import Testing

@testable import StudyProjections

struct EntityIndexTests {
    /// The second step of the hash, undone: what it makes of an identity whose lower half is `low` and whose hash is `hash`, but for
    /// `low`. It follows from the upper half alone.
    private func upper(of hash: UInt64, low: UInt64) -> UInt64 {
        // The inverse of an odd number: each round of Newton's doubles the bits that are right.
        let factor: UInt64 = 0xD6E8_FEB8_6659_FD93
        var inverse = factor
        for _ in 1...6 { inverse = inverse &* (2 &- factor &* inverse) }
        var mixed = hash ^ hash >> 29
        mixed = hash ^ mixed >> 29
        return mixed &* inverse ^ low
    }

    /// Identities with the hash of the first one.
    private func alike() -> [UniqueID] {
        let first = UniqueID(high: 1, low: 2)
        return [first]
            + [3, 4, 5].map { (high: UInt64) in
                let other = upper(of: EntityIndex.hash(UniqueID(high: high, low: 0)), low: 0)
                return UniqueID(high: high, low: upper(of: EntityIndex.hash(first), low: 0) ^ other)
            }
    }

    @Test func identitiesOfOneHashAreToldApart() {
        let alike = alike()
        #expect(alike.allSatisfy { EntityIndex.hash($0) == EntityIndex.hash(alike[0]) })
        let known = alike.dropLast()
        var index = EntityIndex()
        for (place, id) in known.enumerated() { index.insert(id, at: place) { known[$0] } }
        #expect(known.map { index.find($0) { known[$0] } } == [0, 1, 2])
        #expect(index.find(alike[3]) { known[$0] } == nil)
    }

    @Test func reviewsOfCardsOfOneHashAreEachItsCards() throws {
        let alike = alike()
        // Where a card lies is guessed for those that an earlier batch brought.
        let before =
            [event(review(.good), 1, about: alike[0], hours: 0)]
            + (2...80).map { event(.favouriteSet(FavouriteSet(kind: .word, on: true)), $0, about: deck, hours: 1) }
        let reviews = alike.enumerated().flatMap { place, id in
            (0...place).map { event(review(.good), UInt64(100 + place * 10 + $0), about: id, hours: Int64(2 + place * 10 + $0)) }
        }
        let state = try MemoryLog(before + reviews).replayed(inParts: 1)
        #expect(alike.map { state.card($0)?.passed } == [2, 2, 3, 4])
    }

    /// Around each growth of the table.
    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 1000]) func whatIsInIsFoundAndNothingElse(count: Int) {
        let ids = (0..<UInt64(count)).map { UniqueID(high: $0 / 3, low: $0 << 40) }
        var grown = EntityIndex()
        for (place, id) in ids.enumerated() { grown.insert(id, at: place) { ids[$0] } }
        for index in [grown, EntityIndex(of: count) { ids[$0] }] {
            #expect(index.count == count && ids.map { index.find($0) { ids[$0] } } == Array(0..<count))
            #expect(index.find(UniqueID(high: 7, low: 1)) { ids[$0] } == nil)
        }
    }
}
