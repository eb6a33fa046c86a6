package import EventCoding
package import Hashing
package import LMDB

extension NewEvent {
    /// Throws where no event can have that wall time or zone: what is written here is what other devices take in.
    package func checkRanges() throws(LogError) {
        guard LogicalTime.wallMillisecondsRange.contains(wallMilliseconds) else { throw .timeOutOfRange(milliseconds: wallMilliseconds) }
        guard EventHeader.zoneRange.contains(zoneMinutes) else { throw .zoneOutOfRange(minutes: zoneMinutes) }
    }
}

extension CommitLog {
    /// Events of one import that go into one commit.
    package static let eventsInBatch = 1000

    /// Appends the events of one action of `origin` as one commit, and takes note of it in `heads`.
    ///
    /// - Parameters:
    ///   - key: the caller's key of the action; it leads back to this commit for ever.
    ///   - heads: how far the log goes, this transaction included.
    ///   - marking: says what of an event may be erased one day, where the event doesn't say so itself. No way leads around it, so that
    ///     no text is written without its mark.
    /// - Returns: the identities that the events got.
    package func append(
        _ events: [NewEvent], origin: OriginID, key: UniqueID? = nil, heads: inout LogHeads, marking: (NewEvent) -> Erasure?,
        _ transaction: inout WriteTransaction
    ) throws(LogError) -> [EventID] {
        var hasher = SHA256Hasher()
        return try append(events[...], origin: origin, key: key, heads: &heads, marking: marking, hasher: &hasher, &transaction)
    }

    /// Appends the events of an import, a thousand a commit. They are all there, or none, since they share a transaction.
    package func appendBatches(
        _ events: [NewEvent], origin: OriginID, heads: inout LogHeads, marking: (NewEvent) -> Erasure?,
        _ transaction: inout WriteTransaction, progress: (Int) -> Void = { _ in }
    ) throws(LogError) {
        var hasher = SHA256Hasher()
        var start = 0
        while start < events.count {
            var end = start
            var bytes = 0
            while end < events.count, end - start < Self.eventsInBatch, bytes < 4 << 20 {
                bytes += events[end].payload.count + 96
                end += 1
            }
            _ = try append(events[start..<end], origin: origin, key: nil, heads: &heads, marking: marking, hasher: &hasher, &transaction)
            start = end
            try storage(Interruption.check())
            progress(start)
        }
    }

    private func append(
        _ events: ArraySlice<NewEvent>, origin: OriginID, key: UniqueID?, heads: inout LogHeads, marking: (NewEvent) -> Erasure?,
        hasher: inout SHA256Hasher, _ transaction: inout WriteTransaction
    ) throws(LogError) -> [EventID] {
        let head = heads[origin]
        var frames = ByteWriter(reserving: events.count * 96)
        var ids: [EventID] = []
        var last = head.logicalTime
        var traits = Commit.Traits()
        for event in events {
            try event.checkRanges()
            let id = EventID(origin: origin, number: head.events + UInt64(ids.count) + 1)
            let time = try logicalTime(of: event, after: last, isFirst: ids.isEmpty, origin: origin, heads: heads)
            let header = EventHeader(
                type: event.type, version: event.version, zoneMinutes: event.zoneMinutes, id: id, logicalTime: time,
                wallMilliseconds: event.wallMilliseconds, subject: event.subject, key: event.key)
            let erasure = event.erasure ?? marking(event)
            do throws(ByteError) {
                try EventFrame.append(header, payload: event.payload, erasure: erasure, to: &frames)
            } catch { throw .tooLarge(bytes: event.payload.count, limit: EventFrame.maximumSize) }
            traits.apply(event.type, isErasable: erasure != nil)
            ids.append(id)
            last = time
        }
        guard frames.count < Commit.maximumSize - 1024 else { throw .tooLarge(bytes: frames.count, limit: Commit.maximumSize) }
        let (bytes, digest) = Commit.encode(
            number: head.commits + 1, frames: frames.bytes, eventCount: ids.count, traits: traits, actionKey: key,
            after: head.digest, with: &hasher)
        let sequence = heads.sequence + 1
        try storage(transaction.put(sequence, bytes, in: commits, mode: .append))
        if let key { try putAction(key, sequence, mode: .insertOnly, &transaction) }
        heads.advance(sequence: sequence, origin: origin, digest: digest, events: ids.count, logicalTime: last)
        return ids
    }

    /// The logical time of a new event: an imported row's own, else the clock's. It never falls within an origin.
    private func logicalTime(
        of event: NewEvent, after last: LogicalTime, isFirst: Bool, origin: OriginID, heads: LogHeads
    ) throws(LogError) -> LogicalTime {
        if let own = event.logicalTime {
            guard own >= last else { throw .timeOutOfRange(milliseconds: event.wallMilliseconds) }
            return own
        }
        let next =
            isFirst
            ? heads.nextLogicalTime(
                of: origin, wallMilliseconds: event.wallMilliseconds, tolerance: Self.clockToleranceMilliseconds)
            : LogicalTime.next(after: last, wallMilliseconds: event.wallMilliseconds)
        guard let next else { throw .timeOutOfRange(milliseconds: event.wallMilliseconds) }
        return next
    }

