internal import EventCoding
internal import SQLite
internal import StudyModel

/// Reads a database into content, as a map says.
struct PackReader {
    private let database: SQLiteDatabase
    private let path: String
    private var tables: [(name: String, columns: [String])] = []
    private let rows: RowCounter
    private let conditionSteps: Int
    /// What is left for the conditions of all test types together.
    private var stepsLeft: Int

    /// More rows than this in one table are refused.
    private static let rowLimit = 2_000_000

    init(_ database: SQLiteDatabase, path: String, conditionSteps: Int, rows: RowCounter) {
        self.database = database
        self.path = path
        self.conditionSteps = conditionSteps
        self.rows = rows
        stepsLeft = conditionSteps.multipliedReportingOverflow(by: 4).partialValue
    }

    /// Errors of the database come out as they are; those of the pack inside of one that says where.
    mutating func read(map given: PackMap?, givenName: String?, digest: SHA256Digest) throws(SQLiteError) -> PackContent {
        for table in try database.tables() { tables.append((table, try database.columns(of: table))) }
        let own = try ownName()
        let map = if let given { given } else if own != nil { PackMap.own(columns(of:)) } else { try shape() }
        try check(map)
        for table in map.tables { rows.total += try count(table) }
        let name = givenName ?? map.name ?? own?.name ?? PackContent.fileName(path)
        guard name.utf8.count <= 1000 else { throw fault("engram_pack", "the name is longer than 1000 bytes") }
        var builder = PackBuilder(identity: own?.id ?? name, name: name, digest: digest)
        if let words = map.words { builder.add(words: try read(words), of: words.table) }
        if let questions = map.questions { try add(questions, to: &builder) }
        guard !builder.content.questions.isEmpty || !builder.content.words.isEmpty else {
            throw fault(
                map.questions?.table ?? map.words?.table ?? "",
                "no row became a question or a word" + (builder.content.skipped.first.map { "; the first: \($0.reason.rawValue)" } ?? ""))
        }
        for type in try types(map) { builder.add(type: try resolve(type, map.questions, builder)) }
        return builder.content
    }

    private func columns(of table: String) -> [String] {
        tables.first { $0.name.lowercased() == table.lowercased() }?.columns ?? []
    }

    private func count(_ table: String) throws(SQLiteError) -> Int {
        var statement = try database.prepare("SELECT count(*) FROM \(quotedName(table))")
        return try statement.step() ? Int(clamping: statement.integer(at: 0) ?? 0) : 0
    }

    private func fault(_ place: String, _ why: String) -> SQLiteError {
        SQLiteError(code: .error, path: path, statement: place.isEmpty ? nil : place, message: why)
    }

    // MARK: What lies where

    /// The identity and the name of a pack of Engram's own form; `nil` where it isn't one.
    private func ownName() throws(SQLiteError) -> (id: String, name: String)? {
        let columns = columns(of: "engram_pack").map { $0.lowercased() }
        guard !columns.isEmpty else { return nil }
        guard columns.contains("name") else { throw fault("engram_pack", "the column name is missing") }
        let id = columns.contains("id") ? "id" : "name"
        let format = columns.contains("format") ? "format" : "1"
        var row = try database.prepare("SELECT name, \(id), \(format) FROM engram_pack")
        guard try row.step(), let name = row.text(at: 0), !name.isEmpty else { throw fault("engram_pack", "has no row with a name") }
        guard let version = row.integer(at: 2), version == 1 else {
            throw fault("engram_pack.format", "is \(row.text(at: 2) ?? "nothing"), and this program knows 1; use a newer engram")
        }
        return (row.text(at: 1).flatMap { $0.isEmpty ? nil : $0 } ?? name, name)
    }

    private func shape() throws(SQLiteError) -> PackMap {
        do throws(PackShape.ShapeError) { return try PackShape(tables).map() } catch {
            switch error {
            case .nothingFound:
                throw fault("", "no table of questions or words was found; describe the tables with --map, as docs/packs.md says")
            case .ambiguous(let tables):
                throw fault(
                    "", "the questions could be in any of \(tables.joined(separator: ", ")); say which with --map, as docs/packs.md says")
            }
        }
    }

