internal import EventCoding
internal import Hashing
internal import StudyModel

/// A question as its row has it.
struct RawQuestion {
    /// From 1, in the order of the table.
    var row: Int
    /// What the row calls itself.
    var key: String?
    /// How a condition's row is told from others: its key and its text.
    var mark: String
    var prompt: String?
    /// Key of the word that it is about.
    var word: String?
    /// The options in their places; `nil` where a place is empty.
    var options: [String?] = []
    var right = Right.none
    /// A text that isn't text was met.
    var isDamaged = false

    enum Right {
        case none
        /// Places of the options that are marked.
        case places([Int])
        /// What a column says: the right option's text, letter, number or column. A number alone where it is stored as one.
        case value(String, isNumber: Bool)
    }
}

struct RawWord {
    var row: Int
    var key: String?
    var word: String?
    var entry: String
    var isDamaged = false
}

/// Makes content of rows: checks each, finds its right option, and gives it an identity that stays.
struct PackBuilder {
    private(set) var content: PackContent
    private let identity: String
    /// Names of the columns of options, where options lie in columns.
    var optionColumns: [String] = []
    /// Where each question of the content lay: its mark in the file.
    private(set) var placesOfMarks: [String: [Int]] = [:]
    private var wordIDs: [String: UniqueID] = [:]

    /// - Parameter identity: what the pack calls itself, whatever its version.
    init(identity: String, name: String, digest: SHA256Digest) {
        self.identity = identity
        content = PackContent(id: Self.packID(identity), name: name, digest: digest)
    }

    static func packID(_ identity: String) -> UniqueID { uniqueID(namespace: "pack", [identity]) }

    private func id(_ kind: String, _ how: String, _ parts: [String]) -> UniqueID {
        uniqueID(namespace: kind, [identity, how] + parts)
    }

    /// Whether every row calls itself something, and no two the same.
    private static func areKeys(_ keys: [String?]) -> Bool {
        var seen: Set<String> = []
        return keys.allSatisfy { key in key.map { seen.insert($0).inserted } ?? false }
    }

    // MARK: Words

    /// Takes the words of a table.
    mutating func add(words: [RawWord], of table: String) {
        let hasKeys = Self.areKeys(words.map(\.key))
        let counts = Dictionary(words.map { ($0.word ?? "", 1) }, uniquingKeysWith: +)
        var known: Set<UniqueID> = []
        content.words.reserveCapacity(words.count)
        for raw in words {
            func skip(_ reason: SkippedRow.Reason) { content.skip(table, row: raw.row, key: raw.key, reason) }
            guard !raw.isDamaged else { skip(.notText); continue }
            guard let word = raw.word, !word.isEmpty else { skip(.noWord); continue }
            guard max(word.utf8.count, raw.entry.utf8.count) <= FieldLimit.textBytes else { skip(.tooLong); continue }
            let id: UniqueID =
                if hasKeys, let key = raw.key {
                    id("pack-word", "key", [key])
                } else {
                    id("pack-word", "text", counts[word] == 1 ? [word] : [word, raw.entry])
                }
            guard known.insert(id).inserted else { skip(.copy); continue }
            if let key = raw.key, wordIDs[key] == nil { wordIDs[key] = id }
            content.words.append(PackWord(id: id, word: word, entry: raw.entry))
        }
    }

    // MARK: Questions

    /// Takes the questions of a table.
    ///
    /// - Parameter areWords: whether each row is a word too, the right option being how it is written.
    mutating func add(questions: [RawQuestion], of table: String, areWords: Bool = false) {
        let hasKeys = Self.areKeys(questions.map(\.key))
        let counts = Dictionary(questions.map { ($0.prompt ?? "", 1) }, uniquingKeysWith: +)
        let base = numberBase(of: questions)
        var known: Set<UniqueID> = []
        content.questions.reserveCapacity(questions.count)
        for raw in questions {
            let checked: Checked
            do throws(Skip) { checked = try check(raw, base: base) } catch {
                content.skip(table, row: raw.row, key: raw.key, error.reason)
                continue
            }
            let isAlone = counts[raw.prompt ?? ""] == 1
            let parts = isAlone && !areWords ? [checked.prompt] : [checked.prompt] + checked.options
            let id =
                if hasKeys, let key = raw.key { id("pack-question", "key", [key]) } else { id("pack-question", "text", parts) }
            guard known.insert(id).inserted else {
                content.skip(table, row: raw.row, key: raw.key, .copy)
                continue
            }
            var item = raw.word.flatMap { wordIDs[$0] } ?? id
            if areWords {
                let word = checked.options[checked.right]
                item = hasKeys ? self.id("pack-word", "key", [raw.key ?? ""]) : self.id("pack-word", "text", [word] + parts)
                content.words.append(PackWord(id: item, word: word, entry: ""))
            }
            placesOfMarks[raw.mark, default: []].append(content.questions.count)
            content.questions.append(
                PackQuestion(id: id, item: item, prompt: checked.prompt, options: checked.options, right: checked.right))
        }
    }

