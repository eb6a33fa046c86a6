public import StudyModel

/// A parameter of a scheduler that isn't allowed, or a scheduler that isn't known.
public struct SchedulerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which parameter; `scheduler` for the name itself.
    public let parameter: String
    /// What was given.
    public let value: String
    /// What would be right.
    public let allowed: String

    /// A fault of that parameter.
    public init(parameter: String, value: String, allowed: String) {
        self.parameter = parameter
        self.value = value
        self.allowed = allowed
    }

    /// One line for people.
    public var description: String { "\(parameter) can't be \"\(value)\": it must be \(allowed)" }
}

/// A scheduler with its parameters, as the log records it.
///
/// Written `boxes` or `boxes:count=8,first=3,multiplier=41/20`.
public enum Scheduler: Hashable, Sendable {
    /// Leitner boxes.
    case boxes(BoxScheduler)

    /// What is in force until an event says otherwise.
    public static let standard = Scheduler.boxes(.standard)

    /// Names of the schedulers there are.
    public static let names = ["boxes"]

    /// The field's name of it.
    public var name: String {
        switch self {
        case .boxes: "boxes"
        }
    }

    /// Revision of its rules. Raised when the same parameters would give other results; older ones stay runnable.
    public var revision: Int {
        switch self {
        case .boxes: 1
        }
    }

    /// Its parameters, by name, in the order in which they are written.
    public var parameters: [(name: String, value: String)] {
        switch self {
        case .boxes(let boxes):
            [("count", "\(boxes.count)"), ("first", "\(boxes.firstIntervalDays)"), ("multiplier", "\(boxes.multiplier)")]
        }
    }

    /// The scheduler of that name, revision and parameters; those that aren't named have their default.
    ///
    /// - Throws: ``SchedulerFault`` for a name, revision, parameter or value that isn't known.
    public init(name: String, revision: Int? = nil, parameters: [(name: String, value: String)]) throws(SchedulerFault) {
        guard name == "boxes" else {
            throw SchedulerFault(
                parameter: "scheduler", value: name, allowed: "one of: \(Self.names.joined(separator: ", "))")
        }
        guard revision == nil || revision == 1 else {
            throw SchedulerFault(parameter: "revision", value: "\(revision ?? 0)", allowed: "1, the revision that this program knows")
        }
        var count = BoxScheduler.standard.count
        var first = BoxScheduler.standard.firstIntervalDays
        var multiplier = BoxScheduler.standard.multiplier
        var seen: Set<String> = []
        for (name, value) in parameters {
            guard seen.insert(name).inserted else {
                throw SchedulerFault(parameter: name, value: value, allowed: "given once")
            }
            switch name {
            case "count": count = try Self.wholeNumber(value, of: name)
            case "first": first = try Self.wholeNumber(value, of: name)
            case "multiplier": multiplier = try Self.fraction(value, of: name)
            default:
                throw SchedulerFault(parameter: "parameter", value: name, allowed: "one of: count, first, multiplier")
            }
        }
        self = .boxes(try BoxScheduler(count: count, firstIntervalDays: first, multiplier: multiplier))
    }

    /// The scheduler that a SPEC describes: a name, or a name, a colon and `parameter=value` pairs between commas.
    ///
    /// - Throws: ``SchedulerFault`` that names the part that isn't right.
    public init(spec: String) throws(SchedulerFault) {
        let parts = spec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters: [(name: String, value: String)] = []
        if parts.count == 2 {
            for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2, !sides[0].isEmpty else {
                    throw SchedulerFault(parameter: "parameter", value: String(pair), allowed: "written name=value")
                }
                parameters.append((String(sides[0]), String(sides[1])))
            }
        }
        try self.init(name: String(parts.first ?? ""), parameters: parameters)
    }

    /// The SPEC that says all its parameters.
    public var spec: String {
        name + ":" + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }

    private static func wholeNumber(_ text: String, of name: String) throws(SchedulerFault) -> Int {
        guard let value = digits(text[...]) else {
            throw SchedulerFault(parameter: name, value: text, allowed: "a whole number")
        }
        return value
    }

    /// The number that digits, and nothing but digits, spell.
    private static func digits(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// `41/20`, a whole number, or a decimal fraction such as `2.05`, which is taken exactly.
    private static func fraction(_ text: String, of name: String) throws(SchedulerFault) -> BoxScheduler.Fraction {
        let fault = SchedulerFault(parameter: name, value: text, allowed: "a fraction such as 41/20, or a number such as 2.05")
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        if sides.count == 2, let above = digits(sides[0]), let below = digits(sides[1]) {
            return BoxScheduler.Fraction(numerator: above, denominator: below)
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard sides.count == 1, parts.count <= 2, let whole = digits(parts[0]), whole <= 1000 else { throw fault }
        guard parts.count == 2 else { return BoxScheduler.Fraction(numerator: whole, denominator: 1) }
        guard (1...3).contains(parts[1].utf8.count), let part = digits(parts[1]) else { throw fault }
        var below = 1
        for _ in parts[1].utf8 { below *= 10 }
        var above = whole * below + part
        for factor in [2, 5] {
            while above % factor == 0, below % factor == 0 {
                above /= factor
                below /= factor
            }
        }
        return BoxScheduler.Fraction(numerator: above, denominator: below)
    }
}

/// What a scheduler remembers of a card.
public struct MemoryState: Hashable, Sendable {
    /// How far the card has come.
    public var level: Level
    /// Interval that the last scheduled review gave, in days.
    public var intervalDays: Int
    /// Day on which the card is due.
    public var due: StudyDay

    /// A memory of these parts.
    @inlinable public init(level: Level, intervalDays: Int, due: StudyDay) {
        self.level = level
        self.intervalDays = intervalDays
        self.due = due
    }
}

extension Scheduler {
    /// The memory of a card that comes new on `day`: due at once.
    @inlinable
    public func newCard(on day: StudyDay) -> MemoryState {
        MemoryState(level: .zero, intervalDays: 0, due: day)
    }

    /// The memory after an answer on `day`.
    @inlinable
    @inline(__always)
    public func memory(after grade: Grade, from memory: MemoryState, on day: StudyDay) -> MemoryState {
        switch self {
        case .boxes(let boxes):
            let level = boxes.level(after: grade, from: memory.level)
            let interval = boxes.intervalDays(at: level)
            return MemoryState(level: level, intervalDays: interval, due: day.advanced(by: Int64(interval)))
        }
    }

    /// The box in which a card at `level` is shown.
    @inlinable
    public func box(of level: Level) -> Int {
        switch self {
        case .boxes(let boxes): boxes.box(of: level)
        }
    }

    /// Number of boxes.
    public var boxCount: Int {
        switch self {
        case .boxes(let boxes): boxes.count
        }
    }
}
