package import EventCoding
package import LMDB

/// A part of all entities, by the last byte of their identities: the bytes, spread, are cut into `count` ranges of nearly equal length.
///
/// Folds of different entities don't touch, so each part can be folded by itself.
package struct Partition: Hashable, Sendable {
    package let index: Int
    package let count: Int

    /// The whole: one part of one.
    package static let all = Partition(index: 0, count: 1)
    /// An identity's last byte tells no more parts apart.
    package static let maximumCount = 64

    /// - Precondition: `index` is below `count`, which is from 1 to ``maximumCount``.
    package init(index: Int, count: Int) {
        precondition(index >= 0 && index < count && count <= Self.maximumCount, "a part of from 1 to 64")
        self.index = index
        self.count = count
    }

    /// The part, of so many, to which an identity with that last byte belongs.
    ///
    /// Identities that are numbered or spelt have few last bytes that lie close together; 157 / 256, nearly the golden section, spreads
    /// neighbours evenly (Knuth, The Art of Computer Programming 3, 6.4).
    @inline(__always)
    static func index(of lastByte: UInt8, count: Int) -> Int { (Int(lastByte &* 157) &* count) &>> 8 }

    /// Whether an identity with that last byte belongs to the part.
    @inline(__always)
    package func contains(_ lastByte: UInt8) -> Bool { Self.index(of: lastByte, count: count) == index }
}

/// A run of commits that arrived one after the other and are of one origin: its events stand in fold order already.
package struct LogRun: Hashable, Sendable {
    package let origin: OriginID
    package let firstSequence: UInt64
    package internal(set) var lastSequence: UInt64
    package let firstOrder: FoldOrder
    package internal(set) var lastOrder: FoldOrder
}

/// Which commits hold events of each part of the entities: a bit a commit and part, so that the fold of one part needn't look at
/// what concerns the others alone.
struct PartitionedCommits: Sendable {
    /// By part, the bits of 64 commits a word; none where there is one part.
    private var words: [[UInt64]]
    /// By part, the word that isn't full yet.
    private var open: [UInt64]
    private let partitions: Int
    private var count = 0

    init(partitions: Int) {
        self.partitions = partitions
        words = Array(repeating: [], count: partitions == 1 ? 0 : partitions)
        open = Array(repeating: 0, count: words.count)
    }

    /// Records the next commit: its only event is about an entity with that last byte, or it has several (`nil`), which may be about
    /// any.
    @inline(__always)
    mutating func append(lone lastByte: UInt8?) {
        guard partitions > 1 else { return }
        let bit = 1 &<< UInt64(count & 63)
        if let lastByte {
            open[Partition.index(of: lastByte, count: partitions)] |= bit
        } else {
            for index in open.indices { open[index] |= bit }
        }
        count += 1
        if count & 63 == 0 { closeWord() }
    }

    @inline(never)
    private mutating func closeWord() {
        for index in open.indices {
            words[index].append(open[index])
            open[index] = 0
        }
    }

    /// Appends what is recorded of the commits behind these, which are a multiple of 64.
    mutating func append(_ next: PartitionedCommits) {
        precondition(count & 63 == 0 && partitions == next.partitions, "the words of what follows begin with a commit of their own")
        for index in words.indices { words[index] += next.words[index] }
        open = next.open
        count += next.count
    }

    /// The bits of the commits that hold events of a part, 64 commits a word; `nil` where every commit is to be looked at.
    func words(of partition: Partition) -> [UInt64]? {
        guard partitions > 1, partition.count == partitions else { return nil }
        return words[partition.index] + [open[partition.index]]
    }
}

