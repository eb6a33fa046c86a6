import CommandLineKit
import Engram
import StudyJSON

/// What the commands about tests do.
enum QuizActions {
    // MARK: Kinds of test

    static func types(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let types = try StoreAccess.ask(call, session).testTypes()
        if session.isJSON {
            session.print(JSONAnswer.testTypes(types))
        } else if call[QuizCommands.ids] {
            session.out.lines(types.filter(\.isEnabled).map { shown($0.id) })
        } else {
            var table = Table([
                .init("Type"), .init("Title", isFlexible: true), .init("Explanation", isFlexible: true), .init("Questions", .right),
            ])
            for type in types {
                let style: Style = type.isEnabled ? .plain : .dim
                table.add([
                    Table.Cell(type.id + (type.isSelected ? " *" : ""), type.isSelected ? .bold : style), Table.Cell(type.title, style),
                    Table.Cell(type.disabledReason ?? type.explanation, style), Table.Cell(Numbers.grouped(type.questions), style),
                ])
            }
            session.out.lines(table.lines(on: session.surface))
            if types.contains(where: \.isSelected) { session.remark("* is the one that is selected.") }
        }
        return .success
    }

    static func select(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let type = try StoreAccess.open(call, session).selectTestType(try call.value(of: QuizCommands.type), at: session.now())
        if session.isJSON {
            session.print(type)
        } else {
            session.out.line("selected \(Style.bold(shown(type.title), on: session.surface)): \(Numbers.count(type.questions, "question"))")
            if let disabledReason = type.disabledReason { session.remark("It can't be started now: \(shown(disabledReason)).") }
        }
        return .success
    }

    // MARK: A test

    static func start(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let type = try call[QuizCommands.type.optional] ?? selected(store)
        let quiz = try store.startQuiz(
            type: type, count: call[QuizCommands.count] ?? StudyStore.usualQuestionCount,
            seed: call[QuizCommands.seed].map { UInt64($0) }, abandoning: call[QuizCommands.abandon], at: session.now())
        return show(quiz, session)
    }

    private static func selected(_ store: StudyStore) throws -> String {
        if let type = try store.testTypes().first(where: \.isSelected) { return type.id }
        throw CommandFailure(.usage, "no kind of test is selected", next: "Name one: 'engram quiz types' shows them.")
    }

    static func show(_ call: Invocation, _ session: Session) throws -> ExitCode {
        guard let quiz = try StoreAccess.ask(call, session).currentQuiz() else { throw StoreError.quiz(.noneOpen) }
        return show(quiz, session)
    }

    private static func show(_ quiz: QuizView, _ session: Session) -> ExitCode {
        if session.isJSON {
            session.print(quiz)
        } else {
            session.remark("Test \(shown(quiz.testType)): \(quiz.answered) of \(quiz.total) answered, \(quiz.right) right")
            ask(quiz, session)
        }
        return .success
    }

    /// Shows the question to answer now, or what to do where there is none.
    private static func ask(_ quiz: QuizView, _ session: Session) {
        guard let question = quiz.next else {
            session.remark("Every question is answered. Next: engram quiz finish")
            return
        }
        let place = Style.dim("\(question.number)/\(quiz.total)", on: session.surface)
        session.out.line("\(place)  \(Style.bold(shown(question.prompt), on: session.surface))")
        for (index, option) in question.options.enumerated() {
            session.out.line("  \(Style.colour(.cyan)("\(index + 1)", on: session.surface))  \(shown(option))")
        }
        session.remark("Next: engram quiz answer \(question.number) OPTION")
    }

