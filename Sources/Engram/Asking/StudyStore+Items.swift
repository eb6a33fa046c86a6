internal import ContentStore
public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections
internal import Words

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

    private func items(_ choose: (ItemState) -> (since: ZonedTime, count: Int)?) throws(StoreError) -> [ItemView] {
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
        if let record = try inPackStore({ shelf throws(LMDBError) in try shelf.record(id, transaction) }) { return record.text }
        return try index { (index) throws(LMDBError) in try index.word(id, transaction) }?.headword ?? ""
    }

    /// Throws where no word or question of that identity is here, in a pack or dictionary or on a list.
    func check(
        _ id: UniqueID, isItemOf kind: ItemKind, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(StoreError) {
        guard try inLog(self.kind(of: id, state, transaction)) == kind else { throw .notFound(.item, name: id.description) }
    }

    private func kind(
        of id: UniqueID, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> ItemKind? {
        if let known = state.item(id)?.kind { return known }
        switch try inPackStore({ shelf throws(LMDBError) in try shelf.record(id, transaction) }) {
        case .word?: return .word
        case .question?: return .question
        case nil: return try index { (index) throws(LMDBError) in try index.word(id, transaction) } == nil ? nil : .word
        }
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

    /// So many words of dictionaries are enough to say that a name is ambiguous.
    private static let candidateLimit = 9

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
        func take(_ id: UniqueID, _ record: ContentRecord) {
            guard installed.contains(record.pack) else { return }
            if case .word = record { kinds[id] = .word } else { kinds[id] = .question }
            texts[id] = record.text
        }
        try inPackStore { shelf throws(LMDBError) in
            if let range = Self.identities(beginningWith: name) {
                try shelf.forEachRecord(in: range, transaction) { id, record in if isNamed(id) { take(id, record) } }
            }
            try shelf.forEachWord(spelled: name, transaction) { take($0, $1) }
        }
        if let range = Self.identities(beginningWith: name) {
            let words = try index { (index) throws(LMDBError) in
                try index.ids(from: range.lowerBound, through: range.upperBound, limit: Self.candidateLimit, transaction)
            }
            for id in words where kinds[id] == nil && isNamed(id) { kinds[id] = .word }
        }
        var result: [Candidate] = []
        for (id, kind) in kinds.sorted(by: { $0.key < $1.key }) {
            let text = if let known = texts[id] { known } else { try text(of: id, state, transaction) }
            result.append((id, kind, text, state.item(id)?.isFavourite ?? false))
        }
        return result
    }

    /// Between which identities those lie that begin with `name`; `nil` where none can.
    private static func identities(beginningWith name: String) -> ClosedRange<UniqueID>? {
        let digits = name.filter { $0 != "-" }
        guard (4...32).contains(digits.utf8.count) else { return nil }
        let missing = 32 - digits.utf8.count
        guard let first = UniqueID(digits + String(repeating: "0", count: missing)),
            let last = UniqueID(digits + String(repeating: "f", count: missing))
        else { return nil }
        return first...last
    }

    /// Whether it is a favourite.
    public func isFavourite(_ item: UniqueID) throws(StoreError) -> Bool {
        try reading { (_, projection) throws(LogError) in projection.state.item(item)?.isFavourite ?? false }
    }
}
