import EngramTesting
import EventCoding
import Testing

struct GeneratorTests {
    @Test("A seed gives the numbers that the algorithm's authors give for it, and can be pasted back")
    func numbers() {
        var generator = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in generator.next() } == expected)
        #expect(SeededGenerator("\(generator)") == SeededGenerator(seed: 1_234_567))
        #expect(SeededGenerator("12d687")?.seed == 1_234_567 && SeededGenerator("0x") == nil && SeededGenerator("grade") == nil)
        var other = generator
        #expect(generator.shuffled(Array(0..<50)) == other.shuffled(Array(0..<50)))
        for range: ClosedRange<Int64> in [0...0, -3...3, .min ... .max, 5...(.max)] {
            for _ in 0..<200 { #expect(range.contains(generator.number(in: range))) }
        }
    }

    @Test("Histories number each origin's events without gaps, and their times don't fall")
    func histories() {
        var shape = HistoryShape()
        shape.isShuffled = false
        for number in 0..<200 {
            var generator = SeededGenerator(seed: 7).part(number)
            var again = generator
            let history = HistoryGenerator(shape).history(using: &generator)
            #expect(history == HistoryGenerator(shape).history(using: &again))
            var heads: [OriginID: (number: UInt64, time: LogicalTime)] = [:]
            for header in history.map(\.header) {
                let head = heads[header.id.origin] ?? (0, .distantPast)
                #expect(header.id.number == head.number + 1 && header.logicalTime >= head.time)
                #expect(header.wallMilliseconds <= header.logicalTime.milliseconds)
                heads[header.id.origin] = (header.id.number, header.logicalTime)
            }
        }
    }

    @Test("What breaks a law is made as small as it can be, and its seed makes it again")
    func shrinking() throws {
        let property = Property<Int>(named: "no 7 comes before a number above 90") { generator in
            (0..<40).map { _ in generator.below(100) }
        } simpler: {
            $0 > 0 ? [$0 / 2, $0 - 1] : []
        } violation: { list, _ in
            guard let seven = list.firstIndex(of: 7), list[seven...].contains(where: { $0 > 90 }) else { return nil }
            return "it does"
        }
        let found = try #require(property.counterexample(runs: PropertyRuns(cases: 1000)))
        #expect(found.actions == [7, 91] || (found.actions.count == 2 && found.actions[0] == 7), "\(found)")
        let again = property.counterexample(runs: PropertyRuns(cases: 5, environment: ["ENGRAM_CASE": "\(found.seed)"]))
        #expect(again?.actions == found.actions && again?.originalCount == 40)
        #expect(PropertyRuns(cases: 200, environment: ["ENGRAM_CASES": "50000"]).cases == 1000)
        #expect(PropertyRuns(cases: 200, environment: [:]) == PropertyRuns(cases: 200))
    }
}
