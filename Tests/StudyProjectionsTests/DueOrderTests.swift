import EngramTesting
import EventCoding
import StudyModel
import Testing

@testable import StudyProjections

struct DueOrderTests {
    @Test(
        "Due cards are in the order of day, box and identity, however long they are due and in whatever order they come", arguments: 1...40)
    func order(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let today = StudyDay(days: seed == 1 ? .min : seed == 2 ? .max : 20_000)
        let boxes = seed % 4
        var due = DueOrder(today: today, boxes: boxes)
        var cards = (0..<200).map { _ in
            let day = [0, 1, 1023, 1024, 5000, -3].randomElement(using: &generator) ?? 0
            return (
                day: Int32(clamping: Int64(today.days) - Int64(day)), box: generator.below(max(1, boxes)),
                id: UniqueID(high: UInt64(generator.below(50)), low: generator.next())
            )
        }
        if seed % 2 == 0 { cards.sort { $0.id < $1.id } }
        for card in cards { due.insert(card.id, day: card.day, box: card.box) }
        #expect(due.cards == cards.sorted { $0 < $1 }.map(\.id))
    }
}