    /// Appends a commit that was made elsewhere, byte for byte, after proving that it follows on what is here.
    ///
    /// - Parameter stored: gets the commit once it is proved, and the digest of the one before; the bytes to store in its place, which
    ///   must be the same commit without texts that were erased. `nil` for its own.
    /// - Returns: false where the commit is here already.
    package func appendForeign(
        _ commit: RawSpan, heads: inout LogHeads, hasher: inout SHA256Hasher, _ transaction: inout WriteTransaction,
        as stored: (_ commit: RawSpan, _ previous: SHA256Digest) throws(ByteError) -> [UInt8]? = { _, _ in nil }
    ) throws(LogError) -> Bool {
        let sequence = heads.sequence + 1
        let header: Commit.Header
        let summary: CommitSummary
        do throws(ByteError) {
            guard commit.byteCount <= Commit.maximumSize else { throw ByteError(.badLength, offset: 0) }
            header = try Commit.header(of: commit)
            summary = try CommitSummary(checking: commit)
        } catch { throw .malformed(sequence: sequence, error) }
        let origin = summary.origin
        let head = heads[origin]
        if header.number <= head.commits {
            guard header.number < head.commits || header.digest == head.digest else { throw .forked(origin: origin, commit: header.number) }
            return false
        }
        func refuse(_ why: String) -> LogError { .doesNotFollow(origin: origin, commit: header.number, why: why) }
        guard header.number == head.commits + 1 else { throw refuse("commit \(head.commits + 1) is missing") }
        guard summary.firstNumber == head.events + 1 else { throw refuse("its first event should have the number \(head.events + 1)") }
        guard summary.firstTime >= head.logicalTime else { throw refuse("its logical time falls") }
        guard header.format == Commit.format else { throw refuse("it has the format \(header.format)") }
        guard summary.traits == header.traits else { throw refuse("its flags don't fit its events") }
        guard !header.isWithdrawn || header.hasErasableEvents else { throw refuse("it is withdrawn, and nothing of it was erased") }
        guard Commit.digest(of: commit, after: head.digest, with: &hasher) == header.digest else { throw refuse("its digest is wrong") }
        let other: [UInt8]?
        do throws(ByteError) { other = try stored(commit, head.digest) } catch { throw .malformed(sequence: sequence, error) }
        if let other {
            try storage(transaction.put(sequence, other, in: commits, mode: .append))
        } else {
            try storage(transaction.put(sequence, commit, in: commits, mode: .append))
        }
        // A key that is here leads where it led: another device's action mustn't answer for this one's.
        if let key = header.actionKey, try storage(transaction.value(for: key.bytes, in: actions) == nil) {
            try putAction(key, sequence, mode: .insertOnly, &transaction)
        }
        heads.advance(
            sequence: sequence, origin: origin, digest: header.digest, events: header.eventCount, logicalTime: summary.lastTime)
        return true
    }
}

/// What the frames of a commit say together, each of them checked: form, checksum, origin, numbers without gaps, times
/// that don't fall.
package struct CommitSummary: Hashable, Sendable {
    package let origin: OriginID
    package let firstNumber: UInt64
    package let firstTime: LogicalTime
    package let lastTime: LogicalTime
    package let traits: Commit.Traits

    package init(checking commit: RawSpan) throws(ByteError) {
        var first: EventHeader?
        var last: EventHeader?
        var traits = Commit.Traits()
        var frames = try Commit.frames(of: commit)
        while let frame = try frames.next() {
            let header = try frame.intactEvent().header
            if let last {
                guard header.id.origin == last.id.origin, header.id.number == last.id.number &+ 1, header.logicalTime >= last.logicalTime
                else { throw ByteError(.badValue, offset: frame.offset) }
            }
            guard LogicalTime.wallMillisecondsRange.contains(header.wallMilliseconds), header.id.number > 0,
                header.wallMilliseconds <= header.logicalTime.milliseconds,
                header.logicalTime.milliseconds <= LogicalTime.wallMillisecondsRange.upperBound
            else {
                throw ByteError(.badValue, offset: frame.offset)
            }
            first = first ?? header
            last = header
            traits.apply(header.type, isErasable: frame.isErasable)
        }
        try frames.finish()
        guard let first, let last else { throw ByteError(.badValue, offset: Commit.fixedSize) }
        origin = first.id.origin
        firstNumber = first.id.number
        firstTime = first.logicalTime
        lastTime = last.logicalTime
        self.traits = traits
    }
}
