import Foundation
import Testing

/// How the code in `Sources` is written: what it does without, and what needs its reason beside it.
@Suite struct HabitTests {
    /// What no file may hold, as a pattern, and the files that may all the same.
    static let banned: [(what: String, pattern: String, exceptions: [String])] = [
        ("a force unwrap, a forced try or a forced cast", #"[\w)\]}]!(?!=)"#, []),
        // libcrypto without SHA-256, or no memory for a hasher: nothing that a file, a disk or a person can cause.
        ("a trap", #"\b(?:fatalError|preconditionFailure)\("#, ["Sources/Hashing/SHA256Hasher.swift"]),
        (
            "printing outside of the command line", #"(?:^|[^.\w])(?:print|debugPrint|dump)\("#,
            ["Sources/EngramCLI/", "Sources/CommandLineKit/"]
        ),
    ]

    /// What a fold can't use and stay a function of its arguments.
    static let impure =
        #"\b(?:SystemRandomNumberGenerator|ContinuousClock|SuspendingClock|hashValue)\b|\bHasher\(|\.(?:random|shuffled|shuffle|randomElement)\((?!.*using)"#
    /// A seed that spreads the keys of a table and reaches no result.
    static let impureExceptions = ["Sources/StudyProjections/EntityIndex.swift"]

    static let longest = 500

    @Test func nothingTrapsOrPrints() throws {
        for (what, pattern, exceptions) in Self.banned {
            for file in RoomTests.sources where !exceptions.contains(where: file.path.hasPrefix) {
                let places = try file.places(of: pattern)
                #expect(places.isEmpty, "\(what): \(places.joined(separator: "; "))")
            }
        }
    }

    /// A library's texts are shown by apps, which have no command line.
    @Test func noRoomButTheCommandLinesSpeaksOfCommands() throws {
        let command = #"^(?!\s*//).*(?:--store|--force|\bengram (?:init|verify|migrate|rebuild|erase|compact)\b)"#
        for file in RoomTests.sources where !["EngramCLI", "CommandLineKit"].contains(file.room) {
            let places = try file.placesInText(of: command)
            #expect(places.isEmpty, "\(places.joined(separator: "; "))")
        }
    }

    @Test func foldsArePure() throws {
        let folds = RoomTests.sources.filter { ["Scheduling", "StudyModel", "StudyProjections"].contains($0.room) }
        #expect(folds.count > 10)
        for file in folds where !Self.impureExceptions.contains(file.path) {
            let places = try file.places(of: Self.impure)
            #expect(places.isEmpty, "chance, a clock or a hash seed in a fold: \(places.joined(separator: "; "))")
        }
    }

    @Test func uncheckedPromisesHaveTheirReason() throws {
        for file in RoomTests.sources {
            let lines = file.lines
            for place in try file.places(of: #"@unchecked\s+Sendable|nonisolated\(unsafe\)"#) {
                let number = Int(place.split(separator: ":")[1]) ?? 1
                let above = lines[..<(number - 1)].last { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("@") } ?? ""
                let hasReason = above.trimmingCharacters(in: .whitespaces).hasPrefix("//") || lines[number - 1].contains("// ")
                #expect(hasReason, "no reason above \(place)")
            }
        }
    }

    @Test func filesHoldOneIdea() {
        for file in RoomTests.sources where !file.isGenerated {
            #expect(file.lines.count <= Self.longest, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func noTypeIsNamedLikeItsModule() throws {
        let modules = RoomTests.rooms.joined(separator: "|")
        let pattern = #"\b(?:struct|class|enum|actor|protocol|typealias)\s+(?:\#(modules))\b"#
        for file in RoomTests.sources { #expect(try file.places(of: pattern) == []) }
    }

    @Test(arguments: [
        ("a // b!", "a      "),
        ("a /* x /* y */ z */ b", "a                   b"),
        (#"f("x!", y)"#, "f(    , y)"),
        (#""a\(b(c))d" + e"#, "    b(c)    + e"),
        (##"#"\(x)\#(y)"# + e"##, "         y    + e"),
        ("\"\"\"\na!\n\"\"\" b", "   \n  \n    b"),
        ("\"\" + x!", "   + x!"),
        (#""\"" + y"#, "     + y"),
    ])
    func codeIsToldFromTheRest(source: String, code: String) {
        #expect(codeAlone(source) == code)
    }
}
