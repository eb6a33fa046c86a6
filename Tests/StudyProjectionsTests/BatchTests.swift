import EngramTesting
import EventCoding
import StudyModel
import StudyProjections
import Testing

struct BatchTests {
    /// Folds the events in one batch, as far as that hour.
    private func fold(_ events: [HistoryEvent], untilHour hours: Int64, into state: inout StudyState) throws -> [Int] {
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

    private static let created = event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 1, hours: 0)

    /// Hours of reviews in the order in which they come, the hour of the limit, how many are taken, how many of those come too late, and
    /// how many answers the card has then.
    private static let batches: [(hours: [Int64], limit: Int64, taken: Int, late: Int, answers: Int64)] = [
        ([1, 2, 3], 0, 0, 0, 0), ([1, 2, 3], 1, 1, 0, 1), ([1, 2, 3], 2, 2, 0, 2), ([1, 2, 3], 9, 3, 0, 3), ([1, 3, 2, 4], 3, 3, 1, 2),
        ([3, 2, 1], 9, 3, 2, 1), ([5, 1], 4, 1, 0, 1),
    ]

    @Test(arguments: batches) func aBatchIsTakenUpToItsLimit(hours: [Int64], limit: Int64, taken: Int, late: Int, answers: Int64) throws {
        for isKnown in [false, true] {
            var state = StudyState()
            if isKnown { #expect(try fold([Self.created], untilHour: 0, into: &state) == [1, 0]) }
            let reviews = hours.map { event(review(.good), UInt64($0 + 1), hours: $0) }
            #expect(try fold(reviews, untilHour: limit, into: &state) == [taken, late])
            #expect(state.card(card)?.passed ?? 0 == answers)
        }
    }

    /// One of a version that nobody knows, one whose payload breaks its schema, a control.
    @Test func whatIsNotKnownIsCountedAndPassedOver() throws {
        var state = StudyState()
        _ = try fold([Self.created], untilHour: 0, into: &state)
        var newer = event(review(.good), 2, hours: 1).header
        newer.version = 99
        let payload = review(.good).encodedPayload()
        #expect(state.fold(newer, payload: payload.rawSpan, at: .none) == .folded && state.unknownEvents == 1)
        let known = event(review(.good), 3, hours: 2).header
        #expect(state.fold(known, payload: [9, 9].rawSpan, at: .none) == .folded && state.unreadableEvents == 1)
        #expect(state.fold(known, payload: payload.rawSpan, at: .none) == .late, "the same again")
        let control = event(void(1, 3), 4, hours: 3)
        #expect(state.fold(control.header, payload: control.payload.rawSpan, at: .none) == .control)
        #expect(state.card(card)?.passed == 0 && state.latest == known.foldOrder)
    }
}