/// What one quick pass over the log tells: its runs, and its control events.
package struct LogOutline: Sendable {
    package internal(set) var runs: [LogRun] = []
    /// The control events, in the order of arrival.
    package internal(set) var controls: [RecordedEvent] = []
    package internal(set) var commits = 0
    package internal(set) var events = 0
    /// Which commits hold events of each part of the entities.
    var partitioned: PartitionedCommits

    init(partitions: Int = 1) { partitioned = PartitionedCommits(partitions: partitions) }

    fileprivate mutating func append(_ run: LogRun, endingAt last: UInt64) {
        runs.append(run)
        runs[runs.count - 1].lastSequence = last
    }

    /// Takes in the outline of the part of the log that follows right behind this one's, whose commits are a multiple of 64.
    package mutating func append(_ next: LogOutline) {
        var rest = next.runs[...]
        if let last = runs.last, let first = rest.first, last.origin == first.origin {
            runs[runs.count - 1].lastSequence = first.lastSequence
            runs[runs.count - 1].lastOrder = first.lastOrder
            rest = rest.dropFirst()
        }
        runs += rest
        controls += next.controls
        commits += next.commits
        events += next.events
        partitioned.append(next.partitioned)
    }
}

extension CommitLog {
    /// Looks at the first event of every commit, or of those of a range of sequence numbers, and that no commit is missing.
    /// Complexity: O(commits).
    ///
    /// - Parameter partitions: how many parts the log will be folded in.
    package func outline(
        _ transaction: borrowing ReadTransaction, of range: ClosedRange<UInt64> = 1...UInt64.max, partitions: Int = 1
    ) throws(LogError) -> LogOutline {
        var result = LogOutline(partitions: partitions)
        var run: LogRun?
        var origin: OriginID?
        let last = min(range.upperBound, try lastSequence(transaction))
        try forEachCommit(from: range.lowerBound, transaction) { (sequence, commit) throws(LogError) in
            guard sequence <= range.upperBound else { return false }
            let expected = range.lowerBound + UInt64(result.commits)
            guard sequence == expected else { throw .missingCommit(sequence: expected) }
            do throws(ByteError) {
                let outline = try Commit.outline(of: commit)
                let length = try EventFrame.length(at: outline.framesOffset, of: commit)
                let frame = commit.extracting(outline.framesOffset..<outline.framesOffset + length)
                result.commits += 1
                result.events += outline.eventCount
                if outline.hasControlEvents { result.controls += try Self.controls(of: commit, sequence: sequence) }
                result.partitioned.append(lone: outline.eventCount == 1 ? EventFrame.lastByteOfSubject(at: 0, of: frame) : nil)
                if origin != EventFrame.origin(of: frame) {
                    if let run { result.append(run, endingAt: sequence - 1) }
                    let header = try EventFrame.parse(frame).header
                    origin = header.id.origin
                    run = LogRun(
                        origin: header.id.origin, firstSequence: sequence, lastSequence: sequence, firstOrder: header.foldOrder,
                        lastOrder: header.foldOrder)
                }
            } catch { throw .malformed(sequence: sequence, error) }
            return true
        }
        // A damaged tree may end early, or go on with a number beyond the range.
        let following = range.lowerBound + UInt64(result.commits)
        guard following > last else { throw .missingCommit(sequence: following) }
        if let run { result.append(run, endingAt: range.lowerBound + UInt64(result.commits) - 1) }
        // The last order so far is the first one; the last event of the last commit says how far the run goes.
        for index in result.runs.indices {
            result.runs[index].lastOrder = try lastOrder(ofCommit: result.runs[index].lastSequence, transaction)
        }
        return result
    }

