/// Where an event lies in one store's log: the commit's sequence number in the upper 40 bits, the frame's offset in the
/// commit in the lower 24.
///
/// It points to texts, which stay in the log. It is no part of what people see, and so of no digest.
@usableFromInline
package struct EventPosition: RawRepresentable, Hashable, Comparable, Sendable {
    @usableFromInline package let rawValue: UInt64

    @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The frame at `offset` of the commit of that sequence number.
    @inlinable package init(sequence: UInt64, offset: Int) { rawValue = sequence << 24 | UInt64(offset) }

    /// Nowhere.
    package static let none = EventPosition(rawValue: 0)

    @inlinable package var sequence: UInt64 { rawValue >> 24 }
    @inlinable package var offset: Int { Int(rawValue & 0xFF_FFFF) }

    @inlinable package static func < (left: EventPosition, right: EventPosition) -> Bool { left.rawValue < right.rawValue }
}