    static func answer(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        guard let open = try store.currentQuiz() else { throw StoreError.quiz(.noneOpen) }
        let asked = try question(named: try call.value(of: QuizCommands.question), of: open)
        let option = try option(named: try call.value(of: QuizCommands.option), of: asked)
        let quiz = try store.answer(
            question: asked.id, option: option, took: call[Parameters.took].map { Int64($0) }, at: session.now())
        guard let answered = quiz.questions.first(where: { $0.id == asked.id }) else {
            throw StoreError.notFound(.question, name: asked.id.description)
        }
        if session.isJSON {
            session.print(JSONAnswer.answer(to: answered, of: quiz))
        } else {
            let right = shown(answered.options[answered.right])
            session.out.line(
                answered.answer?.isRight ?? false
                    ? Style.colour(.green)("right", on: session.surface) + ": \(right)"
                    : Style.colour(.red)("wrong", on: session.surface) + ": the right one is \(answered.right + 1), \(right)")
            ask(quiz, session)
        }
        return .success
    }

    /// The question of that number, identity, or start of one.
    private static func question(named name: String, of quiz: QuizView) throws -> QuizView.Question {
        // Starts of identities have four characters or more.
        if name.utf8.count < 4, let number = Int(name) {
            guard let found = quiz.questions.first(where: { $0.number == number }) else {
                throw StoreError.badValue(field: "the question", value: name, allowed: "a number from 1 to \(quiz.total), or an id")
            }
            return found
        }
        let start = name.lowercased()
        let found = quiz.questions.filter {
            $0.id.description == start || (start.utf8.count >= 4 && $0.id.description.hasPrefix(start))
        }
        guard let first = found.first else {
            if let number = Int(name), let numbered = quiz.questions.first(where: { $0.number == number }) { return numbered }
            throw StoreError.notFound(.question, name: name)
        }
        guard found.count == 1 else {
            throw StoreError.ambiguous(.question, name: name, candidates: found.map { "\($0.id) (\($0.prompt))" }.sorted())
        }
        return first
    }

    /// Index of the option of that number or text.
    private static func option(named name: String, of question: QuizView.Question) throws -> Int {
        if let number = Int(name), question.options.indices.contains(number - 1) { return number - 1 }
        if let index = question.options.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
        throw StoreError.badValue(
            field: "the option", value: name, allowed: "a number from 1 to \(question.options.count), or the text of an option")
    }

    // MARK: The end of it

    static func finish(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let result = try store.finishQuiz(at: session.now(), scale: call[QuizCommands.marks] ?? .standard)
        if session.isJSON {
            session.print(result)
        } else {
            show(result, session)
        }
        return .success
    }

    /// What came of a test: how many were right, the mark, and each answer.
    static func show(_ result: QuizResult, _ session: Session) {
        let colour: Style.Colour = result.mark >= 4 ? .green : result.mark == 3 ? .yellow : .red
        session.out.line(
            "\(result.right) of \(result.total) right, "
                + Style(bold: true, colour: colour)("mark \(result.mark)", on: session.surface))
        session.out.lines(table(of: result.quiz, session))
        if result.right < result.quiz.answered { session.remark("Next: engram mistakes list, or engram quiz start mistakes") }
    }

    private static func table(of quiz: QuizView, _ session: Session) -> [String] {
        var table = Table([
            .init("#", .right), .init("", .left), .init("Question", isFlexible: true), .init("Answer", isFlexible: true),
            .init("Right", isFlexible: true),
        ])
        for question in quiz.questions {
            let isRight = question.answer?.isRight ?? false
            let chosen = question.answer.flatMap { $0.chosen < question.options.count ? question.options[$0.chosen] : nil }
            table.add([
                Table.Cell("\(question.number)", .dim),
                Table.Cell(isRight ? "right" : question.answer == nil ? "open" : "wrong", .colour(isRight ? .green : .red)),
                Table.Cell(question.prompt), Table.Cell(chosen ?? ""), Table.Cell(isRight ? "" : question.options[question.right]),
            ])
        }
        return table.lines(on: session.surface)
    }

    static func abandon(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let result = try StoreAccess.open(call, session).abandonQuiz(at: session.now())
        if session.isJSON {
            session.print(result)
        } else {
            session.out.line("left the test after \(result.quiz.answered) of \(Numbers.count(result.total, "question"))")
            session.remark("Next: engram undo goes on with it.")
        }
        return .success
    }
}
