package import EventCoding
package import LMDB

extension CommitLog {
    /// Sequence number of the last commit; 0 where there is none. Complexity: O(log commits).
    ///
    /// Commits are numbered from 1 up without gaps, so the last number is how many there are. Where it isn't, pages of the log
    /// were lost or put in place of others, and what they held must not be taken for never written.
    package func lastSequence(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt64 {
        let last = try highestSequence(transaction)
        let count = UInt64(clamping: try storage(transaction.count(in: commits)))
        guard last == count else { throw .missingCommit(sequence: min(last, count) &+ 1) }
        return last
    }

    /// The highest sequence number that is there, whatever is missing before it.
    func highestSequence(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt64 {
        var cursor = try cursor(transaction)
        return try storage(cursor.last()) ? cursor.number ?? 0 : 0
    }

    /// Hands over each commit from `first` on, in the order of arrival, until `body` says false.
    package func forEachCommit(
        from first: UInt64 = 1, _ transaction: borrowing ReadTransaction,
        _ body: (_ sequence: UInt64, _ commit: RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        var cursor = try cursor(transaction)
        var isThere = try storage(cursor.seek(first))
        while isThere {
            let sequence = cursor.number ?? 0
            try storage(Interruption.check(at: sequence))
            guard try body(sequence, cursor.value) else { return }
            isThere = try storage(cursor.next())
        }
    }

    /// The same, where a commit that is missing, at the end as well, is an error.
    package func forEveryCommit(
        from first: UInt64 = 1, _ transaction: borrowing ReadTransaction,
        _ body: (_ sequence: UInt64, _ commit: RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        let last = try lastSequence(transaction)
        var expected = first
        var goesOn = true
        try forEachCommit(from: first, transaction) { (sequence, commit) throws(LogError) in
            guard sequence == expected else { throw .missingCommit(sequence: expected) }
            expected = sequence &+ 1
            goesOn = try body(sequence, commit)
            return goesOn
        }
        guard !goesOn || expected == 0 || expected > last else { throw .missingCommit(sequence: expected) }
    }

    /// Hands over each commit from the last one back, until `body` says false.
    package func forEachCommitBackwards(
        _ transaction: borrowing ReadTransaction, _ body: (_ sequence: UInt64, _ commit: RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        var cursor = try cursor(transaction)
        var isThere = try storage(cursor.last())
        while isThere {
            let sequence = cursor.number ?? 0
            try storage(Interruption.check(at: sequence))
            guard try body(sequence, cursor.value) else { return }
            isThere = try storage(cursor.previous())
        }
    }

    /// The event of that identity; `nil` where the log doesn't hold it. Complexity: O(commits).
    package func event(_ id: EventID, _ transaction: borrowing ReadTransaction) throws(LogError) -> RecordedEvent? {
        var found: RecordedEvent?
        try forEachCommitBackwards(transaction) { (sequence, commit) throws(LogError) in
            do throws(ByteError) {
                var frames = try Commit.frames(of: commit)
                while let frame = try frames.next() {
                    let event = try frame.intactEvent()
                    // Numbers have no gaps, so the first event tells whether the wanted one can be in this commit.
                    guard event.header.id.origin == id.origin, event.header.id.number <= id.number else { return true }
                    guard event.header.id != id else {
                        found = event.recorded(in: sequence)
                        return false
                    }
                }
                try frames.finish()
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
        return found
    }

    /// A cursor over the commits that stands on the first one from `sequence` on, if there is one.
    @_lifetime(borrow transaction)
    func commitCursor(from sequence: UInt64, _ transaction: borrowing ReadTransaction) throws(LogError) -> Cursor {
        var cursor = try cursor(transaction)
        _ = try storage(cursor.seek(sequence))
        return cursor
    }

    @_lifetime(borrow transaction)
    private func cursor(_ transaction: borrowing ReadTransaction) throws(LogError) -> Cursor {
        do throws(LMDBError) { return try transaction.cursor(in: commits) } catch { throw .storage(error) }
    }

    /// The event at `position`, with bytes of its own. Complexity: O(log commits).
    package func event(at position: EventPosition, _ transaction: borrowing ReadTransaction) throws(LogError) -> RecordedEvent {
        let value: RawSpan?
        do throws(LMDBError) { value = try transaction.value(for: position.sequence, in: commits) } catch { throw .storage(error) }
        guard let commit = value else { throw .missingCommit(sequence: position.sequence) }
        do throws(ByteError) {
            var frames = Commit.Frames(of: commit, from: position.offset, count: 1)
            guard let frame = try frames.next() else { throw ByteError(.truncated, offset: position.offset) }
            return try frame.intactEvent().recorded(in: position.sequence)
        } catch { throw .malformed(sequence: position.sequence, error) }
    }

    /// The bytes of the commit of that sequence number, as stored; `nil` where there is none.
    package func commit(_ sequence: UInt64, _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8]? {
        try storage(transaction.value(for: sequence, in: commits)?.copied())
    }

    /// Applies a commit to `heads`, as the next of its origin, and says which that is. Complexity: O(events of the commit).
    @discardableResult
    package func advance(_ heads: inout LogHeads, by commit: RawSpan, sequence: UInt64) throws(LogError) -> OriginID {
        guard sequence == heads.sequence &+ 1 else { throw .missingCommit(sequence: heads.sequence &+ 1) }
        do throws(ByteError) {
            let header = try Commit.header(of: commit)
            var last: EventHeader?
            var frames = Commit.frames(of: commit, header)
            while let frame = try frames.next() { last = try frame.event().header }
            guard let last, header.number == heads[last.id.origin].commits &+ 1,
                last.id.number == heads[last.id.origin].events &+ UInt64(header.eventCount)
            else { throw ByteError(.badValue, offset: Commit.fixedSize) }
            heads.advance(
                sequence: sequence, origin: last.id.origin, digest: header.digest, events: header.eventCount,
                logicalTime: last.logicalTime)
            return last.id.origin
        } catch { throw .malformed(sequence: sequence, error) }
    }

    /// The sequence number of the commit that the action of that key made, if it made one.
    package func sequence(ofAction key: UniqueID, _ transaction: borrowing ReadTransaction) throws(LogError) -> UInt64? {
        let bytes = key.bytes
        if let value = try value(for: bytes, in: actions, transaction) {
            guard let sequence = action(value, under: bytes.rawSpan, isSealed: try isSealed(transaction)) else {
                throw badRecord(actions, "read the key of an action")
            }
            return sequence
        }
        // That it was never given is believed of an index that has all its keys.
        try checkCount(of: actions, transaction)
        return nil
    }

    /// The number that eight big-endian bytes are; 0 where they aren't eight.
    static func sequence(_ bytes: RawSpan) -> UInt64 {
        guard bytes.byteCount == 8 else { return 0 }
        return unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self))
    }

    static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }
}

extension CommitLog {
    /// The digests of certain commits: of each origin, the one of that number, found by an index. Complexity: O(commits wanted).
    package func digests(
        ofCommits wanted: [OriginID: UInt64], by index: CommitIndex, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [OriginID: SHA256Digest] {
        var result: [OriginID: SHA256Digest] = [:]
        for (origin, number) in wanted {
            guard let sequence = index.sequence(of: number, of: origin) else { continue }
            guard let commit = try commit(sequence, transaction) else { throw .missingCommit(sequence: sequence) }
            do throws(ByteError) { result[origin] = try Commit.header(of: commit.rawSpan).digest } catch {
                throw .malformed(sequence: sequence, error)
            }
        }
        return result
    }
}
