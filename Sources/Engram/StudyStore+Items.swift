internal import ContentStore
public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections

/// Cards, words and questions as things that can be favourites and mistakes.
extension StudyStore {
    /// The favourites, newest first.
    public func favourites() throws(StoreError) -> [ItemView] {
        try items { $0.isFavourite ? ($0.favouriteSince, 1) : nil }
    }

    /// The mistakes, newest first, with how often each was made.
    public func mistakes() throws(StoreError) -> [ItemView] {
        try items { $0.isMistake ? ($0.mistakeSince, Int($0.mistakes)) : nil }
    }

    private func items(_ choose: (ItemState) -> (since: Moment, count: Int)?) throws(StoreError) -> [ItemView] {
        try reading { (transaction, projection) throws(LogError) in
            let state = projection.state
            var views: [ItemView] = []
            for item in state.listedItems {
                guard let (since, count) = choose(item), let kind = item.kind else { continue }
                views.append(
                    ItemView(id: item.id, kind: kind, text: try text(of: item.id, state, transaction), since: since, count: count))
            }
            return views.sorted { ($1.since.wallMilliseconds, $1.id) < ($0.since.wallMilliseconds, $0.id) }
        }
    }

    /// The front of a card, a word, or what a question asks; empty where none is known.
    private func text(
        of id: UniqueID, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> String {
        if let card = state.card(id) { return try texts(of: card, transaction).front }
        return try onShelf { shelf throws(LMDBError) in try shelf.record(id, transaction) }?.text ?? ""
    }

    /// The card, word or question that `name` names: its identity, an unambiguous start of it of at least four characters, or a
    /// word's exact text. Words and questions are those of installed packs, and whatever is on a list.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    /// - Complexity: O(cards, words and questions).
    public func item(named name: String) throws(StoreError) -> (id: UniqueID, kind: ItemKind, text: String, isFavourite: Bool) {
        let found = try reading { (transaction, projection) throws(LogError) in
            try candidates(named: name, projection.state, transaction)
        }
        _ = try Self.only(found.map { ($0.id, "\($0.kind.name) \($0.id) (\($0.text))") }, .item, name)
        return found[0]
    }

    private typealias Candidate = (id: UniqueID, kind: ItemKind, text: String, isFavourite: Bool)

    private func candidates(
        named name: String, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [Candidate] {
        var kinds: [UniqueID: ItemKind] = [:]
        let exact = UniqueID(name)
        func isNamed(_ id: UniqueID) -> Bool { exact.map { $0 == id } ?? Self.begins(id, with: name) }
        for item in state.listedItems where isNamed(item.id) { kinds[item.id] = item.kind }
        for card in state.knownCards where isNamed(card.id) { kinds[card.id] = .card }
        let installed = Set(state.installedPacks.map(\.id))
        var texts: [UniqueID: String] = [:]
        try onShelf { shelf throws(LMDBError) in
            try shelf.forEachRecord(transaction) { id, record in
                guard installed.contains(record.pack) else { return true }
                switch record {
                case .word(let word) where isNamed(id) || word.word.utf8.elementsEqual(name.utf8): kinds[id] = .word
                case .question where isNamed(id): kinds[id] = .question
                default: return true
                }
                texts[id] = record.text
                return true
            }
        }
        var result: [Candidate] = []
        for (id, kind) in kinds.sorted(by: { $0.key < $1.key }) {
            let text = if let known = texts[id] { known } else { try text(of: id, state, transaction) }
            result.append((id, kind, text, state.item(id)?.isFavourite ?? false))
        }
        return result
    }

    /// Whether it is a favourite.
    public func isFavourite(_ item: UniqueID) throws(StoreError) -> Bool {
        try reading { (_, projection) throws(LogError) in projection.state.item(item)?.isFavourite ?? false }
    }
}
