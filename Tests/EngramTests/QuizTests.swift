import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct QuizTests {
    private func store(_ folder: TemporaryFolder, _ name: String = "store") throws -> StudyStore {
        let store = try folder.create(name)
        _ = try store.installPack(at: folder.pack(), moment: moment())
        return store
    }

    private func wrong(_ question: QuizView.Question) -> Int { (question.right + 1) % question.options.count }

    @Test("Which types are offered, which can be started, and which one is selected")
    func types() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        let types = try store.testTypes()
        #expect(types.map(\.id) == ["all", "favourites", "mistakes", "easy", "none", "bad"])
        #expect(types.map(\.questions) == [6, 0, 0, 3, 0, 0] && types.map(\.isEnabled) == [true, false, false, true, false, false])
        #expect(types.allSatisfy { !$0.isSelected && !$0.title.isEmpty && !$0.explanation.isEmpty })
        for type in ["favourites", "mistakes", "none", "bad"] {
            let error = #expect(throws: StoreError.self, "\(type)") { try store.startQuiz(type: type, at: moment()) }
            guard case .quiz(.disabled(type, _)) = error else {
                Issue.record("\(type): \(error.map { "\($0)" } ?? "")")
                continue
            }
            #expect(error?.code == .quizDisabled)
        }
        #expect(throws: StoreError.notFound(.testType, name: "hard")) { try store.startQuiz(type: "hard", at: moment()) }
        // One at a time, remembered, taken back, and the same twice is nothing.
        #expect(try store.selectTestType("easy", at: moment(1)).id == "easy")
        #expect(try store.selectTestType("The easy", at: moment(2)).id == "easy")
        #expect(try store.selectTestType("favourites", at: moment(3)).id == "favourites")
        #expect(try store.testTypes().filter(\.isSelected).map(\.id) == ["favourites"])
        try store.undo(at: moment(4))
        #expect(try folder.open().testTypes().filter(\.isSelected).map(\.id) == ["easy"])
        try store.undo(at: moment(5))
        #expect(try store.testTypes().filter(\.isSelected).isEmpty)
        try store.startQuiz(type: "Words/easy", at: moment(6))
        #expect(try store.testTypes().filter(\.isSelected).map(\.id) == ["easy"] && store.disagreement() == nil)
        // Of two packs with a type of one name, each goes under its pack's name.
        _ = try store.installPack(
            at: folder.pack(types: [("easy", ""), ("all", "level = 0")], name: "More", file: "more.db"), moment: moment(7))
        #expect(try store.testTypes().map(\.id) == ["all", "favourites", "mistakes", "More/easy", "More/all", "Words/easy", "none", "bad"])
        #expect(throws: StoreError.self) { try store.selectTestType("easy", at: moment(8)) }
        #expect(try store.selectTestType("More/all", at: moment(8)).questions == 3)
    }

    @Test("A seed draws the same test on every store, and a replay never draws again")
    func drawing() throws {
        let folder = try TemporaryFolder()
        let one = try store(folder, "one")
        let other = try store(folder, "other")
        let first = try one.startQuiz(type: "all", count: 4, seed: 7, at: moment(1))
        let second = try other.startQuiz(type: "all", count: 4, seed: 7, at: moment(1))
        #expect(first.questions == second.questions && first.total == 4 && first.seed == 7 && first.id != second.id)
        #expect(Set(first.questions.map(\.id)).count == 4 && first.questions.map(\.number) == [1, 2, 3, 4])
        for question in first.questions {
            #expect(question.options.count == 3 && question.options[question.right].hasPrefix("entry") && question.itemKind == .word)
        }
        let another = try one.startQuiz(type: "all", count: 100, seed: 8, abandoning: true, at: moment(2))
        #expect(another.total == 6 && another.questions.prefix(4).map(\.id) != first.questions.map(\.id))
        #expect(try one.quiz(first.id).isAbandoned && !one.quiz(first.id).isOpen)
        try one.removePack(try one.pack(named: "Words"), at: moment(3))
        #expect(try folder.open("one").currentQuiz() == another)
        for count in [0, -1, 10_001] {
            #expect(throws: StoreError.self) { try other.startQuiz(type: "all", count: count, abandoning: true, at: moment(2)) }
        }
        #expect(throws: StoreError.self) { try other.startQuiz(type: "all", seed: .max, abandoning: true, at: moment(2)) }
        #expect(try other.currentQuiz()?.id == second.id)
    }

    @Test("An answer is right or wrong at once and counts at once; what is wrong is a mistake until it is dismissed")
    func answering() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        #expect(throws: StoreError.quiz(.noneOpen)) { try store.answer(question: .none, option: 0, at: moment()) }
        #expect(throws: StoreError.quiz(.noneOpen)) { try store.finishQuiz(at: moment()) }
        let quiz = try store.startQuiz(type: "all", count: 4, seed: 3, at: moment(1))
        #expect(throws: StoreError.quiz(.openAlready(quiz.id))) { try store.startQuiz(type: "all", at: moment(2)) }
        let questions = quiz.questions
        var view = try store.answer(question: questions[0].id, option: questions[0].right, took: 1500, at: moment(2))
        #expect(view.questions[0].answer?.isRight == true && view.questions[0].answer?.tookMilliseconds == 1500 && view.right == 1)
        #expect(view.next?.id == questions[1].id)
        #expect(throws: StoreError.quiz(.answered(number: 1))) { try store.answer(question: questions[0].id, option: 0, at: moment(3)) }
        for option in [-1, 3] {
            #expect(throws: StoreError.self) { try store.answer(question: questions[1].id, option: option, at: moment(3)) }
        }
        #expect(throws: StoreError.self) { try store.answer(question: questions[1].id, option: 0, took: -1, at: moment(3)) }
        #expect(throws: StoreError.notFound(.question, name: UniqueID.none.description)) {
            try store.answer(question: .none, option: 0, at: moment(3))
        }
        #expect(try store.mistakes().isEmpty)
        view = try store.answer(question: questions[1].id, option: wrong(questions[1]), at: moment(4), key: "once")
        let again = try store.answer(question: questions[1].id, option: questions[1].right, at: moment(5), key: "once")
        #expect(again == view && view.questions[1].answer?.isRight == false)
        let mistakes = try store.mistakes()
        #expect(mistakes.map(\.id) == [questions[1].item] && mistakes[0].count == 1 && mistakes[0].since == moment(4))
        #expect(try store.testTypes().first { $0.id == "mistakes" }?.questions == 1)
        // Taken back, it was never given; restored, it was.
        let undone = try store.undo(at: moment(6))
        #expect(try store.mistakes().isEmpty && store.currentQuiz()?.next?.id == questions[1].id)
        try store.perform(.void(undone.result.events[0]), at: moment(7))
        #expect(try store.mistakes() == mistakes && store.currentQuiz()?.answered == 2)
        // A right answer leaves the list alone; a dismissal doesn't.
        try store.perform(.dismissMistake(questions[1].item, kind: .word), at: moment(8))
        #expect(try store.mistakes().isEmpty && store.disagreement() == nil)
    }

    @Test("The result of a test, and the marks")
    func results() throws {
        // Of 6 questions so many right, and the mark.
        for (right, mark) in [(6, 5), (5, 4), (4, 3), (3, 3), (2, 2), (0, 2)] {
            let folder = try TemporaryFolder()
            let store = try store(folder)
            for question in try store.startQuiz(type: "all", seed: 5, at: moment(1)).questions {
                let option = question.number <= right ? question.right : wrong(question)
                try store.answer(question: question.id, option: option, at: moment(1 + question.number))
            }
            let result = try store.finishQuiz(at: moment(9))
            #expect(result.right == right && result.total == 6 && result.mark == mark && !result.quiz.isAbandoned && !result.quiz.isOpen)
            #expect(result.quiz.questions.map { $0.answer?.isRight } == (1...6).map { $0 <= right })
            #expect(try store.currentQuiz() == nil && store.mistakes().count == 6 - right && store.quizResult(result.quiz.id) == result)
            #expect(try store.disagreement() == nil)
        }
        let scales: [(scale: GradingScale?, right: Int, total: Int, mark: Int)] = [
            (.standard, 9, 10, 5), (.standard, 899, 1000, 4), (.standard, 3, 4, 4), (.standard, 7499, 10_000, 3), (.standard, 1, 2, 3),
            (.standard, 4999, 10_000, 2), (.standard, 0, 0, 2), (.standard, .max, .max, 5), (GradingScale("100,60,30"), 99, 100, 4),
            (GradingScale("100,60,0"), 0, 3, 3), (GradingScale("3,2,1"), 1, 100, 3),
        ]
        for (scale, right, total, mark) in scales { #expect(scale?.mark(right: right, total: total) == mark, "\(right) of \(total)") }
        for text in ["", "90", "90,75", "90,75,50,25", "75,90,50", "90,90,50", "101,75,50", "90,75,-1", "a,b,c", "90, 75,50"] {
            #expect(GradingScale(text) == nil, "\(text)")
        }
        #expect(GradingScale("90,75,50") == .standard && GradingScale.standard.description == "90,75,50")
    }

    @Test("A test that was interrupted goes on; left early, it says so, and what it made a mistake stays one")
    func leaving() throws {
        let folder = try TemporaryFolder()
        let first = try store(folder)
        let quiz = try first.startQuiz(type: "easy", seed: 1, at: moment(1))
        try first.answer(question: quiz.questions[0].id, option: wrong(quiz.questions[0]), at: moment(2))
        let store = try folder.open()
        #expect(try store.currentQuiz()?.next?.id == quiz.questions[1].id)
        let result = try store.finishQuiz(at: moment(3))
        #expect(result.quiz.isAbandoned && result.right == 0 && result.total == 3 && result.mark == 2)
        #expect(try store.mistakes().count == 1)
        let mistakes = try store.startQuiz(type: "mistakes", at: moment(4))
        #expect(mistakes.questions.map(\.item) == [quiz.questions[0].item] && mistakes.testType == "mistakes")
        #expect(try store.abandonQuiz(at: moment(5)).quiz.isAbandoned && store.currentQuiz() == nil)
        // Taking the end back lets it go on.
        try store.undo(at: moment(6))
        #expect(try store.currentQuiz()?.id == mistakes.id && store.disagreement() == nil)
    }

    @Test("Two devices that answer one test apart come to one state, in which the first answer to a question counts")
    func devices() throws {
        let folder = try TemporaryFolder()
        let one = try store(folder, "one")
        let quiz = try one.startQuiz(type: "all", count: 3, seed: 2, at: moment(1))
        let other = try folder.create("other")
        _ = try other.merge(with: one.path, at: moment(2))
        #expect(try other.currentQuiz()?.questions == quiz.questions)
        let asked = quiz.questions[0]
        try one.answer(question: asked.id, option: asked.right, at: moment(3))
        try other.answer(question: asked.id, option: wrong(asked), at: moment(4))
        try other.answer(question: quiz.questions[1].id, option: quiz.questions[1].right, at: moment(5))
        _ = try one.merge(with: other.path, at: moment(6))
        _ = try other.merge(with: one.path, at: moment(6))
        for store in [one, other] {
            let view = try #require(try store.currentQuiz())
            #expect(view.questions.map { $0.answer?.isRight } == [true, true, nil])
            #expect(try store.mistakes().count == 1 && store.disagreement() == nil)
        }
        #expect(try one.digest() == other.digest())
        // With the first taken back, the second is the one that counts.
        let first = try #require(try one.currentQuiz()?.questions[0].answer?.event)
        try one.perform(.void(first), at: moment(7))
        #expect(try one.currentQuiz()?.questions[0].answer?.isRight == false && one.disagreement() == nil)
    }

    @Test("A screen drives a test step by step")
    func session() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        #expect(try Quiz.current(in: store) == nil)
        var quiz = try Quiz.start(in: store, type: "easy", seed: 4, at: moment(1))
        let first = try #require(quiz.question)
        #expect(try quiz.answer(wrong(first), took: 900, at: moment(2)).answer?.isRight == false && quiz.last?.id == first.id)
        #expect(try quiz.toggleFavourite(first, at: moment(3)) && quiz.isFavourite(first))
        #expect(try store.favourites().map(\.id) == [first.item] && !quiz.toggleFavourite(first, at: moment(4)))
        try quiz.takeBack(at: moment(5))
        #expect(try quiz.question?.id == first.id && store.mistakes().isEmpty)
        var resumed = try #require(try Quiz.current(in: store))
        while let question = resumed.question { try resumed.answer(question.right, at: moment(6)) }
        #expect(throws: StoreError.quiz(.noneOpen)) { try resumed.answer(0, at: moment(7)) }
        #expect(try resumed.finish(at: moment(8)).mark == 5 && !resumed.view.isOpen && store.disagreement() == nil)
    }
}
