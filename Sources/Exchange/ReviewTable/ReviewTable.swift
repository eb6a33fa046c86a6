internal import EventCoding
internal import StudyModel
internal import TextFolding

/// A table of reviews in CSV, as FSRS tools exchange it.
///
/// | column | |
/// |--|--|
/// | card_id | a whole number |
/// | review_time | milliseconds since 1970 UTC, or ISO 8601 with offset |
/// | review_rating | 1 again, 2 hard, 3 good, 4 easy; 0 entered by hand |
/// | review_state | optional: 0 new, 1 learning, 2 review, 3 relearning, 4 practice, 5 rescheduled by hand |
/// | review_duration | optional: milliseconds |
///
/// In any order; other columns are ignored. What can't be read is an error that names line and column. What can be
/// read and can't be true is skipped and counted.
struct ReviewTable {
    enum Column: String, CaseIterable {
        case card = "card_id"
        case time = "review_time"
        case rating = "review_rating"
        case state = "review_state"
        case duration = "review_duration"

        var isNeeded: Bool { self != .state && self != .duration }
    }

    private let path: String
    private var reader: CSVReader
    /// Where each column is.
    private var positions: [Column: Int] = [:]
    private let zone: ((Int64) -> Int16?)?
    private var places: [Int64: Int32] = [:]
    private var builder = HistoryBuilder()

    /// Whether a file that begins with `bytes` is such a table.
    static func isHeader(_ bytes: [UInt8]) -> Bool {
        var reader = CSVReader(bytes)
        guard (try? reader.next()) == true else { return false }
        let names = Set(reader.fields.map { Self.name(reader.text($0)) })
        return names.contains(Column.card.rawValue) && (names.contains(Column.time.rawValue) || names.contains(Column.rating.rawValue))
    }

    init(_ bytes: [UInt8], path: String, zone: ((Int64) -> Int16?)?) {
        reader = CSVReader(bytes)
        self.path = path
        self.zone = zone
    }

    /// Reads all of it.
    consuming func read(deckTitle: String, progress: ReadingProgress?) throws(ImportError) -> HistoryBuilder {
        try readHeader()
        var rowCount = 0
        while try next() {
            if !reader.isBlank { try readRow() }
            rowCount += 1
            if rowCount & 0xFFF == 0 { try progress?(reader.offset, reader.bytes.count) }
        }
        try progress?(reader.bytes.count, reader.bytes.count)
        addCards(deckTitle: deckTitle)
        return builder
    }

    // MARK: Lines

    private mutating func next() throws(ImportError) -> Bool {
        do throws(CSVReader.CSVError) {
            return try reader.next()
        } catch {
            throw ImportError(path: path, place: .line(error.line, field: nil), reason: error.reason)
        }
    }

    private static func name(_ text: String) -> String { text.filter { !$0.isWhitespace }.lowercased() }

    private mutating func readHeader() throws(ImportError) {
        guard try next() else { throw fault(.card, .missing("the line of column names")) }
        for (position, field) in reader.fields.enumerated() {
            guard let column = Column(rawValue: Self.name(reader.text(field))) else { continue }
            guard positions[column] == nil else { throw fault(column, .duplicate("the column")) }
            positions[column] = position
        }
        for column in Column.allCases where column.isNeeded && positions[column] == nil {
            throw fault(column, .missing("the column"))
        }
    }

    private mutating func readRow() throws(ImportError) {
        // All fields are read before any is judged: a malformed one is an error, whatever the others say.
        let number = try wholeNumber(.card)
        let time = try time()
        let rating = try wholeNumber(.rating)
        let state = try optionalNumber(.state, isWhole: true)
        let took = try optionalNumber(.duration, isWhole: false)

        if rating == 0 || state == 5 { return builder.skip(.manual) }
        if let state, !(0...4).contains(state) { return builder.skip(.unknownKind) }
        guard (1...4).contains(rating) else { return builder.skip(.gradeOutOfRange) }
        guard number >= 0, number < .max else { return builder.skip(.cardNumberOutOfRange) }
        builder.addAnswer(
            card: place(of: number), milliseconds: time.milliseconds, zoneMinutes: zone?(time.milliseconds) ?? time.zoneMinutes,
            kind: state == 4 ? .practised : .reviewed, grade: UInt8(rating), tookMilliseconds: took)
    }

