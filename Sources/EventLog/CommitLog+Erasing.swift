package import EventCoding
package import LMDB

extension CommitLog {
    /// Erases the texts of every event about `subjects`, in this transaction; every digest stays right.
    ///
    /// Events move within their commits then, so whatever points to them goes too: the checkpoint and the timelines, which are
    /// made again from the log. Where nothing is left to erase, nothing is touched.
    /// - Returns: how many events lost their texts.
    /// - Complexity: O(commits), and the bytes of those with such events.
    package func eraseTexts(of subjects: Set<UniqueID>, _ transaction: inout WriteTransaction) throws(LogError) -> Int {
        guard !subjects.isEmpty else { return 0 }
        var count = 0
        for sequence in try sequencesWithTexts(of: subjects, transaction.reader) {
            let commit = try bytes(ofCommit: sequence, transaction.reader)
            let erased: (bytes: [UInt8], events: Int)?
            do throws(ByteFault) { erased = try Commit.erasing(commit.rawSpan) { subjects.contains($0.subject) } } catch {
                throw .malformed(sequence: sequence, error)
            }
            guard let erased else { continue }
            do throws(LMDBError) { try transaction.put(sequence, erased.bytes, in: commits) } catch { throw .storage(error) }
            count += erased.events
        }
        guard count > 0 else { return 0 }
        do throws(LMDBError) {
            try transaction.deleteAll(in: checkpoints)
        } catch { throw .storage(error) }
        try deleteTimelines(&transaction)
        return count
    }

    /// How many events about `subjects` still have their texts. Complexity: O(commits).
    package func countTexts(of subjects: Set<UniqueID>, _ transaction: borrowing ReadTransaction) throws(LogError) -> Int {
        guard !subjects.isEmpty else { return 0 }
        var count = 0
        try forEachText(transaction) { subject, _ in if subjects.contains(subject) { count += 1 } }
        return count
    }

    private func bytes(ofCommit sequence: UInt64, _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8] {
        do throws(LMDBError) {
            if let commit = try transaction.value(for: sequence, in: commits) { return commit.copied() }
        } catch { throw .storage(error) }
        throw .missingCommit(sequence: sequence)
    }

    private func sequencesWithTexts(
        of subjects: Set<UniqueID>, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [UInt64] {
        var found: [UInt64] = []
        try forEachText(transaction) { subject, sequence in
            if subjects.contains(subject), found.last != sequence { found.append(sequence) }
        }
        return found
    }

    /// Hands over what each event is about that has texts which may be erased, and its commit.
    private func forEachText(
        _ transaction: borrowing ReadTransaction, _ body: (_ subject: UniqueID, _ sequence: UInt64) -> Void
    ) throws(LogError) {
        try forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            do throws(ByteFault) {
                let header = try Commit.header(of: commit)
                guard header.hasErasableEvents else { return true }
                var offset = header.framesOffset
                for _ in 0..<header.eventCount {
                    let length = try EventFrame.length(at: offset, of: commit)
                    if EventFrame.isErasable(at: offset, of: commit) {
                        let event = try EventFrame.parse(commit.extracting(offset..<offset + length)).header
                        if !event.isErased { body(event.subject, sequence) }
                    }
                    offset += length
                }
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
    }
}
