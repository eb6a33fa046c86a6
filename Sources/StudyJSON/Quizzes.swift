public import Engram

extension PackView: JSONRepresentable {
    /// `id`, `name`, `digest`, `words`, `questions`, `types`, `installed_at`, `content`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("name", name)
        writer.member("digest", digest.description)
        writer.member("words", words)
        writer.member("questions", questions)
        writer.member("types", types)
        writer.member("installed_at", installedAt.iso)
        writer.member("content", content.rawValue)
    }
}

extension PackReport: JSONRepresentable {
    /// The pack, and `changed`, `skipped_count`, `skipped`, `refused`.
    public func writeMembers(to writer: inout JSONWriter) {
        pack.writeMembers(to: &writer)
        writer.member("changed", isChanged)
        writer.member("skipped_count", skippedCount)
        writer.objects("skipped", skipped) { writer, row in
            writer.member("table", row.table)
            writer.member("row", row.row)
            writer.member("key", row.key)
            writer.member("reason", row.reason)
        }
        writer.objects("refused", refused) { writer, type in
            writer.member("id", type.id)
            writer.member("condition", type.condition)
            writer.member("reason", type.reason)
        }
    }
}

extension TestTypeView: JSONRepresentable {
    /// `id`, `title`, `explanation`, `enabled`, `questions`, `selected`, `pack`, `obstacle`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("title", title)
        writer.member("explanation", explanation)
        writer.member("enabled", isEnabled)
        writer.member("questions", questions)
        writer.member("selected", isSelected)
        writer.member("pack", pack?.description)
        writer.member("obstacle", disabledReason)
    }
}

extension QuizView: JSONRepresentable {
    /// How far it has come; the question that it asks now; `questions` with all that it asks.
    public func writeMembers(to writer: inout JSONWriter) {
        writeProgress(to: &writer)
        Question.writeMembers(of: next, to: &writer)
        writer.member("correct", nil as Bool?)
        writer.objects("questions", questions) { writer, question in
            question.writeMembers(to: &writer)
            writer.member("correct", question.answer?.isRight)
        }
    }

    /// What doesn't change from question to question, and how far it has come.
    fileprivate func writeProgress(to writer: inout JSONWriter) {
        writer.member("quiz", id.description)
        writer.member("type", testType)
        writer.key("seed")
        writer.value(seed)
        writer.member("answered", answered)
        writer.member("right", right)
        writer.member("total", total)
    }
}

extension QuizView.Question: JSONRepresentable {
    /// As it is asked: `question` (its identity), `number`, `prompt`, `options`.
    public func writeMembers(to writer: inout JSONWriter) { Self.writeMembers(of: self, to: &writer) }

    fileprivate static func writeMembers(of question: Self?, to writer: inout JSONWriter) {
        writer.member("question", question?.id.description)
        writer.member("number", question?.number)
        writer.member("prompt", question?.prompt)
        writer.strings("options", question?.options ?? [])
    }
}

extension QuizResult: JSONRepresentable {
    /// `quiz`, `type`, `right`, `total`, `mark`, `abandoned`, `answers`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("quiz", quiz.id.description)
        writer.member("type", quiz.testType)
        writer.member("right", right)
        writer.member("total", total)
        writer.member("mark", mark)
        writer.member("abandoned", quiz.isAbandoned)
        writer.objects("answers", quiz.questions) { writer, asked in
            writer.member("question", asked.id.description)
            writer.member("number", asked.number)
            writer.member("prompt", asked.prompt)
            writer.member("chosen", asked.answer.flatMap { $0.chosen < asked.options.count ? asked.options[$0.chosen] : nil })
            writer.member("right", asked.options[asked.right])
            writer.member("correct", asked.answer?.isRight)
            writer.member("took_ms", asked.answer?.tookMilliseconds)
            writer.member("event", asked.answer?.event.description)
        }
    }
}

extension JSONAnswer {
    /// `packs`.
    public static func packs(_ packs: [PackView]) -> Self { Self { $0.array("packs", packs) } }

    /// A pack's removal: the pack as it was, and `event`.
    public static func removal(of pack: PackView, _ result: ActionResult) -> Self {
        Self { writer in
            pack.writeMembers(to: &writer)
            writer.member("event", result.events.first?.description)
        }
    }

    /// `types` and `selected`.
    public static func testTypes(_ types: [TestTypeView]) -> Self {
        Self { writer in
            writer.array("types", types)
            writer.member("selected", types.first(where: \.isSelected)?.id)
        }
    }

    /// An answer that was just given: how far the test has come, the question, `correct`, `chosen` and `right_option` (from 1), `item`,
    /// `event`, `next`.
    public static func answer(to question: QuizView.Question, of quiz: QuizView) -> Self {
        Self { writer in
            quiz.writeProgress(to: &writer)
            question.writeMembers(to: &writer)
            writer.member("correct", question.answer?.isRight)
            writer.member("chosen", question.answer.map { $0.chosen + 1 } ?? 0)
            writer.member("right_option", question.right + 1)
            writer.member("item", question.item.description)
            writer.member("event", question.answer?.event.description)
            writer.member("next", quiz.next)
        }
    }
}
