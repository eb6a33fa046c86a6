import CommandLineFrame

/// What a command does whose description stands before the engine can answer it.
func unwired(_ call: Invocation, _ session: Session) throws -> ExitCode {
    let name = ([session.program.name] + call.path).joined(separator: " ")
    throw CommandFailure(.usage, "'\(name)' is described, but not connected to the engine in this build")
}