    private struct Skip: Error {
        let reason: SkippedRow.Reason
    }

    private struct Checked {
        var prompt: String
        var options: [String]
        var right: Int
    }

    private func check(_ raw: RawQuestion, base: Int) throws(Skip) -> Checked {
        guard !raw.isDamaged else { throw Skip(reason: .notText) }
        var options: [String] = []
        // Where the option of each place went.
        var places: [Int: Int] = [:]
        for (place, option) in raw.options.enumerated() {
            guard let option, !option.isEmpty else { continue }
            places[place] = options.count
            options.append(option)
        }
        guard options.count >= 2 else { throw Skip(reason: .tooFewOptions) }
        guard options.count <= 8 else { throw Skip(reason: .tooManyOptions) }
        // Exactly the same: to Swift's own equality, "é" and "e" with an accent are one.
        guard Set(options.map { Array($0.utf8) }).count == options.count else { throw Skip(reason: .sameOption) }
        guard let prompt = raw.prompt, !prompt.isEmpty else { throw Skip(reason: .noPrompt) }
        guard ([prompt] + options).allSatisfy({ $0.utf8.count <= FieldLimit.textBytes }) else { throw Skip(reason: .tooLong) }
        guard let right = try right(of: raw, options, places, base: base) else { throw Skip(reason: .noRight) }
        return Checked(prompt: prompt, options: options, right: right)
    }

    private func right(of raw: RawQuestion, _ options: [String], _ places: [Int: Int], base: Int) throws(Skip) -> Int? {
        switch raw.right {
        case .none: return nil
        case .places(let marked):
            guard marked.count <= 1 else { throw Skip(reason: .severalRight) }
            return marked.first.flatMap { places[$0] }
        case .value(let value, let isNumber):
            if !isNumber, let place = Self.place(of: value, in: options) { return place }
            if let number = Int(value) {
                let place = number.subtractingReportingOverflow(base)
                if !place.overflow, let found = places[place.partialValue] { return found }
                return isNumber ? Self.place(of: value, in: options) : nil
            }
            let plain = PackShape.plain(value)
            if let column = optionColumns.firstIndex(where: { PackShape.plain($0) == plain }) { return places[column] }
            let letters = Array("abcdefgh")
            return plain.count == 1 ? plain.first.flatMap { letters.firstIndex(of: $0) }.flatMap { places[$0] } : nil
        }
    }

    private static func place(of text: String, in options: [String]) -> Int? {
        options.firstIndex { $0.utf8.elementsEqual(text.utf8) }
    }

    /// What the first option's number is: 0 where any row says so, else 1.
    private func numberBase(of questions: [RawQuestion]) -> Int {
        let saysZero = questions.contains { raw in
            guard case .value(let value, let isNumber) = raw.right, Int(value) == 0 else { return false }
            return isNumber || Self.place(of: value, in: raw.options.compactMap(\.self)) == nil
        }
        return saysZero ? 0 : 1
    }

    // MARK: Test types

    /// Takes a test type. Of several with one id the first counts.
    mutating func add(type: PackTestType) {
        let isCopy = content.types.contains { $0.id == type.id }
        guard isCopy else { return content.types.append(type) }
        content.types.append(
            PackTestType(
                id: "\(type.id) (\(content.types.count + 1))", title: type.title, explanation: type.explanation, condition: type.condition,
                questions: [], refusal: "another test type before it has the same id"))
    }
}
