package import EventCoding

/// Takes new events into a state one by one, in the order of their arrival, and settles at the end what couldn't be taken in order: the
/// one driver of a store's live state and of a log in memory.
///
/// An event that comes late, or says how others count, folds its entity again; one that changes rules, everything.
package struct CatchUp: Sendable {
    /// So many entities that need folding again are dearer than folding everything.
    private static let refoldLimit = 2000

    private var needsReplay = false
    /// Entities that were retracted and must be folded again, in the order in which that came up.
    private var pending: [UniqueID] = []
    private var isPending: Set<UniqueID> = []

    package init() {}

    /// Takes the next event.
    ///
    /// - Parameter timeline: gives every event of an entity that was taken before this one, in any order.
    package mutating func apply<Failure: Error>(
        _ header: borrowing EventHeader, payload: RawSpan, at position: EventPosition, to state: inout StudyState,
        timeline: (UniqueID, StudyState) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) {
        guard !needsReplay else { return }
        let header = copy header
        if header.type.isControl {
            switch state.reach(of: header, payload: payload) {
            case .entity(let entity): try retract(entity, from: &state, timeline)
            case .everything: needsReplay = true
            case .nothing: break
            }
            state.admit(header, payload: payload)
        } else if !isPending.contains(header.subject), state.fold(header, payload: payload, at: position) == .late {
            try retract(header.subject, from: &state, timeline)
        }
    }

    private mutating func retract<Failure: Error>(
        _ entity: UniqueID, from state: inout StudyState, _ timeline: (UniqueID, StudyState) throws(Failure) -> [RecordedEvent]
    ) throws(Failure) {
        guard isPending.insert(entity).inserted else { return }
        pending.append(entity)
        guard pending.count <= Self.refoldLimit else { return needsReplay = true }
        state.retract(entity, timeline: try timeline(entity, state))
    }

    /// Settles what is left once all new events were taken.
    ///
    /// - Parameters:
    ///   - timeline: gives every event of an entity, in any order.
    ///   - replay: folds everything from the first event.
    /// - Complexity: O(events of the entities that are folded again), or of all.
    package func finish<Failure: Error>(
        _ state: inout StudyState, timeline: (UniqueID) throws(Failure) -> [RecordedEvent], replay: () throws(Failure) -> StudyState
    ) throws(Failure) {
        if needsReplay || state.projections.isOutOfOrder { return state = try replay() }
        for entity in pending { state.refold(entity, timeline: try timeline(entity)) }
        // A projection of one order of all events may find out just now.
        if state.projections.isOutOfOrder { return state = try replay() }
        if state.isAwaitingHistory { try state.settle(timeline: timeline) }
    }
}
