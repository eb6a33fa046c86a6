import EventCoding
import EventLog
import JSONText
import StudyModel

/// Bytes as a commit, as a frame, and as the payload of any event: nothing may trap, and what decodes must say the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let span = bytes.span.bytes
    _ = try? Commit.header(of: span)
    _ = try? CommitSummary(checking: span)
    try? Commit.forEachEvent(of: span, sequence: 1) { _, _, _ in }
    if let length = try? EventFrame.length(at: 0, of: span) {
        let frame = span.extracting(0..<length)
        _ = EventFrame.isIntact(frame)
        _ = try? EventFrame.parse(frame)
    }
    guard bytes.count >= 3 else { return 0 }
    let type = EventType(rawValue: UInt16(bytes[0]) | UInt16(bytes[1] & 3) << 8)
    let payload = Array(bytes.dropFirst(3))
    guard let event = try? StudyEvent.decode(type: type, version: bytes[2] & 7, payload: payload.span.bytes) else { return 0 }
    _ = try? event.validate()
    let again = event.encodedPayload()
    let decoded = try? StudyEvent.decode(type: event.type, version: event.version, payload: again.span.bytes)
    precondition(decoded == event, "\(event) decodes as \(String(describing: decoded)) when it is encoded again")
    return 0
}