    /// Every table and column that the map names must be there.
    private func check(_ map: PackMap) throws(SQLiteError) {
        func check(_ table: String, _ wanted: [String?]) throws(SQLiteError) {
            let columns = columns(of: table)
            guard !columns.isEmpty else { throw fault(table, "there is no such table") }
            let known = Set(columns.map { $0.lowercased() } + ["rowid"])
            for case let column? in wanted where !known.contains(column.lowercased()) {
                throw fault(table, "the column \(column) is missing; it has \(columns.joined(separator: ", "))")
            }
        }
        if let words = map.words { try check(words.table, [words.key, words.word, words.entry]) }
        if let types = map.types { try check(types.table, [types.key, types.title, types.explanation, types.condition]) }
        guard let questions = map.questions else { return }
        var wanted = [questions.key, questions.word]
        if case .column(let prompt) = questions.prompt { wanted.append(prompt) }
        switch questions.options {
        case .columns(let columns, let right): wanted += columns + [right]
        case .rightAndWrong(let right, let wrong): wanted += [right] + wrong
        case .table(let table, let question, let text, let right, let order):
            guard questions.key != nil else { throw fault(questions.table, "the options lie in another table: name the id") }
            try check(table, [question, text, right, order])
        }
        try check(questions.table, wanted)
    }

    // MARK: Rows

