public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel

extension StudyStore: CommitSource {
    /// How far each origin goes here, in the order of the origins. Complexity: O(origins).
    public func heads() throws(StoreError) -> [LogHead] {
        try reading { (_, projection) throws(LogError) in projection.heads }.sorted.map { origin, head in
            LogHead(origin: origin, commits: head.commits, events: head.events, digest: head.digest)
        }
    }

    /// Hands over, until `body` says false, the commits that follow on those of `known`, the last numbers of some origins, in the order in
    /// which they came here. They are found by an index; nothing is proved. Complexity: O(commits handed over).
    public func forEachCommit(after known: [OriginID: UInt64], _ body: (LogCommit) throws -> Bool) throws {
        var failure: (any Error)?
        let index = try reading { (_, projection) throws(LogError) in projection.commits }
        try inLog(
            log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                for range in index.sequences(after: known) {
                    var goesOn = true
                    var next = range.lowerBound
                    try log.forEachCommit(from: next, transaction) { (sequence, bytes) throws(LogError) in
                        guard sequence == next else { throw .missingCommit(sequence: next) }
                        let commit = try Self.commit(bytes, at: sequence)
                        do { goesOn = try body(commit) } catch { failure = error }
                        next = sequence + 1
                        return goesOn && failure == nil && sequence < range.upperBound
                    }
                    guard goesOn, failure == nil else { return }
                    guard next > range.upperBound else { throw .missingCommit(sequence: next) }
                }
            })
        if let failure { throw failure }
    }

    /// The commits of one origin that follow on number `number`, in the order of their numbers, at most `limit` of them.
    ///
    /// - Complexity: O(commits returned).
    public func commits(of origin: OriginID, after number: UInt64 = 0, limit: Int = .max) throws(StoreError) -> [LogCommit] {
        try reading { (transaction, projection) throws(LogError) in
            var result: [LogCommit] = []
            var next = number &+ 1
            while result.count < limit, let sequence = projection.commits.sequence(of: next, of: origin) {
                guard let bytes = try log.commit(sequence, transaction) else { throw .missingCommit(sequence: sequence) }
                result.append(LogCommit(origin: origin, number: next, bytes: bytes))
                next += 1
            }
            return result
        }
    }

    private static func commit(_ bytes: RawSpan, at sequence: UInt64) throws(LogError) -> LogCommit {
        do throws(ByteError) {
            return LogCommit(origin: try Commit.origin(of: bytes), number: try Commit.header(of: bytes).number, bytes: bytes.copied())
        } catch { throw .malformed(sequence: sequence, error) }
    }

    /// Sends the commits that `sink` lacks. Complexity: O(commits sent).
    ///
    /// - Returns: how many were sent.
    @discardableResult
    public func send(to sink: inout some CommitSink) throws -> Int {
        let known = Dictionary(try sink.heads().map { ($0.origin, $0.commits) }, uniquingKeysWith: max)
        var count = 0
        try forEachCommit(after: known) { commit in
            try sink.append(commit)
            count += 1
            return true
        }
        return count
    }

    /// Takes in every commit of `source` that isn't here: the union of both, as `merge(with:at:)` does it.
    ///
    /// Only what is new is asked for, and of each origin that both have one commit more, which shows whether both have the same.
    /// - Parameters:
    ///   - source: where the commits come from. It is read to its end before the store is locked for writing.
    ///   - name: what messages call it.
    ///   - moment: the time of the merge.
    /// - Throws: ``StoreError``, and whatever the source throws; nothing was changed then.
    public func merge(from source: some CommitSource, named name: String, at moment: ZonedTime) throws -> MergeReport {
        let theirs = Dictionary(try source.heads().map { ($0.origin, $0.commits) }, uniquingKeysWith: max)
        var known: [OriginID: UInt64] = [:]
        for head in try heads() {
            let shared = min(head.commits, theirs[head.origin] ?? head.commits)
            known[head.origin] = shared > 0 ? shared - 1 : 0
        }
        return try merge(from: source, after: known, named: name, at: moment)
    }

    private func merge(
        from source: some CommitSource, after known: [OriginID: UInt64], named name: String, at moment: ZonedTime
    ) throws -> MergeReport {
        var failure: (any Error)?
        do {
            return try take(at: moment, path: name) { (incoming) throws(StoreError) in
                do {
                    try source.forEachCommit(after: known) { commit in
                        try incoming.take(commit.bytes.rawSpan, at: "commit \(commit.number) of origin \(commit.origin)")
                        return true
                    }
                } catch let error as StoreError { throw error } catch {
                    failure = error
                    throw .badInput(path: name, place: "", why: "\(error)")
                }
            }
        } catch { throw failure ?? error }
    }
}
