package import EventCoding
package import StudyModel

/// A test as the fold of its own timeline leaves it. Its answers lie in ``QuizAnswers``: each is an event about what it
/// makes a mistake.
package struct QuizState: TimelineEntity, Hashable, Sendable {
    /// How a test ended.
    package struct End: Hashable, Sendable {
        package var right: UInt64
        package var total: UInt64
        package var isAbandoned: Bool
        package var at: ZonedTime

        package init(right: UInt64, total: UInt64, isAbandoned: Bool, at: ZonedTime) {
            self.right = right
            self.total = total
            self.isAbandoned = isAbandoned
            self.at = at
        }
    }

    package let id: UniqueID
    package var isStarted = false
    package var pack: UniqueID?
    package var testType = ""
    package var seed: UInt64 = 0
    package var questionCount = 0
    package var startedAt = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    /// Where in the order it began.
    package var startOrder = FoldOrder.beginning
    /// Where its questions can be read.
    package var questionsAt = EventPosition.none
    package var end: End?
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Whether it goes on: begun, and not ended.
    package var isOpen: Bool { isStarted && end == nil }

    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition) {
        switch event {
        case .quizStarted(let started):
            // A second beginning is a copy of the first.
            guard !isStarted else { break }
            isStarted = true
            pack = started.pack
            testType = started.testType
            seed = started.seed
            questionCount = started.questions.count
            startedAt = header.moment
            startOrder = header.foldOrder
            questionsAt = position
        case .quizFinished(let finished):
            guard end == nil else { break }
            end = End(right: finished.right, total: finished.total, isAbandoned: finished.abandoned, at: header.moment)
        default: break
        }
    }
}

extension QuizState: DescribedRow {
    var isVisible: Bool { isStarted }

    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        var of = pack ?? .none
        try coder.id("pack", &of)
        try coder.text("test type", &testType)
        try coder.unsigned("seed", &seed)
        var count = UInt64(questionCount)
        try coder.unsigned("questions", &count)
        questionCount = Int(clamping: count)
        try coder.moment("started at", &startedAt)
        var hasEnded = end != nil
        try coder.flag("ended", &hasEnded)
        if hasEnded {
            var end = end ?? End(right: 0, total: 0, isAbandoned: false, at: startedAt)
            try coder.unsigned("right", &end.right)
            try coder.unsigned("total", &end.total)
            try coder.flag("abandoned", &end.isAbandoned)
            try coder.moment("ended at", &end.at)
            self.end = end
        }
        guard Coder.isComplete else { return }
        try coder.flag("started", &isStarted)
        var hasPack = pack != nil
        try coder.flag("of a pack", &hasPack)
        pack = hasPack ? of : nil
        try coder.order("begun by", &startOrder)
        try coder.position("questions at", &questionsAt)
        try coder.order("last event", &order)
    }
}

extension StudyState {
    /// The test of that identity, if it was begun.
    package func quiz(_ id: UniqueID) -> QuizState? { quizzes.row(of: id).flatMap { $0.isStarted ? $0 : nil } }

    /// The test that goes on; of several, which only devices that act apart make, the one that was begun last.
    package var openQuiz: QuizState? { quizzes.rows.filter(\.isOpen).max { $0.startOrder < $1.startOrder } }
}
