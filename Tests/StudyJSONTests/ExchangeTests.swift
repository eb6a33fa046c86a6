import EventLog
import StudyJSON
import Testing

@testable import Engram
@testable import Exchange

/// What imports, exports and merges came to, in JSON.
@Suite struct ExchangeTests {
    static func imported(_ format: ImportFormat) -> ImportReport {
        var report = ImportReport(source: format.rawValue)
        (report.newCards, report.updatedCards, report.unchangedCards) = (1, 2, 3)
        (report.newReviews, report.knownReviews, report.newPractice, report.knownPractice) = (4, 5, 6, 7)
        report.skipped = [("no_front", 8), ("empty", 9)]
        report.adjusted = [("cut_off", 10)]
        report.quarantined = 11
        report.rows = [
            ImportedRow(line: 12, outcome: .duplicate, reason: "reason", earlierLine: 13, front: "front"),
            ImportedRow(line: 14, outcome: .new, reason: nil, earlierLine: nil, front: "another"),
        ]
        report.remark = "remark"
        return report
    }
    static func importMembers(_ source: String) -> String {
        #"""
        "source":"\#(source)","cards":{"new":1,"updated":2,"unchanged":3},"reviews":{"new":4,"known":5},"practised":{"new":6,"known":7},\#
        "skipped":[{"reason":"no_front","count":8},{"reason":"empty","count":9}],"adjusted":[{"reason":"cut_off","count":10}],\#
        "quarantined":11
        """#
    }

    static func merge(digest: SHA256Digest?) -> MergeReport {
        let held = HeldAside(HeldCommit(origin: device(1), number: 2, reason: "reason", message: "message", bytes: []))
        return MergeReport(
            newEvents: 1, knownEvents: 2, quarantined: 3, heldAside: [held, held, held, held],
            refused: [.init(origin: device(5), commit: 6, reason: "why")], erasedCards: 7, erasedEvents: 8, isCleared: true, digest: digest,
            remark: "remark")
    }
    static let mergeMembers = #"""
        "events":{"new":1,"known":2},"quarantined":3,"held_aside":4,\#
        "refused":[{"origin":"0000000000000005","commit":6,"reason":"why"}],"erased":{"cards":7,"events":8,"cleared":true}
        """#

    static let forms = [
        Form("an import", imported(.coreData), "{\(importMembers("coredata"))}"),
        Form(
            "an import of a list", imported(.list),
            #"""
            {\#(importMembers("list")),"rows":[\#
            {"line":12,"outcome":"duplicate","reason":"reason","front":"front","of_line":13},\#
            {"line":14,"outcome":"new","reason":null,"front":"another"}]}
            """#),
        Form(
            "an import of words",
            WordImportReport(
                id: uid(1), name: "name", format: .ding, digest: digest(2), words: 3, entries: 4, isNew: true,
                skipped: [.init(reason: "reason", count: 5)], faults: [.init(path: "path", line: 6, why: "why")]),
            #"""
            {"id":"\#(uid(1))","name":"name","digest":"\#(digest(2))","words":3,"questions":0,"types":0,"source":"ding","entries":4,\#
            "changed":true,"skipped":[{"reason":"reason","count":5}],"faults":[{"file":"path","line":6,"message":"why"}]}
            """#),
        Form("a merge", merge(digest: digest(9)), #"{\#(mergeMembers),"digest":"\#(digest(9))"}"#),
        Form("a merge without a digest", merge(digest: nil), #"{\#(mergeMembers),"digest":null}"#),
        Form(
            "an export",
            JSONAnswer.export(ExportReport(cards: 1, reviews: 2, practised: 3, resets: 4), as: .apkg, to: "file"),
            #"{"format":"apkg","to":"file","cards":1,"reviews":2,"practised":3,"resets":4}"#),
    ]

    @Test(arguments: forms)
    func form(_ form: Form) { form.check() }
}
