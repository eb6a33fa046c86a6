/// Who numbers events: a device, or one run of an import. Written as sixteen lower-case hexadecimal digits.
public struct OriginID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt64

    /// The value of that number.
    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Ascending.
    @inlinable public static func < (left: OriginID, right: OriginID) -> Bool { left.rawValue < right.rawValue }
}

extension OriginID: LosslessStringConvertible {
    /// The value that `description` spells; `nil` where it spells none.
    public init?(_ description: String) {
        guard description.utf8.count == 16 else { return nil }
        var value: UInt64 = 0
        for unit in description.utf8 {
            guard let digit = hexadecimalValue(unit) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self.init(rawValue: value)
    }

    /// The written form, which `init(_:)` reads.
    public var description: String {
        var units: [UInt8] = []
        for shift in stride(from: 60, through: 0, by: -4) {
            units.append(hexadecimalDigit(UInt8(truncatingIfNeeded: rawValue >> UInt64(shift)) & 15))
        }
        return String(decoding: units, as: UTF8.self)
    }
}

/// The identity of an event, for ever and on every device: its origin, and its number there (from 1 up).
///
/// Written `ORIGIN/NUMBER`.
public struct EventID: Hashable, Sendable {
    /// Who numbered it.
    public let origin: OriginID
    /// From 1 up, without gaps.
    public let number: UInt64

    /// The event of that number in that origin.
    @inlinable public init(origin: OriginID, number: UInt64) {
        self.origin = origin
        self.number = number
    }
}

extension EventID: Comparable {
    /// Ascending.
    @inlinable public static func < (left: EventID, right: EventID) -> Bool {
        left.origin != right.origin ? left.origin < right.origin : left.number < right.number
    }
}

extension EventID: LosslessStringConvertible {
    /// The value that `description` spells; `nil` where it spells none.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let origin = OriginID(String(parts[0])), let number = UInt64(parts[1]), number > 0,
            String(number) == parts[1]
        else { return nil }
        self.init(origin: origin, number: number)
    }

    /// The written form, which `init(_:)` reads.
    public var description: String { "\(origin)/\(number)" }
}

/// What kind of fact an event states. Numbers below 256 are *control* events: they say how other events count
/// (void, correct, hold, release) or set the rules (scheduler, day), so a replay reads them first.
public struct EventType: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt16

    /// The value of that number.
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether the event says how others count, or under which rules.
    @inlinable public var isControl: Bool { rawValue < 256 }

    /// Ascending.
    @inlinable public static func < (left: EventType, right: EventType) -> Bool { left.rawValue < right.rawValue }
}