    // MARK: Fields

    private func fault(_ column: Column, _ reason: ImportError.Reason) -> ImportError {
        ImportError(path: path, place: .line(max(1, reader.line), field: column.rawValue), reason: reason)
    }

    /// The bytes of the field, without white space around them; `nil` where the column or the field isn't there.
    private func bytes(_ column: Column) -> ArraySlice<UInt8>? {
        guard let position = positions[column], position < reader.fields.count else { return nil }
        var bytes = reader.bytes[reader.fields[position].range]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes.isEmpty ? nil : bytes
    }

    private func wholeNumber(_ column: Column) throws(ImportError) -> Int64 {
        guard let bytes = bytes(column) else { throw fault(column, .missing("the value")) }
        guard let value = Self.number(bytes, isWhole: true) else { throw fault(column, .notANumber(Self.excerpt(bytes))) }
        return value
    }

    private func optionalNumber(_ column: Column, isWhole: Bool) throws(ImportError) -> Int64? {
        guard let bytes = bytes(column) else { return nil }
        guard let value = Self.number(bytes, isWhole: isWhole) else { throw fault(column, .notANumber(Self.excerpt(bytes))) }
        return value
    }

    private func time() throws(ImportError) -> (milliseconds: Int64, zoneMinutes: Int16) {
        guard let bytes = bytes(.time) else { throw fault(.time, .missing("the value")) }
        if let milliseconds = Self.number(bytes, isWhole: false) { return (milliseconds, 0) }
        guard let moment = ZonedTime(iso: String(decoding: bytes, as: UTF8.self)) else {
            throw fault(.time, .notATime(Self.excerpt(bytes)))
        }
        return (moment.wallMilliseconds, moment.zoneMinutes)
    }

    private static func excerpt(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self).prefix(utf8Count: 60) }

    /// A number in decimal digits, clamped to 64 bits. Tables that went through a spreadsheet have fractions: they are
    /// cut off, and have to be zero where `isWhole`.
    static func number(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> Int64? {
        var rest = bytes
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var magnitude: Int64 = 0
        var digitCount = 0
        while let unit = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= unit {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = product.addingReportingOverflow(Int64(unit - UInt8(ascii: "0")))
            magnitude = overflow || overflow2 ? .max : sum
            digitCount += 1
            rest.removeFirst()
        }
        guard digitCount > 0 else { return nil }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let allowed = UInt8(ascii: "0")...UInt8(ascii: isWhole ? "0" : "9")
            guard rest.allSatisfy({ allowed ~= $0 }) else { return nil }
            rest.removeAll()
        }
        return rest.isEmpty ? (isNegative ? -magnitude : magnitude) : nil
    }

    // MARK: Cards

    private mutating func place(of number: Int64) -> Int32 {
        if let place = places[number] { return place }
        let place = builder.addCard(ImportKey.card(csvNumber: number))
        places[number] = place
        return place
    }

    /// A card of such a table is known by its number alone: that is its front. All lie in one deck.
    private mutating func addCards(deckTitle: String) {
        let title = builder.fitted(deckTitle)
        let deck = ImportedDeck(id: ImportKey.deck(csvTitle: title), title: title)
        var earliest: HistoryBuilder.FirstAnswer?
        for (number, place) in places.sorted(by: { $0.key < $1.key }) {
            guard let first = builder.firstAnswer(of: place) else { continue }
            if earliest.map({ first.milliseconds < $0.milliseconds }) ?? true { earliest = first }
            let card = ImportedCard(
                id: ImportKey.card(csvNumber: number), deck: deck.id, front: String(number), back: "", textModifiedMilliseconds: 0,
                cardModifiedMilliseconds: 0)
            builder.addCard(card, milliseconds: first.milliseconds, zoneMinutes: first.zoneMinutes)
        }
        if let earliest { builder.addDeck(deck, milliseconds: earliest.milliseconds, zoneMinutes: earliest.zoneMinutes) }
    }
}
