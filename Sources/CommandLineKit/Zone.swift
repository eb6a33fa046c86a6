package import CivilTime

/// A time zone at the edge: only the importers and the clock ask one; everything inside works with offsets.
package enum Zone: Hashable, Sendable, CustomStringConvertible {
    /// What the machine is set to.
    case system
    /// The same offset at all times, in minutes east.
    case fixed(minutes: Int)
    /// A zone of the system's zone database.
    case named(String, file: String)

    /// `UTC` or `Z`, an offset such as `+02:00`, or a name such as `Europe/Berlin`. Nil if the system doesn't know the name.
    package init?(_ text: String, folders: [String] = Zone.usualFolders) {
        if text == "UTC" || text == "GMT" {
            self = .fixed(minutes: 0)
            return
        }
        var scanner = DigitScanner(text)
        if let minutes = scanner.offsetMinutes(), scanner.isAtEnd {
            self = .fixed(minutes: Int(minutes))
            return
        }
        guard let file = Zone.file(named: text, folders: folders) else { return nil }
        self = .named(text, file: file)
    }

    /// Minutes east of Greenwich at an instant (milliseconds since 1970). Seconds of an old local mean time are dropped.
    package func minutesEast(at milliseconds: Int64) -> Int {
        switch self {
        case .fixed(let minutes): minutes
        case .system: (System.secondsEast(at: milliseconds.flooredQuotient(1000), zoneFile: nil) ?? 0) / 60
        case .named(_, let file): (System.secondsEast(at: milliseconds.flooredQuotient(1000), zoneFile: file) ?? 0) / 60
        }
    }

    package var description: String {
        switch self {
        case .system: "the system's zone"
        case .fixed(let minutes): (minutes < 0 ? "-" : "+") + "\(digits(abs(minutes) / 60)):\(digits(abs(minutes) % 60))"
        case .named(let name, _): name
        }
    }

    /// Where systems keep their zone files, the caller's own folder first.
    package static var usualFolders: [String] {
        [
            System.environment("TZDIR"), "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
            "/var/db/timezone/zoneinfo",
        ].compactMap { $0 }
    }

    /// The file of a name, if the name is harmless and the file really is one of zones ("TZif" at its start).
    private static func file(named name: String, folders: [String]) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isHarmless = parts.allSatisfy { part in
            part.utf8.first.map(isLetter) == true && part.utf8.allSatisfy { isLetter($0) || isMarkOrDigit($0) }
        }
        guard isHarmless, name.utf8.count <= 128 else { return nil }
        return folders.lazy.map { $0 + "/" + name }.first { System.firstBytes(4, ofFile: $0) == Array("TZif".utf8) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static func isMarkOrDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || Array("+-_".utf8).contains(byte) }
}

extension ZonedTime {
    /// What the system's clock and zone say.
    package static func now() -> ZonedTime {
        let milliseconds = System.wallMilliseconds()
        return ZonedTime(wallMilliseconds: milliseconds, zoneMinutes: Int16(clamping: Zone.system.minutesEast(at: milliseconds)))
    }
}

extension ValueKind where Value == ZonedTime {
    package static var instant: ValueKind {
        ValueKind("INSTANT") { text throws(ValueError) in
            // Years of more than four digits have a sign, and nobody types one.
            guard let value = ZonedTime(iso: text), !text.hasPrefix("+"), !text.hasPrefix("-") else {
                throw ValueError("a time with its zone offset, such as 2026-03-01T09:30:00+01:00")
            }
            return value
        }
    }
}

extension ValueKind where Value == Zone {
    package static var zone: ValueKind {
        ValueKind("ZONE", completion: .words([Completion.Word("UTC")])) { text throws(ValueError) in
            guard let value = Zone(text) else { throw ValueError("a time zone: use UTC, +02:00 or a name such as Europe/Berlin") }
            return value
        }
    }
}
