// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

/// What kind of study session it is.
public enum SessionMode: UInt8, CaseIterable, Hashable, Sendable {
    /// Spaced repetition of what is due.
    case spaced = 1
    /// Free learning, which changes nothing that is scheduled.
    case free = 2
}

extension SessionMode: NamedChoice {
    /// The case that `name` names; `nil` where it names none.
    public init?(name: String) {
        switch name {
        case "spaced": self = .spaced
        case "free": self = .free
        default: return nil
        }
    }

    /// Its name in JSON.
    public var name: String {
        switch self {
        case .spaced: "spaced"
        case .free: "free"
        }
    }
}
