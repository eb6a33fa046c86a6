internal import EventCoding
internal import SQLite
internal import Scheduling
internal import StudyModel

/// Makes a history of the Core Data store of a flashcards app: its decks, its cards, and one placement of each card, since such
/// a store knows how a card stands and not what led to it.
///
/// A placement is worked out by the standard boxes and the standard beginning of a day, so that it follows from the row alone.
struct CoreDataHistory {
    /// Seconds from 1970 to 2001, when Core Data's time begins.
    private static let epochSeconds: Int64 = 978_307_200
    private static let rolloverHour: UInt8 = 4
    /// The level that an event can hold.
    private static let maximumHalfSteps = 1_000_000.0
    /// So much text all cards may have together.
    private static let maximumTextBytes = 1 << 30

    private let database: SQLiteDatabase
    private let path: String
    private let model: CoreDataModel
    private let zone: ((Int64) -> Int16?)?
    private let deckTitle: String
    private var builder = HistoryBuilder()
    private var storeName = ""

    /// A deck of the store, by its row.
    private struct Deck {
        let deck: ImportedDeck
        /// When the first of its cards was made.
        var createdMilliseconds: Int64?
    }

    private var decks: [Int64: Deck] = [:]
    private var strayDeck: Deck?
    private var cardIDs: Set<UniqueID> = []

    /// - `deckTitle`: the deck of cards that are in none.
    init(path: String, deckTitle: String, zone: ((Int64) -> Int16?)?) throws(ImportError) {
        self.path = path
        self.deckTitle = deckTitle
        self.zone = zone
        let found: CoreDataModel?
        do throws(SQLiteError) {
            database = try SQLiteDatabase.open(path: path)
            found = try CoreDataModel.isStore(database) ? CoreDataModel(database) : nil
        } catch {
            throw ImportError(error, path: path)
        }
        guard let found else {
            throw ImportError(path: path, place: .table("Z_PRIMARYKEY"), reason: .missing("an entity with a front and a back"))
        }
        model = found
    }

    /// Reads all of it.
    consuming func read(progress: ReadingProgress?) throws(ImportError) -> HistoryBuilder {
        do throws(SQLiteError) {
            try readStoreName()
            try readDecks()
        } catch {
            throw ImportError(error, path: path)
        }
        try readCards(progress)
        addDecks()
        return builder
    }

    /// The store's own identity, for objects that have none.
    private mutating func readStoreName() throws(SQLiteError) {
        var statement = try database.prepare("SELECT Z_UUID FROM Z_METADATA LIMIT 1")
        if try statement.step() { storeName = statement.text(at: 0) ?? "" }
    }

    // MARK: Decks

    private mutating func readDecks() throws(SQLiteError) {
        guard let table = model.decks else { return }
        let columns = [CoreDataModel.Property.id, .title, .colour].map { table.expression($0) }.joined(separator: ", ")
        var row = try database.prepare("SELECT Z_PK, \(columns) FROM \(table.quotedName) ORDER BY Z_PK")
        var known: Set<UniqueID> = []
        while try row.step() {
            guard let number = row.integer(at: 0) else { continue }
            let id = identity(row, at: 1, kind: "deck", number: number)
            guard known.insert(id).inserted else { continue }
            let title = row.text(at: 2).flatMap { $0.isEmpty ? nil : $0 } ?? "Deck \(number)"
            decks[number] = Deck(deck: ImportedDeck(id: id, title: builder.fitted(title), colour: colour(row, at: 3)))
        }
    }

    /// The colour in a column: an archive, or a text such as `#1e88e5`.
    private mutating func colour(_ row: borrowing SQLiteStatement, at column: Int32) -> UInt32? {
        let colour: UInt32? =
            switch row.storageClass(at: column) {
            case .blob: ArchivedColour.rgb(row.bytes(at: column))
            case .text: row.text(at: column).flatMap { Colour($0) }?.rgb
            default: nil
            }
        if colour == nil, row.storageClass(at: column) != .null { builder.adjust(.colourUnknown) }
        return colour
    }

    private mutating func addDecks() {
        var all = decks.sorted { $0.key < $1.key }.map(\.value)
        if let strayDeck { all.append(strayDeck) }
        // A deck says of itself when it was made as little as of its cards: with the first of them, or with the first of any.
        let first = all.compactMap(\.createdMilliseconds).min() ?? Self.epochSeconds * 1000
        for deck in all {
            let milliseconds = deck.createdMilliseconds ?? first
            builder.addDeck(deck.deck, milliseconds: milliseconds, zoneMinutes: zone?(milliseconds) ?? 0)
        }
    }

    // MARK: Cards

    private mutating func readCards(_ progress: ReadingProgress?) throws(ImportError) {
        let table = model.cards
        let wanted: [CoreDataModel.Property] = [.id, .deck, .front, .back, .created, .reviewed, .passed, .failed, .level]
        let columns = wanted.map { table.expression($0) }.joined(separator: ", ")
        var total = 0
        var textBytes = 0
        var ended: ImportError?
        do throws(SQLiteError) {
            var count = try database.prepare("SELECT count(*) FROM \(table.quotedName)")
            total = try count.step() ? Int(clamping: count.integer(at: 0) ?? 0) : 0
            var row = try database.prepare("SELECT Z_PK, \(columns) FROM \(table.quotedName) ORDER BY Z_PK")
            var done = 0
            while try row.step(), textBytes <= Self.maximumTextBytes {
                textBytes += readCard(row)
                done += 1
                guard done & 0xFFF == 0 else { continue }
                do throws(ImportError) { try progress?(done, max(done, total)) } catch {
                    ended = error
                    break
                }
            }
        } catch {
            throw ImportError(error, path: path)
        }
        if let ended { throw ended }
        guard textBytes <= Self.maximumTextBytes else {
            throw ImportError(path: path, place: .table(table.name), reason: .tooLarge(limit: Self.maximumTextBytes))
        }
        try progress?(total, total)
    }

