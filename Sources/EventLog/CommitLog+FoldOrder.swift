package import EventCoding
package import LMDB

/// A share of all entities: those whose identity's last byte leaves `index` when divided by `count`, a power of two.
///
/// Folds of different entities don't touch, so each share can be folded by itself.
package struct EntityShare: Hashable, Sendable {
    package let index: UInt8
    package let count: UInt8

    package static let all = EntityShare(index: 0, count: 1)

    package init(index: UInt8, count: UInt8) {
        self.index = index
        self.count = count
    }

    func contains(_ lastByte: UInt8) -> Bool { lastByte & (count &- 1) == index }
}

/// A run of commits that arrived one after the other and are of one origin: its events stand in fold order already.
package struct LogRun: Hashable, Sendable {
    package let origin: OriginID
    package let firstSequence: UInt64
    package internal(set) var lastSequence: UInt64
    package let firstOrder: FoldOrder
    package internal(set) var lastOrder: FoldOrder
}

/// What one quick pass over the log tells: its runs, and which commits hold control events.
package struct LogOutline: Sendable {
    package internal(set) var runs: [LogRun] = []
    package internal(set) var controlCommits: [UInt64] = []
    package internal(set) var commits = 0
    package internal(set) var events = 0

    /// Takes in the outline of the part of the log that follows right behind this one's.
    package mutating func append(_ next: LogOutline) {
        var rest = next.runs[...]
        if let last = runs.last, let first = rest.first, last.origin == first.origin {
            runs[runs.count - 1].lastSequence = first.lastSequence
            runs[runs.count - 1].lastOrder = first.lastOrder
            rest = rest.dropFirst()
        }
        runs += rest
        controlCommits += next.controlCommits
        commits += next.commits
        events += next.events
    }
}

