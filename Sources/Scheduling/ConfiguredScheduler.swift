public import StudyModel

/// A scheduler with its parameters, as a log records it: one that this program knows, or the name of one that it doesn't.
///
/// Written `boxes` or `boxes:count=8,first=3,multiplier=41/20`.
public struct ConfiguredScheduler: Hashable, Sendable {
    /// What runs it. The built-in one is a case of its own, so that a long fold calls it directly.
    @usableFromInline
    enum Rules: Sendable {
        case boxes(BoxScheduler)
        case registered(any Scheduler)
        case unknown
    }

    @usableFromInline let rules: Rules
    /// The field's name of it.
    public let name: String
    /// Revision of its rules. Raised when the same parameters would give other results; older ones stay runnable.
    public let revision: Int
    private let recorded: [SchedulerParameter]

    /// What is in force until an event says otherwise.
    public static let standard = ConfiguredScheduler(BoxScheduler.standard)

    /// That scheduler.
    public init(_ scheduler: some Scheduler) {
        rules = (scheduler as? BoxScheduler).map { .boxes($0) } ?? .registered(scheduler)
        name = type(of: scheduler).name
        revision = scheduler.revision
        recorded = scheduler.parameters.map { SchedulerParameter(name: $0.name, value: $0.value) }
    }

    /// One that this program doesn't know, as it was recorded.
    init(unknown name: String, revision: Int, parameters: [(name: String, value: String)]) {
        rules = .unknown
        self.name = name
        self.revision = revision
        recorded = parameters.map { SchedulerParameter(name: $0.name, value: $0.value) }
    }

    /// Whether this program can run it.
    public var isKnown: Bool {
        if case .unknown = rules { false } else { true }
    }

    /// The boxes, where it is those: for a fold that is in a hurry.
    package var boxes: BoxScheduler? {
        if case .boxes(let boxes) = rules { boxes } else { nil }
    }

    /// Its parameters, by name, in the order in which they are written.
    public var parameters: [(name: String, value: String)] { recorded.map { ($0.name, $0.value) } }

    /// The SPEC that says all its parameters.
    public var spec: String {
        recorded.isEmpty ? name : name + ":" + recorded.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }

    /// Two are one where a log would record them alike, and both are known or neither is.
    public static func == (left: ConfiguredScheduler, right: ConfiguredScheduler) -> Bool {
        left.name == right.name && left.revision == right.revision && left.recorded == right.recorded && left.isKnown == right.isKnown
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(revision)
        hasher.combine(spec)
    }

    /// Whether both come to the same memory by every history. What isn't known has no memory, and so none in common.
    public func hasSameMemory(as other: ConfiguredScheduler) -> Bool {
        switch (rules, other.rules) {
        case (.boxes(let left), .boxes(let right)): left.hasSameMemory(as: right)
        case (.registered(let left), .registered(let right)): Self.hasSameMemory(left, right)
        default: false
        }
    }

    private static func hasSameMemory<Left: Scheduler>(_ left: Left, _ right: any Scheduler) -> Bool {
        (right as? Left).map { left.revision == $0.revision && left.hasSameMemory(as: $0) } ?? false
    }
}

// MARK: - Its rules, for those that are known

extension ConfiguredScheduler {
    /// An interval that none exceeds, in days.
    public static let maximumIntervalDays = 36_500

    /// The memory of a card that comes new on `day`.
    public func newCard(on day: StudyDay) -> SchedulerMemory {
        switch rules {
        case .boxes(let boxes): boxes.newCard(on: day)
        case .registered(let scheduler): scheduler.newCard(on: day)
        case .unknown: SchedulerMemory()
        }
    }

    /// The memory after an answer; of one that isn't known, no memory at all.
    @inlinable
    @inline(__always)
    public func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
        if case .boxes(let boxes) = rules { return boxes.memory(after: answer, from: memory) }
        return otherMemory(after: answer, from: memory)
    }

    @usableFromInline
    func otherMemory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
        if case .registered(let scheduler) = rules { scheduler.memory(after: answer, from: memory) } else { SchedulerMemory() }
    }

    /// Days from the answer that gave this memory until the card is due: from 0 to ``maximumIntervalDays``.
    @inlinable
    @inline(__always)
    public func interval(of memory: SchedulerMemory) -> Int {
        if case .boxes(let boxes) = rules { return boxes.interval(of: memory) }
        return otherInterval(of: memory)
    }

    @usableFromInline
    func otherInterval(of memory: SchedulerMemory) -> Int {
        guard case .registered(let scheduler) = rules else { return 0 }
        return min(max(0, scheduler.interval(of: memory)), Self.maximumIntervalDays)
    }

    /// The memory of a card that was placed.
    public func memory(placed placement: Placement) -> SchedulerMemory {
        switch rules {
        case .boxes(let boxes): boxes.memory(placed: placement)
        case .registered(let scheduler): scheduler.memory(placed: placement)
        case .unknown: SchedulerMemory()
        }
    }

    /// The box in which a card of this memory is shown; `nil` where there are none.
    @inlinable
    @inline(__always)
    public func box(of memory: SchedulerMemory) -> Int? {
        if case .boxes(let boxes) = rules { return boxes.box(of: boxes.level(of: memory)) }
        return otherBox(of: memory)
    }

    @usableFromInline
    func otherBox(of memory: SchedulerMemory) -> Int? {
        guard case .registered(let scheduler) = rules, let count = scheduler.boxCount, count > 0 else { return nil }
        return scheduler.box(of: memory).map { min(max(0, $0), min(count, Self.maximumBoxCount) - 1) }
    }

    /// More boxes than this are not counted apart.
    private static let maximumBoxCount = 1000

    /// Number of boxes; 0 where there are none.
    public var boxCount: Int {
        switch rules {
        case .boxes(let boxes): boxes.count
        case .registered(let scheduler): min(max(0, scheduler.boxCount ?? 0), Self.maximumBoxCount)
        case .unknown: 0
        }
    }

    /// The chance that a card of this memory is known on `day`; `nil` where no such statement is made.
    public func recall(of memory: SchedulerMemory, on day: StudyDay) -> Double? {
        if case .registered(let scheduler) = rules { scheduler.recall(of: memory, on: day) } else { nil }
    }

    /// What a memory says, for people and for JSON.
    public func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] {
        switch rules {
        case .boxes(let boxes): boxes.figures(of: memory)
        case .registered(let scheduler): scheduler.figures(of: memory)
        case .unknown: []
        }
    }

    /// The level of a card of this memory, where the scheduler has levels.
    public func level(of memory: SchedulerMemory) -> Level? {
        if case .boxes(let boxes) = rules { boxes.level(of: memory) } else { nil }
    }

    /// What each of the four answers on `day` would give: the memory, and the interval in days.
    public func preview(
        of memory: SchedulerMemory, on day: StudyDay
    ) -> [(grade: Grade, memory: SchedulerMemory, intervalDays: Int)] {
        Grade.allCases.map { grade in
            let next = self.memory(after: Answer(grade, on: day), from: memory)
            return (grade, next, interval(of: next))
        }
    }
}
