public import EventCoding
public import StudyModel

/// A pack as a screen shows it.
public struct PackView: Hashable, Sendable {
    /// Whether what a pack holds is in this store. It is no history, so it doesn't come with a merge.
    public enum Content: String, Hashable, Sendable {
        /// It is, in the version that is installed.
        case here
        /// Another version of it is.
        case other
        /// It isn't.
        case missing
        /// What says so isn't what was written; installing its file again cures it.
        case damaged
    }

    /// Its identity.
    public let id: UniqueID
    /// What it is called.
    public let name: String
    /// SHA-256 of its file.
    public let digest: SHA256Digest
    /// Words in it.
    public let words: Int
    /// Questions in it.
    public let questions: Int
    /// Test types that it offers.
    public let types: Int
    /// When this version of it was installed.
    public let installedAt: ZonedTime
    /// Whether what it holds is here.
    public let content: Content
}

/// What an installation did, or found to be so already.
public struct PackReport: Hashable, Sendable {
    /// A row that became neither a word nor a question.
    public struct Skipped: Hashable, Sendable {
        /// Its table.
        public let table: String
        /// From 1, in the order of the table.
        public let row: Int
        /// What the row calls itself, where it does.
        public let key: String?
        /// Why it was left out.
        public let reason: String
    }

    /// A test type that can't be used.
    public struct Refused: Hashable, Sendable {
        /// Its identity in the pack.
        public let id: String
        /// Its condition.
        public let condition: String
        /// Why it was refused.
        public let reason: String
    }

    /// The pack as it is now.
    public let pack: PackView
    /// Whether anything was changed by it.
    public let isChanged: Bool
    /// The first hundred rows that were left out.
    public let skipped: [Skipped]
    /// How many there are in all.
    public let skippedCount: Int
    /// Test types whose conditions were refused.
    public let refused: [Refused]
}

/// A kind of test as a screen offers it.
public struct TestTypeView: Hashable, Sendable {
    /// Names it. Two packs' types of one name have the pack's name and a slash before it.
    public let id: String
    /// What it is called.
    public let title: String
    /// What it is about.
    public let explanation: String
    /// The pack that it comes from; `nil` for what is offered over all packs.
    public let pack: UniqueID?
    /// How many questions it picks from.
    public let questions: Int
    /// Why it can't be started; `nil` where it can.
    public let disabledReason: String?
    /// Whether it is the one that is selected.
    public let isSelected: Bool

    /// Whether it can be started.
    public var isEnabled: Bool { disabledReason == nil }
}

/// A test as a screen shows it.
public struct QuizView: Hashable, Sendable {
    /// A question of a test, with its options in the order in which they are shown.
    public struct Question: Hashable, Sendable {
        /// Its identity.
        public let id: UniqueID
        /// What a wrong answer makes a mistake: a word, or the question itself.
        public let item: UniqueID
        /// From 1.
        public let number: Int
        /// What is asked.
        public let prompt: String
        /// From 2 to 8.
        public let options: [String]
        /// Index of the right option.
        public let right: Int
        /// The answer that counts; `nil` where there is none yet.
        public let answer: Answer?
        /// What the item is.
        public var itemKind: ItemKind { item == id ? .question : .word }
    }

    /// An answer to a question.
    public struct Answer: Hashable, Sendable {
        /// The event that states it: void it to take the answer back.
        public let event: EventID
        /// Index of the option that was chosen.
        public let chosen: Int
        /// Whether it was the right one.
        public let isRight: Bool
        /// How long it took, in milliseconds.
        public let tookMilliseconds: Int64?
        /// When it was given.
        public let at: ZonedTime
    }

    /// Its identity.
    public let id: UniqueID
    /// The test type's identity in its pack.
    public let testType: String
    /// The pack that all its questions come from; `nil` where they come from several.
    public let pack: UniqueID?
    /// What its questions and their order were drawn from.
    public let seed: UInt64
    /// When it began.
    public let startedAt: ZonedTime
    /// Its questions, in order.
    public let questions: [Question]
    /// When it ended; `nil` while it goes on.
    public let endedAt: ZonedTime?
    /// Whether it was left before its last question.
    public let isAbandoned: Bool

    /// Whether it goes on.
    public var isOpen: Bool { endedAt == nil }
    /// The next question that has no answer; `nil` where all have one.
    public var next: Question? { questions.first { $0.answer == nil } }
    /// Questions that were answered.
    public var answered: Int { questions.count { $0.answer != nil } }
    /// Questions that were answered rightly.
    public var right: Int { questions.count { $0.answer?.isRight ?? false } }
    /// Questions.
    public var total: Int { questions.count }
}

/// What came of a test.
public struct QuizResult: Hashable, Sendable {
    /// The test, with its questions and answers.
    public let quiz: QuizView
    /// Questions that were answered rightly.
    public let right: Int
    /// Questions; those without an answer count too.
    public let total: Int
    /// From 5 down to 2.
    public let mark: Int
}
