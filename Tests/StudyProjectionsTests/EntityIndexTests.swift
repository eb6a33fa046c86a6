import EventCoding
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

    @Test func identitiesOfOneHashAreToldApart() {
        let first = UniqueID(high: 1, low: 2)
        let hash = EntityIndex.hash(first)
        let others = [3, 4, 5].map { (high: UInt64) in
            let upperHalf = upper(of: EntityIndex.hash(UniqueID(high: high, low: 0)), low: 0)
            return UniqueID(high: high, low: upper(of: hash, low: 0) ^ upperHalf)
        }
        #expect(others.allSatisfy { EntityIndex.hash($0) == hash })
        let known = [first] + others.dropLast()
        var index = EntityIndex()
        for (place, id) in known.enumerated() { index.insert(id, at: place) { known[$0] } }
        #expect(known.map { index.find($0) { known[$0] } } == [0, 1, 2])
        #expect(index.find(others[2]) { known[$0] } == nil)
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
