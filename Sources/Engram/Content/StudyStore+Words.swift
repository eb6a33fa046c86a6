public import EventCoding
internal import EventLog
public import Exchange
internal import Hashing
internal import LMDB
public import StudyModel
internal import StudyProjections
internal import Words

/// A word of a dictionary or pack as a screen shows it.
public struct WordView: Hashable, Sendable {
    /// Its identity: the same whenever its dictionary is imported again, in whatever edition.
    public let id: UniqueID
    /// The word.
    public let word: String
    /// What its entry says.
    public let entry: String
    /// Whether it is a favourite.
    public let isFavourite: Bool
}

/// What the import of a dictionary brought, or would bring.
public struct WordImportReport: Hashable, Sendable {
    /// Identity of the dictionary, which follows from its name.
    public let id: UniqueID
    /// What it is called.
    public let name: String
    /// Its format.
    public let format: DictionaryFormat
    /// Of what it was read from.
    public let digest: SHA256Digest
    /// Its words; one entry may be found under several.
    public let words: Int
    /// Its entries.
    public let entries: Int
    /// False where the store has just these words already: nothing was changed then.
    public let isNew: Bool
    /// Lines that couldn't be read, by reason, the most frequent first.
    public let skipped: [SkippedLines]
    /// The first hundred of them, each with its place and why.
    public let faults: [LineError]

    /// Lines with one fault.
    public struct SkippedLines: Hashable, Sendable {
        /// A word for scripts.
        public let reason: String
        /// How many.
        public let count: Int
    }

    /// A line that couldn't be read.
    public struct LineError: Hashable, Sendable {
        /// The file.
        public let path: String
        /// The line, from 1.
        public let line: Int
        /// What is wrong with it; continues "line 12 …".
        public let why: String
    }
}

extension StudyStore {
    /// The first words of all dictionaries and packs that begin with what was typed, best first.
    ///
    /// Case, accents, stress marks, points and normalisation form count for nothing, in any script: е finds ё, ss finds ß.
    /// Words that equal what was typed come first, of those the ones that read exactly so. A space that was typed last ends a
    /// word: "auf " finds auf and auf gutem Fuß, and not Aufgabe.
    /// - Complexity: O(limit + log words).
    public func words(prefix: String, limit: Int = 20) throws(StoreError) -> [WordView] {
        try reading { (transaction, projection) throws(LogError) in
            let hidden = try withdrawnSources(projection.state, transaction)
            return try index { (index) throws(LMDBError) in
                try index.words(prefix: prefix, limit: limit, hiding: hidden, transaction).map { Self.view(of: $0, projection.state) }
            }
        }
    }

    /// The word of that identity, also of a dictionary whose import was undone; `nil` where none has it here.
    public func word(_ id: UniqueID) throws(StoreError) -> WordView? {
        try reading { (transaction, projection) throws(LogError) in
            try index { (index) throws(LMDBError) in
                try index.word(id, transaction).map { Self.view(of: $0, projection.state) }
            }
        }
    }

    /// Number of words of all dictionaries and packs.
    public func wordCount() throws(StoreError) -> Int {
        try reading { (transaction, _) throws(LogError) in try index { (index) throws(LMDBError) in try index.count(transaction) } }
    }

