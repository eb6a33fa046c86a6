// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

/// Why an event is held back.
public enum HoldReason: UInt8, CaseIterable, Hashable, Sendable {
    /// Its wall time is more than 24 hours ahead of the clock of the device that received it.
    case aheadOfClock = 1
}

extension HoldReason: NamedChoice {
    /// The case that `name` names; `nil` where it names none.
    public init?(name: String) {
        switch name {
        case "ahead_of_clock": self = .aheadOfClock
        default: return nil
        }
    }

    /// Its name in JSON.
    public var name: String {
        switch self {
        case .aheadOfClock: "ahead_of_clock"
        }
    }
}
