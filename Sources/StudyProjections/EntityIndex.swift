internal import EventCoding

/// Where in an array the entity of an identity lies: open addressing, one 64-bit word a slot.
///
/// The upper half of a word is a part of the hash, so that nearly every wrong slot is passed over without looking
/// at the array. The order of the slots never reaches a result, which is why the hash may be seeded a process.
struct EntityIndex: Sendable {
    private var words: [UInt64]
    private var mask: Int
    private(set) var count = 0

    private static let seed = UInt64.random(in: .min ... .max)

    init() {
        words = Array(repeating: 0, count: 16)
        mask = 15
    }

    /// An index of so many entities, whose identities all differ. Complexity: O(entities).
    init(of count: Int, identity: (Int) -> UniqueID) {
        self.init()
        self.count = count
        var size = words.count
        while size < count * 2 { size *= 2 }
        rebuild(size, identity: identity)
    }

    @inline(__always)
    static func hash(_ id: UniqueID) -> UInt64 {
        var mixed = (id.high ^ seed) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 32
        mixed = (mixed ^ id.low) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ mixed >> 29
    }

    /// The place of `id`, where `identity` tells whose place is which. Complexity: constant on average.
    func find(_ id: UniqueID, identity: (Int) -> UniqueID) -> Int? {
        let hash = Self.hash(id)
        let tag = hash & 0xFFFF_FFFF_0000_0000
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let word = words[slot]
            if word == 0 { return nil }
            if word & 0xFFFF_FFFF_0000_0000 == tag {
                let place = Int(truncatingIfNeeded: word & 0xFFFF_FFFF) - 1
                if identity(place) == id { return place }
            }
            slot = (slot + 1) & mask
        }
    }

    /// The word at which the search for that hash begins.
    @inline(__always)
    func word(of hash: UInt64) -> UInt64 { words[Int(truncatingIfNeeded: hash) & mask] }

    /// The first place where what has that hash may lie; `nil` where there is none.
    @inline(__always)
    func candidate(_ hash: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let word = words[slot]
            if word == 0 { return nil }
            if (word ^ hash) >> 32 == 0 { return Int(truncatingIfNeeded: word & 0xFFFF_FFFF) - 1 }
            slot = (slot + 1) & mask
        }
    }

    /// Notes that `id`, which isn't there yet, lies at `place`.
    mutating func insert(_ id: UniqueID, at place: Int, identity: (Int) -> UniqueID) {
        if (count + 1) * 2 > words.count { rebuild(words.count * 2, identity: identity) }
        put(id, at: place)
        count += 1
    }

    private mutating func put(_ id: UniqueID, at place: Int) {
        let hash = Self.hash(id)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while words[slot] != 0 { slot = (slot + 1) & mask }
        words[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(place + 1)
    }

    /// Goes by the places and not by the old words: in memory, entities that follow each other are found sooner than others.
    private mutating func rebuild(_ size: Int, identity: (Int) -> UniqueID) {
        words = Array(repeating: 0, count: size)
        mask = size - 1
        for place in 0..<count { put(identity(place), at: place) }
    }
}
