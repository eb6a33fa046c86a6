internal import EventCoding
internal import Hashing
package import LMDB

/// Where a run of bytes lies in one of the files that are salvaged.
struct BytePlace: Hashable, Sendable {
    let file: Int
    let offset: Int
    let length: Int
}

/// A commit, every event of which is intact. Whether it is of a chain, its digest tells.
struct FoundCommit: Sendable {
    let place: BytePlace
    let origin: OriginID
    let number: UInt64
    /// As it stands in the file or, where only that was damaged and the next commit proves it, as it should.
    var digest: SHA256Digest
    let firstEvent: UInt64
    let events: Int
    let firstTime: LogicalTime
    let lastTime: LogicalTime
    let hasControlEvents: Bool
    let key: UniqueID?
    /// Its key in the log that it lies in; `nil` where it was found by a search through the file.
    let sequence: UInt64?

    var lastEvent: UInt64 { firstEvent + UInt64(events) - 1 }
}

/// An intact event that lies in no intact commit.
struct FoundEvent: Sendable {
    let place: BytePlace
    let id: EventID
    let time: LogicalTime
}

/// What lies in some data files, damaged or whole, found by plain reads.
///
/// Where the tree of commits is whole and all pages are as they must be, its commits are all there is to find. Else every byte of the
/// file is looked at: commits and events begin with magic numbers, say how long they are, and prove themselves by checksums, wherever they lie.
package struct SalvageSurvey: Sendable {
    let files: [RawFile]
    private(set) var commits: [FoundCommit] = []
    private(set) var events: [FoundEvent] = []
    /// Of each origin, the highest number that a commit gave which isn't whole any more, as its beginning says.
    private(set) var claimed: [OriginID: UInt64] = [:]
    /// How many commits the first file should have; `nil` where that can't be known any more.
    package private(set) var expectedCommits: UInt64?
    /// Whether the first file's tree of commits is whole, and every commit in it intact.
    package private(set) var isWhole = false
    /// Why it isn't known whether the first file had more commits than were found; `nil` where it is.
    package private(set) var doubt: String?

    /// Looks through the first of `files`, which is the damaged one, and the others, which may hold what it lost.
    ///
    /// - Parameter provingPages: whether a tree that is whole by itself is believed only where all pages are as they must be. Where they
    ///   aren't, the file is searched as well: the tree may have lost its last commits together with its counter.
    package init(_ files: [RawFile], provingPages: Bool = true, progress: (Int) -> Void = { _ in }) {
        self.files = files
        for number in files.indices {
            let tree = TreeScan(of: "commits", in: files[number])
            var isWhole = tree.isWhole
            for value in tree.values where !take(value, in: number) { isWhole = false }
            let pageDoubt = isWhole && provingPages ? files[number].doubt(appended: CommitLog.appended) : nil
            let isProved = isWhole && pageDoubt == nil
            if !isProved { search(number, progress: progress) }
            guard number == 0 else { continue }
            self.isWhole = isWhole
            doubt =
                tree.doubt ?? pageDoubt
                ?? (isWhole ? nil : "the tree that leads to the commits is damaged, so what it held in lost pages isn't known")
            expectedCommits =
                isProved ? tree.expected : Self.larger(tree.expected, TreeScan.recordedEntries(of: "commits", in: files[number]))
        }
    }

    /// Whether nothing was found where something should be.
    package var isEmpty: Bool { commits.isEmpty && events.isEmpty && !isWhole }

    private static func larger(_ first: UInt64?, _ second: UInt64?) -> UInt64? {
        guard let first, let second else { return first ?? second }
        return max(first, second)
    }

    /// The bytes of a commit, its digest being the one that it should have.
    func bytes(of commit: FoundCommit) -> [UInt8] {
        var bytes = bytes(at: commit.place)
        bytes.replaceSubrange(0..<min(32, bytes.count), with: commit.digest.bytes)
        return bytes
    }

    func bytes(at place: BytePlace) -> [UInt8] { files[place.file].bytes(at: place.offset, count: place.length) }

    /// Takes a value of the tree of commits; false if it isn't an intact commit.
    private mutating func take(_ value: ValuePlace, in file: Int) -> Bool {
        guard value.length <= Commit.maximumSize else { return false }
        let bytes = files[file].bytes(at: value.offset, count: value.length)
        guard let found = Self.commit(in: bytes.rawSpan, at: 0, file: file, base: value.offset, sequence: value.key),
            found.place.length == value.length
        else { return false }
        commits.append(found)
        return true
    }
}

