public import StudyModel

/// A list of intervals, gone through step by step, however the card is learned: `fixed:days=1/3/7`.
///
/// Again goes back before the first step, and the card is due at once; Hard stays, Good goes one step on, Easy two. The last interval
/// holds for all later steps.
public struct FixedScheduler: Hashable, Sendable {
    /// The intervals in days, not falling, each from 1 to 36,500; from one to a hundred of them.
    public let days: [Int]

    /// Eight steps, each about twice the one before.
    public static let standard = FixedScheduler(unchecked: [1, 3, 7, 14, 30, 60, 120, 240])

    private init(unchecked days: [Int]) { self.days = days }

    /// A scheduler of those intervals.
    ///
    /// - Throws: ``SchedulerError`` where there are none or over a hundred, one is out of 1…36,500, or one is shorter than the one before.
    public init(days: [Int]) throws(SchedulerError) {
        let isRising = zip(days, days.dropFirst()).allSatisfy { $0 <= $1 }
        let isInBounds = days.allSatisfy { (1...ConfiguredScheduler.maximumIntervalDays).contains($0) }
        guard (1...100).contains(days.count), isInBounds, isRising else {
            throw SchedulerError(
                parameter: "days", value: Self.written(days),
                allowed: "from 1 to 100 numbers of days between slashes, each from 1 to 36500 and none below the one before")
        }
        self.days = days
    }

    private static func written(_ days: [Int]) -> String { days.map { "\($0)" }.joined(separator: "/") }
}

extension FixedScheduler: Scheduler {
    public static var name: String { "fixed" }

    public var revision: Int { 1 }

    public var parameters: [(name: String, value: String)] { [("days", Self.written(days))] }

    public init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {
        guard revision == nil || revision == 1 else {
            throw SchedulerError(parameter: "revision", value: "\(revision ?? 0)", allowed: "1, the revision that this program knows")
        }
        var days = Self.standard.days
        for (name, value) in parameters {
            guard name == "days" else { throw SchedulerError(parameter: "parameter", value: name, allowed: "days") }
            let numbers = value.split(separator: "/", omittingEmptySubsequences: false).map { part in
                part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
            }
            guard !numbers.contains(nil) else {
                throw SchedulerError(parameter: name, value: value, allowed: "whole numbers of days between slashes, such as 1/3/7")
            }
            days = numbers.compactMap(\.self)
        }
        try self.init(days: days)
    }

    /// Its memory is the number of steps that were gone.
    private func steps(_ memory: SchedulerMemory) -> Int { Int(clamping: memory.first) }

    /// Of steps beyond the last one nothing is kept, and an interval says how many there were.
    private func memory(_ steps: Int) -> SchedulerMemory { SchedulerMemory(UInt64(min(max(0, steps), days.count))) }

    public func newCard(on day: StudyDay) -> SchedulerMemory { memory(0) }

    public func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
        switch answer.grade {
        case .again: self.memory(0)
        case .hard: memory
        case .good: self.memory(min(steps(memory), days.count) + 1)
        case .easy: self.memory(min(steps(memory), days.count) + 2)
        }
    }

    public func interval(of memory: SchedulerMemory) -> Int {
        let steps = min(steps(memory), days.count)
        return steps == 0 ? 0 : days[steps - 1]
    }

    /// As many steps as have an interval that isn't longer than the card's.
    public func memory(placed placement: Placement) -> SchedulerMemory {
        memory(days.count { $0 <= placement.intervalDays })
    }

    public func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] { [("step", Double(steps(memory)))] }
}
