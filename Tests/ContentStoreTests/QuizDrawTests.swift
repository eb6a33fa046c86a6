import ContentStore
import EventCoding
import Testing

struct QuizDrawTests {
    @Test("A seed draws the same for ever: these are its first numbers")
    func forEver() {
        var draw = QuizDraw(seed: 42)
        #expect(draw.draw(5, of: Array(0..<10)) == [7, 2, 4, 5, 1])
        #expect(draw.draw(3, of: [1]) == [1] && draw.draw(-1, of: [1, 2]).isEmpty)
    }

    @Test("Each element is drawn once at most, and each as often as the others")
    func fairness() {
        var counts = [Int](repeating: 0, count: 6)
        for seed in 0..<6000 as Range<UInt64> {
            var draw = QuizDraw(seed: seed)
            let drawn = draw.draw(2, of: Array(0..<6))
            #expect(Set(drawn).count == 2)
            for element in drawn { counts[element] += 1 }
        }
        // Each is expected 2,000 times; so far off is one in many thousands.
        #expect(counts.allSatisfy { (1850...2150).contains($0) }, "\(counts)")
    }

    @Test("The right option stays the right one wherever it goes")
    func options() {
        let question = ContentRecord.Question(pack: .none, item: .none, prompt: "?", options: ["a", "b", "c", "d"], right: 2)
        var places: Set<Int> = []
        for seed in 0..<100 as Range<UInt64> {
            var draw = QuizDraw(seed: seed)
            let (options, right) = draw.shown(question)
            #expect(options.sorted() == question.options && options[right] == "c")
            places.insert(right)
        }
        #expect(places == [0, 1, 2, 3])
    }
}
