public import EventCoding
internal import EventLog
public import Scheduling
public import StudyModel
public import StudyProjections

/// A log in memory: a plain array of events, and the state that follows from it, by the very fold that a store uses.
///
/// For tests of histories without a disk. ``canonical`` is what people see, kept up to date as a store keeps it, event by
/// event; ``replayedCanonical`` is the same folded from zero. They are equal, always: that is the first of the ``Laws``.
public struct MemoryLog: Sendable {
    /// The events in the order of their arrival.
    public private(set) var events: [HistoryEvent] = []
    package private(set) var state: StudyState
    private var known: Set<EventID> = []
    private var places: [UniqueID: [Int]] = [:]
    /// The state before any event.
    private let beginning: StudyState

    /// An empty log.
    ///
    /// - Parameters:
    ///   - schedulers: those that are known beside the built-in ones.
    ///   - projections: the app's own, which are folded along.
    ///   - scheduler: stands in for whatever the events record, to see "what if".
    public init(
        schedulers: [any Scheduler.Type] = [], projections: [any Projection.Type] = [], overriding scheduler: ConfiguredScheduler? = nil
    ) {
        self.init(
            from: StudyState(
                schedulers: KnownSchedulers(adding: schedulers), projections: ProjectionSet(projections), overriding: scheduler))
    }

    private init(from beginning: StudyState) {
        self.beginning = beginning
        state = beginning
    }

    /// A log of those events, taken one by one.
    public init(
        _ events: [HistoryEvent], schedulers: [any Scheduler.Type] = [], projections: [any Projection.Type] = [],
        overriding scheduler: ConfiguredScheduler? = nil
    ) {
        self.init(schedulers: schedulers, projections: projections, overriding: scheduler)
        for event in events { take([event]) }
    }

    /// The state of those events where one scheduler was always in force.
    private static func state(_ events: [HistoryEvent], from beginning: StudyState, under scheduler: ConfiguredScheduler) -> StudyState {
        var log = MemoryLog(from: StudyState(schedulers: beginning.schedulers, overriding: scheduler))
        log.take(events)
        return log.state
    }

    /// Takes events that arrive together, as one commit does. Those that are here already change nothing.
    ///
    /// - Complexity: O(events taken), and for each entity that has to be folded again its own events.
    public mutating func take(_ batch: [HistoryEvent]) {
        var catching = CatchUp()
        // Out of the log for the while, so that what reads the log doesn't meet it, and nothing is copied.
        var state = StudyState()
        swap(&state, &self.state)
        for event in batch where known.insert(event.header.id).inserted {
            catching.apply(event.header, payload: event.payload.rawSpan, at: Self.position(events.count), to: &state) { subject, _ in
                timelineEvents(of: subject)
            }
            places[event.header.subject, default: []].append(events.count)
            events.append(event)
        }
        catching.finish(&state, timeline: timelineEvents, replay: replayed)
        self.state = state
    }

    /// Takes every event of `other` that isn't here: the union of both.
    public mutating func merge(_ other: MemoryLog) { take(other.events) }

    /// Goes on from a checkpoint of the state instead of the state itself, as opening a store does.
    ///
    /// - Parameter size: so many cards are in a block; few, so that some are read and others not.
    /// - Returns: false where the checkpoint can't be read back.
    package mutating func passThroughCheckpoint(inBlocksOf size: Int = 3) -> Bool {
        var written = state
        let blocks = written.settleIntoCheckpoint(inBlocksOf: size)
        guard let read = try? StudyState(from: beginning, checkpoint: { blocks[$0] }, cards: BlockList(blocks)) else { return false }
        state = read
        return true
    }

    static func position(_ index: Int) -> EventPosition { EventPosition(sequence: UInt64(index + 1), offset: 64) }

    package func timelineEvents(of subject: UniqueID) -> [RecordedEvent] {
        (places[subject] ?? []).map {
            RecordedEvent(header: events[$0].header, payload: events[$0].payload, position: Self.position($0))
        }
    }
}

// MARK: - Asking

extension MemoryLog {
    /// What people see, in one encoding for one state, and the values of the app's projections.
    public var canonical: [UInt8] { canonical(of: state) }

    /// The same, folded from zero: first what says how events count and by which rules, then all in fold order.
    public var replayedCanonical: [UInt8] { canonical(of: replayed()) }

