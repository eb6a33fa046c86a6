/// The schedulers that a program knows: those that come along, and those that an app adds.
public struct KnownSchedulers: Sendable {
    private let types: [any Scheduler.Type]

    /// Those that come along, and `added`. One of these with a name that is known already doesn't count.
    public init(adding added: [any Scheduler.Type] = []) { types = [BoxScheduler.self, FixedScheduler.self] + added }

    /// Those that come along.
    public static let builtIn = KnownSchedulers()

    /// Their names.
    public var names: [String] { types.map { $0.name } }

    /// The scheduler of that name, revision and parameters; parameters that aren't named have their default.
    ///
    /// - Throws: ``SchedulerError`` for a name, revision, parameter or value that isn't known.
    public func scheduler(
        name: String, revision: Int? = nil, parameters: [(name: String, value: String)] = []
    ) throws(SchedulerError) -> ConfiguredScheduler {
        guard let type = types.first(where: { $0.name == name }) else {
            throw SchedulerError(parameter: "scheduler", value: name, allowed: "one of: \(names.joined(separator: ", "))")
        }
        var seen: Set<String> = []
        for (name, value) in parameters where !seen.insert(name).inserted {
            throw SchedulerError(parameter: name, value: value, allowed: "given once")
        }
        return ConfiguredScheduler(try type.init(revision: revision, parameters: parameters))
    }

    /// The scheduler that a SPEC describes: a name, or a name, a colon and `parameter=value` pairs between commas.
    ///
    /// - Throws: ``SchedulerError`` that names the part that isn't right.
    public func scheduler(spec: String) throws(SchedulerError) -> ConfiguredScheduler {
        let parts = spec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters: [(name: String, value: String)] = []
        if parts.count == 2 {
            for pair in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2, !sides[0].isEmpty else {
                    throw SchedulerError(parameter: "parameter", value: String(pair), allowed: "written name=value")
                }
                parameters.append((String(sides[0]), String(sides[1])))
            }
        }
        return try scheduler(name: String(parts.first ?? ""), parameters: parameters)
    }

    /// What a log recorded: that scheduler where it is known, else its name, under which nothing is folded.
    public func recorded(name: String, revision: Int, parameters: [(name: String, value: String)]) -> ConfiguredScheduler {
        (try? scheduler(name: name, revision: revision, parameters: parameters))
            ?? ConfiguredScheduler(unknown: name, revision: revision, parameters: parameters)
    }
}

extension ConfiguredScheduler {
    /// The built-in scheduler that a SPEC describes.
    ///
    /// - Throws: ``SchedulerError`` that names the part that isn't right.
    public init(spec: String) throws(SchedulerError) { self = try KnownSchedulers.builtIn.scheduler(spec: spec) }
}
