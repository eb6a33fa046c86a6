import StudyJSON
import Testing

@testable import Engram

/// What packs, kinds of test and tests are in JSON.
@Suite struct QuizzesTests {
    static let pack = PackView(
        id: uid(1), name: "name", digest: digest(2), words: 3, questions: 4, types: 5, installedAt: time(6), content: .other)
    static let packMembers = #"""
        "id":"\#(uid(1))","name":"name","digest":"\#(digest(2))","words":3,"questions":4,"types":5,\#
        "installed_at":"2024-10-07T06:00:00+01:00","content":"other"
        """#

    static let type = TestTypeView(
        id: "id", title: "title", explanation: "explanation", pack: uid(1), questions: 2, disabledReason: nil, isSelected: false)
    static let typeMembers = #"""
        "id":"id","title":"title","explanation":"explanation","enabled":true,"questions":2,"selected":false,"pack":"\#(uid(1))",\#
        "obstacle":null
        """#
    static let selected = TestTypeView(
        id: "all", title: "title", explanation: "explanation", pack: nil, questions: 3, disabledReason: "why", isSelected: true)
    static let selectedMembers = #"""
        "id":"all","title":"title","explanation":"explanation","enabled":false,"questions":3,"selected":true,"pack":null,\#
        "obstacle":"why"
        """#

    static func question(_ number: Int, _ answer: QuizView.Answer?) -> QuizView.Question {
        QuizView.Question(
            id: uid(20 + UInt64(number)), item: uid(30 + UInt64(number)), number: number, prompt: "prompt \(number)",
            options: ["a", "b", "c", "d"], right: 2, answer: answer)
    }
    static let right = QuizView.Answer(event: event(11), chosen: 2, isRight: true, tookMilliseconds: 12, at: time(13))
    static let wrong = QuizView.Answer(event: event(14), chosen: 0, isRight: false, tookMilliseconds: nil, at: time(15))
    /// Of an option that isn't there any more.
    static let strange = QuizView.Answer(event: event(16), chosen: 7, isRight: false, tookMilliseconds: 17, at: time(18))

    static func asked(_ number: Int) -> String {
        #""question":"\#(uid(20 + UInt64(number)))","number":\#(number),"prompt":"prompt \#(number)","options":["a","b","c","d"]"#
    }

    static func quiz(_ answers: [QuizView.Answer?], isAbandoned: Bool = false) -> QuizView {
        QuizView(
            id: uid(1), testType: "type", pack: uid(2), seed: 3, startedAt: time(4),
            questions: answers.enumerated().map { question($0 + 1, $1) }, endedAt: nil, isAbandoned: isAbandoned)
    }

    static let forms = [
        Form("packs", JSONAnswer.packs([pack]), #"{"packs":[{\#(packMembers)}]}"#),
        Form("a removal", JSONAnswer.removal(of: pack, outcome(8)), #"{\#(packMembers),"event":"000000000000000a/8"}"#),
        Form(
            "an installation",
            PackReport(
                pack: pack, isChanged: true,
                skipped: [
                    .init(table: "table", row: 7, key: "key", reason: "reason"), .init(table: "t", row: 8, key: nil, reason: "r"),
                ], skippedCount: 9, refused: [.init(id: "id", condition: "condition", reason: "why")]),
            #"""
            {\#(packMembers),"changed":true,"skipped_count":9,\#
            "skipped":[{"table":"table","row":7,"key":"key","reason":"reason"},{"table":"t","row":8,"key":null,"reason":"r"}],\#
            "refused":[{"id":"id","condition":"condition","reason":"why"}]}
            """#),
        Form("a kind of test", type, "{\(typeMembers)}"),
        Form(
            "kinds of test", JSONAnswer.testTypes([type, selected]),
            #"{"types":[{\#(typeMembers)},{\#(selectedMembers)}],"selected":"all"}"#),
        Form("kinds of test with none selected", JSONAnswer.testTypes([type]), #"{"types":[{\#(typeMembers)}],"selected":null}"#),
        Form(
            "a test", quiz([right, wrong, nil, nil]),
            #"""
            {"quiz":"\#(uid(1))","type":"type","seed":3,"answered":2,"right":1,"total":4,\#(asked(3)),"correct":null,"questions":[\#
            {\#(asked(1)),"correct":true},{\#(asked(2)),"correct":false},{\#(asked(3)),"correct":null},{\#(asked(4)),"correct":null}]}
            """#),
        Form(
            "a test whose questions are all answered", quiz([wrong]),
            #"""
            {"quiz":"\#(uid(1))","type":"type","seed":3,"answered":1,"right":0,"total":1,\#
            "question":null,"number":null,"prompt":null,"options":[],"correct":null,"questions":[{\#(asked(1)),"correct":false}]}
            """#),
        Form(
            "an answer", JSONAnswer.answer(to: question(2, wrong), of: quiz([right, wrong, nil])),
            #"""
            {"quiz":"\#(uid(1))","type":"type","seed":3,"answered":2,"right":1,"total":3,\#(asked(2)),"correct":false,\#
            "chosen":1,"right_option":3,"item":"\#(uid(32))","event":"000000000000000a/14","next":{\#(asked(3))}}
            """#),
        Form(
            "the last answer", JSONAnswer.answer(to: question(1, right), of: quiz([right])),
            #"""
            {"quiz":"\#(uid(1))","type":"type","seed":3,"answered":1,"right":1,"total":1,\#(asked(1)),"correct":true,\#
            "chosen":3,"right_option":3,"item":"\#(uid(31))","event":"000000000000000a/11","next":null}
            """#),
        Form(
            "a result", QuizResult(quiz: quiz([right, wrong, strange, nil], isAbandoned: true), right: 6, total: 7, mark: 5),
            #"""
            {"quiz":"\#(uid(1))","type":"type","right":6,"total":7,"mark":5,"abandoned":true,"answers":[\#
            {"question":"\#(uid(21))","number":1,"prompt":"prompt 1","chosen":"c","right":"c","correct":true,"took_ms":12,\#
            "event":"000000000000000a/11"},\#
            {"question":"\#(uid(22))","number":2,"prompt":"prompt 2","chosen":"a","right":"c","correct":false,"took_ms":null,\#
            "event":"000000000000000a/14"},\#
            {"question":"\#(uid(23))","number":3,"prompt":"prompt 3","chosen":null,"right":"c","correct":false,"took_ms":17,\#
            "event":"000000000000000a/16"},\#
            {"question":"\#(uid(24))","number":4,"prompt":"prompt 4","chosen":null,"right":"c","correct":null,"took_ms":null,\#
            "event":null}]}
            """#),
    ]

    @Test(arguments: forms)
    func form(_ form: Form) { form.check() }
}
