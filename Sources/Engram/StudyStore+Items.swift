public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import Words

extension StudyStore {
    /// The card or word that `name` names, or whatever else is on a list: its identity, or an unambiguous start of it of at
    /// least four characters.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    public func item(named name: String) throws(StoreError) -> (id: UniqueID, kind: ItemKind) {
        var found: [UniqueID: ItemKind] = [:]
        do throws(StoreError) { found[try card(named: name)] = .card } catch {
            guard case .notFound = error else { throw error }
        }
        for id in try words(named: name) { found[id] = .word }
        for item in try favourites() + mistakes() where item.id.description.hasPrefix(name.lowercased()) && name.utf8.count >= 4 {
            found[item.id] = item.kind
        }
        guard let first = found.first else { throw .notFound(.card, name: name) }
        guard found.count == 1 else { throw .ambiguous(.item, name: name, candidates: found.keys.map(\.description).sorted()) }
        return (first.key, first.value)
    }

    /// The words whose identity begins so; nine are enough to say that it is ambiguous.
    private func words(named name: String) throws(StoreError) -> [UniqueID] {
        guard name.utf8.count >= 4, name.utf8.count <= 36 else { return [] }
        let zeros = "00000000-0000-0000-0000-000000000000"
        let rest = zeros.dropFirst(name.count)
        let isWhole = UniqueID(name) != nil
        guard let start = UniqueID(isWhole ? name : name + rest),
            let end = UniqueID(isWhole ? name : name + rest.replacing("0", with: "f"))
        else { return [] }
        return try reading { (transaction, _) throws(LogError) in
            try index { (index) throws(LMDBError) in try index.ids(from: start, through: end, limit: 9, transaction) }
        }
    }
}
