import EventCoding
import Testing

@Suite struct IdentityTests {
    @Test func identitiesSurviveTheirText() throws {
        let id = UniqueID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
        #expect(id.description == "00112233-4455-6677-8899-aabbccddeeff")
        for text in [id.description, id.description.uppercased(), "00112233445566778899aabbccddeeff"] { #expect(UniqueID(text) == id) }
        #expect(UniqueID(bytes: id.bytes + [9]) == id && UniqueID(bytes: id.bytes.dropLast()) == nil)
        for wrong in [
            "", "0", "00112233-4455-6677-8899-aabbccddeef", "00112233-4455-6677-8899-aabbccddeefg", "0011223344556677-8899-aabb-ccddeeff",
            "00112233-445566778899aabbccddeeff", "0011223-34455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff0",
            "--------------------------------", "00112233+4455+6677+8899+aabbccddeeff",
        ] {
            #expect(UniqueID(wrong) == nil, "\(wrong)")
        }
        var (ones, zeros) = (OneNumber(number: .max), OneNumber(number: 0))
        let random = UniqueID.random(using: &ones)
        #expect(random.description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
        #expect(UniqueID.random(using: &zeros).description == "00000000-0000-4000-8000-000000000000")
        #expect(UniqueID(high: 1, low: 0) > UniqueID(high: 0, low: .max) && UniqueID.none < random)

        let event = EventID(origin: OriginID(rawValue: 0xAB), number: 12)
        #expect(EventID("00000000000000ab/1")?.number == 1)
        #expect(event.description == "00000000000000ab/12" && EventID(event.description) == event)
        for wrong in [
            "", "ab/1", "00000000000000ab/0", "00000000000000ab/01", "00000000000000ab/+1", "00000000000000ab/1/2", "00000000000000ab/",
            "00000000000000ab//1", "/00000000000000ab/1", "0000000000000ab/1",
        ] {
            #expect(EventID(wrong) == nil, "\(wrong)")
        }
        #expect(EventID(origin: OriginID(rawValue: 1), number: 9) < EventID(origin: OriginID(rawValue: 2), number: 1))
        #expect(bytes(hexadecimal: "00fF") == [0, 255] && bytes(hexadecimal: "0") == nil && bytes(hexadecimal: "0g") == nil)
    }

    private struct OneNumber: RandomNumberGenerator {
        let number: UInt64
        func next() -> UInt64 { number }
    }

    /// So many numbers to choose from, what is chosen from seed 0, and the number after it: that of the first step, or of the second.
    @Test(arguments: [
        (-1, 0, 0xE220_A839_7B1D_CDAF), (0, 0, 0xE220_A839_7B1D_CDAF), (1, 0, 0x6E78_9E6A_A1B9_65F4), (100, 88, 0x6E78_9E6A_A1B9_65F4),
    ])
    func choicesTakeOneStepEach(count: Int, chosen: Int, next: UInt64) {
        var random = SplitMix64(seed: 0)
        #expect(random.below(count) == chosen && random.next() == next)
    }

    /// The last logical time, the wall time, and what comes next.
    static let steps: [(last: Int64, wall: Int64, next: Int64?)] = [
        (.min, 0, 0), (0, 0, 1), (5 << 16 | 9, 4, 5 << 16 | 10), (5 << 16 | 9, 6, 6 << 16), (5 << 16 | 0xFFFF, 5, 6 << 16),
        (-1, -1, 0), (.min, -62_135_596_800_000, -62_135_596_800_000 << 16), (.min, -62_135_596_800_001, nil),
        (.min, 140_737_488_355_327, 140_737_488_355_327 << 16), (.min, 140_737_488_355_328, nil), (.max, 0, nil),
    ]

    @Test(arguments: steps) func logicalTimeOnlyGrows(last: Int64, wall: Int64, next: Int64?) {
        #expect(LogicalTime.next(after: LogicalTime(rawValue: last), wallMilliseconds: wall)?.rawValue == next)
    }

    /// Each before the next, and none before itself.
    private func ascend<Value: Comparable>(_ values: [Value]) -> Bool {
        values.indices.allSatisfy { left in values.indices.allSatisfy { right in (values[left] < values[right]) == (left < right) } }
    }

    @Test func digestsHave32Bytes() {
        for count in [0, 31, 32, 33] {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(
                SHA256Digest(bytes: bytes)?.bytes == (count == 32 ? bytes : nil)
                    && (SHA256Digest(hexadecimal(bytes)) != nil) == (count == 32))
        }
    }

    @Test(
        arguments: [
            (-62_135_596_800_001, nil), (-62_135_596_800_000, -62_135_596_800_000 << 16 | 9), (140_737_488_355_327, .max - 65_526),
            (140_737_488_355_328, nil),
        ] as [(Int64, Int64?)])
    func logicalTimesLieInTheirRange(milliseconds: Int64, raw: Int64?) {
        #expect(LogicalTime(milliseconds: milliseconds, counter: 9)?.rawValue == raw)
    }

    @Test func ordersAreStrict() {
        let words: [UInt64] = [0, 1, 1 << 63, .max]
        #expect(EventPosition.none.sequence == 0 && EventPosition.none.offset == 0)
        #expect(ascend(words.map { OriginID(rawValue: $0) }) && ascend(words.map { EventPosition(rawValue: $0) }))
        #expect(ascend([0, 255, 256, .max].map { EventType(rawValue: $0) }))
        #expect(ascend([.min, -1, 0, .max].map { LogicalTime(rawValue: $0) }))
        #expect(ascend(words.flatMap { high in words.map { UniqueID(high: high, low: $0) } }))
        #expect(ascend((0..<32).reversed().map { place in SHA256Digest(bytes: (0..<32).map { $0 == place ? 1 : 0 }) ?? .zero }))
        let events = words.flatMap { origin in words.map { EventID(origin: OriginID(rawValue: origin), number: $0) } }
        let times: [Int64] = [-1, 0, 1]
        #expect(ascend(events))
        #expect(ascend(times.flatMap { time in events.map { FoldOrder(logicalTime: LogicalTime(rawValue: time), id: $0) } }))
    }

    @Test func foldsOrderByTimeThenOriginThenNumber() {
        let orders = [(1, 2, 9), (2, 1, 5), (2, 1, 6), (2, 3, 1)].map {
            FoldOrder(logicalTime: LogicalTime(rawValue: $0.0), id: EventID(origin: OriginID(rawValue: $0.1), number: $0.2))
        }
        #expect(orders == orders.sorted())
        #expect(EventType(rawValue: 255).isControl && !EventType(rawValue: 256).isControl)
    }
}
