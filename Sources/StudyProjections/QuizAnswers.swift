package import EventCoding
package import StudyModel

/// An answer to a question of a test.
package struct QuizAnswer: Hashable, Sendable {
    /// Its event's place in the order, which is also what names it.
    package private(set) var order: FoldOrder
    package private(set) var question: UniqueID
    /// Index of the option that was chosen.
    package private(set) var chosen: Int
    package private(set) var isRight: Bool
    package private(set) var tookMilliseconds: Int64?
    package private(set) var at: ZonedTime

    package init(order: FoldOrder, question: UniqueID, chosen: Int, isRight: Bool, tookMilliseconds: Int64?, at: ZonedTime) {
        self.order = order
        self.question = question
        self.chosen = chosen
        self.isRight = isRight
        self.tookMilliseconds = tookMilliseconds
        self.at = at
    }

    init(_ answered: QuestionAnswered, _ header: EventHeader) {
        self.init(
            order: header.foldOrder, question: answered.question, chosen: Int(clamping: answered.chosen), isRight: answered.correct,
            tookMilliseconds: answered.tookMilliseconds.map { Int64(clamping: $0) }, at: header.moment)
    }
}

extension QuizAnswer {
    /// Visits its fields: a checkpoint's and a digest's form of it.
    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        if Coder.isComplete { try coder.order("order", &order) }
        try coder.id("question", &question)
        var index = Int64(chosen)
        try coder.count("chosen", &index)
        chosen = Int(clamping: index)
        try coder.flag("right", &isRight)
        var took = tookMilliseconds.map { UInt64(clamping: $0) }
        try coder.optional("took", &took)
        tookMilliseconds = took.map { Int64(clamping: $0) }
        try coder.moment("at", &at)
    }

    /// Reads an answer of a checkpoint.
    @_lifetime(reader: copy reader)
    init(from reader: inout ByteReader) throws(ByteError) {
        self.init(
            order: .beginning, question: .none, chosen: 0, isRight: false, tookMilliseconds: nil,
            at: ZonedTime(wallMilliseconds: 0, zoneMinutes: 0))
        try describe(to: &reader)
    }
}

extension FieldWriter {
    /// Writes a count and the answers.
    mutating func write(_ answers: [QuizAnswer]) {
        bytes.writeVariable(UInt64(answers.count))
        for var answer in answers { answer.describe(to: &self) }
    }
}

/// The answers of every test. Each is an event about an item, and comes and goes with that item's fold: this is a set of
/// them by test, which only grows and shrinks, so the order in which they came never shows in it.
package struct QuizAnswers: Sendable {
    /// Tests with their answers, in no order; some may have none.
    private(set) var rows: [(quiz: UniqueID, answers: [QuizAnswer])] = []
    private var places: [UniqueID: Int] = [:]

    package init() {}

    mutating func add(_ answer: QuizAnswer, to quiz: UniqueID) {
        if let place = places[quiz] {
            rows[place].answers.append(answer)
        } else {
            places[quiz] = rows.count
            rows.append((quiz, [answer]))
        }
    }

    /// Adds the answer that an event gives, if it counts.
    mutating func add(_ header: EventHeader, payload: RawSpan, verdict: Controls.Verdict) {
        guard verdict.counts, case .questionAnswered(let answered)? = try? StudyEvent.decode(header, payload: payload) else { return }
        add(QuizAnswer(answered, header), to: answered.quiz)
    }

    /// Takes the answer off that the event of `order` gave; nothing where it isn't there. Complexity: O(answers of the test).
    mutating func remove(_ order: FoldOrder, from quiz: UniqueID) {
        guard let place = places[quiz] else { return }
        rows[place].answers.removeAll { $0.order == order }
    }

    /// Adds all that `other` holds. Complexity: O(answers of the other).
    mutating func join(_ other: QuizAnswers) {
        for row in other.rows { for answer in row.answers { add(answer, to: row.quiz) } }
    }

    /// Every answer of a test, in the order of folds. Complexity: O(n log n).
    package func all(of quiz: UniqueID) -> [QuizAnswer] {
        places[quiz].map { rows[$0].answers.sorted { $0.order < $1.order } } ?? []
    }

    /// The answers of a test that count: the first one to each question. Devices that act apart can give more.
    package func counted(of quiz: UniqueID) -> [QuizAnswer] {
        var seen: Set<UniqueID> = []
        return all(of: quiz).filter { seen.insert($0.question).inserted }
    }

    /// Tests that have answers, in the order of their identities.
    var quizzes: [UniqueID] { rows.filter { !$0.answers.isEmpty }.map(\.quiz).sorted() }
}

extension QuizAnswers {
    /// Writes the answers of every test.
    func write(to writer: inout CheckpointWriter) {
        writer.bytes.writeVariable(UInt64(quizzes.count))
        for quiz in quizzes {
            writer.bytes.write(quiz)
            writer.write(all(of: quiz))
        }
    }

    /// Reads what ``write(to:)`` wrote.
    @_lifetime(reader: copy reader)
    init(from reader: inout ByteReader) throws(ByteError) {
        self.init()
        for _ in 0..<(try reader.readCount()) {
            let quiz = try reader.readUniqueID()
            for _ in 0..<(try reader.readCount()) { add(try QuizAnswer(from: &reader), to: quiz) }
        }
    }
}
