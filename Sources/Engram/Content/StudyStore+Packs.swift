internal import ContentStore
public import EventCoding
internal import EventLog
internal import LMDB
internal import Packs
public import StudyModel
internal import StudyProjections
internal import Words

extension StudyStore {
    /// Installs a pack of words and questions: reads its file once, and keeps what it holds beside the log, under its digest.
    ///
    /// The same pack again changes nothing. Another version of it replaces its content; favourites and mistakes stay, since
    /// words and questions keep their identities.
    /// - Parameters:
    ///   - path: a SQLite database, or questions in JSON; it is only read.
    ///   - map: a file that says where in the database the parts lie, where that isn't found by itself.
    ///   - name: what the pack is called, where its file doesn't say; such packs are known by it.
    ///   - moment: the time of the installation.
    ///   - progress: called now and then with how much is done of how much.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the file is no pack; nothing is changed then. Rows and test types
    ///   that aren't right are left out, and told of in the report.
    public func installPack(
        at path: String, map: String? = nil, name: String? = nil, moment: ZonedTime,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> PackReport {
        let content: PackContent
        // Reading is half of the work, and writing the other.
        var rows = 0
        do throws(PackError) {
            content = try PackContent.read(path: path, map: map, name: name) { done, total in
                rows = total
                progress?(done, 2 * total)
            }
        } catch { throw .badInput(path: error.path, place: error.place, why: error.why) }
        let installed = PackInstalled(
            name: content.name, digest: content.digest, words: UInt64(content.words.count), questions: UInt64(content.questions.count),
            types: UInt64(content.types.count))
        var isChanged = false
        try perform(at: moment) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            let isStored = try self.store(content, projection.state, &transaction) { done, total in
                if rows > 0 { progress?(rows + done * rows / total, 2 * rows) }
            }
            let known = projection.state.pack(content.id)
            let isKnown = known.map { $0.isInstalled && $0.says(installed) } ?? false
            isChanged = isStored || !isKnown
            return isKnown ? [] : [PlannedEvent(event: .packInstalled(installed), subject: content.id)]
        }
        guard let pack = try packs().first(where: { $0.id == content.id }) else { throw .notFound(.pack, name: content.name) }
        return PackReport(
            pack: pack, isChanged: isChanged,
            skipped: content.skipped.map { .init(table: $0.table, row: $0.row, key: $0.key, reason: $0.reason.rawValue) },
            skippedCount: content.skippedCount,
            refused: content.types.compactMap { type in
                type.refusal.map { .init(id: type.id, condition: type.condition, reason: $0) }
            })
    }

    /// Writes the content of a pack, unless it is there already.
    private func store(
        _ content: PackContent, _ state: StudyState, _ transaction: inout WriteTransaction, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) -> Bool {
        let index = try inLog(wordIndex())
        do throws(LMDBError) {
            // Nothing of what is damaged is believed, of other packs neither: those are missed then, and installed again as well.
            let findings = try shelf.check(transaction.reader).count + index.check(transaction.reader).count
            let isSound = findings == 0
            if !isSound {
                try shelf.mend(&transaction)
                try index.mend(&transaction)
            }
            try purge(state, except: content.id, index, &transaction)
            let stored = try shelf.pack(content.id, transaction.reader)
            let indexed = try index.source(content.id, transaction.reader)?.digest
            if isSound, let stored, stored.sum != nil, stored.digest == content.digest, stored.reading == content.reading,
                indexed == (content.words.isEmpty ? nil : content.digest)
            {
                return false
            }
            var records: [(id: UniqueID, record: ContentRecord)] = []
            records.reserveCapacity(content.words.count + content.questions.count)
            for word in content.words {
                records.append((word.id, .word(.init(pack: content.id, word: word.word, entry: word.entry))))
            }
            for question in content.questions {
                let record = ContentRecord.Question(
                    pack: content.id, item: question.item, prompt: question.prompt, options: question.options, right: question.right)
                records.append((question.id, .question(record)))
            }
            let pack = PackRecord(
                id: content.id, digest: content.digest, reading: content.reading, words: content.words.map(\.id),
                questions: content.questions.map { ($0.id, $0.item) },
                types: content.types.map {
                    .init(id: $0.id, title: $0.title, explanation: $0.explanation, questions: $0.questions, refusal: $0.refusal)
                })
            let count = records.count
            try shelf.put(pack, records, &transaction) { done in progress(done, count) }
            // Its words are found in the dictionary, too.
            if content.words.isEmpty {
                _ = try index.remove(source: content.id, &transaction)
            } else {
                _ = try index.install(
                    source: content.id, name: content.name, digest: content.digest,
                    entries: content.words.map { WordEntry(headwords: [$0.word], text: $0.entry, id: $0.id) }, &transaction)
            }
            return true
        } catch { throw StoreError(error, path: path) }
    }

