public import EventCoding
public import Scheduling
public import StudyModel

/// An event of a history that is on no disk: what it says of itself, and its payload.
public struct HistoryEvent: Hashable, Sendable {
    /// Type, identity, times, subject, key.
    public var header: EventHeader
    /// What it states, in its binary form.
    public var payload: [UInt8]

    /// An event of those parts; the payload may be anything.
    public init(header: EventHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }

    /// An event that states `event`.
    ///
    /// - Parameters:
    ///   - logicalTime: its place in the order of folds, before its origin and number.
    ///   - key: what an imported row says, digested.
    public init(
        _ event: StudyEvent, id: EventID, subject: UniqueID, at moment: ZonedTime, logicalTime: LogicalTime, key: UniqueID? = nil
    ) {
        self.init(
            header: EventHeader(
                type: event.type, version: event.version, zoneMinutes: moment.zoneMinutes, id: id, logicalTime: logicalTime,
                wallMilliseconds: moment.wallMilliseconds, subject: subject, key: key),
            payload: event.encodedPayload())
    }

    /// What it states; `nil` where this program doesn't know its type or version, or the payload doesn't obey its schema.
    public var event: StudyEvent? {
        try? StudyEvent.decode(header, payload: payload.rawSpan)
    }
}

extension HistoryEvent {
    /// A setting of `scheduler` before everything else: puts a history under it.
    public static func beginning(with scheduler: ConfiguredScheduler) -> HistoryEvent {
        let configured = SchedulerConfigured(
            scheduler: scheduler.name, revision: UInt64(clamping: scheduler.revision),
            parameters: scheduler.parameters.map { SchedulerParameter(name: $0.name, value: $0.value) })
        let first = LogicalTime.wallMillisecondsRange.lowerBound
        return HistoryEvent(
            .schedulerConfigured(configured), id: EventID(origin: OriginID(rawValue: .max), number: 1), subject: .none,
            at: ZonedTime(wallMilliseconds: first, zoneMinutes: 0),
            logicalTime: LogicalTime(milliseconds: first, counter: 0) ?? .distantPast)
    }
}

extension HistoryEvent: CustomStringConvertible {
    /// One line: identity, logical time, moment, subject, key and what it states.
    public var description: String {
        let moment = ZonedTime(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes)
        let key = header.key.map { " key \($0)" } ?? ""
        let stated = event.map { "\($0)" } ?? "type \(header.type.rawValue) version \(header.version), payload \(payload)"
        return "\(header.id) at \(header.logicalTime.milliseconds)+\(header.logicalTime.counter) (\(moment)) about "
            + "\(header.subject)\(key): \(stated)"
    }
}
