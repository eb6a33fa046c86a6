import Scheduling
import Testing

struct SchedulerTests {
    /// A SPEC, and the SPEC that says all its parameters.
    private static let right: [(String, String)] = [
        ("boxes", "boxes:count=8,first=3,multiplier=41/20"),
        ("boxes:count=5", "boxes:count=5,first=3,multiplier=41/20"),
        ("boxes:multiplier=2.05", "boxes:count=8,first=3,multiplier=41/20"),
        ("boxes:multiplier=2", "boxes:count=8,first=3,multiplier=2/1"),
        ("boxes:multiplier=1.5,first=1,count=1", "boxes:count=1,first=1,multiplier=3/2"),
        ("boxes:multiplier=82/40", "boxes:count=8,first=3,multiplier=82/40"),
        ("boxes:multiplier=2.04", "boxes:count=8,first=3,multiplier=51/25"),
        ("boxes:multiplier=1.125", "boxes:count=8,first=3,multiplier=9/8"),
        ("boxes:multiplier=1/1", "boxes:count=8,first=3,multiplier=1/1"),
        ("boxes:multiplier=100/1", "boxes:count=8,first=3,multiplier=100/1"),
        ("boxes:count=100,first=36500", "boxes:count=100,first=36500,multiplier=41/20"),
    ]

    /// A SPEC, and the parameter that is named as wrong.
    private static let wrong: [(String, String)] = [
        ("", "scheduler"), ("box", "scheduler"), ("Boxes", "scheduler"), ("sm2", "scheduler"), (" boxes", "scheduler"),
        ("boxes:", "parameter"), ("boxes:count", "parameter"), ("boxes:=3", "parameter"), ("boxes:size=3", "parameter"),
        ("boxes:count=8,", "parameter"), ("boxes:count=8,count=8", "count"), ("boxes:count=8:first=3", "count"),
        ("boxes:count=8=9", "count"), ("boxes:count=0", "count"), ("boxes:count=101", "count"),
        ("boxes:count=-1", "count"), ("boxes:count=", "count"), ("boxes:count=8.0", "count"), ("boxes:count= 8", "count"),
        ("boxes:count=+8", "count"), ("boxes:count=99999999999999999999", "count"), ("boxes:first=0", "first"),
        ("boxes:first=36501", "first"), ("boxes:first=three", "first"), ("boxes:multiplier=0", "multiplier"),
        ("boxes:multiplier=19/20", "multiplier"), ("boxes:multiplier=101/1", "multiplier"), ("boxes:multiplier=1001/999", "multiplier"),
        ("boxes:multiplier=1.001", "multiplier"),
        ("boxes:multiplier=41/0", "multiplier"), ("boxes:multiplier=0/0", "multiplier"), ("boxes:multiplier=-41/-20", "multiplier"),
        ("boxes:multiplier=41/20/1", "multiplier"), ("boxes:multiplier=41/", "multiplier"), ("boxes:multiplier=2.", "multiplier"),
        ("boxes:multiplier=.5", "multiplier"), ("boxes:multiplier=2.0005", "multiplier"), ("boxes:multiplier=2.0500", "multiplier"),
        ("boxes:multiplier=2,05", "parameter"),
        ("boxes:multiplier=2.+5", "multiplier"), ("boxes:multiplier=+2", "multiplier"), ("boxes:multiplier=+41/20", "multiplier"),
        ("boxes:multiplier=2.-5", "multiplier"), ("boxes:multiplier=1e1", "multiplier"),
        ("boxes:multiplier=9999999999999999999", "multiplier"), ("boxes:multiplier=9223372036854775807.5", "multiplier"),
        ("boxes:multiplier=41//20", "multiplier"), ("boxes:multiplier=1.2.3", "multiplier"),
    ]

    @Test("What SPECs say")
    func specs() throws {
        for (spec, full) in Self.right {
            let scheduler = try ConfiguredScheduler(spec: spec)
            #expect(scheduler.spec == full)
            #expect(try ConfiguredScheduler(spec: full) == scheduler && scheduler.name == "boxes" && scheduler.revision == 1)
        }
        #expect(try ConfiguredScheduler(spec: "boxes") == .standard)
    }

    @Test("A SPEC that isn't right names what isn't")
    func wrongSpecs() {
        for (spec, parameter) in Self.wrong {
            let fault = #expect(throws: SchedulerError.self, "\(spec)") { try ConfiguredScheduler(spec: spec) }
            #expect(fault?.parameter == parameter, "\(spec): \(fault.map { "\($0)" } ?? "")")
        }
        #expect(throws: SchedulerError(parameter: "parameter", value: "=3", allowed: "written name=value")) {
            try ConfiguredScheduler(spec: "boxes:=3")
        }
    }
}