    @inline(never)
    private static func controls(of commit: RawSpan, sequence: UInt64) throws(ByteError) -> [RecordedEvent] {
        var result: [RecordedEvent] = []
        var frames = try Commit.frames(of: commit)
        while let frame = try frames.next() {
            let event = try frame.intactEvent()
            if event.header.type.isControl { result.append(event.recorded(in: sequence)) }
        }
        try frames.finish()
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
    package func forEachEvent(
        inCommits range: ClosedRange<UInt64>, _ transaction: borrowing ReadTransaction,
        _ body: (borrowing EventHeader, RawSpan, EventPosition) -> Void
    ) throws(LogError) {
        try forEachFrame(inCommits: range, isWhole: false, marked: nil, transaction) { (frame, position) throws(LogError) in
            do throws(ByteError) {
                let (header, payloadOffset) = try EventFrame.parseIntact(frame)
                body(header, frame.extracting(payloadOffset..<frame.byteCount), position)
            } catch { throw .malformed(sequence: position.sequence, error) }
        }
    }

    /// How far ahead of the events the bytes of a large commit are fetched: many events, and little of what is at hand.
    private static let fetchAhead = 1024

    /// Hands over the frames of all events (fetching ahead, so by no ``Commit/Frames``), each of which has the form and the length of one.
    ///
    /// - Parameters:
    ///   - isWhole: whether the log must go as far as the range does. Within it none may be missing in any case.
    ///   - marks: a bit for every commit of the log, not set for those that may be passed over.
    @inline(__always)
    private func forEachFrame(
        inCommits range: ClosedRange<UInt64>, isWhole: Bool, marked marks: [UInt64]?, _ transaction: borrowing ReadTransaction,
        _ body: (RawSpan, EventPosition) throws(LogError) -> Void
    ) throws(LogError) {
        var cursor = try commitCursor(from: range.lowerBound, transaction)
        guard cursor.number == range.lowerBound || !isWhole && cursor.key.byteCount == 0 else {
            throw .missingCommit(sequence: range.lowerBound)
        }
        while let sequence = cursor.number, sequence <= range.upperBound {
            try storage(Interruption.check(at: sequence))
            let commit = cursor.value
            var offset: Int
            var remaining: Int
            do throws(ByteError) {
                let outline = try Commit.outline(of: commit)
                offset = outline.framesOffset
                remaining = outline.eventCount
            } catch { throw .malformed(sequence: sequence, error) }
            var fetched = 0
            while remaining > 0 {
                let length: Int
                if offset >= fetched, remaining > 1 {
                    prefetch(commit, offset + Self.fetchAhead..<offset + 2 * Self.fetchAhead)
                    fetched = offset + Self.fetchAhead
                }
                do throws(ByteError) { length = try EventFrame.length(at: offset, of: commit) } catch {
                    throw .malformed(sequence: sequence, error)
                }
                try body(commit.extracting(offset..<offset + length), EventPosition(sequence: sequence, offset: offset))
                offset += length
                remaining -= 1
            }
            var next = sequence &+ 1
            if let marks {
                while next <= range.upperBound, marks[Int((next - 1) >> 6)] >> ((next - 1) & 63) & 1 == 0, cursor.skip() { next += 1 }
            }
            _ = try storage(cursor.next())
            guard
                sequence == range.upperBound || next > range.upperBound || cursor.number == next
                    || !isWhole && cursor.key.byteCount == 0
            else {
                throw .missingCommit(sequence: next)
            }
        }
    }

    /// Hands over every event of the log in fold order, several at a time: logical time, then origin, then number.
    ///
    /// Runs that don't overlap in time are read where they lie; where several do, they are merged, a small part of each in
    /// memory at a time. Complexity: O(events log overlapping runs), memory O(overlapping runs).
    ///
    /// - Parameter isProving: whether each event's checksum is looked at; somebody else does it where not.
    package func forEachBatchInFoldOrder(
        _ outline: LogOutline, of partition: Partition = .all, isProving: Bool = true, _ transaction: borrowing ReadTransaction,
        _ body: (borrowing EventBatch) throws(EventBatch.BatchError) -> Void
    ) throws(LogError) {
        let runs = outline.runs.sorted { $0.firstOrder < $1.firstOrder }
        let marks = outline.partitioned.words(of: partition)
        var batch = EventBatch()
        var start = 0
        while start < runs.count {
            var end = start + 1
            var reach = runs[start].lastOrder
            while end < runs.count, runs[end].firstOrder < reach {
                reach = max(reach, runs[end].lastOrder)
                end += 1
            }
            if end == start + 1 {
                let range = runs[start].firstSequence...runs[start].lastSequence
                try forEachFrame(inCommits: range, isWhole: true, marked: marks, transaction) { (frame, position) throws(LogError) in
                    // The map keeps these bytes until the transaction ends.
                    unsafe batch.append(frame, at: position, taken: partition.contains(EventFrame.lastByteOfSubject(at: 0, of: frame)))
                    if batch.isFull { try Self.hand(over: &batch, isProving: isProving, to: body) }
                }
                try Self.hand(over: &batch, isProving: isProving, to: body)
            } else {
                try merge(Array(runs[start..<end]), of: partition, into: &batch, transaction, body)
            }
            start = end
        }
    }

    private static func hand(
        over batch: inout EventBatch, isProving: Bool, to body: (borrowing EventBatch) throws(EventBatch.BatchError) -> Void
    ) throws(LogError) {
        do throws(EventBatch.BatchError) {
            if isProving, let damaged = batch.firstDamaged() { throw damaged }
            try body(batch)
        } catch {
            throw .malformed(sequence: error.position.sequence, error.fault)
        }
        batch.removeAll()
    }

    private func merge(
        _ runs: [LogRun], of partition: Partition, into batch: inout EventBatch, _ transaction: borrowing ReadTransaction,
        _ body: (borrowing EventBatch) throws(EventBatch.BatchError) -> Void
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
            guard let best else { break }
            if let next = waiting.first { bound = bound.map { min($0, next.firstOrder) } ?? next.firstOrder }
            while let order = streams[best].nextOrder, bound.map({ order < $0 }) ?? true {
                try streams[best].take(of: partition, into: &batch)
                // What a stream has in memory goes when it is filled again. It has proved each event already.
                if streams[best].isDrained {
                    try Self.hand(over: &batch, isProving: false, to: body)
                    try streams[best].fill(from: self, transaction)
                } else if batch.isFull {
                    try Self.hand(over: &batch, isProving: false, to: body)
                }
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
    private var next: (order: FoldOrder, frame: Range<Int>, position: EventPosition)?

    init(run: LogRun) {
        nextSequence = run.firstSequence
        lastSequence = run.lastSequence
    }

    var nextOrder: FoldOrder? { next?.order }

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

    /// Adds the next event, where it is about an entity of the part, to a batch that is handed over before this is filled again.
    mutating func take(of partition: Partition, into batch: inout EventBatch) throws(LogError) {
        guard let event = next else { return }
        add(event.frame, at: event.position, of: partition, to: &batch)
        try step()
    }

    private func add(_ range: Range<Int>, at position: EventPosition, of partition: Partition, to batch: inout EventBatch) {
        let frame = bytes.rawSpan.extracting(range)
        unsafe batch.append(frame, at: position, taken: partition.contains(EventFrame.lastByteOfSubject(at: 0, of: frame)))
    }

    private mutating func beginCommit() throws(LogError) {
        guard commitIndex < commits.count else {
            next = nil
            return
        }
        let commit = commits[commitIndex]
        let framesOffset: Int
        do throws(ByteError) {
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
        let found: (order: FoldOrder, length: Int)
        do throws(ByteError) {
            found = try Self.frame(at: offset, of: bytes.rawSpan.extracting(commit.start..<commit.end))
        } catch { throw .malformed(sequence: commit.sequence, error) }
        let start = commit.start + offset
        next = (found.order, start..<start + found.length, EventPosition(sequence: commit.sequence, offset: offset))
        offset += found.length
    }

    private static func frame(at offset: Int, of commit: RawSpan) throws(ByteError) -> (order: FoldOrder, length: Int) {
        let length = try EventFrame.length(at: offset, of: commit)
        return (try EventFrame.parseIntact(commit.extracting(offset..<offset + length)).header.foldOrder, length)
    }
}
