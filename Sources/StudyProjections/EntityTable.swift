internal import EventCoding

/// An entity that a table holds: it has an identity and a beginning.
protocol Entity: Sendable {
    var id: UniqueID { get }
    /// Place of the last event that this state has taken, counted or not.
    var order: FoldOrder { get set }
    init(id: UniqueID)
}

/// Where the entities probably lie that the events of a batch are about.
struct EntityPlaces {
    fileprivate var places: [Int32]
    /// The sum of what was looked at, so that no look is left out as idle.
    fileprivate(set) var seen: UInt64 = 0

    init(count: Int) { places = Array(repeating: -1, count: count) }

    /// The place at which the row of what the event is about lies, if it is known; the row there may be another's.
    @inline(__always)
    subscript(event: Int) -> Int? {
        let place = places[event]
        return place < 0 ? nil : Int(place)
    }
}

/// Entities in one plain array, found by identity.
struct EntityTable<Row: Entity>: Sendable {
    private(set) var rows: [Row] = []
    private var index = EntityIndex()

    init() {}

    /// A table of `rows`, whose identities all differ.
    init(_ rows: [Row]) {
        self.rows = rows
        index = EntityIndex(of: rows.count) { rows[$0].id }
    }

    var count: Int { rows.count }

    /// Where the entity lies, if it is known. Complexity: constant on average.
    func place(of id: UniqueID) -> Int? {
        index.find(id) { rows[$0].id }
    }

    /// Where the entity lies; a new one is put at the end.
    mutating func placeOrInsert(_ id: UniqueID) -> Int {
        if let place = place(of: id) { return place }
        let place = rows.count
        rows.append(Row(id: id))
        index.insert(id, at: place) { [rows] in rows[$0].id }
        return place
    }

    /// Puts in a row that was folded anew. One that has had any event must be there, whether or not that counted: a later event is late
    /// because of it.
    mutating func replace(_ row: Row) {
        if row.order > .beginning || place(of: row.id) != nil { self[placeOrInsert(row.id)] = row }
    }

    /// Appends the rows of the others, whose identities all differ from those here and from each other. Complexity: O(rows).
    mutating func join(_ others: [EntityTable]) {
        let others = others.filter { !$0.rows.isEmpty }
        guard !others.isEmpty else { return }
        if rows.isEmpty, others.count == 1 {
            self = others[0]
            return
        }
        rows.reserveCapacity(others.reduce(rows.count) { $0 + $1.rows.count })
        for other in others { rows += other.rows }
        index = EntityIndex(of: rows.count) { rows[$0].id }
    }

    @inline(__always)
    subscript(place: Int) -> Row {
        _read { yield rows[place] }
        _modify { yield &rows[place] }
    }

    /// The entity of that identity, if it is known.
    func row(of id: UniqueID) -> Row? { place(of: id).map { rows[$0] } }
}

extension EntityTable<CardState> {
    /// Where the cards probably lie that the events of a batch are about.
    ///
    /// Has their rows fetched from far memory; while the first ones are used, the others are on their way. Complexity: O(events).
    func places(of batch: borrowing EventBatch) -> EntityPlaces {
        var result = EntityPlaces(count: batch.count)
        // As many as a batch can have: `EventBatch.capacity`.
        var hashes = InlineArray<64, UInt64>(repeating: 0)
        for event in 0..<batch.count {
            let hash = EntityIndex.hash(batch.subject(event))
            hashes[event] = hash
            result.seen &+= index.word(of: hash)
        }
        for event in 0..<batch.count {
            guard let place = index.candidate(hashes[event]) else { continue }
            result.places[event] = Int32(truncatingIfNeeded: place)
        }
        prefetch(rows, at: result.places, size: CardState.reviewedSize)
        return result
    }
}
