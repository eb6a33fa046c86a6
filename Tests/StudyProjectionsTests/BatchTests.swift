import EngramTesting
import EventCoding
import StudyModel
import StudyProjections
import Testing

struct BatchTests {
    /// Folds the events in one batch, as far as that hour: how many were taken, and how many of those came too late.
    private func fold(_ events: [(header: EventHeader, payload: [UInt8])], untilHour hours: Int64, into state: inout StudyState) throws
        -> [Int]
    {
        let frames = try events.map { event in
            var writer = ByteWriter()
            try EventFrame.append(event.header, payload: event.payload, to: &writer)
            return writer.bytes
        }
        var batch = EventBatch()
        var counts = StudyState.BatchCounts()
        for (place, frame) in frames.enumerated() {
            // The bytes outlive the batch.
            unsafe batch.append(frame.rawSpan, at: EventPosition(sequence: 1, offset: place), taken: true)
        }
        try state.fold(batch, until: 1_709_294_400_000 + hours * 3_600_000, counts: &counts)
        return [counts.taken, counts.outOfOrder]
    }

    private func fold(_ events: [HistoryEvent], untilHour hours: Int64 = 99, into state: inout StudyState) throws -> [Int] {
        try fold(events.map { ($0.header, $0.payload) }, untilHour: hours, into: &state)
    }

    /// A state that knows the card.
    private func known() throws -> StudyState {
        var state = StudyState()
        let created = event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 1, hours: 0)
        #expect(try fold([created], into: &state) == [1, 0])
        return state
    }

    /// Hours of reviews in the order in which they come, the hour of the limit, how many are taken, how many of those come too late, and
    /// how many answers the card has then.
    private static let batches: [(hours: [Int64], limit: Int64, taken: Int, late: Int, answers: Int64)] = [
        ([1, 2, 3], 0, 0, 0, 0), ([1, 2, 3], 1, 1, 0, 1), ([1, 2, 3], 2, 2, 0, 2), ([1, 2, 3], 9, 3, 0, 3), ([1, 3, 2, 4], 3, 3, 1, 2),
        ([3, 2, 1], 9, 3, 2, 1), ([5, 1], 4, 1, 0, 1), ([1, 1], 9, 2, 1, 1),
    ]

    @Test(arguments: batches) func aBatchIsTakenUpToItsLimit(hours: [Int64], limit: Int64, taken: Int, late: Int, answers: Int64) throws {
        for var state in [StudyState(), try known()] {
            let reviews = hours.map { event(review(.good), UInt64($0 + 1), hours: $0) }
            #expect(try fold(reviews, untilHour: limit, into: &state) == [taken, late])
            #expect(state.card(card)?.passed ?? 0 == answers)
            #expect(state.statistics(today: StudyDay(days: 19_783)).reviews.total == Int(answers))
            let last = reviews.filter { $0.header.wallMilliseconds <= 1_709_294_400_000 + limit * 3_600_000 }.map(\.header.foldOrder).max()
            #expect(last == nil || state.latest == last)
        }
    }

    /// A copy of a row counts nowhere, and is the last event of its card all the same.
    @Test func copiesInABatchAreOne() throws {
        var state = try known()
        let copies = [1, 2].map { event(review(.good), $0, 7, hours: 1, key: 1) }
        #expect(try fold(copies, into: &state) == [2, 0])
        #expect(state.card(card)?.passed == 1 && state.latest == copies[1].header.foldOrder)
        #expect(state.card(card)?.order == copies[1].header.foldOrder)
    }

    /// A review of a version that nobody knows, one whose payload breaks its schema, an event of an unknown type, a control.
    @Test func whatIsNotKnownIsCountedAndPassedOver() throws {
        let payload = review(.good).encodedPayload()
        var newer = event(review(.good), 2, hours: 1).header
        newer.version = 99
        let broken = event(review(.good), 3, hours: 2).header
        var strange = event(review(.good), 4, hours: 3).header
        strange.type = EventType(rawValue: 60_000)
        let control = event(void(1, 3), 5, hours: 4)
        var state = try known()
        #expect(try fold([(newer, payload), (broken, [9, 9]), (strange, [])], untilHour: 9, into: &state) == [3, 0])
        #expect(state.unknownEvents == 2 && state.unreadableEvents == 1 && state.card(card)?.passed == 0)
        #expect(state.latest == strange.foldOrder)
        #expect(state.fold(control.header, payload: control.payload.rawSpan, at: .none) == .control)
        let decked = event(.deckCreated(DeckCreated(title: "a")), 6, about: deck, hours: 5)
        let outcomes = [1, 2].map { _ in state.fold(decked.header, payload: decked.payload.rawSpan, at: .none) }
        #expect(outcomes == [.folded, .late])
        #expect(state.fold(broken, payload: payload.rawSpan, at: .none) == .late, "the same again")
    }
}