// MARK: - The search through every byte

extension SalvageSurvey {
    /// So much is looked at at once; what begins in the last part, which the largest commit fits in, is left to the next piece.
    private static let pieceSize = 64 << 20
    private static let overlap = 16 << 20

    private mutating func search(_ file: Int, progress: (Int) -> Void) {
        let length = files[file].length
        var start = 0
        while start < length {
            let piece = files[file].bytes(at: start, count: Self.pieceSize)
            let isLast = start + piece.count >= length
            let end = isLast ? piece.count : piece.count - Self.overlap
            start += search(piece.rawSpan, file: file, base: start, until: end)
            progress(start)
            if isLast { break }
        }
    }

    /// Looks at each offset before `end`; returns the offset to go on from, which lies beyond it where a find does.
    private mutating func search(_ span: RawSpan, file: Int, base: Int, until end: Int) -> Int {
        var offset = 0
        while let next = Self.nextMagic(in: span, from: offset, until: end) {
            offset = next
            if let commit = Self.commit(in: span, at: offset, file: file, base: base, sequence: nil) {
                commits.append(commit)
                offset += commit.place.length
            } else if let event = Self.event(in: span, at: offset, file: file, base: base) {
                events.append(event)
                offset += event.place.length
            } else {
                if let claim = Self.claim(in: span, at: offset) { claimed[claim.origin] = max(claimed[claim.origin] ?? 0, claim.last) }
                offset += 1
            }
        }
        return max(offset, end)
    }

    /// Whose numbers, and up to which, the commit at `offset` gave of which only the beginning is whole.
    private static func claim(in span: RawSpan, at offset: Int) -> (origin: OriginID, last: UInt64)? {
        let rest = span.extracting(offset..<min(span.byteCount, offset + Commit.maximumSize))
        guard let header = try? Commit.header(of: rest), let first = try? Commit.firstFrame(of: rest).intactEvent().header.id else {
            return nil
        }
        let (last, overflow) = first.number.addingReportingOverflow(UInt64(header.eventCount) - 1)
        return overflow ? nil : (first.origin, last)
    }

    /// The next offset at which a commit's or an event's magic number stands where it should.
    private static func nextMagic(in span: RawSpan, from start: Int, until end: Int) -> Int? {
        let frameMagic = EventFrame.magic
        let commitMagic = Commit.magic
        let last = span.byteCount - EventFrame.minimumSize
        guard start <= last else { return nil }
        return unsafe span.withUnsafeBytes { bytes in
            var offset = start
            // A frame's magic lies in bounds by `last`; a commit's is looked for where there are as many bytes.
            while offset < end, offset <= last {
                let frame = unsafe UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self))
                if frame == frameMagic { return offset }
                let commit = unsafe UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 32, as: UInt16.self))
                if commit == commitMagic { return offset }
                offset += 1
            }
            return nil
        }
    }

    /// The commit that begins at `offset`, if there is one and all of its events are intact.
    private static func commit(in span: RawSpan, at offset: Int, file: Int, base: Int, sequence: UInt64?) -> FoundCommit? {
        let rest = span.extracting(offset..<min(span.byteCount, offset + Commit.maximumSize))
        guard let header = try? Commit.header(of: rest) else { return nil }
        var frames = Commit.frames(of: rest, header)
        for _ in 0..<header.eventCount { guard let _ = try? frames.next() else { return nil } }
        let end = frames.offset
        guard let summary = try? CommitSummary(checking: rest.extracting(0..<end)), summary.traits == header.traits else { return nil }
        return FoundCommit(
            place: BytePlace(file: file, offset: base + offset, length: end), origin: summary.origin, number: header.number,
            digest: header.digest, firstEvent: summary.firstNumber, events: header.eventCount, firstTime: summary.firstTime,
            lastTime: summary.lastTime,
            hasControlEvents: summary.traits.hasControlEvents, key: header.actionKey, sequence: sequence)
    }

    /// The event that begins at `offset`, if there is one and it is intact.
    private static func event(in span: RawSpan, at offset: Int, file: Int, base: Int) -> FoundEvent? {
        var frames = Commit.Frames(of: span, from: offset, count: 1)
        guard let frame = try? frames.next(), let header = try? frame.intactEvent().header, header.id.number > 0,
            header.id.number < 1 << 48
        else { return nil }
        return FoundEvent(
            place: BytePlace(file: file, offset: base + offset, length: frame.bytes.byteCount), id: header.id, time: header.logicalTime)
    }
}
