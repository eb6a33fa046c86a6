package import CivilTime

/// What a command works with while it runs: its streams, its clock, its manners.
package final class Session {
    package let program: Program
    /// Results.
    package let out: OutputWriter
    /// What standard output looks like.
    package let surface: Surface
    /// What standard error looks like.
    package let stderrSurface: Surface
    package let isJSON: Bool
    package let isQuiet: Bool
    private let talk: OutputWriter
    private let givenNow: ZonedTime?
    private let variables: (String) -> String?

    package init(
        program: Program, invocation: Invocation?, out: OutputWriter, talk: OutputWriter, surface: Surface, stderrSurface: Surface,
        variables: @escaping (String) -> String? = System.environment
    ) {
        self.program = program
        self.out = out
        self.talk = talk
        self.surface = surface
        self.stderrSurface = stderrSurface
        self.variables = variables
        isJSON = invocation?[GlobalOptions.json] ?? false
        isQuiet = invocation?[GlobalOptions.quiet] ?? false
        givenNow = invocation?[GlobalOptions.now]
    }

    /// `--now`, or what the system's clock and zone say at this moment.
    package func now() -> ZonedTime { givenNow ?? ZonedTime.now() }

    /// A variable of the environment; nil if it is empty.
    package func variable(_ name: String) -> String? { variables(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// A remark for a person, on standard error, after the results that were printed before it.
    package func remark(_ text: String) {
        guard !isQuiet else { return }
        out.flush()
        talk.line(text)
    }

    /// A warning: shown even when quiet.
    package func warn(_ text: String) {
        out.flush()
        talk.line(Style(bold: true, colour: .yellow)("warning:", on: stderrSurface) + " " + text)
        talk.flush()
    }

    /// A progress bar on standard error, which shows itself only where it is wanted. Call its `finish()` before printing.
    package func progress(_ label: String, total: Int?) -> ProgressBar {
        ProgressBar(label, total: total, on: isQuiet ? nil : stderrSurface)
    }

    /// What is wrong, and what to do next.
    func report(_ failure: CommandFailure) {
        talk.line(Style(bold: true, colour: .red)("\(program.name):", on: stderrSurface) + " " + failure.what)
        if let next = failure.next { talk.line(next) }
        talk.flush()
    }
}
