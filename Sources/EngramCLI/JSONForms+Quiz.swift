import Engram

/// The JSON of packs, kinds of test, and tests. Scripts rely on the keys.
extension JSONForms {
    static func pack(_ pack: PackView, _ writer: inout JSONWriter) {
        writer.member("id", pack.id.description)
        writer.member("name", pack.name)
        writer.member("digest", pack.digest.description)
        writer.member("words", pack.words)
        writer.member("questions", pack.questions)
        writer.member("types", pack.types)
        writer.member("installed_at", pack.installedAt.iso)
        writer.member("content", pack.content.rawValue)
    }

    static func testType(_ type: TestTypeView, _ writer: inout JSONWriter) {
        writer.member("id", type.id)
        writer.member("title", type.title)
        writer.member("explanation", type.explanation)
        writer.key("enabled")
        writer.value(type.isEnabled)
        writer.member("questions", type.questions)
        writer.key("selected")
        writer.value(type.isSelected)
        writer.member("pack", type.pack?.description)
        writer.member("obstacle", type.disabledReason)
    }

    /// A question as it is asked: its identity, its text, its options.
    static func question(_ question: QuizView.Question?, _ writer: inout JSONWriter) {
        writer.member("question", question?.id.description)
        writer.key("number")
        if let question { writer.value(question.number) } else { writer.null() }
        writer.member("prompt", question?.prompt)
        writer.key("options")
        array(&writer, question?.options ?? []) { $0.value($1) }
    }

    /// Whether the answer was right; null where there is none yet.
    static func correctness(_ question: QuizView.Question?, _ writer: inout JSONWriter) {
        writer.key("correct")
        if let answer = question?.answer { writer.value(answer.isRight) } else { writer.null() }
    }

    /// What of a test doesn't change from question to question, and how far it has come.
    static func progress(_ quiz: QuizView, _ writer: inout JSONWriter) {
        writer.member("quiz", quiz.id.description)
        writer.member("type", quiz.testType)
        writer.key("seed")
        writer.value(quiz.seed)
        writer.member("answered", quiz.answered)
        writer.member("right", quiz.right)
        writer.member("total", quiz.total)
    }

    /// The test that goes on, and the question that it asks now.
    static func quiz(_ quiz: QuizView, _ writer: inout JSONWriter) {
        progress(quiz, &writer)
        question(quiz.next, &writer)
        correctness(nil, &writer)
        writer.key("questions")
        array(&writer, quiz.questions) { writer, asked in
            object(&writer) { writer in
                question(asked, &writer)
                correctness(asked, &writer)
            }
        }
    }

    static func result(_ result: QuizResult, _ writer: inout JSONWriter) {
        writer.member("quiz", result.quiz.id.description)
        writer.member("type", result.quiz.testType)
        writer.member("right", result.right)
        writer.member("total", result.total)
        writer.member("mark", result.mark)
        writer.key("abandoned")
        writer.value(result.quiz.isAbandoned)
        writer.key("answers")
        array(&writer, result.quiz.questions) { writer, asked in
            object(&writer) { writer in
                writer.member("question", asked.id.description)
                writer.member("number", asked.number)
                writer.member("prompt", asked.prompt)
                writer.member("chosen", asked.answer.flatMap { $0.chosen < asked.options.count ? asked.options[$0.chosen] : nil })
                writer.member("right", asked.options[asked.right])
                correctness(asked, &writer)
                writer.key("took_ms")
                if let took = asked.answer?.tookMilliseconds { writer.value(took) } else { writer.null() }
                writer.member("event", asked.answer?.event.description)
            }
        }
    }

    static func item(_ id: UniqueID, _ kind: ItemKind, _ text: String, favourite: Bool, event: EventID?, _ writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("kind", kind.name)
        writer.member("text", text)
        writer.key("favourite")
        writer.value(favourite)
        writer.member("event", event?.description)
    }
}
