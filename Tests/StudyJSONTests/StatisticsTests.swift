import StudyJSON
import Testing

@testable import Engram
@testable import StudyProjections

/// What figures and what stands behind them are in JSON.
@Suite struct StatisticsTests {
    static let figures: Statistics = {
        var figures = Statistics(today: day(30))
        figures.reviews = .init(again: 1, hard: 2, good: 3, easy: 2)
        figures.practised = 9
        figures.reviewsByBox = [.init(total: 10, passed: 11), .init(total: 12, passed: 13)]
        figures.turned = 14
        figures.turnedMilliseconds = 15_500
        figures.cards = .init(total: 16, new: 17, learned: 18, deleted: 19)
        figures.boxes = [20, 21]
        figures.due = .init(total: 22, overdue: 23, forecast: [.init(day: day(1), cards: 24), .init(day: day(2), cards: 25)])
        figures.days = [.init(day: day(3), reviews: 26, passed: 27, milliseconds: 28_999)]
        figures.hours = [29, 30]
        figures.streak = .init(current: 31, longest: 32)
        figures.milliseconds = 33_999
        figures.averageIntervalDays = 34.5
        return figures
    }()
    static let members = #"""
        "reviews":{"total":8,"again":1,"hard":2,"good":3,"easy":2,"pass_rate":0.875},"practised":9,\#
        "reviews_by_box":[{"total":10,"passed":11},{"total":12,"passed":13}],"turned":{"reviews":14,"seconds":15.5},\#
        "cards":{"total":16,"new":17,"learned":18,"deleted":19},"boxes":[20,21],\#
        "due":{"total":22,"overdue":23,"forecast":[{"day":"2024-10-01","cards":24},{"day":"2024-10-02","cards":25}]},\#
        "days":[{"day":"2024-10-03","reviews":26,"passed":27,"seconds":28}],"hours":[29,30],\#
        "streak":{"current":31,"longest":32},"seconds":33,"average_interval_days":34.5
        """#

    static func replay(stored: SHA256Digest?) -> ReplayReport {
        ReplayReport(
            events: 1, commits: 2, origins: 3, decks: 4, cards: 5, reviews: 6, digest: digest(7), storedDigest: stored, statistics: figures)
    }
    static let replayMembers = #""events":1,"commits":2,"origins":3,"decks":4,"cards":5,"reviews":6,"digest":"\#(digest(7))""#

    static let forms = [
        Form("figures", figures, "{\(members)}"),
        Form(
            "figures of nothing", Statistics(today: day(1)),
            #"""
            {"reviews":{"total":0,"again":0,"hard":0,"good":0,"easy":0,"pass_rate":null},"practised":0,"reviews_by_box":[],\#
            "turned":{"reviews":0,"seconds":0},"cards":{"total":0,"new":0,"learned":0,"deleted":0},"boxes":[],\#
            "due":{"total":0,"overdue":0,"forecast":[]},"days":[],"hours":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],\#
            "streak":{"current":0,"longest":0},"seconds":0,"average_interval_days":null}
            """#),
        Form("figures by rules that are known", JSONAnswer.statistics(figures, unknownSchedulers: []), "{\(members)}"),
        Form(
            "figures by rules that aren't", JSONAnswer.statistics(figures, unknownSchedulers: ["fsrs9"]),
            #"{\#(members),"unknown_schedulers":["fsrs9"]}"#),
        Form(
            "what stands behind a figure",
            JSONAnswer.explanation(
                of: "reviews.hard",
                [
                    .init(
                        event: event(1), type: "card_reviewed", card: uid(2), at: time(3), day: day(4), grade: .hard, tookMilliseconds: 5),
                    .init(
                        event: event(6), type: "card_created", card: uid(7), at: time(8), day: day(9), grade: nil, tookMilliseconds: nil),
                ]),
            #"""
            {"figure":"reviews.hard","events":[{"event":"000000000000000a/1","type":"card_reviewed","card":"\#(uid(2))",\#
            "at":"2024-10-07T03:00:00+01:00","day":"2024-10-04","grade":"hard","took_ms":5},\#
            {"event":"000000000000000a/6","type":"card_created","card":"\#(uid(7))",\#
            "at":"2024-10-07T08:00:00+01:00","day":"2024-10-09","grade":null,"took_ms":null}]}
            """#),
        Form(
            "a replay that came to the same", JSONAnswer.replay(replay(stored: digest(7)), seconds: 0.25),
            #"{\#(replayMembers),"stored_digest":"\#(digest(7))","equal":true,"statistics":{\#(members)},"seconds":0.25}"#),
        Form(
            "a replay that came to something else", JSONAnswer.replay(replay(stored: digest(8)), seconds: 0.25),
            #"{\#(replayMembers),"stored_digest":"\#(digest(8))","equal":false,"statistics":{\#(members)},"seconds":0.25}"#),
        Form(
            "a replay by other rules", JSONAnswer.replay(replay(stored: nil), seconds: 0.25),
            #"{\#(replayMembers),"stored_digest":null,"statistics":{\#(members)},"seconds":0.25}"#),
    ]

    @Test(arguments: forms)
    func form(_ form: Form) { form.check() }
}
