public import Scheduling
internal import StudyModel

extension Laws {
    /// How a scheduler breaks what holds of every scheduler, tried on random cards and days; `nil` where it keeps it all.
    ///
    /// The same card, grade and day give the same memory; the due day is the day of the answer and the interval after it; an
    /// interval is from 0 to 36,500 days, and not shorter for a better grade; a box is one of those there are; its SPEC
    /// describes it.
    public static func breach(ofScheduler scheduler: Scheduler, cases: Int = 200, using generator: inout SeededGenerator) -> LawBreach? {
        func breach(_ detail: String) -> LawBreach {
            LawBreach(law: "a scheduler is a sound function", detail: "\(scheduler.spec): \(detail)")
        }
        if (try? Scheduler(spec: scheduler.spec)) != scheduler { return breach("its SPEC describes another one") }
        let levels: [Int64?] = [0, 1, 2, 3, nil, nil, nil, 1_000_000, Level.maximumHalfSteps]
        let days = [StudyDay(days: 0), StudyDay(days: 20_000), StudyDay(days: .max), StudyDay(days: .min), StudyDay(days: -1)]
        for _ in 0..<cases {
            let steps = generator.element(of: levels).flatMap(\.self) ?? generator.number(in: 0...40)
            let day = generator.element(of: days) ?? days[0]
            let interval = generator.below(BoxScheduler.maximumIntervalDays + 1)
            let memory = MemoryState(level: Level(halfSteps: steps), intervalDays: interval, due: day)
            var least = 0
            for grade in Grade.allCases {
                let next = scheduler.memory(after: grade, from: memory, on: day)
                let place = "\(grade) at level \(memory.level.value) on \(day)"
                if next != scheduler.memory(after: grade, from: memory, on: day) { return breach("\(place) gives now this, now that") }
                if next.due != day.advanced(by: Int64(next.intervalDays)) { return breach("\(place) is due on \(next.due)") }
                if !(least...BoxScheduler.maximumIntervalDays).contains(next.intervalDays) {
                    return breach("\(place) gives \(next.intervalDays) days")
                }
                if !(0..<scheduler.boxCount).contains(scheduler.box(of: next.level)) {
                    return breach("\(place) gives box \(scheduler.box(of: next.level))")
                }
                least = next.intervalDays
            }
        }
        return nil
    }
}
