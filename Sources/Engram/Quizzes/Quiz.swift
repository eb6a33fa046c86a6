internal import EventCoding
public import StudyModel

/// A test under way, for whatever draws it: a terminal, a window, a page.
///
/// It holds what to show, and writes each step as it is taken; whoever drives it asks for ``question``, calls
/// ``answer(_:took:at:)`` or ``toggleFavourite(_:at:)``, and after the last question ``finish(at:scale:)``.
public struct Quiz: Sendable {
    private let store: StudyStore
    /// The test as it stands.
    public private(set) var view: QuizView
    /// The question that was answered last, with its answer; `nil` before the first.
    public private(set) var last: QuizView.Question?

    private init(_ store: StudyStore, _ view: QuizView) {
        self.store = store
        self.view = view
    }

    /// The test that goes on in `store`; `nil` where none does.
    public static func current(in store: StudyStore) throws(StoreError) -> Quiz? {
        try store.currentQuiz().map { Quiz(store, $0) }
    }

    /// Begins a test, as ``StudyStore/startQuiz(type:count:seed:abandoning:at:)`` does.
    public static func start(
        in store: StudyStore, type: String, count: Int = StudyStore.usualQuestionCount, seed: UInt64? = nil, abandoning: Bool = false,
        at moment: ZonedTime
    ) throws(StoreError) -> Quiz {
        Quiz(store, try store.startQuiz(type: type, count: count, seed: seed, abandoning: abandoning, at: moment))
    }

    /// The question to ask now; `nil` where all are answered.
    public var question: QuizView.Question? { view.next }

    /// Answers the question that is asked now: index of the option, from 0.
    ///
    /// - Returns: the question with its answer: right or wrong is known at once.
    /// - Throws: ``StoreError/quiz(_:)`` where every question is answered, or the test has ended.
    @discardableResult
    public mutating func answer(_ option: Int, took: Int64? = nil, at moment: ZonedTime) throws(StoreError) -> QuizView.Question {
        guard let asked = question else { throw .quiz(.noneOpen) }
        view = try store.answer(question: asked.id, option: option, took: took, at: moment)
        guard let answered = view.questions.first(where: { $0.id == asked.id }) else {
            throw .notFound(.question, name: asked.id.description)
        }
        last = answered
        return answered
    }

    /// Takes the last answer back, so that its question is asked again.
    ///
    /// - Throws: ``StoreError/nothingToUndo`` where there is none.
    public mutating func takeBack(at moment: ZonedTime) throws(StoreError) {
        // What was answered last is what this test's answers say, whoever else acts on the store.
        let answers = view.questions.compactMap { question in question.answer.map { (question.number, $0) } }
        let latest = answers.max { ($0.1.at.wallMilliseconds, $0.0) < ($1.1.at.wallMilliseconds, $1.0) }
        guard let event = last?.answer?.event ?? latest?.1.event else { throw .nothingToUndo }
        try store.perform(.void(event), at: moment)
        view = try store.quiz(view.id)
        last = nil
    }

    /// Makes what `question` is about a favourite, or no favourite any more.
    ///
    /// - Returns: whether it is one now.
    @discardableResult
    public func toggleFavourite(_ question: QuizView.Question, at moment: ZonedTime) throws(StoreError) -> Bool {
        let on = try !store.isFavourite(question.item)
        try store.perform(.setFavourite(question.item, kind: question.itemKind, on: on), at: moment)
        return on
    }

    /// Whether what `question` is about is a favourite.
    public func isFavourite(_ question: QuizView.Question) throws(StoreError) -> Bool { try store.isFavourite(question.item) }

    /// Ends the test.
    public mutating func finish(at moment: ZonedTime, scale: GradingScale = .standard) throws(StoreError) -> QuizResult {
        let result = try store.finishQuiz(at: moment, scale: scale)
        view = result.quiz
        return result
    }

    /// Leaves the test.
    public mutating func abandon(at moment: ZonedTime) throws(StoreError) -> QuizResult {
        let result = try store.abandonQuiz(at: moment)
        view = result.quiz
        return result
    }
}
