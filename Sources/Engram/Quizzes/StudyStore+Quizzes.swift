internal import ContentStore
public import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections

extension StudyStore {
    /// How many questions a test has where nobody says.
    public static let usualQuestionCount = 20
    /// How many questions a test can have.
    public static let largestQuestionCount = 10_000

    /// Begins a test: draws its questions, and the order of their options, and records them as they are shown.
    ///
    /// - Parameters:
    ///   - type: names the kind of test, as ``selectTestType(_:at:)`` takes it; it is selected from now on.
    ///   - count: how many questions; fewer where the type has fewer.
    ///   - seed: what they are drawn from; drawn itself where there is none.
    ///   - abandoning: whether a test that goes on is left; without it, that is an error.
    ///   - moment: the wall clock and its zone at the time.
    /// - Throws: ``StoreError/quiz(_:)`` where the type has no questions or a test goes on, ``StoreError/notFound(_:name:)``.
    @discardableResult
    public func startQuiz(
        type: String, count: Int = usualQuestionCount, seed: UInt64? = nil, abandoning: Bool = false, at moment: ZonedTime
    ) throws(StoreError) -> QuizView {
        guard (1...Self.largestQuestionCount).contains(count) else {
            throw .badValue(field: "the number of questions", value: "\(count)", allowed: "from 1 to \(Self.largestQuestionCount)")
        }
        // JSON carries integers up to there.
        let seed = seed ?? (configuration.randomness() & UInt64(Int64.max))
        guard seed <= UInt64(Int64.max) else { throw .badValue(field: "the seed", value: "\(seed)", allowed: "from 0 to \(Int64.max)") }
        let id = newID()
        try perform(at: moment) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            let state = projection.state
            var planned: [PlannedEvent] = []
            if let open = state.openQuiz {
                guard abandoning else { throw .quiz(.openAlready(open.id)) }
                planned.append(try self.end(open, state, isAbandoned: true))
            }
            let offered = try inLog(self.offered(state, transaction.reader))
            let chosen = try Self.testType(named: type, of: offered, state)
            if let disabledReason = chosen.view.disabledReason { throw .quiz(.disabled(type: chosen.view.id, why: disabledReason)) }
            let started = try inLog(self.draw(chosen, count, seed, transaction.reader))
            guard !started.questions.isEmpty else {
                throw .quiz(.disabled(type: chosen.view.id, why: "its questions are gone: install its pack again"))
            }
            return planned + Self.selection(of: chosen, state) + [PlannedEvent(event: .quizStarted(started), subject: id)]
        }
        return try quiz(id)
    }

    private func draw(
        _ type: OfferedTestType, _ count: Int, _ seed: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> QuizStarted {
        var draw = QuizDraw(seed: seed)
        var questions: [QuizQuestion] = []
        var packs: Set<UniqueID> = []
        for (id, item) in draw.draw(count, of: type.questions) {
            let record = try inPackStore { shelf throws(LMDBError) in try shelf.record(id, transaction) }
            // The pack's own list names it.
            guard case .question(let found)? = record else { throw .storage(shelf.damage()) }
            let shown = draw.shown(found)
            packs.insert(found.pack)
            questions.append(
                QuizQuestion(question: id, item: item, prompt: found.prompt, options: shown.options, right: UInt64(shown.right)))
        }
        return QuizStarted(pack: packs.count == 1 ? packs.first : nil, testType: type.name, seed: seed, questions: questions)
    }

    /// Answers a question of the test that goes on. It is on the disk when this returns, and so is what it makes a mistake.
    ///
    /// - Parameters:
    ///   - question: its identity.
    ///   - option: index of the chosen option, from 0, in the order in which they are shown.
    ///   - took: how long it took, in milliseconds.
    ///   - moment: the wall clock and its zone at the time of the answer.
    ///   - key: names the action; the same key again returns the first result and writes nothing.
    /// - Returns: the test, with the answer.
    /// - Throws: ``StoreError/quiz(_:)`` where no test goes on or the question has an answer, ``StoreError/notFound(_:name:)``.
    @discardableResult
    public func answer(
        question: UniqueID, option: Int, took: Int64? = nil, at moment: ZonedTime, key: String? = nil
    ) throws(StoreError) -> QuizView {
        var quiz = UniqueID.none
        let result = try perform(at: moment, key: key) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            guard let open = projection.state.openQuiz else { throw .quiz(.noneOpen) }
            quiz = open.id
            let view = try inLog(self.view(of: open, projection.state, transaction.reader))
            guard let asked = view.questions.first(where: { $0.id == question }) else {
                throw .notFound(.question, name: question.description)
            }
            guard asked.answer == nil else { throw .quiz(.answered(number: asked.number)) }
            guard asked.options.indices.contains(option) else {
                throw .badValue(field: "the option", value: "\(option + 1)", allowed: "from 1 to \(asked.options.count)")
            }
            try checkDuration(took)
            let answered = QuestionAnswered(
                quiz: open.id, question: asked.id, chosen: UInt64(option), correct: option == asked.right,
                tookMilliseconds: took.map { UInt64($0) })
            return [PlannedEvent(event: .questionAnswered(answered), subject: asked.item)]
        }
        return try result.isNew ? self.quiz(quiz) : self.quiz(ofAnswer: result)
    }

    /// The test that an earlier answer belongs to.
    private func quiz(ofAnswer result: ActionResult) throws(StoreError) -> QuizView {
        let found = try reading { (transaction, _) throws(LogError) -> UniqueID? in
            guard let id = result.events.first, let event = try log.event(id, transaction) else { return nil }
            let decoded = try? StudyEvent.decode(
                type: event.header.type, version: event.header.version, payload: event.payload.rawSpan)
            if case .questionAnswered(let answered)? = decoded { return answered.quiz }
            return nil
        }
        return try quiz(found ?? .none)
    }

    /// Ends the test that goes on, and says what came of it. Questions without an answer count as not right, and the test as
    /// left before its end.
    ///
    /// - Throws: ``StoreError/quiz(_:)`` where no test goes on.
    @discardableResult
    public func finishQuiz(at moment: ZonedTime, scale: GradingScale = .standard) throws(StoreError) -> QuizResult {
        try endQuiz(at: moment, isAbandoned: false, scale)
    }

    /// Leaves the test that goes on; its answers stay, and so do the mistakes that they made.
    ///
    /// - Throws: ``StoreError/quiz(_:)`` where no test goes on.
    @discardableResult
    public func abandonQuiz(at moment: ZonedTime, scale: GradingScale = .standard) throws(StoreError) -> QuizResult {
        try endQuiz(at: moment, isAbandoned: true, scale)
    }

    private func endQuiz(at moment: ZonedTime, isAbandoned: Bool, _ scale: GradingScale) throws(StoreError) -> QuizResult {
        let result = try perform(at: moment) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            guard let open = projection.state.openQuiz else { throw .quiz(.noneOpen) }
            return [try self.end(open, projection.state, isAbandoned: isAbandoned)]
        }
        return try quizResult(result.subject, scale: scale)
    }

    private func end(_ quiz: QuizState, _ state: StudyState, isAbandoned: Bool) throws(StoreError) -> PlannedEvent {
        let counted = state.answers.counted(of: quiz.id)
        let finished = QuizFinished(
            right: UInt64(counted.count { $0.isRight }), total: UInt64(quiz.questionCount),
            abandoned: isAbandoned || counted.count < quiz.questionCount)
        return PlannedEvent(event: .quizFinished(finished), subject: quiz.id)
    }

    /// What came of a test, or has come of it so far.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where there is no such test.
    public func quizResult(_ id: UniqueID, scale: GradingScale = .standard) throws(StoreError) -> QuizResult {
        let quiz = try quiz(id)
        return QuizResult(
            quiz: quiz, right: quiz.right, total: quiz.total, mark: scale.mark(right: quiz.right, total: quiz.total))
    }

    /// The test of that identity, with its questions and answers.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)`` where there is no such test.
    public func quiz(_ id: UniqueID) throws(StoreError) -> QuizView {
        let found = try reading { (transaction, projection) throws(LogError) in
            try projection.state.quiz(id).map { quiz throws(LogError) in try view(of: quiz, projection.state, transaction) }
        }
        guard let found else { throw .notFound(.quiz, name: id.description) }
        return found
    }

    /// The test that goes on; `nil` where none does.
    public func currentQuiz() throws(StoreError) -> QuizView? {
        try reading { (transaction, projection) throws(LogError) in
            try projection.state.openQuiz.map { quiz throws(LogError) in try view(of: quiz, projection.state, transaction) }
        }
    }

    private func view(
        of quiz: QuizState, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> QuizView {
        let stored = try log.event(at: quiz.questionsAt, transaction)
        var asked: [QuizQuestion] = []
        do throws(ByteError) {
            let event = try StudyEvent.decode(
                type: stored.header.type, version: stored.header.version, payload: stored.payload.rawSpan)
            if case .quizStarted(let started)? = event { asked = started.questions }
        } catch { throw .malformed(sequence: quiz.questionsAt.sequence, error) }
        let answers = Dictionary(state.answers.counted(of: quiz.id).map { ($0.question, $0) }) { first, _ in first }
        let questions = asked.enumerated().map { number, question in
            QuizView.Question(
                id: question.question, item: question.item, number: number + 1, prompt: question.prompt, options: question.options,
                right: Int(clamping: question.right),
                answer: answers[question.question].map {
                    QuizView.Answer(
                        event: $0.order.id, chosen: $0.chosen, isRight: $0.isRight, tookMilliseconds: $0.tookMilliseconds, at: $0.at)
                })
        }
        return QuizView(
            id: quiz.id, testType: quiz.testType, pack: quiz.pack, seed: quiz.seed, startedAt: quiz.startedAt, questions: questions,
            endedAt: quiz.end?.at, isAbandoned: quiz.end?.isAbandoned ?? false)
    }
}
