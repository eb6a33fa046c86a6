internal import EventCoding
internal import StudyModel

/// Puts due cards in the order of study: due day, then box, then identity.
///
/// Nearly all of them come in the order of their identities and were due in the last years: those are counted by day and box, not compared.
struct DueOrder {
    private static let days = 1024
    private let firstDay: Int32
    private let boxes: Int
    /// The cards due on the last days as they came, each with its place among days and boxes.
    private var recent: [UniqueID] = []
    private var places: [Int32] = []
    private var isOrdered = true
    private var others: [(day: Int32, box: Int, id: UniqueID)] = []

    init(today: StudyDay, boxes: Int) {
        self.boxes = max(1, boxes)
        firstDay = Int32(clamping: Int64(today.days) - Int64(Self.days) + 1)
    }

    /// Takes a card in. Complexity: constant.
    mutating func insert(_ id: UniqueID, day: Int32, box: Int) {
        let age = Int(day) - Int(firstDay)
        let box = min(max(0, box), boxes - 1)
        guard age >= 0, age < Self.days else { return others.append((day, box, id)) }
        if let last = recent.last, id < last { isOrdered = false }
        recent.append(id)
        places.append(Int32(truncatingIfNeeded: age * boxes + box))
    }

    /// All of them. Complexity: O(cards), and O(n log n) for those of other days.
    var cards: [UniqueID] {
        let sorted = others.sorted { $0 < $1 }
        let earlier = sorted.prefix { $0.day < firstDay }
        return earlier.map(\.id) + counted + sorted[earlier.endIndex...].map(\.id)
    }

    private var counted: [UniqueID] {
        var ends = Array(repeating: 0, count: Self.days * boxes + 1)
        for place in places { ends[Int(place) + 1] += 1 }
        for place in 1..<ends.count { ends[place] += ends[place - 1] }
        let starts = ends
        var cards = Array(repeating: UniqueID.none, count: recent.count)
        for (id, place) in zip(recent, places) {
            cards[ends[Int(place)]] = id
            ends[Int(place)] += 1
        }
        if !isOrdered { for place in 1..<starts.count { cards[starts[place - 1]..<starts[place]].sort() } }
        return cards
    }
}
