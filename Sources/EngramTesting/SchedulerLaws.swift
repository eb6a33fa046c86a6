public import Scheduling
internal import StudyModel

extension Laws {
    /// How a scheduler breaks what holds of every scheduler, tried on random histories of one card; `nil` where it keeps it all.
    ///
    /// - The same answers give the same memory and the same interval, however often they are asked for.
    /// - An interval is from 0 to 36,500 days, and not shorter for a better grade.
    /// - A box is one of those there are; a chance of recall is from 0 to 1 and doesn't grow by waiting.
    /// - Figures have names of their own and values that are numbers.
    /// - Its recorded form describes it, and a scheduler has the memory of itself.
    /// - What is not allowed is refused: a parameter that it doesn't have, and one that is given twice.
    ///
    /// - Parameters:
    ///   - cases: how many histories.
    ///   - generator: draws them.
    public static func violation(
        ofScheduler scheduler: some Scheduler, cases: Int = 200, using generator: inout SeededGenerator
    ) -> LawViolation? {
        let trial = SchedulerTrial(scheduler: scheduler)
        if let detail = trial.breachOfRecording() { return trial.violation(detail) }
        for _ in 0..<cases {
            if let detail = trial.violation(using: &generator) { return trial.violation(detail) }
        }
        return nil
    }
}

/// One scheduler that is tried.
private struct SchedulerTrial<Tried: Scheduler> {
    let scheduler: Tried

    func violation(_ detail: String) -> LawViolation {
        LawViolation(law: "a scheduler is a sound function", detail: "\(ConfiguredScheduler(scheduler).spec): \(detail)")
    }

    func breachOfRecording() -> String? {
        let parameters = scheduler.parameters
        guard let read = try? Tried(revision: scheduler.revision, parameters: parameters) else { return "its own parameters are refused" }
        if read != scheduler { return "its parameters describe another one" }
        if read.parameters.map(\.name) != parameters.map(\.name) || read.parameters.map(\.value) != parameters.map(\.value) {
            return "its parameters are written in two ways"
        }
        if Set(parameters.map(\.name)).count != parameters.count { return "two parameters have one name" }
        if !scheduler.hasSameMemory(as: scheduler) { return "it has another memory than itself" }
        if (try? Tried(revision: nil, parameters: parameters + [("no-such-parameter", "1")])) != nil {
            return "a parameter that it doesn't have is taken"
        }
        if scheduler.revision < 1 { return "its revision is below 1" }
        return nil
    }

    func violation(using generator: inout SeededGenerator) -> String? {
        var day = StudyDay(days: Int32(truncatingIfNeeded: generator.number(in: -1000...40_000)))
        var memory = scheduler.newCard(on: day)
        if memory != scheduler.newCard(on: day) { return "a new card has now this memory, now that" }
        var told: [String] = []
        if generator.chance(1, in: 4) {
            let placement = Placement(
                levelHalfSteps: generator.number(in: 0...20), intervalDays: generator.below(400), due: day, day: day)
            memory = scheduler.memory(placed: placement)
            if memory != scheduler.memory(placed: placement) { return "a placed card has now this memory, now that" }
            told.append("placed with \(placement.intervalDays) days")
        }
        for _ in 0..<(1 + generator.below(12)) {
            let history = told.isEmpty ? "a new card" : told.joined(separator: ", ")
            if let detail = violation(of: memory, on: day) { return "\(history): \(detail)" }
            let grade = generator.element(of: Grade.allCases) ?? .good
            memory = scheduler.memory(after: Answer(grade, on: day), from: memory)
            told.append("\(grade.name) on \(day)")
            let waits = [0, 1, scheduler.interval(of: memory), generator.below(30)]
            day = day.advanced(by: Int64(min(max(0, generator.element(of: waits) ?? 1), ConfiguredScheduler.maximumIntervalDays)))
        }
        return nil
    }

    private func violation(of memory: SchedulerMemory, on day: StudyDay) -> String? {
        var least = 0
        for grade in Grade.allCases {
            let next = scheduler.memory(after: Answer(grade, on: day), from: memory)
            if next != scheduler.memory(after: Answer(grade, on: day), from: memory) { return "\(grade.name) gives now this, now that" }
            let interval = scheduler.interval(of: next)
            if interval != scheduler.interval(of: next) { return "\(grade.name) gives now \(interval) days, now others" }
            if !(0...ConfiguredScheduler.maximumIntervalDays).contains(interval) { return "\(grade.name) gives \(interval) days" }
            if interval < least { return "\(grade.name) gives \(interval) days, and a worse grade \(least)" }
            least = interval
            if let detail = breachOfFigures(next, on: day) { return "\(grade.name) \(detail)" }
        }
        return nil
    }

    private func breachOfFigures(_ memory: SchedulerMemory, on day: StudyDay) -> String? {
        let (box, count) = (scheduler.box(of: memory), scheduler.boxCount)
        if let box, !(0..<(count ?? 0)).contains(box) { return "gives box \(box) of \(count ?? 0)" }
        if box == nil, count != nil { return "gives no box of \(count ?? 0)" }
        var last = 1.0
        for wait in [0, 1, 7, 365] as [Int64] {
            guard let chance = scheduler.recall(of: memory, on: day.advanced(by: wait)) else { continue }
            if !(0...1).contains(chance) { return "gives a chance of \(chance) after \(wait) days" }
            if chance > last { return "gives a chance of \(chance) after \(wait) days, and earlier one of \(last)" }
            last = chance
        }
        let figures = scheduler.figures(of: memory)
        if Set(figures.map(\.name)).count != figures.count { return "gives two figures of one name" }
        return figures.first { !$0.value.isFinite }.map { "gives \($0.value) as \($0.name)" }
    }
}
