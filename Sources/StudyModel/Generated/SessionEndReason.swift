// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

/// How a study session ended.
public enum SessionEndReason: UInt8, CaseIterable, Hashable, Sendable {
    /// Nothing was left to answer.
    case finished = 1
    /// The person left it before.
    case left = 2
}

extension SessionEndReason: NamedChoice {
    /// The case that `name` names; `nil` where it names none.
    public init?(name: String) {
        switch name {
        case "finished": self = .finished
        case "left": self = .left
        default: return nil
        }
    }

    /// Its name in JSON.
    public var name: String {
        switch self {
        case .finished: "finished"
        case .left: "left"
        }
    }
}
