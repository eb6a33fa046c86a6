import EventLog
import StudyJSON
import Testing

@testable import Engram

/// What keeps a store safe and sound, and gets one back, in JSON.
@Suite struct UpkeepTests {
    static let advice: FindingAdvice = { ("in words: \($0.message)", "next for \($0.kind)") }
    static let findings = [
        VerifyReport.Finding(kind: "kind", place: "place", message: "message"),
        VerifyReport.Finding(kind: "content_missing", place: "a pack", message: "gone"),
    ]
    static let findingElements = #"""
        [{"kind":"kind","where":"place","message":"in words: message","next":"next for kind"},\#
        {"kind":"content_missing","where":"a pack","message":"in words: gone","next":"next for content_missing"}]
        """#

    static func verified(_ part: VerifyReport.Range?) -> VerifyReport {
        var report = VerifyReport(level: .log, path: "path")
        (report.findings, report.findingCount) = (findings, 3)
        (report.pages, report.commits, report.events, report.projections, report.unknownEvents) = (4, 5, 6, 7, 8)
        report.pageFigures = [.init(commit: 9, used: 10, free: 11, leaked: 12)]
        report.heads = [(device(2), digest(3)), (device(1), digest(4))]
        report.knownHeads = [.init(origin: device(5), digest: digest(6), commitsSince: 13)]
        report.heldAside = [HeldAside(HeldCommit(origin: device(7), number: 14, reason: "reason", message: "message", bytes: []))]
        report.remarks = ["remark"]
        report.part = part
        return report
    }
    static func verifiedMembers(part: String) -> String {
        #"""
        "ok":false,"level":"log","findings":\#(findingElements),"finding_count":3,\#
        "checked":{"pages":4,"commits":5,"events":6,"projections":7},"part":\#(part),\#
        "pages":[{"commit":9,"used":10,"free":11,"leaked":12}],"unknown_events":8,\#
        "head":{"0000000000000002":"\#(digest(3))","0000000000000001":"\#(digest(4))"},\#
        "expected":[{"origin":"0000000000000005","digest":"\#(digest(6))","commits_since":13}],\#
        "remarks":[{"kind":"held_aside","where":"origin 0000000000000007, commit 14","message":"reason: message"},\#
        {"kind":"not_checked","where":"","message":"remark"}],"seconds":0.5
        """#
    }

    static func salvaged(lost: Int, doubt: String?) -> SalvageReport {
        SalvageReport(
            path: "path", events: 1, keptEvents: 2, erasedEvents: 3, lost: lost, missingCommits: 5, doubt: doubt,
            rescues: [.init(from: device(6), origin: device(7), events: 8)], gaps: [.init(origin: device(9), numbers: 11...12)],
            findings: findings, digest: digest(13))
    }
    static func salvagedJSON(_ lost: Int, complete: Bool, doubt: String) -> String {
        #"""
        {"changed":true,"events":1,"backup":null,"lost":\#(lost),"store":"path","kept":2,"erased":3,\#
        "gaps":[{"origin":"0000000000000009","first":11,"last":12}],"missing_commits":5,"complete":\#(complete),"unknown":\#(doubt),\#
        "missing_content":["a pack"],"rescued":[{"from":"0000000000000006","origin":"0000000000000007","events":8}],\#
        "findings":\#(findingElements),"digest":"\#(digest(13))"}
        """#
    }

    static let forms = [
        Form("a new store", JSONAnswer.store(at: "path", origin: device(1)), #"{"store":"path","origin":"0000000000000001"}"#),
        Form(
            "a backup", BackupReport(path: "path", events: 1, commits: 2, bytes: 3, digest: digest(4), drill: digest(5)),
            #"""
            {"changed":false,"events":1,"commits":2,"backup":"path","lost":0,"bytes":3,"digest":"\#(digest(4))","drill":"\#(digest(5))"}
            """#),
        Form(
            "a backup that wasn't tried out", BackupReport(path: "path", events: 1, commits: 2, bytes: 3, digest: digest(4), drill: nil),
            #"{"changed":false,"events":1,"commits":2,"backup":"path","lost":0,"bytes":3,"digest":"\#(digest(4))","drill":null}"#),
        Form(
            "a compaction", CompactReport(isChanged: true, bytesBefore: 1, bytesAfter: 2, events: 3),
            #"{"changed":true,"events":3,"backup":null,"lost":0,"bytes_before":1,"bytes":2}"#),
        Form(
            "a migration",
            MigrationReport(
                from: 1, to: 2, isChanged: true, events: 3,
                kinds: [
                    .init(type: "type", version: 4, readAs: 5, events: 6, erasable: 7),
                    .init(type: "type_9", version: 8, readAs: nil, events: 9, erasable: 0),
                ], keptAt: "kept"),
            #"""
            {"changed":true,"events":3,"backup":"kept","lost":0,"from":1,"to":2,"types":[\#
            {"type":"type","version":4,"read_as":5,"events":6,"erasable":7},\#
            {"type":"type_9","version":8,"read_as":null,"events":9,"erasable":0}]}
            """#),
        Form(
            "an erasure",
            JSONAnswer.erasure(of: uid(1), EraseReport(event: event(2), events: 3, left: 4, isCleared: true, removed: ["a", "b"])),
            #"{"id":"\#(uid(1))","event":"000000000000000a/2","erased":3,"left":4,"cleared":true,"removed":["a","b"]}"#),
        Form(
            "an erasure that was done before", JSONAnswer.erasure(of: uid(1), EraseReport(event: nil, events: 0, left: 0)),
            #"{"id":"\#(uid(1))","event":null,"erased":0,"left":0,"cleared":false,"removed":[]}"#),
        Form("a rebuild", JSONAnswer.rebuild(isChanged: true, digest: digest(1)), #"{"changed":true,"digest":"\#(digest(1))"}"#),
        Form(
            "a salvage", JSONAnswer.salvage(salvaged(lost: 4, doubt: "why"), advice: advice),
            salvagedJSON(4, complete: false, doubt: #""why""#)),
        Form(
            "a salvage of all", JSONAnswer.salvage(salvaged(lost: 0, doubt: nil), advice: advice),
            salvagedJSON(0, complete: true, doubt: "null")),
        Form(
            "a verification", JSONAnswer.verification(verified(nil), seconds: 0.5, advice: advice),
            "{\(verifiedMembers(part: "null"))}"),
        Form(
            "a verification of a sample",
            JSONAnswer.verification(
                verified(.init(first: 15, last: 16, total: 17, isContinuous: false)), seconds: 0.5, advice: advice),
            "{\(verifiedMembers(part: #"{"first":15,"last":16,"of":17,"sample":true,"proved":5}"#))}"),
        Form(
            "a verification that found nothing",
            JSONAnswer.verification(VerifyReport(level: .quick, path: "path"), seconds: 2, advice: advice),
            #"""
            {"ok":true,"level":"quick","findings":[],"finding_count":0,"checked":{"pages":0,"commits":0,"events":0,"projections":0},\#
            "part":null,"pages":[],"unknown_events":0,"head":{},"expected":[],"remarks":[],"seconds":2}
            """#),
    ]

    @Test(arguments: forms)
    func form(_ form: Form) { form.check() }
}