    /// Lets go of the content of packs that were removed before. A removal alone keeps it, so that it can be undone.
    private func purge(
        _ state: StudyState, except pack: UniqueID, _ index: WordIndex, _ transaction: inout WriteTransaction
    ) throws(LMDBError) {
        func isGone(_ id: UniqueID) -> Bool { id != pack && !(state.pack(id)?.isInstalled ?? false) }
        for id in try shelf.packIDs(transaction.reader) where isGone(id) { try shelf.remove(id, &transaction) }
        for source in try index.sources(transaction.reader) where isGone(source.id) {
            _ = try index.remove(source: source.id, &transaction)
        }
    }

    /// Removes a pack: its words and questions are offered no more. Favourites and mistakes stay on their lists.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where it isn't installed.
    @discardableResult
    public func removePack(_ id: UniqueID, at moment: ZonedTime) throws(StoreError) -> ActionResult {
        try perform(at: moment) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            guard projection.state.pack(id)?.isInstalled ?? false else { throw .notFound(.pack, name: id.description) }
            let index = try inLog(self.wordIndex())
            try inLog(storage(self.purge(projection.state, except: id, index, &transaction)))
            return [PlannedEvent(event: .packRemoved(PackRemoved()), subject: id)]
        }
    }

    /// The packs that are installed, by name and then identity.
    public func packs() throws(StoreError) -> [PackView] {
        try reading { (transaction, projection) throws(LogError) in
            var views: [PackView] = []
            for pack in projection.state.installedPacks.sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
                let found = try index { (index) throws(LMDBError) in try Self.content(of: pack, shelf, index, transaction) }
                views.append(
                    PackView(
                        id: pack.id, name: pack.name, digest: pack.digest, words: Int(clamping: pack.words),
                        questions: Int(clamping: pack.questions), types: Int(clamping: pack.types), installedAt: pack.installedAt,
                        content: found))
            }
            return views
        }
    }

    /// Whether what an installed pack holds is here, by what its records say.
    static func content(
        of pack: PackState, _ shelf: PackStore, _ index: WordIndex, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> PackView.Content {
        do throws(LMDBError) {
            let stored = try shelf.pack(pack.id, transaction)?.digest
            let words = try index.source(pack.id, transaction)?.digest
            // A dictionary has words alone, which lie in their index; a pack has its words there as well.
            let digests = pack.questions == 0 && pack.types == 0 && stored == nil ? [words] : pack.words > 0 ? [stored, words] : [stored]
            if digests.contains(nil) { return .missing }
            return digests.allSatisfy { $0 == pack.digest } ? .here : .other
        } catch {
            guard case .badRecord = error.fault else { throw error }
            return .damaged
        }
    }

    /// The pack that `name` names: its identity, an unambiguous start of it of at least four characters, or its exact name.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    public func pack(named name: String) throws(StoreError) -> UniqueID {
        let packs = try packs()
        let named = packs.filter { $0.id.description == name.lowercased() || $0.name == name }
        let found = named.isEmpty ? packs.filter { Self.begins($0.id, with: name) } : named
        return try Self.only(found.map { ($0.id, "\($0.id) (\($0.name))") }, .pack, name)
    }

    /// What `read` finds in the content of packs.
    func inPackStore<Value>(_ read: (PackStore) throws(LMDBError) -> Value) throws(LogError) -> Value {
        try storage(read(shelf))
    }
}

extension PackState {
    /// Whether the last installation said the same.
    fileprivate func says(_ installed: PackInstalled) -> Bool {
        name == installed.name && digest == installed.digest && words == installed.words && questions == installed.questions
            && types == installed.types
    }
}
