/// An event that isn't in the log yet.
package struct NewEvent: Hashable, Sendable {
    package var type: EventType
    package var version: UInt8
    package var subject: UniqueID
    package var wallMilliseconds: Int64
    package var zoneMinutes: Int16
    /// What an imported row says, digested.
    package var key: UniqueID?
    /// The logical time of an imported row, which follows from the row alone; `nil` lets the clock of the log decide.
    package var logicalTime: LogicalTime?
    package var payload: [UInt8]
    /// What of the payload may be erased one day.
    package var erasure: Erasure?

    package init(
        type: EventType, version: UInt8, subject: UniqueID, wallMilliseconds: Int64, zoneMinutes: Int16, key: UniqueID? = nil,
        logicalTime: LogicalTime? = nil, payload: [UInt8], erasure: Erasure? = nil
    ) {
        self.type = type
        self.version = version
        self.subject = subject
        self.wallMilliseconds = wallMilliseconds
        self.zoneMinutes = zoneMinutes
        self.key = key
        self.logicalTime = logicalTime
        self.payload = payload
        self.erasure = erasure
    }
}
