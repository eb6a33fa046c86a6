import CommandLineKit
import Engram

/// A test on a terminal, from the first key to the last.
struct QuizLoop {
    private let console: Console
    private let session: Session
    private var quiz: Quiz
    private var note = ""
    private var askedAt = System.steadyNanoseconds()

    /// So long an answered question stays on the screen, in milliseconds, unless a key is pressed.
    private static let pause: Int32 = 1000

    /// How a test on the terminal ended.
    enum Ending {
        /// Every question was answered.
        case finished(QuizResult)
        case abandoned(QuizResult)
        /// It goes on another time.
        case left
    }

    init(_ quiz: Quiz, note: String, on console: Console, _ session: Session) {
        self.quiz = quiz
        self.note = note
        self.console = console
        self.session = session
    }

    mutating func run(marks: GradingScale) throws -> Ending {
        askedAt = System.steadyNanoseconds()
        while let question = quiz.question {
            try draw(question)
            guard let key = console.key() else { continue }
            note = ""
            switch key {
            case .interrupt, .endOfInput, .text("q"), .text("Q"): return .left
            case .text("x"), .text("X"): return .abandoned(try quiz.abandon(at: session.now()))
            case .text("u"), .text("U"): try takeBack()
            case .text("f"), .text("F"): try toggleFavourite(question)
            case .text(let scalar):
                guard let digit = Int(String(scalar)), question.options.indices.contains(digit - 1) else { continue }
                let took = min((System.steadyNanoseconds() &- askedAt) / 1_000_000, 86_400_000)
                let answered = try quiz.answer(digit - 1, took: Int64(took), at: session.now())
                guard try show(answered) else { return .left }
                askedAt = System.steadyNanoseconds()
            default: continue
            }
        }
        return .finished(try quiz.finish(at: session.now(), scale: marks))
    }

    private func draw(_ question: QuizView.Question) throws {
        let screen = QuizScreen(
            quiz: quiz.view, question: question, isFavourite: try quiz.isFavourite(question), note: note,
            surface: console.surface(session), rows: console.rows)
        console.draw(screen.lines)
    }

    /// Shows what was right for a moment, or until a key. False where the person left.
    private mutating func show(_ answered: QuizView.Question) throws -> Bool {
        note = answered.answer?.isRight ?? false ? "right" : "wrong"
        var timeout: Int32? = Self.pause
        while true {
            try draw(answered)
            switch console.key(timeout: timeout) {
            case .text("f")?, .text("F")?:
                try toggleFavourite(answered)
                // Who does something with the question wants to look at it.
                timeout = nil
                continue
            case .resized?: continue
            case .text("u")?, .text("U")?: try takeBack()
            case .interrupt?, .endOfInput?, .text("q")?, .text("Q")?: return false
            default: note = ""
            }
            return true
        }
    }

    private mutating func takeBack() throws {
        do {
            try quiz.takeBack(at: session.now())
            note = "took back the last answer"
        } catch StoreError.nothingToUndo {
            note = "There is no answer of this test to take back."
        }
    }

    private mutating func toggleFavourite(_ question: QuizView.Question) throws {
        note = try quiz.toggleFavourite(question, at: session.now()) ? "a favourite now" : "no favourite any more"
    }
}

/// `engram quiz` by itself: picks a kind of test, goes on with a test or begins one, and tells at the end what came of it.
enum QuizTerminal {
    static func run(_ call: Invocation, _ session: Session) throws -> ExitCode {
        guard !session.isJSON, Console.isPossible(session) else { return try QuizActions.show(call, session) }
        let store = try StoreAccess.open(call, session)
        guard let console = Console(session) else { return try QuizActions.show(call, session) }
        defer { console.close() }
        var note = ""
        let quiz: Quiz
        if let open = try Quiz.current(in: store) {
            quiz = open
            note = "going on with the test of \(open.view.startedAt.iso)"
        } else {
            guard let type = try pick(store, console, session) else { return .success }
            try store.selectTestType(type, at: session.now())
            quiz = try Quiz.start(in: store, type: type, at: session.now())
        }
        var loop = QuizLoop(quiz, note: note, on: console, session)
        let ending = try loop.run(marks: .standard)
        console.close()
        switch ending {
        case .finished(let result): QuizActions.show(result, session)
        case .abandoned(let result): session.out.line("left the test after \(result.quiz.answered) of \(result.total) questions")
        case .left: session.remark("Nothing is lost. Go on with: engram quiz")
        }
        return .success
    }

    /// Lets the person pick a kind of test; `nil` where they left.
    private static func pick(_ store: StudyStore, _ console: Console, _ session: Session) throws -> String? {
        let types = try store.testTypes()
        guard types.contains(where: \.isEnabled) else {
            throw CommandFailure(.failure, "there is no test to take", next: "Install questions with: engram pack install FILE")
        }
        var picker = TestTypePicker(types)
        while true {
            console.draw(picker.lines(on: console.surface(session), rows: console.rows))
            guard let key = console.key() else { continue }
            switch picker.take(key) {
            case .undecided: continue
            case .begin(let type): return type
            case .leave: return nil
            }
        }
    }
}
