import StudyJSON
import Testing

@testable import Engram
@testable import StudyProjections

/// What decks, cards, words and lists of them are in JSON.
@Suite struct CardsTests {
    static let deck = DeckView(
        id: uid(1), title: "Title", colour: Colour(rgb: 0x123456), cards: 2, learned: 3, due: 4, boxes: [5, 6, 7])
    static let deckMembers = #"""
        "id":"\#(uid(1))","title":"Title","colour":"#123456","cards":2,"learned":3,"due":4,"boxes":[5,6,7]
        """#

    static let card = CardView(
        id: uid(1), deck: uid(2), front: "front", back: "back", createdAt: time(3), lastReviewedAt: time(4), passed: 5, failed: 6,
        level: 7.5, box: 8, memory: CardMemory(SchedulerMemory(19), of: .standard), intervalDays: 9, due: day(10), isFavourite: true,
        isLive: false)
    static let cardMembers = #"""
        "id":"\#(uid(1))","deck":"\#(uid(2))","front":"front","back":"back",\#
        "created_at":"2024-10-07T03:00:00+01:00","last_reviewed_at":"2024-10-07T04:00:00+01:00","passed":5,"failed":6,\#
        "level":7.5,"box":8,"memory":{"level":9.5,"box":7},"interval_days":9,"due":"2024-10-10","favourite":true,"live":false
        """#
    /// A card known from its history alone, under a scheduler that this program doesn't know.
    static let bareCard = CardView(
        id: uid(1), deck: .none, front: "", back: "", createdAt: nil, lastReviewedAt: nil, passed: 2, failed: 3, level: nil, box: nil,
        memory: CardMemory(SchedulerMemory(19), of: unknown), intervalDays: 4, due: nil, isFavourite: false, isLive: true)
    static let bareCardMembers = #"""
        "id":"\#(uid(1))","deck":null,"front":"","back":"","created_at":null,"last_reviewed_at":null,"passed":2,"failed":3,\#
        "level":null,"box":null,"memory":{},"interval_days":4,"due":null,"favourite":false,"live":true
        """#

    static let unknown = KnownSchedulers.builtIn.recorded(
        name: "fsrs9", revision: 3, parameters: [("days", "12"), ("retention", "0.9"), ("way", "long")])

    static let word = WordView(id: uid(1), word: "word", entry: "entry", isFavourite: true)
    static let wordMembers = #""id":"\#(uid(1))","word":"word","entry":"entry","favourite":true"#

    static let before = CardSnapshot(
        level: 0.5, box: 1, memory: CardMemory(SchedulerMemory(5), of: .standard), intervalDays: 2, due: day(3))
    static let after = CardSnapshot(
        level: 1.5, box: 4, memory: CardMemory(SchedulerMemory(7), of: .standard), intervalDays: 5, due: day(6))
    static let line = #"""
        "before":{"level":0.5,"box":1,"memory":{"level":2.5,"box":2},"interval_days":2,"due":"2024-10-03"},\#
        "after":{"level":1.5,"box":4,"memory":{"level":3.5,"box":3},"interval_days":5,"due":"2024-10-06"}
        """#

    static let forms = [
        Form("a deck", deck, "{\(deckMembers)}"),
        Form(
            "a deck without a colour", DeckView(id: uid(1), title: "\u{202E}\u{7}", colour: nil, cards: 2, learned: 3, due: 4, boxes: []),
            #"{"id":"\#(uid(1))","title":"\u202e\u0007","colour":null,"cards":2,"learned":3,"due":4,"boxes":[]}"#),
        Form("decks", JSONAnswer.decks([deck]), #"{"decks":[{\#(deckMembers)}]}"#),
        Form("no decks", JSONAnswer.decks([]), #"{"decks":[]}"#),
        Form("a deletion", JSONAnswer.deletion(of: deck, outcome(8)), #"{"event":"000000000000000a/8",\#(deckMembers)}"#),
        Form("a deletion of nothing", JSONAnswer.deletion(of: nil, outcome(8)), #"{"event":"000000000000000a/8"}"#),
        Form("a card", card, "{\(cardMembers)}"),
        Form("a card of which little is known", bareCard, "{\(bareCardMembers)}"),
        Form("cards", JSONAnswer.cards([card, bareCard]), #"{"cards":[{\#(cardMembers)},{\#(bareCardMembers)}]}"#),
        Form("a word", word, "{\(wordMembers)}"),
        Form("words", JSONAnswer.words([word]), #"{"words":[{\#(wordMembers)}]}"#),
        Form(
            "items", JSONAnswer.items([ItemView(id: uid(1), kind: .question, text: "text", since: time(2), count: 3)]),
            #"{"items":[{"id":"\#(uid(1))","kind":"question","text":"text","since":"2024-10-07T02:00:00+01:00","count":3}]}"#),
        Form(
            "what became of a card", JSONAnswer.outcome(of: outcome(8), target: event(9), card: card, unknownSchedulers: ["fsrs9"]),
            #"{\#(cardMembers),"event":"000000000000000a/8","target":"000000000000000a/9","unknown_schedulers":["fsrs9"]}"#),
        Form(
            "what became of a deck", JSONAnswer.outcome(of: outcome(8), deck: deck), #"{\#(deckMembers),"event":"000000000000000a/8"}"#),
        Form(
            "what became of a word where nothing was written",
            JSONAnswer.outcome(of: ActionResult(events: [], subject: uid(1), isNew: false), word: word), #"{\#(wordMembers),"event":null}"#),
        Form(
            "what became of an item",
            JSONAnswer.outcome(of: outcome(8), item: uid(1), kind: .word, text: "text", isFavourite: true),
            #"{"id":"\#(uid(1))","kind":"word","text":"text","favourite":true,"event":"000000000000000a/8"}"#),
        Form(
            "what is due",
            DueList(
                day: day(1), decks: [(uid(2), "Deck", 3)], cards: [uid(4), uid(5)], undated: 6, unknownSchedulers: ["fsrs9", "leitner"]),
            #"""
            {"day":"2024-10-01","total":2,"decks":[{"id":"\#(uid(2))","title":"Deck","due":3}],"cards":["\#(uid(4))","\#(uid(5))"],\#
            "unknown_schedulers":["fsrs9","leitner"],"undated":6}
            """#),
        Form(
            "nothing due", DueList(day: day(1), decks: [], cards: [], undated: 0, unknownSchedulers: []),
            #"{"day":"2024-10-01","total":0,"decks":[],"cards":[]}"#),
        Form(
            "a line of a timeline",
            TimelineLine(
                event: event(1), type: "card_reviewed", at: time(2), day: day(3), grade: .hard, tookMilliseconds: 4, isVoided: true,
                target: event(5), before: before, after: after),
            #"""
            {"event":"000000000000000a/1","type":"card_reviewed","at":"2024-10-07T02:00:00+01:00","day":"2024-10-03",\#
            "grade":"hard","took_ms":4,"voided":true,"target":"000000000000000a/5",\#(line)}
            """#),
        Form(
            "a line without a grade",
            TimelineLine(
                event: event(1), type: "card_created", at: time(2), day: day(3), grade: nil, tookMilliseconds: nil, isVoided: false,
                target: nil, before: before, after: after),
            #"""
            {"event":"000000000000000a/1","type":"card_created","at":"2024-10-07T02:00:00+01:00","day":"2024-10-03",\#
            "grade":null,"took_ms":null,"voided":false,\#(line)}
            """#),
        Form(
            "a scheduler", ConfiguredScheduler.standard,
            #"""
            {"scheduler":"boxes","revision":1,"parameters":{"count":8,"first":3,"multiplier":"41/20"},\#
            "spec":"boxes:count=8,first=3,multiplier=41/20"}
            """#),
        Form(
            "a scheduler that this program doesn't know", unknown,
            #"""
            {"scheduler":"fsrs9","revision":3,"parameters":{"days":12,"retention":"0.9","way":"long"},\#
            "spec":"fsrs9:days=12,retention=0.9,way=long"}
            """#),
        Form(
            "the scheduler of the store and those of decks",
            JSONAnswer.scheduler(.standard, [DeckScheduler(deck: uid(4), title: "Spanish", scheduler: unknown)]),
            #"""
            {"scheduler":"boxes","revision":1,"parameters":{"count":8,"first":3,"multiplier":"41/20"},\#
            "spec":"boxes:count=8,first=3,multiplier=41/20",\#
            "decks":[{"id":"\#(uid(4))","title":"Spanish","scheduler":"fsrs9:days=12,retention=0.9,way=long"}]}
            """#),
        Form(
            "what an app recorded", JSONAnswer.recording(of: ActionResult(events: [event(3)], subject: uid(5), isNew: true), about: uid(5)),
            #"{"event":"000000000000000a/3","subject":"\#(uid(5))"}"#),
        Form("the study day", JSONAnswer.day(day(1), rolloverHour: 4), #"{"day":"2024-10-01","rollover_hour":4}"#),
    ]

    @Test(arguments: forms)
    func form(_ form: Form) { form.check() }
}
