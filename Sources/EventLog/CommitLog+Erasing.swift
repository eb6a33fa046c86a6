package import EventCoding
internal import Hashing
package import LMDB

extension CommitLog {
    /// Erases the texts of every event about `subjects`, in this transaction. What is text the rules say; every digest stays as it is.
    ///
    /// Events move within their commits then, so whatever points to them goes too: the checkpoint and the timelines, which are
    /// made again from the log. Where nothing is left to erase, nothing is touched.
    /// - Returns: how many events lost their texts.
    /// - Complexity: O(events).
    package func eraseTexts(
        of subjects: Set<UniqueID>, by rules: TextRules, _ transaction: inout WriteTransaction
    ) throws(LogError) -> Int {
        guard !subjects.isEmpty else { return 0 }
        var found: [(sequence: UInt64, previous: SHA256Digest)] = []
        try forEachText(of: subjects, by: rules, transaction.reader) { sequence, previous in
            if found.last?.sequence != sequence { found.append((sequence, previous)) }
        }
        var count = 0
        for (sequence, previous) in found {
            let commit = try bytes(ofCommit: sequence, transaction.reader)
            let erased: ErasedCommit
            do throws(ByteError) {
                erased = try Commit.erasing(commit.rawSpan, after: previous, by: rules) { subjects.contains($0.subject) }
            } catch { throw .malformed(sequence: sequence, error) }
            guard let bytes = erased.bytes else { continue }
            try storage(transaction.put(sequence, bytes, in: commits))
            count += erased.events
        }
        guard count > 0 else { return 0 }
        try storage(transaction.deleteAll(in: checkpoints))
        try deleteTimelines(&transaction)
        return count
    }

    /// How many events about `subjects` still have their texts. Complexity: O(events).
    package func countTexts(
        of subjects: Set<UniqueID>, by rules: TextRules, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Int {
        guard !subjects.isEmpty else { return 0 }
        var count = 0
        try forEachText(of: subjects, by: rules, transaction) { _, _ in count += 1 }
        return count
    }

    /// What events are about whose types have texts, be they erased, in the log and in what is held aside. Complexity: O(events).
    package func subjectsOfTexts(
        by rules: TextRules, _ transaction: borrowing ReadTransaction, where isWanted: (UniqueID) -> Bool
    ) throws(LogError) -> Set<UniqueID> {
        var found: Set<UniqueID> = []
        func look(_ commit: RawSpan) throws(ByteError) {
            var frames = Commit.frames(of: commit, try Commit.header(of: commit))
            while let frame = try frames.next() {
                if rules.bearsTexts(frame.type), isWanted(frame.subject) { found.insert(frame.subject) }
            }
        }
        try forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            do throws(ByteError) { try look(commit) } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
        try forEachHeldAside(transaction) { (_, held) throws(LogError) in
            if let held { try? look(held.bytes.rawSpan) }
            return true
        }
        return found
    }

    private func bytes(ofCommit sequence: UInt64, _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8] {
        guard let commit = try commit(sequence, transaction) else { throw .missingCommit(sequence: sequence) }
        return commit
    }

    /// Hands over, for each event about `subjects` that still has its texts, its commit and the digest of the origin's commit before.
    private func forEachText(
        of subjects: Set<UniqueID>, by rules: TextRules, _ transaction: borrowing ReadTransaction,
        _ body: (_ sequence: UInt64, _ previous: SHA256Digest) -> Void
    ) throws(LogError) {
        var heads: [OriginID: SHA256Digest] = [:]
        try forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            do throws(ByteError) {
                let header = try Commit.header(of: commit)
                let origin = try Commit.origin(of: commit)
                var frames = Commit.frames(of: commit, header)
                while let frame = try frames.next() {
                    guard subjects.contains(frame.subject) else { continue }
                    if case .none = try rules.standing(of: frame) { continue }
                    body(sequence, heads[origin] ?? .zero)
                }
                heads[origin] = header.digest
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
    }
}

// MARK: - What is left in the file

extension CommitLog {
    private static let clearingKey: [UInt8] = Array("texts to clear".utf8)

    /// Records that texts which were erased may still lie in parts of the file that nothing uses, until it is written anew.
    package func markTextsToClear(_ transaction: inout WriteTransaction) throws(LogError) {
        try setRecord(Self.clearingKey, [1], &transaction)
    }

    /// Whether texts that were erased may still lie in parts of the file that nothing uses. Complexity: constant.
    package func hasTextsToClear(_ transaction: borrowing ReadTransaction) throws(LogError) -> Bool {
        try storage(transaction.value(for: Self.clearingKey, in: records) != nil)
    }
}
