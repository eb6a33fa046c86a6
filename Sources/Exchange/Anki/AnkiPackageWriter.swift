internal import Archive
internal import EventCoding
internal import Hashing
internal import SQLite
package import StudyModel

/// Makes a package (`.apkg`) of cards and their answers that every version of Anki imports: a collection of schema 11.
///
/// | here | there |
/// |--|--|
/// | a deck | a deck; decks of one title are one |
/// | a card | a note of the type “Basic”, its identity the note's `guid`, and its card; favourites are marked |
/// | never answered | a new card, in the order of creation |
/// | an interval of a day or more | a review card of that interval, due on its day |
/// | no interval | a card in learning, due at once |
/// | an answer | a row of the review log; practice is of the kind “filtered” without an ease, which changes no figure |
/// | a reset | a row of the kind “manual” without an ease |
package struct AnkiPackageWriter {
    private let form: AnkiCollectionForm
    /// Numbers by name without regard to case, which Anki has none for. Every collection has the default deck.
    private var decks: [String: Int64] = ["default": AnkiCollectionForm.defaultDeck]
    private var deckTitles: [(number: Int64, title: String)] = []
    private var cardNumbers: Set<Int64> = []
    /// Where to look first for a number after that of a moment: cards of one import share theirs.
    private var nextNumbers: [Int64: Int64] = [:]
    private var notes: [[SQLiteValue]] = []
    private var cards: [[SQLiteValue]] = []
    private var answers: [(answer: ExportedAnswer, card: Int64, wasLearned: Bool)] = []
    private var newCount: Int64 = 0

    /// - `moment`: when the package is made; `rolloverHour`: when a day begins; `firstDay`: no card was made or answered before.
    package init(moment: ZonedTime, rolloverHour: UInt8, firstDay: StudyDay) {
        form = AnkiCollectionForm(moment: moment, rolloverHour: rolloverHour, firstDay: firstDay)
    }

    // MARK: Taking cards

    /// Takes a card with what happened to it, in the order of time.
    package mutating func append(_ card: ExportedCard, _ history: [ExportedAnswer]) {
        let number = freeNumber(card.createdAt.wallMilliseconds)
        let deck = deckNumber(card.deck)
        let seconds = (card.lastReviewedAt ?? card.createdAt).wallMilliseconds / 1000
        let front = AnkiField(card.front)
        notes.append([
            .integer(number), .text(card.id.description), .integer(AnkiCollectionForm.noteType), .integer(seconds),
            .text(card.isFavourite ? " marked " : ""), .text(front.html + "\u{1F}" + AnkiField(card.back).html), .text(front.plain),
            .integer(front.checksum),
        ])
        let standing = standing(of: card)
        cards.append(
            ([number, number, deck, seconds, standing.type, standing.queue, standing.due, standing.interval, standing.factor]
                + [Self.clamped(card.passed &+ card.failed), Self.clamped(card.failed), standing.left]).map { .integer($0) })
        var wasLearned = false
        for answer in history {
            answers.append((answer, number, wasLearned))
            wasLearned = wasLearned || answer.daysAfter > 0
        }
    }

    private struct Standing {
        var type: Int64 = 0
        var queue: Int64 = 0
        var due: Int64
        var interval: Int64 = 0
        var factor: Int64 = 0
        var left: Int64 = 0
    }

    private mutating func standing(of card: ExportedCard) -> Standing {
        if card.intervalDays > 0, let dueDay = card.due {
            let due = Int64(dueDay.days) - Int64(form.firstDay.days)
            return Standing(type: 2, queue: 2, due: Self.clamped(due), interval: Int64(card.intervalDays), factor: form.standardFactor)
        }
        guard let last = card.lastReviewedAt else {
            newCount += 1
            return Standing(due: newCount)
        }
        // One step is left, and its time has come.
        return Standing(type: 1, queue: 1, due: Self.clamped(last.wallMilliseconds / 1000), left: 1001)
    }

    /// What fits into the 32 bits that Anki has for it.
    private static func clamped(_ value: Int64) -> Int64 { Int64(Int32(clamping: value)) }

    /// A card's number: when it was made, in milliseconds, or the next one that is free.
    private mutating func freeNumber(_ milliseconds: Int64) -> Int64 {
        let first = max(AnkiCollectionForm.earliestNumber, milliseconds)
        var number = nextNumbers[first] ?? first
        while !cardNumbers.insert(number).inserted { number += 1 }
        nextNumbers[first] = number + 1
        return number
    }

    private mutating func deckNumber(_ title: String) -> Int64 {
        let name = AnkiCollectionForm.deckName(title)
        let key = name.lowercased()
        if let number = decks[key] { return number }
        // The same title gives the same number in every export, and Anki knows decks by names besides.
        var number = AnkiCollectionForm.earliestNumber + Int64(uniqueID(namespace: "anki-deck-number", [key]).low >> 24)
        while deckTitles.contains(where: { $0.number == number }) { number += 1 }
        decks[key] = number
        deckTitles.append((number, name))
        return number
    }

    // MARK: The package

    /// How many rows the review log has.
    package var answerCount: Int { answers.count }

    /// The package's bytes.
    package consuming func bytes() throws(ImportError) -> [UInt8] {
        let rows = logRows()
        do throws(SQLiteError) {
            let maker = try SQLiteMaker()
            try maker.run(AnkiCollectionForm.tables + "BEGIN;")
            try maker.run(
                "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')", for: [form.columns(decks: deckTitles)])
            try maker.run("INSERT INTO notes VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, 0, '')", for: notes)
            try maker.run("INSERT INTO cards VALUES (?, ?, ?, 0, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '')", for: cards)
            try maker.run("INSERT INTO revlog VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?)", for: rows)
            try maker.run("COMMIT;" + AnkiCollectionForm.indexes)
            let collection = try maker.bytes()
            return try Self.pack(collection)
        } catch {
            throw ImportError(error, path: error.path)
        }
    }

    private static func pack(_ collection: [UInt8]) throws(SQLiteError) -> [UInt8] {
        do throws(ArchiveError) {
            return try ZipMaker.bytes(of: [("collection.anki2", collection), ("media", Array("{}".utf8))])
        } catch {
            throw SQLiteError(code: .outOfMemory, path: error.path, message: "\(error)")
        }
    }

    /// The rows of the review log, in the order of time. A number there is a time, so that of equal ones the later moves on.
    private func logRows() -> [[SQLiteValue]] {
        let ordered = answers.indices.sorted { (answers[$0].answer.milliseconds, $0) < (answers[$1].answer.milliseconds, $1) }
        var last = Int64.min
        return ordered.map { index in
            let (answer, card, wasLearned) = answers[index]
            let number = last == .min ? answer.milliseconds : max(answer.milliseconds, last + 1)
            last = number
            let (kind, factor): (Int64, Int64) =
                switch answer.kind {
                case .reset: (4, 0)
                case .practised: (3, 0)
                case .reviewed: answer.daysBefore > 0 ? (1, form.standardFactor) : (wasLearned ? 2 : 0, 0)
                }
            return
                ([number, card, Int64(answer.grade), Int64(answer.daysAfter), Int64(answer.daysBefore), factor]
                + [answer.tookMilliseconds, kind]).map { .integer($0) }
        }
    }
}

/// A side of a card as a field of a note.
struct AnkiField {
    let html: String
    /// What Anki sorts and compares by: the text in one line.
    let plain: String

    init(_ text: String) {
        var html = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\n", "\r": html += "<br>"
            // Stands between fields.
            case "\u{1F}": html += " "
            default: html.unicodeScalars.append(scalar)
            }
        }
        self.html = html
        plain = String(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\u{1F}" }.map { Character($0) })
    }

    /// The first four bytes of the text's SHA-1, by which Anki finds notes with the same first field.
    var checksum: Int64 { sha1(Array(plain.utf8)).prefix(4).reduce(0) { $0 << 8 | Int64($1) } }
}
