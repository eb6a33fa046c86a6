import EngramTesting
import Scheduling
import StudyModel
import Synchronization
import Testing

/// Schedulers with one fault each: the laws find every one.
struct SchedulerLawTests {
    /// A sound scheduler but for its fault: counts days, a third more each time.
    struct Faulty: Scheduler {
        static let name = "faulty"
        let fault: String

        var revision: Int { fault == "revision" ? 0 : 1 }
        var parameters: [(name: String, value: String)] {
            switch fault {
            case "two names": [("fault", fault), ("fault", fault)]
            case "another spelling":
                [("fault", fault + String(repeating: "!", count: Self.calls.add(1, ordering: .relaxed).newValue % 1000))]
            default: [("fault", fault)]
            }
        }

        init(_ fault: String) { self.fault = fault }

        init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {
            let stray = parameters.first { $0.name != "fault" }
            if let stray, parameters.first?.value != "takes all" {
                throw SchedulerError(parameter: "parameter", value: stray.name, allowed: "fault")
            }
            let fault = parameters.first?.value ?? ""
            if fault == "refuses itself" { throw SchedulerError(parameter: "fault", value: fault, allowed: "another") }
            self.fault = fault.replacing("!", with: "")
        }

        static let calls = Atomic(0)

        func newCard(on day: StudyDay) -> SchedulerMemory { SchedulerMemory() }

        func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
            let days = memory.first
            let chance = fault == "chance" ? UInt64(Self.calls.add(1, ordering: .relaxed).newValue % 2) : 0
            let next: UInt64 =
                switch answer.grade {
                case .again: fault == "order" ? days + 9 : 0
                case .hard: days / 2
                case .good: days + days / 3 + 1
                case .easy: days + days / 2 + 2
                }
            return SchedulerMemory(next + chance)
        }

        func interval(of memory: SchedulerMemory) -> Int {
            let days = Int(clamping: memory.first)
            return fault == "bounds" ? days * 20_000 : fault == "below" ? -1 : min(days, 36_500)
        }

        func memory(placed placement: Placement) -> SchedulerMemory { SchedulerMemory(UInt64(max(0, placement.intervalDays))) }

        var boxCount: Int? { fault == "box" ? 2 : fault == "no box" ? 3 : nil }
        func box(of memory: SchedulerMemory) -> Int? { fault == "box" ? Int(clamping: memory.first) : nil }

        func recall(of memory: SchedulerMemory, on day: StudyDay) -> Double? {
            switch fault {
            case "grows": 0.5 + Double(day.days % 400) / 1000
            case "above": 1.5
            default: 0.5
            }
        }

        func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] {
            switch fault {
            case "nan": [("days", .nan)]
            case "doubled figure": [("days", 1), ("days", 1)]
            default: [("days", Double(memory.first))]
            }
        }

        func hasSameMemory(as other: Faulty) -> Bool { fault != "other than itself" && self == other }
    }

    @Test(arguments: [
        "revision", "two names", "another spelling", "takes all", "refuses itself", "chance", "order", "bounds", "below", "box", "no box",
        "grows", "above", "nan", "doubled figure", "other than itself",
    ])
    func everyFaultIsFound(_ fault: String) {
        var generator = SeededGenerator(seed: 7)
        #expect(Laws.violation(ofScheduler: Faulty(fault), using: &generator) != nil)
    }

    @Test func soundOnesPass() {
        var generator = SeededGenerator(seed: 7)
        #expect(Laws.violation(ofScheduler: Faulty("none"), using: &generator)?.description == nil)
    }
}
