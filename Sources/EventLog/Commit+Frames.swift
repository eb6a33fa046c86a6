package import EventCoding

extension Commit {
    /// One event's frame where it lies in a commit. It has the length of one; whether it is intact isn't said.
    package struct Frame: ~Escapable {
        package let bytes: RawSpan
        /// Where it begins in the commit.
        package let offset: Int

        @_lifetime(copy bytes)
        init(_ bytes: RawSpan, at offset: Int) {
            self.bytes = bytes
            self.offset = offset
        }

        package var type: EventType { EventFrame.type(of: bytes) }
        package var subject: UniqueID { EventFrame.subject(of: bytes) }
        package var isIntact: Bool { EventFrame.isIntact(bytes) }
        /// Whether it has texts that may be erased, or were.
        package var isErasable: Bool { EventFrame.isErasable(at: 0, of: bytes) }

        /// The event in it, whose checksum is not looked at.
        @inline(__always)
        @_lifetime(copy self)
        package func event() throws(ByteError) -> Event {
            do throws(ByteError) {
                let (header, payloadOffset) = try EventFrame.parse(bytes)
                return Event(header, payload: bytes.extracting(payloadOffset..<bytes.byteCount), at: offset)
            } catch { throw ByteError(error.kind, offset: offset + error.offset) }
        }

        /// The event in it, whose checksum is that of its bytes.
        @inline(__always)
        @_lifetime(copy self)
        package func intactEvent() throws(ByteError) -> Event {
            guard isIntact else { throw ByteError(.badChecksum, offset: offset) }
            return try event()
        }

        /// What of its payload may be erased, or was; `nil` where nothing may, or nothing says so.
        package var erasure: Erasure? { (try? EventFrame.erasure(of: bytes)) ?? nil }
    }

    /// An event where it lies in a commit.
    package struct Event: ~Escapable {
        package let header: EventHeader
        package let payload: RawSpan
        /// Where its frame begins in the commit.
        package let offset: Int

        @_lifetime(copy payload)
        init(_ header: EventHeader, payload: RawSpan, at offset: Int) {
            self.header = header
            self.payload = payload
            self.offset = offset
        }

        /// The same with bytes of its own.
        package func recorded(in sequence: UInt64) -> RecordedEvent {
            RecordedEvent(header: header, payload: payload.copied(), position: EventPosition(sequence: sequence, offset: offset))
        }
    }

    /// Goes over the frames of a commit. The one walk that there is, but for those that fold the whole log.
    package struct Frames: ~Escapable {
        private let commit: RawSpan
        /// Where the next frame begins: behind the last one that was read.
        package private(set) var offset: Int
        private var remaining: Int

        /// So many frames from `offset` on.
        @_lifetime(copy commit)
        init(of commit: RawSpan, from offset: Int, count: Int) {
            self.commit = commit
            self.offset = offset
            remaining = count
        }

        /// The next frame; `nil` once the commit has no more.
        @inline(__always)
        @_lifetime(self: copy self)
        @_lifetime(copy self)
        package mutating func next() throws(ByteError) -> Frame? {
            guard remaining > 0 else { return nil }
            let start = offset
            offset += try EventFrame.length(at: start, of: commit)
            remaining -= 1
            return Frame(commit.extracting(start..<offset), at: start)
        }

        /// Whether every frame was read, and nothing follows them.
        var isFinished: Bool { remaining == 0 && offset == commit.byteCount }

        /// Throws where bytes are left over after the last frame.
        package func finish() throws(ByteError) {
            guard offset == commit.byteCount else { throw ByteError(.trailingBytes, offset: offset) }
        }
    }

    /// The frames of `commit`, of whose header only the cheap part is looked at.
    @_lifetime(copy commit)
    package static func frames(of commit: RawSpan) throws(ByteError) -> Frames {
        let outline = try outline(of: commit)
        return Frames(of: commit, from: outline.framesOffset, count: outline.eventCount)
    }

    /// The frames of `commit`, whose header that is.
    @_lifetime(copy commit)
    package static func frames(of commit: RawSpan, _ header: Header) -> Frames {
        Frames(of: commit, from: header.framesOffset, count: header.eventCount)
    }

    /// The first frame of `commit`.
    @_lifetime(copy commit)
    package static func firstFrame(of commit: RawSpan) throws(ByteError) -> Frame {
        var frames = try frames(of: commit)
        guard let first = try frames.next() else { throw ByteError(.badValue, offset: fixedSize) }
        return first
    }

    /// Calls `body` with each event of `commit`, its payload and its position, in order.
    ///
    /// Checks the form and the checksum of every frame. Complexity: O(bytes of the events).
    package static func forEachEvent(
        of commit: RawSpan, sequence: UInt64, _ body: (borrowing EventHeader, RawSpan, EventPosition) throws(LogError) -> Void
    ) throws(LogError) {
        var frames: Frames
        do throws(ByteError) { frames = try Self.frames(of: commit) } catch { throw .malformed(sequence: sequence, error) }
        while true {
            let event: Event
            do throws(ByteError) {
                guard let frame = try frames.next() else { return try frames.finish() }
                event = try frame.intactEvent()
            } catch { throw .malformed(sequence: sequence, error) }
            try body(event.header, event.payload, EventPosition(sequence: sequence, offset: event.offset))
        }
    }

    /// The origin of `commit`: that of its first event, which every other event of it shares.
    package static func origin(of commit: RawSpan) throws(ByteError) -> OriginID { try firstFrame(of: commit).event().header.id.origin }
}
