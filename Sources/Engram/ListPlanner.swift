internal import EventCoding
internal import EventLog
internal import Exchange
internal import LMDB
internal import StudyModel
internal import StudyProjections

/// Finds out what of a list of cards is new to a store, and what it changes. Every row is judged before anything is written.
///
/// A row stands for the card that it names by an identity, else for the card of its deck with the same front (see
/// ``ListText/identity(of:)``), else for one whose two sides differ from its own in case alone.
struct ListPlanner {
    /// Where the cards go.
    enum Target: Equatable, Sendable {
        /// All to that deck.
        case deck(UniqueID)
        /// All to the deck of that title, made where there is none.
        case title(String)
        /// To the decks that the list names.
        case list
    }

    typealias Texts = (CardState) throws(LogError) -> (front: String, back: String)

    /// A deck that rows go to, with its cards by their fronts, and by their fronts without regard to case.
    struct Deck {
        let id: UniqueID
        var fronts = FrontIndex()
        var foldedFronts = FrontIndex()
    }

    /// A card that is in one of those decks, or will be.
    struct Card {
        let id: UniqueID
        let deck: Int
        /// Its sides as they are here; `nil` where it is new.
        let known: (front: String, back: String)?
        /// Its sides as the list leaves them.
        var front: String
        var back: String
        /// The first row that stands for it.
        var row: Int?
        /// What the list knows it by.
        var identity: UniqueID?

        init(id: UniqueID, deck: Int, known: (front: String, back: String)) {
            self.id = id
            self.deck = deck
            self.known = known
            (front, back) = known
        }

        init(_ row: ImportedList.Row, id: UniqueID, deck: Int, place: Int) {
            self.id = id
            self.deck = deck
            known = nil
            front = row.front
            back = row.back
            self.row = place
            identity = row.identity
        }
    }

    let list: ImportedList
    let target: Target
    private let moment: ZonedTime
    private(set) var report = ImportReport(source: ImportFormat.list.rawValue)
    private(set) var events: [NewEvent] = []

    var decks: [Deck] = []
    var decksByTitle: [String: Int] = [:]
    var decksByID: [UniqueID: Int] = [:]
    /// Decks that are there by their titles, and by those without regard to case; of several, that of the lowest identity.
    var knownTitles: (exact: [String: UniqueID], folded: [String: UniqueID])?
    /// Cards that are there, by deck; grouped once.
    var liveCards: [UniqueID: [CardState]]?
    var cards: [Card] = []
    private var cardsByID: [UniqueID: Int] = [:]
    private var rows: [ImportedRow] = []
    private var skipped: [SkipReason: Int] = [:]
    private var replacedCount = 0

    init(_ list: ImportedList, into target: Target, at moment: ZonedTime) {
        self.list = list
        self.target = target
        self.moment = moment
    }

    /// How many rows became no event.
    var skippedCount: Int { skipped.values.reduce(0, +) }

    /// Judges all rows. `texts` reads both sides of a card. Complexity: O(rows + cards of the decks concerned).
    mutating func plan(_ state: StudyState, texts: Texts, progress: (_ done: Int) -> Void) throws(LogError) {
        rows.reserveCapacity(list.rows.count + list.skipped.count)
        for (index, row) in list.rows.enumerated() {
            try judge(row, state, texts)
            try storage(Interruption.check(at: UInt64(index)))
            if index & 0xFFF == 0 { progress(index) }
        }
        finish()
    }

    mutating func write(_ event: StudyEvent, _ subject: UniqueID, key: UniqueID) {
        events.append(
            NewEvent(
                type: event.type, version: event.version, subject: subject, wallMilliseconds: moment.wallMilliseconds,
                zoneMinutes: moment.zoneMinutes, key: key, payload: event.encodedPayload()))
    }

    // MARK: Rows

