internal import EventCoding

/// All cards: those of a checkpoint, which are read when they are asked for, and over them those that came or changed since.
///
/// A copy shares the former and copies the latter once it changes.
struct CardTable: Sendable {
    /// The cards that came or changed since the checkpoint; all where there is none.
    private(set) var touched = EntityTable<CardState>()
    private var stored: StoredCards?

    init() {}

    init(_ stored: StoredCards) { self.stored = stored }

    /// What is wrong with the stored cards, as far as they were asked for: answers may have lacked some then.
    var fault: ByteError? { stored?.fault }

    /// Whether no card is left to be read.
    var isLoaded: Bool { stored?.isLoaded ?? true }

    /// Reads all that is left. Complexity: O(cards).
    func load() { stored?.load() }

    /// A card of ``touched``, by its place there.
    @inline(__always)
    subscript(place: Int) -> CardState {
        _read { yield touched[place] }
        _modify { yield &touched[place] }
    }

    /// Where the card lies in ``touched``, if it is known; it is put there for that.
    mutating func place(of id: UniqueID) -> Int? {
        if let place = touched.place(of: id) { return place }
        guard let row = stored?.row(of: id) else { return nil }
        let place = touched.placeOrInsert(id)
        touched[place] = row
        return place
    }

    /// Where the card lies in ``touched``; a new one is put at the end.
    mutating func placeOrInsert(_ id: UniqueID) -> Int { (stored == nil ? nil : place(of: id)) ?? touched.placeOrInsert(id) }

    /// The card of that identity, if it is known. Complexity: constant on average, or O(log cards).
    func row(of id: UniqueID) -> CardState? { touched.row(of: id) ?? stored?.row(of: id) }

    /// Puts in a card that was folded anew, as ``EntityTable/replace(_:)`` does.
    mutating func replace(_ row: CardState) {
        if stored == nil || place(of: row.id) == nil { touched.replace(row) } else { self[placeOrInsert(row.id)] = row }
    }

    /// Where the cards probably lie that the events of a batch are about.
    @inline(__always)
    func places(of batch: borrowing EventBatch) -> EntityPlaces { touched.places(of: batch) }

    /// Hands over each card, in no order. Complexity: O(cards).
    func forEach(_ body: (borrowing CardState) -> Void) {
        if let stored {
            let isUntouched = touched.count == 0
            stored.forEach { card in if isUntouched || touched.place(of: card.id) == nil { body(card) } }
        }
        for place in touched.rows.indices { body(touched.rows[place]) }
    }

    /// Hands over each card from `first` to `last`, in no order. Complexity: O(log cards + cards handed over + those changed since the checkpoint).
    func forEach(from first: UniqueID, through last: UniqueID, _ body: (borrowing CardState) -> Void) {
        stored?.forEach(from: first, through: last) { card in if touched.place(of: card.id) == nil { body(card) } }
        for place in touched.rows.indices where first <= touched.rows[place].id && touched.rows[place].id <= last {
            body(touched.rows[place])
        }
    }

    /// All cards in one table. Complexity: O(cards).
    var whole: EntityTable<CardState> {
        guard stored != nil else { return touched }
        var rows: [CardState] = []
        forEach { rows.append(copy $0) }
        return EntityTable(rows)
    }

    /// Goes on from all cards as those of a checkpoint are: in the order of their identities, none of them touched.
    ///
    /// - Returns: those cards.
    /// - Complexity: O(cards), and O(changed log changed).
    mutating func settle(inBlocksOf size: Int) -> StoredCards {
        if touched.count == 0, let stored { return stored }
        let changed = touched.rows
        var order = changed.indices.sorted { changed[$0].id < changed[$1].id }[...]
        var rows: [CardState] = []
        rows.reserveCapacity(changed.count + (stored?.count ?? 0))
        stored?.forEach { card in
            while let next = order.first, changed[next].id <= card.id {
                rows.append(changed[next])
                order.removeFirst()
            }
            if rows.last?.id != card.id { rows.append(copy card) }
        }
        for next in order { rows.append(changed[next]) }
        let settled = StoredCards(rows, inBlocksOf: size)
        self = CardTable(settled)
        return settled
    }

    /// Appends the cards of other folds from zero, whose identities all differ. Complexity: O(cards).
    mutating func join(_ others: [CardTable]) { touched.join(others.map(\.touched)) }
}
