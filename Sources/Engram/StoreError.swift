public import EventCoding

/// Why something couldn't be done. Nothing was changed.
public enum StoreError: Error, Hashable, Sendable {
    /// What an identity or a name stands for.
    public enum Noun: String, Hashable, Sendable {
        /// A deck.
        case deck
        /// A card.
        case card
        /// An event.
        case event
        /// A card, word or question, as a thing that can be a favourite or a mistake.
        case item
        /// A study session.
        case session
        /// A pack of words and questions.
        case pack
        /// A kind of test.
        case testType = "test type"
        /// A question of the test that goes on.
        case question
        /// An option of a question.
        case option
        /// A test.
        case quiz
    }

    /// What a test doesn't allow.
    public enum QuizFault: Hashable, Sendable {
        /// No test goes on.
        case noneOpen
        /// A test goes on already.
        case openAlready(UniqueID)
        /// The test type can't be started.
        case disabled(type: String, why: String)
        /// The question was answered before.
        case answered(number: Int)
    }

    /// Nothing of that name is there.
    case notFound(Noun, name: String)
    /// Several things begin with that name.
    case ambiguous(Noun, name: String, candidates: [String])
    /// The thing was deleted.
    case deleted(Noun, id: UniqueID)
    /// A text that is longer than its field allows, in bytes of UTF-8.
    case textTooLong(field: String, bytes: Int, limit: Int)
    /// A field that must hold something.
    case emptyText(field: String)
    /// A value that its field doesn't allow.
    case badValue(field: String, value: String, allowed: String)
    /// A test doesn't allow it.
    case quiz(QuizFault)
    /// There is no action left to undo.
    case nothingToUndo
    /// The event can't be voided or corrected.
    case notCorrectable(EventID, why: String)
    /// A moment outside the years 1 to 6429.
    case momentOutOfRange(milliseconds: Int64)
    /// A store is at that path already.
    case storeExists(path: String)
    /// There is no store at that path.
    case noStore(path: String)
    /// The store is of a format that this program doesn't write.
    case unknownFormat(path: String, found: UInt32, known: UInt32)
    /// The store has an older format: it can be read, and must be migrated before anything is written.
    case olderFormat(path: String, found: UInt32, known: UInt32)
    /// The store, or a part of it, is damaged.
    case damaged(path: String, place: String, why: String)
    /// The content of packs or dictionaries is damaged: installing their files again cures it.
    case contentDamaged(path: String, place: String, why: String)
    /// An index beside the log is damaged, which can be made again from it.
    case indexDamaged(path: String, place: String, why: String)
    /// The file system or the database refused.
    case storage(path: String, operation: String, why: String)
    /// A file to import, or what is in it, isn't right.
    case badInput(path: String, place: String, why: String)
    /// A store to merge with is damaged.
    case damagedInput(path: String, place: String, why: String)
    /// A file to write is there already.
    case fileExists(path: String)
    /// Two stores hold different commits under one identity, so one of them was copied and both went on.
    case forked(origin: OriginID, commit: UInt64)
    /// Somebody else has the store open, and this can only be done alone.
    case inUse(path: String)
    /// Something was tried that this store, opened for reading, can't do.
    case readOnly(path: String)
    /// The store was closed.
    case closed(path: String)
    /// Whoever asked for it changed their mind: the task was cancelled.
    case cancelled
}

