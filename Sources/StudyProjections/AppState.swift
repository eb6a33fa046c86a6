package import EventCoding
internal import StudyModel

/// What an app records something about, as the fold of its own timeline leaves it: what the events state is the app's affair.
package struct AppState: TimelineEntity, Hashable, Sendable {
    package let id: UniqueID
    /// Events about it that count.
    package var events: Int64 = 0
    /// What they state was erased, for good.
    package var isErased = false
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition) {
        switch event {
        case .appEvent: events += 1
        case .subjectErased: isErased = true
        default: break
        }
    }
}

extension AppState: DescribedRow {
    var isVisible: Bool { events > 0 || isErased }

    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.count("events", &events)
        try coder.flag("erased", &isErased)
        if Coder.isComplete { try coder.order("last event", &order) }
    }
}

extension StudyState {
    /// What is known of something that an app records events about.
    package func appSubject(_ id: UniqueID) -> AppState? { apps.row(of: id).flatMap { $0.isVisible ? $0 : nil } }

    /// Whether an app recorded something about it, be it that none of that counts.
    package func hasAppEvents(about id: UniqueID) -> Bool { apps.place(of: id) != nil }

    /// The cards and other subjects whose texts are to be gone, in no order.
    package var erasedSubjects: Set<UniqueID> {
        Set(knownCards.filter { $0.flags.contains(.erased) }.map(\.id)).union(apps.rows.filter(\.isErased).map(\.id))
    }

    /// Whether the texts of what has that identity are to be gone.
    package func isErased(_ id: UniqueID) -> Bool {
        card(id)?.flags.contains(.erased) ?? false || apps.row(of: id)?.isErased ?? false
    }
}

extension EventType {
    /// Whether an event of this type erases the texts of its subject.
    package var isErasure: Bool { self == CardErased.type || self == SubjectErased.type }
}
