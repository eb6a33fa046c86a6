public import StudyModel

/// A clock that people and devices have: it mostly goes on, now and then stands, jumps or goes back, in odd zones, and is
/// read just before and just after study days begin.
public struct RandomClock: Sendable {
    /// What it shows, in milliseconds since 1970 UTC.
    public private(set) var wallMilliseconds: Int64
    private var zoneMinutes: Int16 = 0

    /// A clock that begins at `wallMilliseconds`: by default on 2024-03-01.
    public init(wallMilliseconds: Int64 = 1_709_251_200_000) { self.wallMilliseconds = wallMilliseconds }

    /// Zones that people live in, and a few that nobody does, in minutes east of UTC.
    public static let zones: [Int16] = [0, 0, 60, 120, -300, 345, 570, 765, -210, 840, -720, 1, -1, 1439]

    /// Looks at the clock, some time after the last look.
    public mutating func moment(using generator: inout SeededGenerator) -> ZonedTime {
        if generator.chance(1, in: 6) { zoneMinutes = generator.element(of: Self.zones) ?? 0 }
        switch generator.below(12) {
        case 0, 1: break
        case 2: wallMilliseconds += 1
        case 3...6: wallMilliseconds += generator.number(in: 0...3_600_000)
        case 7, 8: wallMilliseconds += generator.number(in: 0...3 * 86_400_000)
        case 9: wallMilliseconds -= generator.number(in: 0...2 * 86_400_000)
        default: wallMilliseconds = edge(using: &generator)
        }
        return ZonedTime(wallMilliseconds: wallMilliseconds, zoneMinutes: zoneMinutes)
    }

    /// The millisecond at which a study day begins, or the one before it, near what the clock shows.
    private func edge(using generator: inout SeededGenerator) -> Int64 {
        let hour = Int64(generator.element(of: [4, 4, 0, 3, 23]) ?? 4)
        let day = wallMilliseconds / 86_400_000 + generator.number(in: 0...1)
        return day * 86_400_000 + hour * 3_600_000 - Int64(zoneMinutes) * 60_000 - generator.number(in: 0...1)
    }
}
