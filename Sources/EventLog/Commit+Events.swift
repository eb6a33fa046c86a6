package import EventCoding

extension Commit {
    /// Hands over each event of `commit` with its payload and place, in order, until `body` says false.
    ///
    /// Checks the form and the checksum of every frame that it passes. Complexity: O(bytes of the events).
    package static func forEachEvent<Failure: Error>(
        of commit: RawSpan, sequence: UInt64, _ body: (borrowing EventHeader, RawSpan, EventPosition) throws(Failure) -> Bool
    ) throws(EventWalkError<Failure>) {
        let outline: (framesOffset: Int, eventCount: Int, hasControlEvents: Bool)
        do throws(ByteFault) { outline = try Self.outline(of: commit) } catch { throw .malformed(error) }
        var offset = outline.framesOffset
        for _ in 0..<outline.eventCount {
            let length: Int
            let header: EventHeader
            let payloadOffset: Int
            do throws(ByteFault) {
                length = try EventFrame.length(at: offset, of: commit)
                (header, payloadOffset) = try EventFrame.parseIntact(commit.extracting(offset..<offset + length))
            } catch {
                throw .malformed(ByteFault(error.kind, offset: offset + error.offset))
            }
            let payload = commit.extracting(offset + payloadOffset..<offset + length)
            do throws(Failure) {
                guard try body(header, payload, EventPosition(sequence: sequence, offset: offset)) else { return }
            } catch { throw .body(error) }
            offset += length
        }
        guard offset == commit.byteCount else { throw .malformed(ByteFault(.trailingBytes, offset: offset)) }
    }

    /// The origin of `commit`: that of its first event, which every other event of it shares.
    package static func origin(of commit: RawSpan) throws(ByteFault) -> OriginID {
        let outline = try Self.outline(of: commit)
        let length = try EventFrame.length(at: outline.framesOffset, of: commit)
        return try EventFrame.parse(commit.extracting(outline.framesOffset..<outline.framesOffset + length)).header.id.origin
    }
}

/// A walk over events fails in the bytes, or in what the caller did with an event.
package enum EventWalkError<Failure: Error>: Error {
    case malformed(ByteFault)
    case body(Failure)
}

/// An event with bytes of its own, and its place in this store's log.
package struct StoredEvent: Sendable {
    package let header: EventHeader
    package let payload: [UInt8]
    package let position: EventPosition

    package init(header: EventHeader, payload: [UInt8], position: EventPosition) {
        self.header = header
        self.payload = payload
        self.position = position
    }
}