    /// Takes a card; how many bytes its texts have.
    private mutating func readCard(_ row: borrowing SQLiteStatement) -> Int {
        guard let number = row.integer(at: 0) else {
            builder.skip(.unreadableRow)
            return 0
        }
        guard let halfSteps = Self.halfSteps(row, at: 9) else {
            builder.skip(.levelOutOfRange)
            return 0
        }
        let reviewed = Self.milliseconds(row, at: 6)
        let isReviewedNull = row.storageClass(at: 6) == .null
        let createdOrNil = Self.milliseconds(row, at: 5)
        guard reviewed != nil || isReviewedNull, createdOrNil != nil || row.storageClass(at: 5) == .null else {
            builder.skip(.timeOutOfRange)
            return 0
        }
        let id = identity(row, at: 1, kind: "card", number: number)
        guard cardIDs.insert(id).inserted else {
            builder.skip(.duplicate)
            return 0
        }
        if createdOrNil == nil { builder.adjust(.creationUnknown) }
        let created = createdOrNil ?? reviewed ?? Self.epochSeconds * 1000
        let card = ImportedCard(
            id: id, deck: deck(of: row, created: created), front: builder.fitted(row.text(at: 3) ?? ""),
            back: builder.fitted(row.text(at: 4) ?? ""), textModifiedMilliseconds: 0, cardModifiedMilliseconds: 0)
        builder.addCard(card, milliseconds: created, zoneMinutes: zone?(created) ?? 0)
        place(card, halfSteps: halfSteps, created: created, reviewed: reviewed, row)
        return card.front.utf8.count + card.back.utf8.count
    }

    private mutating func deck(of row: borrowing SQLiteStatement, created: Int64) -> UniqueID {
        if let number = row.integer(at: 2), let deck = decks[number] {
            decks[number]?.createdMilliseconds = min(created, deck.createdMilliseconds ?? created)
            return deck.deck.id
        }
        builder.adjust(.deckMissing)
        let stray = strayDeck ?? Deck(deck: ImportedDeck(id: ImportKey.coreData("deck", store: storeName, number: 0), title: deckTitle))
        strayDeck = Deck(deck: stray.deck, createdMilliseconds: min(created, stray.createdMilliseconds ?? created))
        return stray.deck.id
    }

    /// Places a card where the app had it: never reviewed, it is new whatever its box.
    private mutating func place(
        _ card: ImportedCard, halfSteps: Int64, created: Int64, reviewed: Int64?, _ row: borrowing SQLiteStatement
    ) {
        let passed = max(0, row.integer(at: 7) ?? 0)
        let failed = max(0, row.integer(at: 8) ?? 0)
        let level = Level(halfSteps: reviewed == nil ? 0 : halfSteps)
        let moment = max(created, reviewed ?? created)
        let zoneMinutes = zone?(moment) ?? 0
        let interval = BoxScheduler.standard.intervalDays(at: level)
        let day = StudyDay.of(wallMilliseconds: reviewed ?? created, zoneMinutes: zoneMinutes, rolloverHour: Self.rolloverHour)
        builder.place(
            card.id,
            CardPlaced(
                levelHalfSteps: UInt64(level.halfSteps), intervalDays: UInt64(interval),
                dueDay: Int64(day.advanced(by: Int64(interval)).days),
                passed: UInt64(passed), failed: UInt64(failed), lastReviewedMilliseconds: reviewed, source: ImportFormat.coreData.rawValue),
            milliseconds: moment, zoneMinutes: zoneMinutes)
    }

    // MARK: Values

    /// The identity in a column, sixteen bytes or a UUID's text; where there is none, the one that the row has in its store.
    private func identity(_ row: borrowing SQLiteStatement, at column: Int32, kind: String, number: Int64) -> UniqueID {
        let found: UniqueID? =
            switch row.storageClass(at: column) {
            case .blob where row.bytes(at: column).count == 16: UniqueID(bytes: row.bytes(at: column))
            case .text: row.text(at: column).flatMap { UniqueID($0) }
            default: nil
            }
        guard let found, found != .none else { return ImportKey.coreData(kind, store: storeName, number: number) }
        return found
    }

    /// A box to the nearest half; `nil` where it is no level.
    private static func halfSteps(_ row: borrowing SQLiteStatement, at column: Int32) -> Int64? {
        guard let box = row.real(at: column), box >= 0, box * 2 <= maximumHalfSteps else { return nil }
        return Int64((box * 2).rounded())
    }

    /// Milliseconds since 1970 of a time; `nil` where it is none that an event can have.
    private static func milliseconds(_ row: borrowing SQLiteStatement, at column: Int32) -> Int64? {
        guard let seconds = row.real(at: column), seconds.magnitude < 1e12 else { return nil }
        let milliseconds = Int64((seconds * 1000).rounded()) + epochSeconds * 1000
        return LogicalTime.wallMillisecondsRange.contains(milliseconds) ? milliseconds : nil
    }
}
