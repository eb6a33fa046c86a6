internal import EventCoding
internal import StudyModel
internal import TextFolding

/// Reads the rows of a list of cards: comma or tab-separated values, or Anki's text form.
///
/// The first two columns that hold no deck, tags or the like are front and back; what further ones hold goes to the back,
/// a line each. A first row that names columns (`front`, `back`, `deck`, …) says it otherwise.
struct ListReader {
    /// So much of a front is told of a row that is skipped.
    private static let excerptBytes = 200

    private let path: String
    private let header: ListHeader
    private var reader: CSVReader
    private var columns: ListColumns
    /// Whether cells are taken as they are, without taking marks of formulas off.
    private let isRaw: Bool
    /// Whether the list is a table that Engram wrote, whose texts have the white space around them that their cards have.
    private var isOwn = false
    private var skipped: [ImportedList.Skipped] = []
    private var rows: [ImportedList.Row] = []

    init(_ text: [UInt8], path: String, isRaw: Bool) throws(ImportError) {
        self.path = path
        self.isRaw = isRaw
        header = ListHeader(text)
        let separator = header.separator ?? ListSeparator.find(in: text, from: header.end)
        reader = CSVReader(text, separator: separator, commentMark: UInt8(ascii: "#"), from: header.end, line: header.endLine)
        columns = ListColumns(special: header.special)
        for (line, comment) in header.comments { skipComment(comment, line: line) }
        if let names = header.columns {
            var fields = CSVReader(names, separator: separator, from: 0, line: 1)
            if (try? fields.next()) == true {
                columns = ListColumns(names: fields.fields.map { ListText.trimmed(fields.text($0)) }, special: header.special)
            }
        } else {
            try readNames()
        }
    }

    /// Reads all of it.
    consuming func read(
        name: String, stem: String, digest: SHA256Digest, progress: ReadingProgress?
    ) throws(ImportError) -> ImportedList {
        var count = 0
        while try next() {
            readRow()
            count += 1
            guard rows.count + skipped.count <= CSVReader.maximumRows else {
                let reason = ImportError.Reason.tooMany("rows", limit: CSVReader.maximumRows)
                throw ImportError(path: path, place: .line(reader.line, field: nil), reason: reason)
            }
            if count & 0xFFF == 0 { try progress?(reader.offset, reader.bytes.count) }
        }
        return ImportedList(
            name: name, digest: digest, deck: header.deck, fallbackDeck: stem, onMatch: header.onMatch, rows: rows,
            skipped: skipped.sorted { $0.line < $1.line })
    }

    // MARK: Rows

    private mutating func next() throws(ImportError) -> Bool {
        do throws(CSVReader.CSVError) {
            return try reader.next()
        } catch {
            throw ImportError(path: path, place: .line(error.line, field: nil), reason: error.reason)
        }
    }

    /// Takes the first row where it names the columns, and leaves it where it is where it doesn't.
    private mutating func readNames() throws(ImportError) {
        let beginning = reader
        while try next() {
            if reader.isBlank || reader.isComment { continue }
            let names = reader.fields.map { ListText.trimmed(reader.text($0)) }
            let (isHeader, missing) = ListColumns.header(names)
            if let missing { throw ImportError(path: path, place: .line(reader.line, field: missing), reason: .missing("the column")) }
            guard isHeader else { break }
            columns = ListColumns(names: names, special: header.special)
            isOwn = names == CardTable.columns && !header.isHTML
            return
        }
        reader = beginning
    }

    /// A comment that would be a row but for its `#` is told, so that no card is lost without a word.
    private mutating func skipComment(_ line: ArraySlice<UInt8>, line number: Int) {
        guard line.contains(reader.separator) else { return }
        skip(.comment, line: number, front: String(decoding: line, as: UTF8.self))
    }

    private mutating func skip(_ reason: SkipReason, line: Int, front: String) {
        skipped.append(ImportedList.Skipped(line: line, reason: reason, front: front.prefix(utf8Count: Self.excerptBytes)))
    }

    private mutating func readRow() {
        if reader.isBlank { return }
        if reader.isComment { return skipComment(reader.bytes[reader.fields[0].range], line: reader.line) }
        let fields = reader.fields.indices.prefix(ListColumns.maximumCount)
        guard let front = text(columns.front), !front.isEmpty else {
            return skip(.emptyFront, line: reader.line, front: "")
        }
        var back = text(columns.back)
        for index in fields where columns.isFurther(index) {
            guard let more = text(index), !more.isEmpty else { continue }
            back = back.map { $0.isEmpty ? more : $0 + "\n" + more } ?? more
        }
        guard let back else { return skip(.oneColumn, line: reader.line, front: front) }
        guard front.utf8.count <= FieldLimit.textBytes, back.utf8.count <= FieldLimit.textBytes else {
            return skip(.textTooLong, line: reader.line, front: front)
        }
        rows.append(
            ImportedList.Row(
                line: reader.line, deck: columns.deck.flatMap { text($0) }.flatMap { $0.isEmpty ? nil : $0 }, front: front, back: back,
                identity: identity))
    }

    /// A card's own identity, or the one that another program's stands for.
    private var identity: UniqueID? {
        if let id = columns.cardID.flatMap({ text($0) }).flatMap({ UniqueID($0) }), id != .none { return id }
        // Another program's, as it stands: an apostrophe in one is no mark.
        guard let index = columns.identity, index < reader.fields.count else { return nil }
        let identity = plain(index)
        return identity.isEmpty ? nil : ImportKey.card(listIdentity: identity)
    }

    /// The text of the field at `index` without white space around it, nothing else taken off.
    private func plain(_ index: Int) -> String {
        let text = reader.text(reader.fields[index])
        return ListText.trimmed(header.isHTML ? HTMLText(Array(text.utf8).span).text : text)
    }

    /// The text of the field at `index`; `nil` where the row has none.
    private func text(_ index: Int) -> String? {
        guard index < reader.fields.count else { return nil }
        let field = reader.text(reader.fields[index])
        if isOwn { return isRaw ? field : FormulaMark.unmarked(field) }
        let text = isRaw ? field : FormulaMark.unmarked(ListText.trimmed(field))
        guard header.isHTML else { return ListText.trimmed(text) }
        return ListText.trimmed(HTMLText(Array(text.utf8).span).text)
    }
}
