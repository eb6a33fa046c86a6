internal import EventCoding
internal import SQLite

/// Makes cards with two sides of plain text out of the rows of a collection.
struct AnkiCardReader {
    /// The cards, each with its note.
    static let query = """
        SELECT cards.id, cards.did, cards.odid, cards.ord, cards.mod, notes.id, notes.mid, notes.mod, notes.tags, notes.flds
        FROM cards LEFT JOIN notes ON notes.id = cards.nid
        """

    /// A card, and what the history needs to know besides.
    struct Card {
        let number: Int64
        let deckNumber: Int64
        /// When it was made, as its number or its note's says; `nil` where neither can be true.
        let createdMilliseconds: Int64?
        let card: ImportedCard
    }

    /// Where cards go whose deck isn't there.
    private static let defaultDeck: Int64 = 1
    /// Before this, in 2005, there was no Anki, and no number that is a time.
    private static let earliestMilliseconds: Int64 = 1_104_537_600_000
    private static let dayMilliseconds: Int64 = 86_400_000

    private let noteTypes: [Int64: AnkiNoteType]
    private let decks: [Int64: String]
    /// When a card was made of which nothing else says it.
    let fallbackMilliseconds: Int64

    private var deckIDs: [Int64: UniqueID] = [:]
    private var content = CardContent()
    private var frontSide = SideRenderer()
    private var backSide = SideRenderer()

    init(noteTypes: [Int64: AnkiNoteType], decks: [Int64: String], createdSeconds: Int64) {
        self.noteTypes = noteTypes
        self.decks = decks
        fallbackMilliseconds = Self.milliseconds(seconds: createdSeconds)
    }

    func deckName(_ number: Int64) -> String { decks[number] ?? "Default" }

    /// The card in `row`; `nil`, and counted, where it is none.
    mutating func read(_ row: borrowing SQLiteStatement, _ builder: inout HistoryBuilder) -> Card? {
        guard let number = row.integer(at: 0), number > 0, number < .max else {
            builder.skip(.cardNumberOutOfRange)
            return nil
        }
        guard let note = row.integer(at: 5) else {
            builder.skip(.cardWithoutNote)
            return nil
        }
        let noteType = noteTypes[row.integer(at: 6) ?? 0]
        let deckNumber = homeDeck(deck: row.integer(at: 1) ?? 0, original: row.integer(at: 2) ?? 0, &builder)
        let ordinal = row.integer(at: 3) ?? 0
        let template = noteType?.template(ordinal)

        row.withBytes(at: 9) { content.setFields($0) }
        content.tags = (row.text(at: 8) ?? "").split(separator: " ").joined(separator: " ")
        content.deck = deckName(deckNumber)
        content.noteType = noteType?.name ?? ""
        content.card = template?.name ?? ""
        content.ordinal = Int(clamping: ordinal)
        content.isCloze = noteType?.isCloze ?? false
        let (front, back) = render(template, &builder)

        let cardModified = Self.milliseconds(seconds: row.integer(at: 4) ?? 0)
        let noteModified = max(row.integer(at: 7) ?? 0, noteType?.modifiedSeconds ?? 0)
        let card = ImportedCard(
            id: ImportKey.card(ankiNumber: number), deck: deckID(deckNumber), front: front, back: back,
            textModifiedMilliseconds: Self.milliseconds(seconds: noteModified), cardModifiedMilliseconds: cardModified)
        // A number that is a time can't be later than the card's last change, but for what avoids a clash of numbers.
        let believable = Self.earliestMilliseconds...max(Self.earliestMilliseconds, cardModified &+ Self.dayMilliseconds)
        return Card(
            number: number, deckNumber: deckNumber, createdMilliseconds: [number, note].first { believable.contains($0) }, card: card)
    }

    /// The deck that the card belongs to, also while it is in a filtered one.
    private func homeDeck(deck: Int64, original: Int64, _ builder: inout HistoryBuilder) -> Int64 {
        if original != 0, decks[original] != nil { return original }
        if decks[deck] != nil { return deck }
        builder.adjust(.deckMissing)
        return Self.defaultDeck
    }

    private mutating func deckID(_ number: Int64) -> UniqueID {
        if let id = deckIDs[number] { return id }
        let id = ImportKey.deck(ankiNumber: number)
        deckIDs[number] = id
        return id
    }

    // MARK: Sides

    private mutating func render(_ template: AnkiNoteType.Template?, _ builder: inout HistoryBuilder) -> (front: String, back: String) {
        guard let template else {
            builder.adjust(.frontFromField)
            return (firstField(&builder), otherFields(&builder))
        }
        frontSide.render(template.front, content, front: nil)
        backSide.render(template.back, content, front: frontSide.html)
        if frontSide.isCut || backSide.isCut { builder.adjust(.textCut) }
        let front = HTMLText(frontSide.html.span)
        let back = HTMLText(backSide.html.span)
        let backText = builder.fitted(back.withoutFront(front, isFrontFirst: template.back.beginsWithFrontSide))
        guard front.bytes.isEmpty else { return (builder.fitted(front.text), backText) }
        builder.adjust(.frontFromField)
        return (firstField(&builder), backText)
    }

    private func firstField(_ builder: inout HistoryBuilder) -> String {
        builder.fitted(HTMLText(content.field(0).span).text)
    }

    private func otherFields(_ builder: inout HistoryBuilder) -> String {
        let texts = content.fields.indices.dropFirst().map { HTMLText(content.field($0).span).text }
        return builder.fitted(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    /// Milliseconds of a time in seconds; 0 where no event could have it.
    private static func milliseconds(seconds: Int64) -> Int64 {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow || !(0...LogicalTime.wallMillisecondsRange.upperBound).contains(milliseconds) ? 0 : milliseconds
    }
}

extension HTMLText {
    /// The text of a back without the front that it repeats: up to the answer's rule, or at its beginning where the
    /// template says so.
    func withoutFront(_ front: HTMLText, isFrontFirst: Bool) -> String {
        if let offset = answerOffset, isFrontFirst || bytes[..<offset].elementsEqual(front.bytes) { return text(from: offset) }
        if isFrontFirst, bytes.starts(with: front.bytes) { return text(from: front.bytes.count) }
        return text
    }

    private func text(from offset: Int) -> String {
        let rest = bytes[offset...].drop { $0 == 0x0A || $0 == 0x20 }
        return String(decoding: rest, as: UTF8.self)
    }
}
