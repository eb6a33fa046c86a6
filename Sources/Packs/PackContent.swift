package import EventCoding

/// A word of a pack, with what its dictionary says.
package struct PackWord: Hashable, Sendable {
    package let id: UniqueID
    package let word: String
    /// What is said of the word; empty where the pack says nothing.
    package let entry: String

    package init(id: UniqueID, word: String, entry: String) {
        self.id = id
        self.word = word
        self.entry = entry
    }
}

/// A question of a pack: 2 to 8 options that all differ, and the right one.
package struct PackQuestion: Hashable, Sendable {
    package let id: UniqueID
    /// What a wrong answer makes a mistake: the word that the question is about, or the question itself.
    package let item: UniqueID
    package let prompt: String
    /// As the pack has them.
    package let options: [String]
    /// Index of the right option.
    package let right: Int

    package init(id: UniqueID, item: UniqueID, prompt: String, options: [String], right: Int) {
        self.id = id
        self.item = item
        self.prompt = prompt
        self.options = options
        self.right = right
    }
}

/// A kind of test that a pack offers.
package struct PackTestType: Hashable, Sendable {
    /// Unique within the pack.
    package let id: String
    package let title: String
    package let explanation: String
    /// The expression that picks its questions; empty where all of them are meant.
    package let condition: String
    /// Places of its questions in the pack's list, in order.
    package let questions: [Int]
    /// Why its condition was refused; such a type is offered to nobody.
    package let refusal: String?

    package init(id: String, title: String, explanation: String, condition: String, questions: [Int], refusal: String? = nil) {
        self.id = id
        self.title = title
        self.explanation = explanation
        self.condition = condition
        self.questions = questions
        self.refusal = refusal
    }
}

/// What a pack holds, read once from its file.
package struct PackContent: Hashable, Sendable {
    /// Follows from what the pack calls itself, so that a newer version of it is the same pack.
    package let id: UniqueID
    package let name: String
    /// SHA-256 of the file.
    package let digest: SHA256Digest
    /// Digest of how the file was read: the rules of this program, and the map.
    package internal(set) var reading = SHA256Digest.zero
    package var words: [PackWord] = []
    package var questions: [PackQuestion] = []
    package var types: [PackTestType] = []
    /// The first rows that became nothing, with the reason of each.
    package var skipped: [SkippedRow] = []
    /// How many there are in all.
    package var skippedCount = 0

    package init(id: UniqueID, name: String, digest: SHA256Digest) {
        self.id = id
        self.name = name
        self.digest = digest
    }

    static let skippedLimit = 100

    mutating func skip(_ table: String, row: Int, key: String?, _ reason: SkippedRow.Reason) {
        skippedCount += 1
        if skipped.count < Self.skippedLimit { skipped.append(SkippedRow(table: table, row: row, key: key, reason: reason)) }
    }
}

/// A row that became neither a question nor a word.
package struct SkippedRow: Hashable, Sendable {
    package let table: String
    /// From 1, in the order of the table.
    package let row: Int
    /// What the row calls itself, where it does.
    package let key: String?
    package let reason: Reason

    /// Why a row was left out.
    package enum Reason: String, Hashable, Sendable {
        case noPrompt = "it has no question text"
        case noWord = "it has no word"
        case tooFewOptions = "it has fewer than 2 options"
        case tooManyOptions = "it has more than 8 options"
        case sameOption = "it has the same option twice"
        case noRight = "it has no right option"
        case severalRight = "it has more than one right option"
        case tooLong = "a text of it is longer than 65536 bytes"
        case notText = "a text of it isn't text"
        case copy = "it says the same as a row before"
    }
}
