internal import EventCoding
internal import StudyModel

/// Puts due cards in the order of study: due day, then box, then identity.
///
/// Nearly all of them come in the order of their identities and were due in the last years, so that no sort of all is needed.
struct DueOrder {
    private static let days = 1024
    private let firstDay: Int32
    private let boxes: Int
    /// The cards due on each of the last days, box by box.
    private var recent: [[UniqueID]]
    private var others: [(day: Int32, box: Int, id: UniqueID)] = []

    init(today: StudyDay, boxes: Int) {
        self.boxes = max(1, boxes)
        firstDay = Int32(clamping: Int64(today.days) - Int64(Self.days) + 1)
        recent = Array(repeating: [], count: Self.days * self.boxes)
    }

    /// Takes a card in. Complexity: constant for one that was due in the last days.
    mutating func insert(_ id: UniqueID, day: Int32, box: Int) {
        let age = Int(day) - Int(firstDay)
        if age >= 0, age < Self.days, box >= 0, box < boxes {
            recent[age * boxes + box].append(id)
        } else {
            others.append((day, box, id))
        }
    }

    /// All of them. Complexity: O(cards), and O(n log n) for those of other days.
    var cards: [UniqueID] {
        let sorted = others.sorted { $0 < $1 }
        let earlier = sorted.prefix { $0.day < firstDay }
        var cards = earlier.map(\.id)
        for ids in recent { cards += zip(ids, ids.dropFirst()).allSatisfy(<) ? ids : ids.sorted() }
        return cards + sorted[earlier.endIndex...].map(\.id)
    }
}