    private mutating func judge(_ row: ImportedList.Row, _ state: StudyState, _ texts: Texts) throws(LogError) {
        let deck = try deck(of: row, state, texts)
        let front = TextForm(ListText.identity(of: row.front))
        if let identity = row.identity, Self.isErased(identity, state) { return skip(row, .erased) }
        if let identity = row.identity, cardsByID[identity] == nil, let known = state.card(identity), known.flags.contains(.created) {
            guard state.isLive(known) else { return skip(row, .deleted) }
            add(Card(id: identity, deck: deck, known: try texts(known)), isIndexed: false)
        }
        if let place = place(of: row, front, in: deck) { return match(row, front, place) }
        let id = newID(row, front, in: deck)
        // Its front was changed here, or it was moved: the row stands for it all the same.
        if let place = cardsByID[id] { return match(row, front, place) }
        if Self.isErased(id, state) { return skip(row, .erased) }
        if let known = state.card(id), known.flags.contains(.created) {
            guard state.isLive(known) else { return skip(row, .deleted) }
            return match(row, front, add(Card(id: id, deck: deck, known: try texts(known)), isIndexed: false))
        }
        add(Card(row, id: id, deck: deck, place: rows.count), front: front, isIndexed: true)
        rows.append(ImportedRow(line: row.line, outcome: .new, reason: nil, earlierLine: nil, front: row.front))
    }

    /// Whether a card's texts were erased, also where nothing else is known of it.
    private static func isErased(_ card: UniqueID, _ state: StudyState) -> Bool {
        state.card(card)?.flags.contains(.erased) ?? false
    }

    /// The card that a row stands for, where there is one.
    private func place(of row: ImportedList.Row, _ front: TextForm, in deck: Int) -> Int? {
        if let identity = row.identity, let place = cardsByID[identity] { return place }
        guard let found = placeByFront(row, front, decks[deck]) ?? placeByFoldedSides(row, front, decks[deck]) else { return nil }
        // A card that the list knows by another identity is another card, whatever its front.
        guard let own = cards[found].identity, let identity = row.identity, own != identity else { return found }
        return nil
    }

    /// A card of the same front: of several, one that has the row's back too.
    private func placeByFront(_ row: ImportedList.Row, _ front: TextForm, _ deck: Deck) -> Int? {
        guard let first = deck.fronts.first[front] else { return nil }
        guard deck.fronts.isRepeated(front) || list.onMatch == .keepBoth else { return first }
        let same = deck.fronts.place(front, back: ListText.identity(of: row.back)) { ListText.identity(of: cards[$0].back) }
        return same ?? (list.onMatch == .keepBoth ? nil : first)
    }

    /// A card of both the same sides, but for case.
    private func placeByFoldedSides(_ row: ImportedList.Row, _ front: TextForm, _ deck: Deck) -> Int? {
        let folded = TextForm(ListText.folded(front.text))
        guard deck.foldedFronts.first[folded] != nil else { return nil }
        return deck.foldedFronts.place(folded, back: Self.foldedBack(row.back)) { Self.foldedBack(cards[$0].back) }
    }

    private static func foldedBack(_ back: String) -> String { ListText.folded(ListText.identity(of: back)) }

    private func newID(_ row: ImportedList.Row, _ front: TextForm, in deck: Int) -> UniqueID {
        if let identity = row.identity { return identity }
        let isFrontTaken = decks[deck].fronts.first[front] != nil
        return ImportKey.card(
            listDeck: decks[deck].id, front: front.text, back: isFrontTaken ? ListText.identity(of: row.back) : nil)
    }

    /// Takes a row that stands for a card that is there, or that an earlier row made.
    private mutating func match(_ row: ImportedList.Row, _ front: TextForm, _ place: Int) {
        let card = cards[place]
        // A row that names the card may give it another front; any other has its front already, but perhaps for case.
        let isNamed = row.identity == card.id
        let isFrontOther = isNamed && ListText.trimmed(card.front) != row.front
        let isBackOther = ListText.trimmed(card.back) != row.back && !differsInCaseAlone(card, row, front)
        let isChange = list.onMatch == .updateCurrent && (isFrontOther || isBackOther)
        if isChange {
            cards[place].back = row.back
            if isNamed { cards[place].front = row.front }
        }
        guard let first = card.row else {
            cards[place].row = rows.count
            cards[place].identity = card.identity ?? row.identity
            // Whether it is changed in the end is told when all rows were seen.
            rows.append(ImportedRow(line: row.line, outcome: .unchanged, reason: nil, earlierLine: nil, front: row.front))
            return
        }
        if isChange { replacedCount += 1 } else { skipped[.duplicate, default: 0] += 1 }
        let reason = isChange ? AdjustReason.backReplaced.rawValue : SkipReason.duplicate.rawValue
        rows.append(
            ImportedRow(line: row.line, outcome: .duplicate, reason: reason, earlierLine: rows[first].line, front: row.front))
    }

