extension Program {
    /// Runs the program on the process's own streams; returns the exit code.
    package func main(_ arguments: [String]) -> Int32 {
        System.holdStandardStreams()
        System.ignoreBrokenPipes()
        let noColour = arguments.prefix { $0 != "--" }.contains("--no-color")
        let surface = Surface(descriptor: System.standardOutput, noColour: noColour)
        let stderrSurface = Surface(descriptor: System.standardError, noColour: noColour)
        let out = OutputWriter(descriptor: System.standardOutput)
        let talk = OutputWriter(descriptor: System.standardError, capacity: 0)
        return run(arguments, out: out, talk: talk, surface: surface, stderrSurface: stderrSurface).rawValue
    }

    /// Runs the program on any streams.
    ///
    /// A reader that leaves early changes nothing about the exit code; output that can't be written makes it 3.
    package func run(
        _ arguments: [String], out: OutputWriter, talk: OutputWriter, surface: Surface, stderrSurface: Surface,
        variables: @escaping (String) -> String? = System.environment
    ) -> ExitCode {
        out.kept = surface.colour > .none ? [.layout, .styles] : .layout
        talk.kept = stderrSurface.colour > .none ? [.layout, .styles] : .layout
        var session = Session(
            program: self, invocation: nil, out: out, talk: talk, surface: surface, stderrSurface: stderrSurface, variables: variables)
        var code: ExitCode
        do {
            let request = try Parser.parse(arguments, self)
            if case .run(let invocation) = request {
                session = Session(
                    program: self, invocation: invocation, out: out, talk: talk, surface: surface, stderrSurface: stderrSurface,
                    variables: variables)
            }
            code = try answer(request, session)
        } catch {
            let failure = failure(for: error)
            // What was printed before comes before the complaint.
            out.flush()
            session.report(failure)
            code = failure.code
        }
        out.flush()
        talk.flush()
        if case .refused(let error) = out.fault {
            let failure = CommandFailure(
                .store, "the output can't be written: \(System.message(error))",
                next: "Free some space, or send the output elsewhere. What the command changed in the store stays.")
            session.report(failure)
            code = .store
        }
        return code
    }

    private func answer(_ request: Request, _ session: Session) throws -> ExitCode {
        switch request {
        case .help(let path):
            session.out.lines(helpLines(path, on: session.surface))
            return .success
        case .version:
            session.out.line("\(name) \(version)")
            return .success
        case .run(let invocation):
            guard let run = invocation.command.run else { return .usage }
            return try run(invocation, session)
        }
    }

    package func helpLines(_ path: [String], on surface: Surface) -> [String] {
        guard let command = command(at: path) else { return Help.lines(of: self, on: surface) }
        return Help.lines(of: command, path: path, program: self, on: surface)
    }

    private func failure(for error: any Error) -> CommandFailure {
        switch error {
        case let fault as UsageError: CommandFailure(.usage, fault.description, next: fault.next)
        case let failure as CommandFailure: failure
        default: explain(error)
        }
    }
}
