import EventCoding
import Testing

@Suite struct EventBatchTests {
    @Test func batchesHoldWhatWasTakenUntilTheyAreFull() throws {
        let frames = try (0...64).map { try EventFrameTests.frame(EventFrameTests.header(number: UInt64($0)), payload: [UInt8($0)]) }
        var batch = EventBatch()
        for (place, frame) in frames.enumerated() where place < 64 {
            for isTaken in [false, true] {
                let isFull = batch.isFull
                #expect(!isFull && batch.count == place)
                unsafe batch.append(frame.span.bytes, at: EventPosition(rawValue: UInt64(place)), taken: isTaken)
            }
        }
        let isFull = batch.isFull
        #expect(isFull)
        for (place, frame) in frames.enumerated() where place < 64 {
            let copy = batch.frame(place).copied()
            let (subject, position) = (batch.subject(place), batch.position(place).rawValue)
            #expect(copy == frame && subject == UniqueID(high: 1, low: 2) && position == UInt64(place))
        }
        batch.removeAll()
        #expect(batch.count == 0)
    }

    @Test(arguments: [nil, 0, 1, 2]) func theFirstDamagedEventIsNamed(damaged: Int?) throws {
        var frames = try (0..<3).map { try EventFrameTests.frame(EventFrameTests.header(number: UInt64($0)), payload: [1]) }
        for place in (damaged ?? 3)..<3 { frames[place][0] ^= 1 }
        var batch = EventBatch()
        for (place, frame) in frames.enumerated() {
            unsafe batch.append(frame.span.bytes, at: EventPosition(rawValue: UInt64(place)), taken: true)
        }
        let found = batch.firstDamaged()
        #expect(found?.position == damaged.map { EventPosition(rawValue: UInt64($0)) })
        #expect(found?.fault == damaged.map { _ in ByteError(.badChecksum, offset: 0) })
    }
}
