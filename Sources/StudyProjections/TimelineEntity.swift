internal import EventCoding
internal import StudyModel

/// An entity whose events are few, so that each is decoded as a whole.
protocol TimelineEntity: Entity {
    /// Takes in an event that counts.
    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition)
}

extension TimelineEntity {
    /// Takes one event of the entity's timeline in.
    mutating func take(
        _ header: EventHeader, payload: RawSpan, verdict: Controls.Verdict, at position: EventPosition
    ) -> CardStep.Outcome {
        order = header.foldOrder
        do throws(ByteError) {
            guard let event = try StudyEvent.decode(header, payload: payload) else { return .unknown }
            if verdict.counts { take(event, header, at: position) }
            return .taken
        } catch { return .unreadable }
    }
}

extension EntityTable where Row: TimelineEntity {
    /// Takes one event in, unless its entity is further in the order already.
    mutating func take(
        _ header: EventHeader, payload: RawSpan, verdict: Controls.Verdict, at position: EventPosition
    ) -> CardStep.Outcome {
        let place = placeOrInsert(header.subject)
        guard self[place].order < header.foldOrder else { return .late }
        return self[place].take(header, payload: payload, verdict: verdict, at: position)
    }

    /// Folds the entity from the beginning of its timeline, which is in fold order. Complexity: O(events).
    mutating func refold(_ id: UniqueID, _ timeline: [RecordedEvent], _ subject: EventSubject, _ controls: Controls) {
        var row = Row(id: id)
        for event in timeline where event.header.type.kind(about: subject) != nil {
            _ = row.take(event.header, payload: event.payload.rawSpan, verdict: controls.verdict(on: event.header), at: event.position)
        }
        replace(row)
    }
}

extension EventHeader {
    /// When it happened.
    var moment: ZonedTime { ZonedTime(wallMilliseconds: wallMilliseconds, zoneMinutes: zoneMinutes) }
}