extension CommitLog {
    /// Looks at the first event of every commit, or of those of a range of sequence numbers, and that no commit is missing.
    /// Complexity: O(commits).
    package func outline(
        _ transaction: borrowing ReadTransaction, of range: ClosedRange<UInt64> = 1...UInt64.max
    ) throws(LogError) -> LogOutline {
        var result = LogOutline()
        var run: LogRun?
        _ = try lastSequence(transaction)
        try forEachCommit(from: range.lowerBound, transaction) { (sequence, commit) throws(LogError) in
            guard sequence <= range.upperBound else { return false }
            let expected = range.lowerBound + UInt64(result.commits)
            guard sequence == expected else { throw .missingCommit(sequence: expected) }
            do throws(ByteFault) {
                let outline = try Commit.outline(of: commit)
                let length = try EventFrame.length(at: outline.framesOffset, of: commit)
                let header = try EventFrame.parse(commit.extracting(outline.framesOffset..<outline.framesOffset + length)).header
                result.commits += 1
                result.events += outline.eventCount
                if outline.hasControlEvents { result.controlCommits.append(sequence) }
                if run?.origin == header.id.origin {
                    run?.lastSequence = sequence
                    run?.lastOrder = header.foldOrder
                } else {
                    if let run { result.runs.append(run) }
                    run = LogRun(
                        origin: header.id.origin, firstSequence: sequence, lastSequence: sequence, firstOrder: header.foldOrder,
                        lastOrder: header.foldOrder)
                }
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
        if let run { result.runs.append(run) }
        // The last order so far is that of the last commit's first event; its last event says how far the run really goes.
        for index in result.runs.indices {
            result.runs[index].lastOrder = try lastOrder(ofCommit: result.runs[index].lastSequence, transaction)
        }
        return result
    }

    private func lastOrder(ofCommit sequence: UInt64, _ transaction: borrowing ReadTransaction) throws(LogError) -> FoldOrder {
        var last: FoldOrder?
        try forEachEvent(inCommits: sequence...sequence, transaction) { header, _, _ in
            last = header.foldOrder
        }
        guard let last else { throw .missingCommit(sequence: sequence) }
        return last
    }

    /// Hands over the events of the commits in that range of sequence numbers, in the order of arrival.
    ///
    /// - Parameter isProving: whether each event's checksum is looked at; somebody else does it where not.
    package func forEachEvent(
        inCommits range: ClosedRange<UInt64>, of share: EntityShare = .all, isProving: Bool = true,
        _ transaction: borrowing ReadTransaction,
        _ body: (borrowing EventHeader, RawSpan, EventPosition) -> Void
    ) throws(LogError) {
        var cursor = try commitCursor(from: range.lowerBound, transaction)
        while let sequence = cursor.number, sequence <= range.upperBound {
            let commit = cursor.value
            do throws(ByteFault) {
                let outline = try Commit.outline(of: commit)
                var offset = outline.framesOffset
                for _ in 0..<outline.eventCount {
                    let length = try EventFrame.length(at: offset, of: commit)
                    if share.contains(EventFrame.lastByteOfSubject(at: offset, of: commit)) {
                        let frame = commit.extracting(offset..<offset + length)
                        if isProving, !EventFrame.isIntact(frame) { throw ByteFault(.badChecksum, offset: 0) }
                        let (header, payloadOffset) = try EventFrame.parse(frame)
                        body(header, frame.extracting(payloadOffset..<length), EventPosition(sequence: sequence, offset: offset))
                    }
                    offset += length
                }
            } catch { throw .malformed(sequence: sequence, error) }
            do throws(LMDBError) { _ = try cursor.next() } catch { throw .storage(error) }
        }
    }

    /// Hands over every event of the log in fold order: logical time, then origin, then number.
    ///
    /// Runs that don't overlap in time are read where they lie; where several do, they are merged, a small part of each in
    /// memory at a time. Complexity: O(events log overlapping runs), memory O(overlapping runs).
    package func forEachEventInFoldOrder(
        _ outline: LogOutline, of share: EntityShare = .all, isProving: Bool = true, _ transaction: borrowing ReadTransaction,
        _ body: (borrowing EventHeader, RawSpan, EventPosition) -> Void
    ) throws(LogError) {
        let runs = outline.runs.sorted { $0.firstOrder < $1.firstOrder }
        var start = 0
        while start < runs.count {
            var end = start + 1
            var reach = runs[start].lastOrder
            while end < runs.count, runs[end].firstOrder < reach {
                reach = max(reach, runs[end].lastOrder)
                end += 1
            }
            if end == start + 1 {
                try forEachEvent(
                    inCommits: runs[start].firstSequence...runs[start].lastSequence, of: share, isProving: isProving, transaction, body)
            } else {
                try merge(Array(runs[start..<end]), transaction) { header, payload, position in
                    if share.contains(UInt8(truncatingIfNeeded: header.subject.low)) { body(header, payload, position) }
                }
            }
            start = end
        }
    }

    private func merge(
        _ runs: [LogRun], _ transaction: borrowing ReadTransaction, _ body: (borrowing EventHeader, RawSpan, EventPosition) -> Void
    ) throws(LogError) {
        var waiting = runs[...]
        var streams: [RunStream] = []
        while true {
            // The stream whose next event comes first, and how far it may go before another one has its turn.
            var best: Int?
            var bound: FoldOrder?
            for (index, stream) in streams.enumerated() {
                guard let order = stream.nextOrder else { continue }
                if let current = best, let least = streams[current].nextOrder, order > least {
                    bound = bound.map { min($0, order) } ?? order
                } else {
                    if let current = best, let least = streams[current].nextOrder { bound = bound.map { min($0, least) } ?? least }
                    best = index
                }
            }
            if let next = waiting.first, best.flatMap({ streams[$0].nextOrder }).map({ next.firstOrder < $0 }) ?? true {
                var stream = RunStream(run: next)
                try stream.fill(from: self, transaction)
                streams.append(stream)
                waiting.removeFirst()
                continue
            }
            guard let best else { return }
            if let next = waiting.first { bound = bound.map { min($0, next.firstOrder) } ?? next.firstOrder }
            while let order = streams[best].nextOrder, bound.map({ order < $0 }) ?? true {
                try streams[best].take(body)
                if streams[best].isDrained { try streams[best].fill(from: self, transaction) }
            }
            if streams[best].nextOrder == nil { streams.remove(at: best) }
        }
    }
}

/// One run while it is merged with others: the next few of its commits, copied out of the map.
private struct RunStream {
    private var bytes: [UInt8] = []
    private var commits: [(sequence: UInt64, start: Int, end: Int)] = []
    private var commitIndex = 0
    private var offset = 0
    private var nextSequence: UInt64
    private let lastSequence: UInt64
    private var next: (header: EventHeader, payload: Range<Int>, position: EventPosition)?

    init(run: LogRun) {
        nextSequence = run.firstSequence
        lastSequence = run.lastSequence
    }

    var nextOrder: FoldOrder? { next?.header.foldOrder }

    /// Everything that was filled in has been taken.
    var isDrained: Bool { next == nil }

    mutating func fill(from log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) {
        bytes.removeAll(keepingCapacity: true)
        commits.removeAll(keepingCapacity: true)
        commitIndex = 0
        guard nextSequence <= lastSequence else { return }
        var copied = bytes
        var list = commits
        var following = nextSequence
        let last = lastSequence
        try log.forEachCommit(from: nextSequence, transaction) { (sequence, commit) throws(LogError) in
            guard sequence <= last else { return false }
            list.append((sequence, copied.count, copied.count + commit.byteCount))
            unsafe commit.withUnsafeBytes { unsafe copied.append(contentsOf: $0) }
            following = sequence + 1
            return copied.count < 1 << 16
        }
        bytes = copied
        commits = list
        nextSequence = following
        try beginCommit()
    }

    mutating func take(_ body: (borrowing EventHeader, RawSpan, EventPosition) -> Void) throws(LogError) {
        guard let event = next else { return }
        body(event.header, bytes.rawSpan.extracting(event.payload), event.position)
        try step()
    }

    private mutating func beginCommit() throws(LogError) {
        guard commitIndex < commits.count else {
            next = nil
            return
        }
        let commit = commits[commitIndex]
        let framesOffset: Int
        do throws(ByteFault) {
            framesOffset = try Commit.outline(of: bytes.rawSpan.extracting(commit.start..<commit.end)).framesOffset
        } catch { throw .malformed(sequence: commit.sequence, error) }
        offset = framesOffset
        try step()
    }

    private mutating func step() throws(LogError) {
        let commit = commits[commitIndex]
        guard commit.start + offset < commit.end else {
            commitIndex += 1
            try beginCommit()
            return
        }
        let found: (header: EventHeader, payloadOffset: Int, length: Int)
        do throws(ByteFault) {
            found = try Self.frame(at: offset, of: bytes.rawSpan.extracting(commit.start..<commit.end))
        } catch { throw .malformed(sequence: commit.sequence, error) }
        let start = commit.start + offset
        next = (
            found.header, start + found.payloadOffset..<start + found.length,
            EventPosition(sequence: commit.sequence, offset: offset)
        )
        offset += found.length
    }

    private static func frame(
        at offset: Int, of commit: RawSpan
    ) throws(ByteFault) -> (header: EventHeader, payloadOffset: Int, length: Int) {
        let length = try EventFrame.length(at: offset, of: commit)
        let (header, payloadOffset) = try EventFrame.parseIntact(commit.extracting(offset..<offset + length))
        return (header, payloadOffset, length)
    }
}
