internal import EventCoding
internal import SQLite

/// Makes a history of a collection: its review log, then its cards and their decks.
struct AnkiHistory {
    /// So much text all cards may have together: many cards of one long note are the bomb that databases allow.
    private static let maximumTextBytes = 1 << 30

    private let collection: AnkiCollection
    private let zone: ((Int64) -> Int16?)?
    private let progress: ReadingProgress?

    private var builder = HistoryBuilder()
    /// Where the builder has each card.
    private var places: [Int64: Int32] = [:]
    private var collectionZone: Int16 = 0
    private var doneCount = 0
    private var totalCount = 0

    init(_ collection: AnkiCollection, zone: ((Int64) -> Int16?)?, progress: ReadingProgress?) {
        self.collection = collection
        self.zone = zone
        self.progress = progress
    }

    /// Reads all of it.
    consuming func read() throws(ImportError) -> HistoryBuilder {
        let head = try collection.readHead()
        let decks = try collection.readDecks(head)
        let noteTypes = try collection.readNoteTypes(head)
        collectionZone = head.zoneMinutes ?? 0
        let answerCount = try count("revlog")
        totalCount = answerCount + (try count("cards"))
        // A count that a damaged file makes up mustn't cost memory before its rows are there.
        builder.reserve(answers: min(answerCount, 1 << 20))
        try readAnswers(hasOldLearningButtons: head.hasOldLearningButtons)
        var cards = AnkiCardReader(noteTypes: noteTypes, decks: decks, createdSeconds: head.createdSeconds)
        try readCards(&cards)
        try progress?(totalCount, totalCount)
        return builder
    }

    private func count(_ table: String) throws(ImportError) -> Int {
        var statement = try collection.prepare("SELECT count(*) FROM \(table)")
        return try collection.step(&statement) ? Int(clamping: statement.integer(at: 0) ?? 0) : 0
    }

    private func zoneMinutes(at milliseconds: Int64) -> Int16 { zone?(milliseconds) ?? collectionZone }

    private mutating func advance() throws(ImportError) {
        doneCount += 1
        if doneCount & 0xFFF == 0 { try progress?(doneCount, max(doneCount, totalCount)) }
    }

    // MARK: Answers

    /// How the log calls a row's kind.
    private enum RowKind {
        static let learning: Int64 = 0
        static let relearning: Int64 = 2
        static let filtered: Int64 = 3
        static let manual: Int64 = 4
        static let rescheduled: Int64 = 5
    }

    private mutating func readAnswers(hasOldLearningButtons: Bool) throws(ImportError) {
        var row = try collection.prepare("SELECT id, cid, ease, factor, time, type FROM revlog")
        while try collection.step(&row) {
            try advance()
            guard let milliseconds = row.integer(at: 0), let card = row.integer(at: 1), var ease = row.integer(at: 2),
                let factor = row.integer(at: 3), let took = row.integer(at: 4), let kind = row.integer(at: 5)
            else {
                builder.skip(.unreadableRow)
                continue
            }
            if hasOldLearningButtons, kind == RowKind.learning || kind == RowKind.relearning, ease == 2 || ease == 3 { ease += 1 }
            let answer = Self.kind(ease: ease, factor: factor, took: took, kind: kind)
            switch answer {
            case .failure(let reason):
                builder.skip(reason)
            case .success(let answerKind):
                guard card > 0 else {
                    builder.skip(.cardNumberOutOfRange)
                    continue
                }
                builder.addAnswer(
                    card: place(of: card), milliseconds: milliseconds, zoneMinutes: zoneMinutes(at: milliseconds), kind: answerKind,
                    grade: answerKind == .reset ? 0 : UInt8(ease), tookMilliseconds: answerKind == .reset ? nil : took)
            }
        }
    }

    /// What a row says happened, or why it says nothing.
    private static func kind(ease: Int64, factor: Int64, took: Int64, kind: Int64) -> Result<AnswerKind, SkipReason> {
        guard RowKind.learning...RowKind.rescheduled ~= kind else { return .failure(.unknownKind) }
        switch ease {
        case 1...4: return .success(kind == RowKind.filtered && factor == 0 ? .practised : .reviewed)
        case 0 where kind == RowKind.manual: return factor == 0 ? .success(.reset) : .failure(.dueDateSet)
        // Rescheduling was once logged as learning without time or grade.
        case 0 where kind == RowKind.rescheduled || (kind == RowKind.learning && took == 0): return .failure(.rescheduled)
        case 0: return .failure(.noGrade)
        default: return .failure(.gradeOutOfRange)
        }
    }

    private mutating func place(of card: Int64) -> Int32 {
        if let place = places[card] { return place }
        let place = builder.addCard(ImportKey.card(ankiNumber: card))
        places[card] = place
        return place
    }

    // MARK: Cards

    private mutating func readCards(_ reader: inout AnkiCardReader) throws(ImportError) {
        var decks: [Int64: HistoryBuilder.FirstAnswer] = [:]
        var textBytes = 0
        var row = try collection.prepare(AnkiCardReader.query)
        while try collection.step(&row) {
            try advance()
            guard let card = reader.read(row, &builder) else { continue }
            textBytes += card.card.front.utf8.count + card.card.back.utf8.count
            guard textBytes <= Self.maximumTextBytes else {
                throw collection.fault(in: "cards", .tooLarge(limit: Self.maximumTextBytes))
            }
            let first = places[card.number].flatMap { builder.firstAnswer(of: $0) }
            let milliseconds = card.createdMilliseconds ?? first?.milliseconds ?? reader.fallbackMilliseconds
            let created = HistoryBuilder.FirstAnswer(milliseconds: milliseconds, zoneMinutes: zoneMinutes(at: milliseconds))
            builder.addCard(card.card, milliseconds: created.milliseconds, zoneMinutes: created.zoneMinutes)
            if decks[card.deckNumber].map({ milliseconds < $0.milliseconds }) ?? true { decks[card.deckNumber] = created }
        }
        for (number, created) in decks.sorted(by: { $0.key < $1.key }) {
            let deck = ImportedDeck(id: ImportKey.deck(ankiNumber: number), title: builder.fitted(reader.deckName(number)))
            builder.addDeck(deck, milliseconds: created.milliseconds, zoneMinutes: created.zoneMinutes)
        }
    }
}

extension SkipReason: Error {}
