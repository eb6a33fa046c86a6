/// An event of a log with bytes of its own, and where it lies in this store's log.
package struct RecordedEvent: Sendable {
    package let header: EventHeader
    package let payload: [UInt8]
    package let position: EventPosition

    package init(header: EventHeader, payload: [UInt8], position: EventPosition) {
        self.header = header
        self.payload = payload
        self.position = position
    }
}
