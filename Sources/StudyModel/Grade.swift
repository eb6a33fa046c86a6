/// How well a card was known: the four buttons under an answer.
public enum Grade: UInt8, CaseIterable, Hashable, Sendable {
    /// Not known: the card starts over.
    case again = 1
    /// Known with trouble.
    case hard
    /// Known.
    case good
    /// Known without thinking.
    case easy
}

extension Grade {
    /// The grade that `name` names (`again`, `hard`, `good`, `easy`); `nil` for any other name.
    public init?(name: String) {
        switch name {
        case "again": self = .again
        case "hard": self = .hard
        case "good": self = .good
        case "easy": self = .easy
        default: return nil
        }
    }

    /// Its name, in lower case.
    public var name: String {
        switch self {
        case .again: "again"
        case .hard: "hard"
        case .good: "good"
        case .easy: "easy"
        }
    }

    /// Whether the card was known: every grade but ``again``.
    public var isPassed: Bool { self != .again }
}