    /// Takes in a dictionary: its words replace those of an older edition of the same name.
    ///
    /// All of it is one transaction, with the event that tells of it. The same content again changes nothing.
    /// - Parameters:
    ///   - path: the file; it is only read, and so is the one that belongs to it.
    ///   - format: the file's format; found by name and content where there is none.
    ///   - name: what to call the dictionary; its own name where there is none.
    ///   - isDryRun: tells the same and writes nothing.
    ///   - moment: the time of the import.
    ///   - progress: called now and then with how much is done of how much.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the file isn't right; nothing is changed then.
    /// - Complexity: O(n log n) in the words; where some are replaced, in all words.
    public func importWords(
        at path: String, format: DictionaryFormat? = nil, name: String? = nil, isDryRun: Bool = false, moment: ZonedTime,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> WordImportReport {
        try check(moment)
        let dictionary: ImportedDictionary
        // Reading is one half of the work, folding and writing the other.
        let half = 500
        do throws(ImportError) {
            dictionary = try ImportedDictionary.read(
                path: path, format: format, name: name,
                progress: Self.reading(path) { done, total in progress?(done * half / max(1, total), 2 * half) })
        } catch { throw StoreError(error) }
        guard !dictionary.name.isEmpty else { throw .emptyText(field: "the name") }
        let id = uniqueID(namespace: "pack", [dictionary.name])
        guard !isDryRun else { return try preview(dictionary, id) }
        let (source, events) = try writing { (transaction, projection) throws(StoreError) -> (WordSource, [EventID]) in
            try self.install(dictionary, id, at: moment, projection, &transaction) { done in
                progress?(half + done * half / max(1, dictionary.entries.count), 2 * half)
            }
        } isThere: { result, heads in
            result.1.allSatisfy { heads[$0.origin].events >= $0.number }
        }
        return WordImportReport(dictionary, id: id, words: source.words, entries: source.entries, isNew: !events.isEmpty)
    }

    private func preview(_ dictionary: ImportedDictionary, _ id: UniqueID) throws(StoreError) -> WordImportReport {
        let known: WordSource? = try reading { (transaction, projection) throws(LogError) in
            try self.known(dictionary, id, projection, transaction)
        }
        if let known {
            return WordImportReport(dictionary, id: id, words: known.words, entries: known.entries, isNew: false)
        }
        let counts = WordIndex.counts(of: dictionary.wordEntries)
        return WordImportReport(dictionary, id: id, words: counts.words, entries: counts.entries, isNew: true)
    }

    /// Makes the words of `dictionary` those of the source, with the event that tells of it; no event where they are already.
    private func install(
        _ dictionary: ImportedDictionary, _ id: UniqueID, at moment: ZonedTime, _ projection: LiveProjection,
        _ transaction: inout WriteTransaction, progress: (Int) -> Void
    ) throws(StoreError) -> (WordSource, [EventID]) {
        let known = try inLog(self.known(dictionary, id, projection, transaction.reader))
        let index = try inLog(wordIndex())
        if let known {
            try inLog(storage(index.makeKeysCurrent(&transaction)))
            return (known, [])
        }
        let source = try inLog(
            storage(
                index.install(
                    source: id, name: dictionary.name, digest: dictionary.digest, entries: dictionary.wordEntries, &transaction,
                    progress: progress)))
        let told = PackInstalled(
            name: dictionary.name, digest: dictionary.digest, words: UInt64(source.words), questions: 0, types: 0)
        var heads = projection.heads
        let planned = [PlannedEvent(event: .packInstalled(told), subject: id)]
        return (source, try append(planned, at: moment, key: nil, heads: &heads, &transaction))
    }

    /// The source, where just the words of `dictionary` are here already, and the log says so.
    private func known(
        _ dictionary: ImportedDictionary, _ id: UniqueID, _ projection: LiveProjection, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> WordSource? {
        let source: WordSource?
        do throws(LogError) { source = try index { (index) throws(LMDBError) in try index.source(id, transaction) } } catch {
            guard case .storage(let error) = error, case .badRecord = error.fault else { throw error }
            return nil
        }
        // What has no checksums yet, or is damaged, is taken in again.
        guard let source, source.isSealed, try index({ (index) throws(LMDBError) in try index.check(transaction).isEmpty }) else {
            return nil
        }
        guard source.digest == dictionary.digest, let pack = projection.state.pack(id), pack.isInstalled,
            pack.digest == dictionary.digest
        else { return nil }
        return source
    }

    /// Sources whose words are here and shouldn't be found: their import was undone, or they were removed.
    private func withdrawnSources(
        _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Set<UniqueID> {
        let sources = try index { (index) throws(LMDBError) in try index.sources(transaction) }
        return Set(sources.map(\.id).filter { !(state.pack($0)?.isInstalled ?? false) })
    }

    func wordIndex() throws(LogError) -> WordIndex {
        try storage(WordIndex(log.environment))
    }

    /// Runs `body` on the index of words.
    func index<Result>(_ body: (WordIndex) throws(LMDBError) -> Result) throws(LogError) -> Result {
        let index = try wordIndex()
        return try storage(body(index))
    }

    private static func view(of word: FoundWord, _ state: StudyState) -> WordView {
        WordView(id: word.id, word: word.headword, entry: word.text, isFavourite: state.item(word.id)?.isFavourite ?? false)
    }
}

extension ImportedDictionary {
    fileprivate var wordEntries: [WordEntry] { entries.map { WordEntry(headwords: $0.headwords, text: $0.text) } }
}

extension WordImportReport {
    fileprivate init(_ dictionary: ImportedDictionary, id: UniqueID, words: Int, entries: Int, isNew: Bool) {
        self.init(
            id: id, name: dictionary.name, format: dictionary.format, digest: dictionary.digest, words: words, entries: entries,
            isNew: isNew, skipped: dictionary.faults.byReason.map { SkippedLines(reason: $0.reason.rawValue, count: $0.count) },
            faults: dictionary.faults.listed.map { LineError(path: $0.path, line: $0.line, why: $0.reason.description) })
    }
}
