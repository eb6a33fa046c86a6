import EngramTesting
import Scheduling
import StudyModel
import Testing

struct FixedSchedulerTests {
    /// Answers, the step and the interval after the last one, with intervals of 1, 3 and 7 days.
    private static let answers: [(grades: [Grade], step: Double, interval: Int)] = [
        ([], 0, 0), ([.again], 0, 0), ([.hard], 0, 0), ([.good], 1, 1), ([.easy], 2, 3), ([.good, .hard], 1, 1),
        ([.good, .good, .good], 3, 7), ([.easy, .easy], 3, 7), ([.easy, .easy, .good, .hard], 3, 7), ([.easy, .easy, .again, .good], 1, 1),
    ]

    @Test("What each grade does to a step")
    func grades() throws {
        let scheduler = try FixedScheduler(days: [1, 3, 7])
        for (grades, step, interval) in Self.answers {
            let memory = grades.reduce(scheduler.newCard(on: StudyDay(days: 9))) {
                scheduler.memory(after: Answer($1, on: StudyDay(days: 10)), from: $0)
            }
            #expect(scheduler.figures(of: memory).map(\.value) == [step] && scheduler.interval(of: memory) == interval, "\(grades)")
        }
    }

    /// The interval that a card came with, and the step that it has then.
    @Test(arguments: [(0, 0.0), (1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (400, 3)])
    func placedCardsTakeTheStepOfTheirInterval(_ interval: Int, _ step: Double) throws {
        let placement = Placement(levelHalfSteps: 9, intervalDays: interval, due: StudyDay(days: 1), day: StudyDay(days: 0))
        let scheduler = try FixedScheduler(days: [1, 3, 7])
        #expect(scheduler.figures(of: scheduler.memory(placed: placement)).first?.value == step)
    }

    @Test(arguments: [
        ("fixed", "fixed:days=1/3/7/14/30/60/120/240"), ("fixed:days=7", "fixed:days=7"), ("fixed:days=2/2/36500", "fixed:days=2/2/36500"),
    ])
    func specsSayAll(_ spec: String, _ full: String) throws {
        #expect(try ConfiguredScheduler(spec: spec).spec == full)
        #expect(try ConfiguredScheduler(spec: full) == ConfiguredScheduler(spec: spec))
    }

    @Test(arguments: [
        "fixed:days=", "fixed:days=0", "fixed:days=36501", "fixed:days=3/1", "fixed:days=1//3", "fixed:days=1/x", "fixed:days=-1",
        "fixed:days=+1", "fixed:step=1", "fixed:days=1,days=2", "fixed:days=" + Array(repeating: "1", count: 101).joined(separator: "/"),
    ])
    func whatIsNoListIsRefused(_ spec: String) {
        #expect(throws: SchedulerError.self) { try ConfiguredScheduler(spec: spec) }
    }

    @Test("Every list is a sound function")
    func laws() throws {
        for number in 0..<60 {
            var generator = SeededGenerator(seed: 0xF1ED).part(number)
            let days = (0...generator.below(100)).map { _ in 1 + generator.below(36_500) }.sorted()
            let violation = Laws.violation(ofScheduler: try FixedScheduler(days: days), using: &generator)
            #expect(violation == nil, "\(days) \(generator)")
        }
    }
}
