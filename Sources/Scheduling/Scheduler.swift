public import StudyModel

/// A scheduler: a pure value that turns a card's answers into a memory of the card, and the memory into an interval.
///
/// It gets grades and study days, and nothing else: no clock, no random source, no other cards. The same parameters, revision and
/// answers must give the same memory, bit for bit, on every machine and for ever: a log is folded again and again. Where the same
/// parameters shall give another result, raise ``revision`` and keep the older one runnable.
///
/// Register one's own by ``StudyStore/Configuration`` of the product `Engram`, and try it with `Laws.violation(ofScheduler:)` of
/// `EngramTesting`.
public protocol Scheduler: Hashable, Sendable {
    /// The field's name of it, by which a log records it: lower-case ASCII letters, digits and hyphens.
    static var name: String { get }

    /// Revision of its rules, from 1 up.
    var revision: Int { get }

    /// All its parameters in the order in which they are written; values in their one canonical form.
    var parameters: [(name: String, value: String)] { get }

    /// The scheduler of that revision and those parameters.
    ///
    /// - Parameters:
    ///   - revision: which rules; `nil` stands for the newest.
    ///   - parameters: by name; those that aren't named have their default.
    /// - Throws: ``SchedulerError`` for a revision, parameter or value that isn't allowed, by its name. Nothing is clamped in silence.
    init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError)

    /// The memory of a card that comes new on `day`, or was reset then. A new card is due at once.
    func newCard(on day: StudyDay) -> SchedulerMemory

    /// The memory after an answer.
    func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory

    /// Days from the answer that gave this memory until the card is due, from 0 to 36,500; what lies beyond is cut off.
    func interval(of memory: SchedulerMemory) -> Int

    /// The memory of a card that another program, or a person, placed.
    func memory(placed placement: Placement) -> SchedulerMemory

    /// The box in which a card of this memory is shown, from 0 up to ``boxCount`` - 1; `nil` where it has no boxes.
    func box(of memory: SchedulerMemory) -> Int?

    /// Number of boxes; `nil` where it has none.
    var boxCount: Int? { get }

    /// The chance, from 0 to 1, that a card of this memory is known on `day`; `nil` where it makes no such statement.
    func recall(of memory: SchedulerMemory, on day: StudyDay) -> Double?

    /// What a memory says, for people and for JSON: names in snake case with exact values, in a fixed order.
    func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)]

    /// Whether `other` comes to the same memory by every history. Then a change from one to the other folds nothing again.
    func hasSameMemory(as other: Self) -> Bool
}

extension Scheduler {
    /// No boxes.
    public func box(of memory: SchedulerMemory) -> Int? { nil }

    /// No boxes.
    public var boxCount: Int? { nil }

    /// No statement.
    public func recall(of memory: SchedulerMemory, on day: StudyDay) -> Double? { nil }

    /// Where all parameters are the same.
    public func hasSameMemory(as other: Self) -> Bool { self == other }
}

/// What a scheduler remembers of a card: three exact words, whose meaning is its own. Whole numbers, or the bits of doubles.
public struct SchedulerMemory: Hashable, Sendable {
    /// The first word.
    public var first: UInt64
    /// The second word.
    public var second: UInt64
    /// The third word.
    public var third: UInt64

    /// A memory of these words.
    @inlinable
    public init(_ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0) {
        self.first = first
        self.second = second
        self.third = third
    }
}

/// An answer, as a scheduler gets it.
public struct Answer: Hashable, Sendable {
    /// How well the card was known.
    public let grade: Grade
    /// The study day on which it was given.
    public let day: StudyDay

    /// An answer of that grade on that day.
    @inlinable
    public init(_ grade: Grade, on day: StudyDay) {
        self.grade = grade
        self.day = day
    }
}

/// Where a card stood in the program that it came from.
public struct Placement: Hashable, Sendable {
    /// Its level in half steps, where it had one; 0 for a new one.
    public let levelHalfSteps: Int64
    /// The interval that its last answer gave, in days.
    public let intervalDays: Int
    /// The study day on which it is due.
    public let due: StudyDay
    /// The study day of its placing.
    public let day: StudyDay

    /// A placement of those values.
    public init(levelHalfSteps: Int64, intervalDays: Int, due: StudyDay, day: StudyDay) {
        self.levelHalfSteps = levelHalfSteps
        self.intervalDays = intervalDays
        self.due = due
        self.day = day
    }
}

/// A parameter of a scheduler that isn't allowed, or a scheduler that isn't known.
public struct SchedulerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which parameter; `scheduler` for the name itself.
    public let parameter: String
    /// What was given.
    public let value: String
    /// What would be right.
    public let allowed: String

    /// An error of that parameter.
    public init(parameter: String, value: String, allowed: String) {
        self.parameter = parameter
        self.value = value
        self.allowed = allowed
    }

    /// One line for people.
    public var description: String { "\(parameter) can't be \"\(value)\": it must be \(allowed)" }
}