    /// Whether a row was matched to `card` without regard to case: that is no reason to change it.
    private func differsInCaseAlone(_ card: Card, _ row: ImportedList.Row, _ front: TextForm) -> Bool {
        let own = ListText.identity(of: card.front)
        return own != front.text && ListText.folded(own) == ListText.folded(front.text)
            && Self.foldedBack(card.back) == Self.foldedBack(row.back)
    }

    private mutating func skip(_ row: ImportedList.Row, _ reason: SkipReason) {
        skipped[reason, default: 0] += 1
        rows.append(ImportedRow(line: row.line, outcome: .skipped, reason: reason.rawValue, earlierLine: nil, front: row.front))
    }

    /// Takes note of a card; by its front too where rows may be held against it.
    @discardableResult
    mutating func add(_ card: Card, front: TextForm? = nil, isIndexed: Bool) -> Int {
        cards.append(card)
        let place = cards.count - 1
        cardsByID[card.id] = place
        guard isIndexed else { return place }
        let front = front ?? TextForm(ListText.identity(of: card.front))
        let cards = cards
        decks[card.deck].fronts.add(place, front) { ListText.identity(of: cards[$0].back) }
        decks[card.deck].foldedFronts.add(place, TextForm(ListText.folded(front.text))) { Self.foldedBack(cards[$0].back) }
        return place
    }

    // MARK: The end

    private mutating func finish() {
        for card in cards {
            guard let row = card.row else { continue }
            guard let known = card.known else {
                report.newCards += 1
                let created = CardCreated(deck: decks[card.deck].id, front: card.front, back: card.back)
                write(.cardCreated(created), card.id, key: ImportKey.listed(card.id, front: card.front, back: card.back))
                continue
            }
            let front = card.front == known.front ? nil : card.front
            let back = card.back == known.back ? nil : card.back
            guard front != nil || back != nil else {
                report.unchangedCards += 1
                continue
            }
            rows[row].outcome = .updated
            report.updatedCards += 1
            write(
                .cardEdited(CardEdited(front: front, back: back)), card.id,
                key: ImportKey.listed(card.id, front: front ?? "", back: back ?? ""))
        }
        for row in list.skipped {
            skipped[row.reason, default: 0] += 1
            rows.append(
                ImportedRow(line: row.line, outcome: .skipped, reason: row.reason.rawValue, earlierLine: nil, front: row.front))
        }
        rows.sort { $0.line < $1.line }
        report.rows = rows
        report.skipped = SkipReason.allCases.compactMap { reason in skipped[reason].map { (reason.rawValue, $0) } }
        if replacedCount > 0 { report.adjusted = [(AdjustReason.backReplaced.rawValue, replacedCount)] }
    }
}

/// Cards by a form of their fronts. Where several have one front they are found by both sides, so that a list of many cards
/// with one front takes no longer than another.
struct FrontIndex {
    /// The first card of each front.
    private(set) var first: [TextForm: Int] = [:]
    private var bySides: [TextForm: Int] = [:]
    private var repeated: Set<TextForm> = []

    /// Whether several cards have that front.
    func isRepeated(_ front: TextForm) -> Bool { repeated.contains(front) }

    /// Takes note of a card. `back` tells the form of a card's back.
    mutating func add(_ place: Int, _ front: TextForm, back: (Int) -> String) {
        guard let other = first[front] else {
            first[front] = place
            return
        }
        let isFirstRepeat = repeated.insert(front).inserted
        for place in isFirstRepeat ? [other, place] : [place] {
            let sides = Self.sides(front, back(place))
            if bySides[sides] == nil { bySides[sides] = place }
        }
    }

    /// The first card of that front and that back.
    func place(_ front: TextForm, back: String, of other: (Int) -> String) -> Int? {
        if isRepeated(front) { return bySides[Self.sides(front, back)] }
        return first[front].flatMap { other($0).utf8.elementsEqual(back.utf8) ? $0 : nil }
    }

    private static func sides(_ front: TextForm, _ back: String) -> TextForm { TextForm(front.text + "\u{0}" + back) }
}