    /// Hands over the rows of a table, in the order in which they were written where the table keeps one.
    private func forEachRow(
        of table: String, _ columns: [String?], order: [String]? = nil, _ body: (Int, borrowing SQLiteStatement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let list = columns.map { $0.map { quotedName($0) } ?? "NULL" }.joined(separator: ", ")
        let start = "SELECT \(list) FROM \(quotedName(table))"
        var statement: SQLiteStatement
        if let order {
            statement = try database.prepare(start + " ORDER BY " + order.map { quotedName($0) }.joined(separator: ", "))
        } else if let ordered = try? database.prepare(start + " ORDER BY rowid") {
            statement = ordered
        } else {
            statement = try database.prepare(start)
        }
        var row = 0
        while try statement.step() {
            row += 1
            rows.count()
            guard row <= Self.rowLimit else { throw fault(table, "has more than \(Self.rowLimit) rows") }
            try body(row, statement)
        }
    }

    private func read(_ words: PackMap.WordColumns) throws(SQLiteError) -> [RawWord] {
        var result: [RawWord] = []
        try forEachRow(of: words.table, [words.key, words.word, words.entry]) { row, statement in
            result.append(
                RawWord(
                    row: row, key: statement.text(at: 0), word: statement.text(at: 1), entry: statement.text(at: 2) ?? "",
                    isDamaged: (1...2).contains { statement.storageClass(at: $0) == .blob }))
        }
        return result
    }

    private func add(_ questions: PackMap.Questions, to builder: inout PackBuilder) throws(SQLiteError) {
        let source = Self.promptSource(questions)
        var optionColumns: [String] = []
        var tail: [String] = []
        switch questions.options {
        case .columns(let columns, let right):
            optionColumns = columns
            tail = [right]
            builder.optionColumns = columns
        case .rightAndWrong(let right, let wrong): optionColumns = [right] + wrong
        case .table: break
        }
        let options = try optionsByQuestion(questions.options)
        var raws: [RawQuestion] = []
        try forEachRow(of: questions.table, [questions.key, source, questions.word] + optionColumns + tail) { row, statement in
            var raw = RawQuestion(row: row, key: statement.text(at: 0), mark: Self.mark(statement), word: statement.text(at: 2))
            raw.isDamaged = source != nil && statement.storageClass(at: 1) == .blob
            for column in 3..<Int32(3 + optionColumns.count) {
                raw.options.append(statement.text(at: column))
                if statement.storageClass(at: column) == .blob { raw.isDamaged = true }
            }
            switch questions.options {
            case .columns:
                let column = Int32(3 + optionColumns.count)
                if let value = statement.text(at: column), !value.isEmpty {
                    raw.right = .value(value, isNumber: statement.storageClass(at: column) == .integer)
                }
            case .rightAndWrong: raw.right = .places(raw.options.first.flatMap(\.self).map { $0.isEmpty } ?? true ? [] : [0])
            case .table:
                if let found = raw.key.flatMap({ options[$0] }) {
                    raw.options = found.texts
                    raw.right = .places(found.right)
                    raw.isDamaged = raw.isDamaged || found.isDamaged
                }
            }
            switch questions.prompt {
            case .column: raw.prompt = statement.text(at: 1)
            case .text(let text): raw.prompt = text
            case .fromOptions: raw.prompt = StressedText.prompt(for: raw.options.compactMap(\.self).filter { !$0.isEmpty })
            }
            raws.append(raw)
        }
        builder.add(questions: raws, of: questions.table, areWords: questions.prompt == .fromOptions && questions.word == nil)
    }

    /// The column that tells one question from another where its key doesn't.
    private static func promptSource(_ questions: PackMap.Questions) -> String? {
        if case .column(let column) = questions.prompt { return column }
        switch questions.options {
        case .rightAndWrong(let right, _): return right
        case .columns(let columns, _): return columns.first
        case .table: return nil
        }
    }

    /// What tells a row from others: the key in the first column, the text in the second.
    private static func mark(_ statement: borrowing SQLiteStatement) -> String {
        (statement.text(at: 0) ?? "") + "\u{1F}" + (statement.text(at: 1) ?? "")
    }

    private struct OptionRows {
        var texts: [String?] = []
        var right: [Int] = []
        var isDamaged = false
    }

    private func optionsByQuestion(_ options: PackMap.Options) throws(SQLiteError) -> [String: OptionRows] {
        guard case .table(let table, let question, let text, let right, let order) = options else { return [:] }
        var result: [String: OptionRows] = [:]
        try forEachRow(of: table, [question, text, right], order: order.map { [question, $0] }) { _, statement in
            guard let key = statement.text(at: 0) else { return }
            var rows = result[key] ?? OptionRows()
            // One more than is allowed tells that there are too many.
            if rows.texts.count <= 8 {
                if Self.isTrue(statement.text(at: 2)) { rows.right.append(rows.texts.count) }
                rows.texts.append(statement.text(at: 1))
                rows.isDamaged = rows.isDamaged || statement.storageClass(at: 1) == .blob
            }
            result[key] = rows
        }
        return result
    }

    private static func isTrue(_ text: String?) -> Bool {
        ["1", "1.0", "true", "t", "yes", "y", "x", "да"].contains(text?.lowercased() ?? "")
    }

    // MARK: Test types

    private func types(_ map: PackMap) throws(SQLiteError) -> [PackMap.SpelledType] {
        var result = map.spelledTypes
        guard let types = map.types else { return result }
        try forEachRow(of: types.table, [types.key, types.title, types.explanation, types.condition]) {
            row, statement throws(SQLiteError) in
            guard row <= 1000 else { throw fault(types.table, "has more than 1000 rows") }
            let title = statement.text(at: 1) ?? ""
            let id = statement.text(at: 0) ?? title
            guard !id.isEmpty, id.utf8.count <= 1000, title.utf8.count <= 1000, (statement.text(at: 2) ?? "").utf8.count <= 10_000 else {
                throw fault("\(types.table), row \(row)", "it has no id and no title, or a text that is too long")
            }
            result.append(
                PackMap.SpelledType(
                    id: id, title: title.isEmpty ? id : title, explanation: statement.text(at: 2) ?? "",
                    condition: statement.text(at: 3) ?? ""))
        }
        return result
    }

    /// The questions that a test type's condition picks; where that can't be told, why.
    private mutating func resolve(
        _ type: PackMap.SpelledType, _ questions: PackMap.Questions?, _ builder: PackBuilder
    ) throws(SQLiteError) -> PackTestType {
        let all = Array(builder.content.questions.indices)
        func made(_ places: [Int], refusal: String? = nil) -> PackTestType {
            PackTestType(
                id: type.id, title: type.title, explanation: type.explanation, condition: type.condition, questions: places,
                refusal: refusal)
        }
        guard let questions else { return made([], refusal: "the pack has no questions") }
        guard type.condition.contains(where: { !$0.isWhitespace }) else { return made(all) }
        guard type.condition.utf8.count <= FieldLimit.textBytes else { return made([], refusal: "it is longer than 65536 bytes") }
        var columns = [questions.key, Self.promptSource(questions)].compactMap(\.self)
        let hasKey = questions.key != nil
        if columns.isEmpty { columns = ["rowid"] }
        var places: Set<Int> = []
        var rights = ConditionRights(tables: tables.map(\.name))
        rights.steps = min(conditionSteps, stepsLeft)
        guard rights.steps > 0 else { return made([], refusal: "those before it took too long") }
        do throws(SQLiteError) {
            stepsLeft -= try database.forEachRow(of: questions.table, columns: columns, where: type.condition, rights: rights) {
                statement in
                let key = hasKey ? statement.text(at: 0) ?? "" : ""
                let text = statement.text(at: hasKey ? 1 : 0) ?? ""
                places.formUnion(builder.placesOfMarks[key + "\u{1F}" + text] ?? [])
            }
        } catch {
            switch error.code.primary {
            case .notAuthorised: return made([], refusal: "it would do more than look at the pack's tables: \(error.message)")
            case .interrupted:
                stepsLeft -= rights.steps
                return made([], refusal: "it takes too long")
            case .tooBig: return made([], refusal: "it takes too much memory: \(error.message)")
            case .corrupt, .outOfMemory, .inputOutput: throw error
            default: return made([], refusal: "it can't be read as a condition: \(error.message)")
            }
        }
        return made(places.sorted())
    }
}
