import EngramTesting
import Foundation
import Scheduling
import Testing

struct LawTests {
    @Test("The laws hold of random histories", arguments: Law.allCases)
    func laws(_ law: Law) {
        let property = Property<HistoryEvent>(named: law.rawValue) { generator in
            HistoryGenerator(shape(of: law)).history(using: &generator)
        } violation: { history, generator in
            Laws.violation(of: [law], by: history, using: &generator)?.detail
        }
        let found = property.counterexample(runs: PropertyRuns(cases: 10_000, environment: ProcessInfo.processInfo.environment))
        if let found { Issue.record("\(found)") }
    }

    @Test("The laws hold of long histories, and under any scheduler")
    func longHistories() throws {
        let scheduler = try ConfiguredScheduler(spec: "boxes:count=5,first=2,multiplier=7/4")
        var shape = HistoryShape()
        shape.events = 200...200
        (shape.cards, shape.decks, shape.devices, shape.rows) = (12, 4, 4, 40)
        let property = Property<HistoryEvent>(named: "all laws, 200 events") { generator in
            HistoryGenerator(shape).history(using: &generator)
        } violation: { history, generator in
            Laws.violation(by: history, under: scheduler, using: &generator)?.description
        }
        let found = property.counterexample(runs: PropertyRuns(cases: 20, environment: ProcessInfo.processInfo.environment))
        if let found { Issue.record("\(found)") }
    }

    /// Short histories find more in the same time; copies need rows.
    private func shape(of law: Law) -> HistoryShape {
        var shape = HistoryShape()
        shape.events = law == .liveIsReplay ? 1...16 : 1...20
        if law == .copies { (shape.imports, shape.devices, shape.cards) = (4, 1, 2) }
        return shape
    }
}
