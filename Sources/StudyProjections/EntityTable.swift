internal import EventCoding

/// An entity that a table holds: it has an identity and a beginning.
protocol Entity: Sendable {
    var id: UniqueID { get }
    init(id: UniqueID)
}

/// Entities in one plain array, found by identity.
struct EntityTable<Row: Entity>: Sendable {
    private(set) var rows: [Row] = []
    private var index = EntityIndex()

    init() {}

    /// A table of `rows`, whose identities all differ.
    init(_ rows: [Row]) {
        self.rows = rows
        index = EntityIndex(capacity: rows.count)
        for place in rows.indices {
            index.insert(rows[place].id, at: place) { rows[$0].id }
        }
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

    /// Puts the rows of `other`, none of which is here, behind these.
    mutating func join(_ other: EntityTable) {
        if rows.isEmpty {
            self = other
            return
        }
        let start = rows.count
        rows += other.rows
        index.reserve(rows.count) { [rows] in rows[$0].id }
        for place in start..<rows.count { index.insert(rows[place].id, at: place) { [rows] in rows[$0].id } }
    }

    subscript(place: Int) -> Row {
        _read { yield rows[place] }
        _modify { yield &rows[place] }
    }

    /// The entity of that identity, if it is known.
    func row(of id: UniqueID) -> Row? { place(of: id).map { rows[$0] } }
}
