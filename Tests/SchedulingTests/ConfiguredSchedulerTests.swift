import StudyModel
import Testing

@testable import Scheduling

/// A scheduler that says whatever its memory holds.
private struct Wild: Scheduler {
    static let name = "wild"
    var revision = 1
    var boxCount: Int?
    var parameters: [(name: String, value: String)] { [] }

    init(revision: Int = 1, boxCount: Int? = nil) { (self.revision, self.boxCount) = (revision, boxCount) }
    init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) { self.init(revision: revision ?? 1) }

    func newCard(on day: StudyDay) -> SchedulerMemory { SchedulerMemory(1) }
    func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory { SchedulerMemory(2) }
    func memory(placed placement: Placement) -> SchedulerMemory { SchedulerMemory(3) }
    func interval(of memory: SchedulerMemory) -> Int { Int(truncatingIfNeeded: memory.first) }
    func box(of memory: SchedulerMemory) -> Int? { Int(truncatingIfNeeded: memory.first) }
    func recall(of memory: SchedulerMemory, on day: StudyDay) -> Double? { 0.5 }
    func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] { [("wild", 1)] }
    func hasSameMemory(as other: Wild) -> Bool { true }
}

private func memory(_ word: Int) -> SchedulerMemory { SchedulerMemory(UInt64(bitPattern: Int64(word))) }

struct ConfiguredSchedulerTests {
    private static let unknown = ConfiguredScheduler(unknown: "sm2", revision: 1, parameters: [])
    private let day = StudyDay(days: 20_000)

    @Test(arguments: [(-1, 0), (0, 0), (36_500, 36_500), (36_501, 36_500), (.max, 36_500), (.min, 0)])
    func intervalsAreCutToTheirBounds(said: Int, interval: Int) {
        #expect(ConfiguredScheduler(Wild()).interval(of: memory(said)) == interval)
    }

    /// Number of boxes and box that a scheduler says, and what is shown.
    private static let boxes: [(count: Int?, box: Int, shownCount: Int, shown: Int?)] = [
        (nil, 3, 0, nil), (0, 0, 0, nil), (-1, 0, 0, nil), (1, 0, 1, 0), (1, 5, 1, 0), (5, -1, 5, 0), (5, 4, 5, 4), (5, 5, 5, 4),
        (1000, 999, 1000, 999), (1001, 1000, 1000, 999), (.max, .max, 1000, 999),
    ]

    @Test(arguments: boxes) func boxesAreCutToTheirBounds(count: Int?, box: Int, shownCount: Int, shown: Int?) {
        let scheduler = ConfiguredScheduler(Wild(boxCount: count))
        #expect(scheduler.boxCount == shownCount && scheduler.box(of: memory(box)) == shown)
    }

    @Test func whatIsNotKnownSaysNothing() {
        let (unknown, nothing) = (Self.unknown, SchedulerMemory(0, 0, 0))
        #expect(SchedulerMemory() == nothing)
        let placement = Placement(levelHalfSteps: 2, intervalDays: 3, due: day, day: day)
        #expect(unknown.newCard(on: day) == nothing && unknown.memory(placed: placement) == nothing)
        #expect(unknown.memory(after: Answer(.good, on: day), from: memory(9)) == nothing && unknown.interval(of: memory(9)) == 0)
        #expect(unknown.box(of: memory(9)) == nil && unknown.boxCount == 0 && unknown.level(of: memory(9)) == nil)
        #expect(unknown.recall(of: memory(9), on: day) == nil && unknown.figures(of: memory(9)).isEmpty)
        #expect(unknown.spec == "sm2" && !unknown.isKnown)
    }

    /// Schedulers that differ in a name, a revision, a parameter, or in being known.
    private static let different = [
        ConfiguredScheduler.standard, ConfiguredScheduler(unknown: "boxes", revision: 1, parameters: BoxScheduler.standard.parameters),
        ConfiguredScheduler(FixedScheduler.standard), ConfiguredScheduler(Wild()), ConfiguredScheduler(Wild(revision: 2)), unknown,
        ConfiguredScheduler(unknown: "sm2", revision: 2, parameters: []), ConfiguredScheduler(unknown: "sm3", revision: 1, parameters: []),
        ConfiguredScheduler(unknown: "sm2", revision: 1, parameters: [("a", "b")]),
        ConfiguredScheduler(unknown: "sm2", revision: 1, parameters: [("a", "c")]),
    ]

    @Test func schedulersAreOneWhereALogRecordsThemAlike() {
        for (left, one) in Self.different.enumerated() {
            for (right, other) in Self.different.enumerated() { #expect((one == other) == (left == right), "\(left), \(right)") }
        }
    }

    @Test func memoriesAreSharedWhereEveryHistoryComesToThem() throws {
        let specs = ["boxes", "boxes:count=3,first=9,multiplier=2", "fixed", "fixed:days=1", "fixed:days=1"]
        let schedulers =
            try specs.map { try ConfiguredScheduler(spec: $0) } + [
                ConfiguredScheduler(Wild()), ConfiguredScheduler(Wild(revision: 2)), Self.unknown,
            ]
        /// What has the same number has the same memory; what isn't known has none.
        let kinds: [Int?] = [0, 0, 1, 2, 2, 3, 4, nil]
        for (left, one) in schedulers.enumerated() {
            for (right, other) in schedulers.enumerated() {
                #expect(one.hasSameMemory(as: other) == (kinds[left] != nil && kinds[left] == kinds[right]), "\(left), \(right)")
            }
        }
    }

    @Test(arguments: ["boxes", "fixed"]) func anotherRevisionIsNamed(name: String) {
        let fault = #expect(throws: SchedulerError.self) { try KnownSchedulers.builtIn.scheduler(name: name, revision: 2) }
        #expect(fault?.parameter == "revision" && fault?.value == "2")
        #expect(throws: Never.self) { try KnownSchedulers.builtIn.scheduler(name: name, revision: 1) }
    }
}