    /// The figures of everything on the study day `today`.
    public func statistics(today: StudyDay) -> Statistics { state.statistics(today: today) }

    /// The value of a projection that the log was made with; `nil` for any other.
    public func projection<Value: Projection>(_ type: Value.Type) -> Value? { state.projections.value(type) }

    /// The life of a card, each event with how the card stood before and after it.
    public func timeline(of card: UniqueID) -> [TimelineLine] { state.timeline(of: card, timelineEvents(of: card)) }

    /// The state folded from zero.
    package func replayed() -> StudyState {
        var state = admitted()
        findDestinations(&state)
        for index in inFoldOrder {
            let event = events[index]
            _ = state.fold(event.header, payload: event.payload.rawSpan, at: Self.position(index))
        }
        state.forgetDestinations()
        state.settle { Self.state(events, from: beginning, under: $0) }
        return state
    }

    private func findDestinations(_ state: inout StudyState) {
        guard state.needsDestinations else { return }
        for index in inFoldOrder {
            let event = events[index]
            state.findDestination(event.header, payload: event.payload.rawSpan)
        }
    }

    /// The same as a store does it with long logs: several events at a time, in so many parts of the entities that are then joined.
    ///
    /// - Throws: `ByteError` where an event is too large for a frame.
    package func replayed(inParts count: Int) throws(ByteError) -> StudyState {
        let count = beginning.projections.isSplit ? count : 1
        var parts: [StudyState] = []
        for index in 0..<count {
            let partition = Partition(index: index, count: count)
            let beginning = index == 0 ? admitted() : admitted().withoutCounts
            parts.append(try foldInBatches(from: beginning) { partition.contains(UInt8(truncatingIfNeeded: $0.low)) })
        }
        var joined = StudyState.joining(parts)
        joined.settle { Self.state(events, from: beginning, under: $0) }
        return joined
    }

    private func foldInBatches(from beginning: StudyState, where isTaken: (UniqueID) -> Bool) throws(ByteError) -> StudyState {
        var writer = ByteWriter()
        var frames: [(range: Range<Int>, position: EventPosition, isTaken: Bool)] = []
        for index in inFoldOrder {
            let (event, start) = (events[index], writer.count)
            try EventFrame.append(event.header, payload: event.payload, to: &writer)
            frames.append((start..<writer.count, Self.position(index), isTaken(event.header.subject)))
        }
        let bytes = writer.bytes
        var state = beginning
        findDestinations(&state)
        var counts = StudyState.BatchCounts()
        var batch = EventBatch()
        do throws(EventBatch.BatchError) {
            for (range, position, isTaken) in frames {
                let frame = bytes.rawSpan.extracting(range)
                // The bytes outlive the batch.
                unsafe batch.append(frame, at: position, taken: isTaken)
                guard batch.isFull else { continue }
                try state.fold(batch, until: .max, counts: &counts)
                batch.removeAll()
            }
            try state.fold(batch, until: .max, counts: &counts)
        } catch { throw error.fault }
        state.forgetDestinations()
        return state
    }

    private var inFoldOrder: [Int] { events.indices.sorted { events[$0].header.foldOrder < events[$1].header.foldOrder } }

    /// The state that knows how events count and by which rules, and nothing else.
    private func admitted() -> StudyState {
        var state = beginning
        for event in events where event.header.type.isControl { state.admit(event.header, payload: event.payload.rawSpan) }
        return state
    }

    /// Front and back of a card, read where its state points to.
    package func texts(of card: CardState) -> (front: String, back: String) {
        (text(at: card.frontAt).front ?? "", text(at: card.backAt).back ?? "")
    }

    private func text(at position: EventPosition) -> (front: String?, back: String?) {
        let index = Int(clamping: position.sequence) - 1
        guard events.indices.contains(index) else { return (nil, nil) }
        switch events[index].event {
        case .cardCreated(let created): return (created.front, created.back)
        case .cardEdited(let edited): return (edited.front, edited.back)
        default: return (nil, nil)
        }
    }

    package func canonical(of state: StudyState) -> [UInt8] {
        var bytes: [UInt8] = []
        state.writeCanonical(texts: texts) { bytes += $0.copied() }
        return state.projections.encoded.reduce(bytes) { $0 + $1.bytes }
    }
}
