// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

/// Why an event is held back.
public enum HoldReason: UInt8, CaseIterable, Hashable, Sendable {
    /// Its wall time is more than 24 hours ahead of the clock of the device that received it.
    case aheadOfClock = 1
    /// It was salvaged as a copy of an event that has come back itself.
    case copy = 2
}

extension HoldReason: NamedChoice {
    /// The case that `name` names; `nil` where it names none.
    public init?(name: String) {
        switch name {
        case "ahead_of_clock": self = .aheadOfClock
        case "copy": self = .copy
        default: return nil
        }
    }

    /// Its name in JSON.
    public var name: String {
        switch self {
        case .aheadOfClock: "ahead_of_clock"
        case .copy: "copy"
        }
    }
}