extension StoreError {
    /// Which error it is, without where and what: a stable name to switch on, to log, or to find an own text by.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing of that name is there.
        public static let notFound = Code(rawValue: "not_found")
        /// Several things begin with that name.
        public static let ambiguous = Code(rawValue: "ambiguous")
        /// The thing was deleted.
        public static let deleted = Code(rawValue: "deleted")
        /// A text is too long.
        public static let textTooLong = Code(rawValue: "text_too_long")
        /// A text is missing.
        public static let emptyText = Code(rawValue: "empty_text")
        /// A value that its field doesn't allow.
        public static let badValue = Code(rawValue: "bad_value")
        /// No test goes on.
        public static let noQuizOpen = Code(rawValue: "no_quiz_open")
        /// A test goes on already.
        public static let quizOpen = Code(rawValue: "quiz_open")
        /// The test type can't be started.
        public static let quizDisabled = Code(rawValue: "quiz_disabled")
        /// The question was answered before.
        public static let questionAnswered = Code(rawValue: "question_answered")
        /// No action is left to undo.
        public static let nothingToUndo = Code(rawValue: "nothing_to_undo")
        /// The event can't be voided or corrected.
        public static let notCorrectable = Code(rawValue: "not_correctable")
        /// A moment outside the years that can be kept.
        public static let momentOutOfRange = Code(rawValue: "moment_out_of_range")
        /// A store is there already.
        public static let storeExists = Code(rawValue: "store_exists")
        /// No store is there.
        public static let noStore = Code(rawValue: "no_store")
        /// The store has a format that isn't known.
        public static let unknownFormat = Code(rawValue: "unknown_format")
        /// The store has an older format, which must be migrated first.
        public static let olderFormat = Code(rawValue: "older_format")
        /// The store is damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// The content of packs or dictionaries is damaged.
        public static let contentDamaged = Code(rawValue: "content_damaged")
        /// An index that can be made again is damaged.
        public static let indexDamaged = Code(rawValue: "index_damaged")
        /// The file system or the database refused.
        public static let storage = Code(rawValue: "storage")
        /// A file to import isn't right.
        public static let badInput = Code(rawValue: "bad_input")
        /// A store to merge with is damaged.
        public static let damagedInput = Code(rawValue: "damaged_input")
        /// A file to write is there already.
        public static let fileExists = Code(rawValue: "file_exists")
        /// Two stores hold different commits under one identity.
        public static let forked = Code(rawValue: "forked")
        /// Another process has the store open.
        public static let inUse = Code(rawValue: "in_use")
        /// The store is open for reading only.
        public static let readOnly = Code(rawValue: "read_only")
        /// The store was closed.
        public static let closed = Code(rawValue: "closed")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// Which error it is.
    public var code: Code {
        switch self {
        case .notFound: .notFound
        case .ambiguous: .ambiguous
        case .deleted: .deleted
        case .textTooLong: .textTooLong
        case .emptyText: .emptyText
        case .badValue: .badValue
        case .quiz(.noneOpen): .noQuizOpen
        case .quiz(.openAlready): .quizOpen
        case .quiz(.disabled): .quizDisabled
        case .quiz(.answered): .questionAnswered
        case .nothingToUndo: .nothingToUndo
        case .notCorrectable: .notCorrectable
        case .momentOutOfRange: .momentOutOfRange
        case .storeExists: .storeExists
        case .noStore: .noStore
        case .unknownFormat: .unknownFormat
        case .olderFormat: .olderFormat
        case .damaged: .damaged
        case .contentDamaged: .contentDamaged
        case .indexDamaged: .indexDamaged
        case .storage: .storage
        case .badInput: .badInput
        case .damagedInput: .damagedInput
        case .fileExists: .fileExists
        case .forked: .forked
        case .inUse: .inUse
        case .readOnly: .readOnly
        case .closed: .closed
        case .cancelled: .cancelled
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// One line for people: what is wrong, and where.
    public var description: String {
        switch self {
        case .notFound(let noun, let name): "no \(noun.rawValue) is named \"\(name)\""
        case .ambiguous(let noun, let name, let candidates):
            "\"\(name)\" could be any of \(candidates.count) \(noun.rawValue)s: \(candidates.prefix(8).joined(separator: ", "))"
                + (candidates.count > 8 ? ", …" : "") + "; give more of the id"
        case .deleted(let noun, let id): "the \(noun.rawValue) \(id) was deleted; void the deletion to get it back"
        case .textTooLong(let field, let bytes, let limit): "\(field) has \(bytes) bytes, and at most \(limit) are kept"
        case .emptyText(let field): "\(field) is empty"
        case .badValue(let field, let value, let allowed): "\(field) can't be \"\(value)\": it must be \(allowed)"
        case .quiz(.noneOpen): "no test goes on"
        case .quiz(.openAlready(let id)): "the test \(id) goes on: finish or abandon it first"
        case .quiz(.disabled(let type, let why)): "the test type \"\(type)\" can't be started: \(why)"
        case .quiz(.answered(let number)): "question \(number) of the test was answered already; take the answer back to change it"
        case .nothingToUndo: "there is no action of this device left to undo"
        case .notCorrectable(let event, let why): "event \(event) can't be taken back or corrected: \(why)"
        case .momentOutOfRange(let milliseconds): "the moment \(milliseconds) ms from 1970 lies outside the years 1 to 6429"
        case .storeExists(let path): "\(path) is a store already, or holds something else; nothing was touched"
        case .noStore(let path): "no store is at \(path)"
        case .unknownFormat(let path, let found, let known):
            "the store at \(path) has format \(found), and this program knows \(known)"
        case .olderFormat(let path, let found, _):
            "the store at \(path) has format \(found), which this program reads and doesn't write any more"
        case .damaged(let path, let place, let why): "the store at \(path) is damaged (\(place): \(why))"
        case .contentDamaged(let path, let place, let why):
            "damaged content in the store at \(path) (\(place): \(why)); the log is no part of it"
        case .indexDamaged(let path, let place, let why):
            "an index beside the log of the store at \(path) is damaged (\(place): \(why)), and can be made again from it"
        case .storage(let path, let operation, let why): "\(path): \(operation): \(why)"
        case .badInput(let path, let place, let why): place.isEmpty ? "\(path): \(why)" : "\(path): \(place): \(why)"
        case .damagedInput(let path, let place, let why): "\(path): \(place): the store is damaged (\(why))"
        case .fileExists(let path): "\(path): is there already"
        case .forked(let origin, let commit):
            "both stores have a commit \(commit) of origin \(origin), and they differ: one store is a copy of the other, "
                + "and both were written to with the same origin"
        case .inUse(let path):
            "the store at \(path) is open elsewhere, and this needs it to be closed: end the programs that use it, then try again"
        case .readOnly(let path): "the store at \(path) is open for reading only"
        case .closed(let path): "the store at \(path) was closed"
        case .cancelled: "it was cancelled, and nothing was changed"
        }
    }
}
