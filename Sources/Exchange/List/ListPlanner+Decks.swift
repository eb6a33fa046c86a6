internal import EventCoding
internal import StudyModel
internal import StudyProjections
internal import TextFolding

extension ListPlanner {
    /// The deck that a row goes to: one that is there, or a new one.
    ///
    /// A title means the deck of exactly that title, else one whose title differs from it in case alone.
    mutating func deck<Failure: Error>(of row: ImportedList.Row, _ state: StudyState, _ texts: Texts<Failure>) throws(Failure) -> Int {
        let title: String
        switch target {
        case .deck(let id):
            if let place = decksByTitle[""] { return place }
            return try open(id, title: "", state, texts)
        case .title(let given): title = given
        case .list: title = list.deck ?? row.deck ?? list.fallbackDeck
        }
        if let place = decksByTitle[title] { return place }
        let folded = title.lowercased()
        let known = titles(state)
        if let id = known.exact[title] ?? known.folded[folded] {
            if let place = decksByID[id] {
                decksByTitle[title] = place
                return place
            }
            return try open(id, title: title, state, texts)
        }
        if let place = decksByTitle[folded] {
            decksByTitle[title] = place
            return place
        }
        return try make(title, state, texts)
    }

    /// The decks that are there by their titles; put together once.
    private mutating func titles(_ state: StudyState) -> (exact: [String: UniqueID], folded: [String: UniqueID]) {
        if let knownTitles { return knownTitles }
        let live = state.liveDecks.sorted { $0.id < $1.id }
        let titles = (
            exact: Dictionary(live.map { ($0.title, $0.id) }) { first, _ in first },
            folded: Dictionary(live.map { ($0.title.lowercased(), $0.id) }) { first, _ in first }
        )
        knownTitles = titles
        return titles
    }

    /// Takes a deck with its cards in the order in which they came.
    private mutating func open<Failure: Error>(_ id: UniqueID, title: String, _ state: StudyState, _ texts: Texts<Failure>) throws(Failure)
        -> Int
    {
        let grouped = liveCards ?? Dictionary(grouping: state.liveCards, by: \.deck)
        liveCards = grouped
        decks.append(Deck(id: id))
        let place = decks.count - 1
        decksByTitle[title] = place
        decksByID[id] = place
        let known = (grouped[id] ?? []).sorted { ($0.createdAt.wallMilliseconds, $0.id) < ($1.createdAt.wallMilliseconds, $1.id) }
        for card in known {
            add(Card(id: card.id, deck: place, known: try texts(card)), isIndexed: true)
        }
        return place
    }

    /// Makes the deck of a title that no deck has. One that was deleted here stays deleted.
    private mutating func make<Failure: Error>(_ title: String, _ state: StudyState, _ texts: Texts<Failure>) throws(Failure) -> Int {
        let title = title.prefix(utf8Count: FieldLimit.textBytes)
        var attempt = 0
        var id = ImportKey.deck(listTitle: title, attempt: attempt)
        while let known = state.deck(id), known.isDeleted || known.title != title {
            attempt += 1
            id = ImportKey.deck(listTitle: title, attempt: attempt)
        }
        write(.deckCreated(DeckCreated(title: title, colour: nil)), id, key: ImportKey.deckCreated(id, title: title))
        decksByTitle[title.lowercased()] = decks.count
        return try open(id, title: title, state, texts)
    }
}
