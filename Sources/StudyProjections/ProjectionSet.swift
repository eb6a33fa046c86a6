internal import EventCoding
internal import StudyModel

/// The app's projections and their values, which go with a ``StudyState`` through every fold.
package struct ProjectionSet: Sendable {
    /// Those that are folded subject by subject.
    private var split: [any SubjectProjection] = []
    /// Those that see one order of all events.
    private var whole: [any Projection] = []
    /// The place in the order of the last event that was applied.
    private var latest = FoldOrder.beginning
    /// Whether those that see one order must be folded again: something came that isn't the newest.
    private(set) var isOutOfOrder = false

    /// Each of them before any event; of several with one name the last.
    package init(_ types: [any Projection.Type] = []) {
        for (index, type) in types.enumerated() where !types[(index + 1)...].contains(where: { $0.name == type.name }) {
            if let type = type as? any SubjectProjection.Type { split.append(type.init()) } else { whole.append(type.init()) }
        }
    }

    private var all: [any Projection] { split.map { $0 as any Projection } + whole }

    package var isEmpty: Bool { split.isEmpty && whole.isEmpty }
    var count: Int { split.count + whole.count }

    /// The same projections before any event.
    package var beginning: ProjectionSet { ProjectionSet(all.map { type(of: $0) }) }

    /// Whether each can be folded in parts of the subjects.
    package var isSplit: Bool { whole.isEmpty }

    /// The value of that projection, if it is one of these.
    package func value<Value: Projection>(_ type: Value.Type) -> Value? {
        for value in all { if let value = value as? Value { return value } }
        return nil
    }

    mutating func apply(_ event: ProjectedEvent) {
        if latest < event.order { latest = event.order } else if !isSplit { isOutOfOrder = true }
        for index in split.indices { split[index].apply(event) }
        guard !isOutOfOrder else { return }
        for index in whole.indices { whole[index].apply(event) }
    }

    mutating func retract(_ events: [ProjectedEvent]) {
        if !events.isEmpty, !isSplit { isOutOfOrder = true }
        for index in split.indices { split[index].retract(events) }
    }

    mutating func join(_ other: ProjectionSet) {
        func join<Value: SubjectProjection>(_ value: inout Value, _ other: any SubjectProjection) {
            if let other = other as? Value { value.join(other) }
        }
        for (index, value) in other.split.enumerated() { join(&split[index], value) }
        latest = max(latest, other.latest)
    }
}

// MARK: - Checkpoints

extension ProjectionSet {
    /// What a checkpoint says of a projection whose value it keeps.
    package struct Stored: Hashable, Sendable {
        package let name: String
        package let version: UInt64
        /// How far it has come in the order.
        let order: FoldOrder
    }

    /// Each of them, in one order.
    var stored: [Stored] {
        all.map { Stored(name: type(of: $0).name, version: UInt64(clamping: type(of: $0).version), order: latest) }
    }

    /// The value of each, in the same order.
    package var encoded: [(name: String, bytes: [UInt8])] { all.map { (type(of: $0).name, $0.encoded()) } }

    /// Sets each projection to its stored value; false where one isn't there, is another version's, or can't be read.
    mutating func read(_ stored: [Stored], value: (Int) -> [UInt8]?) -> Bool {
        var latest = FoldOrder.beginning
        func read<Value: Projection>(_ known: Value) -> Value? {
            let index = stored.firstIndex { $0.name == Value.name && $0.version == UInt64(clamping: Value.version) }
            guard let index, let bytes = value(index) else { return nil }
            latest = max(latest, stored[index].order)
            return try? Value(decoding: bytes)
        }
        for index in split.indices {
            guard let value = read(split[index]) as (any SubjectProjection)? else { return false }
            split[index] = value
        }
        for index in whole.indices {
            guard let value = read(whole[index]) as (any Projection)? else { return false }
            whole[index] = value
        }
        self.latest = latest
        return true
    }
}

// MARK: - What counts

extension StudyState {
    /// The event as projections see it; `nil` where it doesn't count, or states nothing that is known.
    ///
    /// - Parameter card: tells which imported rows the card has taken already.
    func projected(
        _ header: EventHeader, payload: RawSpan, verdict: Controls.Verdict, after card: CardState?
    ) -> ProjectedEvent? {
        guard verdict.counts, var content = try? StudyEvent.decode(header, payload: payload) else { return nil }
        if let key = header.key, card?.hasTaken(key, at: header.logicalTime) ?? false { return nil }
        if case .corrected(let grade) = verdict, case .cardReviewed(var review) = content {
            review.grade = grade
            content = .cardReviewed(review)
        }
        return ProjectedEvent(id: header.id, subject: header.subject, at: header.moment, content: content, order: header.foldOrder)
    }

    /// The events of a timeline, which is in fold order, as projections see them.
    func projected(_ timeline: [RecordedEvent]) -> [ProjectedEvent] {
        var rows = CardState(id: .none)
        return timeline.compactMap { event in
            let header = event.header
            guard !header.type.isControl else { return nil }
            let verdict = controls.verdict(on: header)
            let isOfCard = header.type.kind(about: .card) != nil
            let result = projected(header, payload: event.payload.rawSpan, verdict: verdict, after: isOfCard ? rows : nil)
            if isOfCard, verdict.counts, let key = header.key, !rows.hasTaken(key, at: header.logicalTime) {
                rows.note(key, at: header.logicalTime)
            }
            return result
        }
    }

    /// Whether something about the same subject was folded already that comes later. Each table looks for itself whether a row is
    /// further; a projection takes all that is about one subject in one order.
    func isLate(_ header: EventHeader) -> Bool {
        let (id, order) = (header.subject, header.foldOrder)
        let isCardLate = cards.row(of: id).map { $0.order >= order } ?? false
        return isCardLate || isLate(id, order, in: decks) || isLate(id, order, in: items)
            || isLate(id, order, in: sessions) || isLate(id, order, in: packs) || isLate(id, order, in: quizzes)
            || isLate(id, order, in: apps)
    }

    private func isLate<Row>(_ id: UniqueID, _ order: FoldOrder, in table: EntityTable<Row>) -> Bool {
        table.place(of: id).map { table[$0].order >= order } ?? false
    }
}
