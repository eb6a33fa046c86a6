import Engram
import EngramTesting
import EventCoding
import Foundation
import StudyModel
import Testing

/// The numbers that the product fixes and that a change of a constant would move without anything else to show for it.
struct ProductNumberTests {
    /// Milliseconds that an answer lies ahead of the clock of the device which takes it in, and whether it waits.
    private static let ahead: [(milliseconds: Int64, waits: Bool)] = [
        (0, false), (86_399_999, false), (86_400_000, false), (86_400_001, true), (10 * 86_400_000, true),
    ]

    @Test("What lies more than 24 hours ahead of the clock waits, and nothing that lies nearer", arguments: ahead)
    func future(ahead: Int64, waits: Bool) throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try folder.create(), try folder.create("other"))
        let card = try other.card(in: other.deck())
        let now = moment(2 * day)
        let then = ZonedTime(wallMilliseconds: now.wallMilliseconds + ahead, zoneMinutes: 0)
        try other.perform(.review(card, .good, took: nil), at: then)
        let report = try store.merge(with: other.path, at: now)
        #expect(report.quarantined == (waits ? 1 : 0))
        #expect(try store.card(card).passed == (waits ? 0 : 1))
    }

    @Test("A test has 20 questions where nobody says, all of them where there are fewer", arguments: [(25, 20), (20, 20), (19, 19)])
    func questions(words: Int, asked: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.installPack(
            at: folder.pack((1...words).map { ($0, "word \($0)", "entry \($0)") }, types: []), moment: moment())
        #expect(try store.startQuiz(type: "all", seed: 1, at: moment()).questions.count == asked)
    }

    @Test("The forecast is of 30 days, of which today is the first")
    func forecast() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        let today = try store.studyDay(of: moment())
        for ahead in [0, 1, 29, 30, 31] {
            let placed = CardPlaced(
                levelHalfSteps: 2, intervalDays: 3, dueDay: Int64(today.days) + Int64(ahead), passed: 1, failed: 0, source: "elsewhere")
            try store.perform(.placeCard(store.card("\(ahead)", in: deck), placed), at: moment())
        }
        let forecast = try store.statistics(at: moment()).due.forecast
        #expect(forecast.map(\.cards) == (0..<30).map { [0, 1, 29].contains($0) ? 1 : 0 })
        #expect(forecast.first?.day == today)
    }

    @Test("What another handle wrote reaches a feed within seconds", .timeLimit(.minutes(1)))
    func latency() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        let feed = store.changes()
        let listener = Task {
            for try await change in feed { if case .event = change { return ContinuousClock.now } }
            return ContinuousClock.now
        }
        // The feed has begun to wait by then, or begins later and sees the event at once.
        try await Task.sleep(for: .milliseconds(50))
        let written = ContinuousClock.now
        try folder.open().perform(.renameDeck(deck, title: "new"), at: moment(1))
        #expect(try await listener.value - written < .seconds(5))
    }
}
