import Engram
import EngramTesting
import Foundation
import StudyModel
import Synchronization

/// A history with something of everything: every type of event, actions that were taken back and corrected, an event that was held
/// and released, a text that was erased, an import, a second device that was merged. The same bytes on every run.
///
/// Who changes it changes the golden figures: add to a new one instead.
enum FixedHistory {
    private static let start: Int64 = 1_709_294_400_000

    /// So many minutes after noon of 2024-03-01 UTC, in Berlin's zone.
    static func moment(_ minutes: Int) -> ZonedTime {
        ZonedTime(wallMilliseconds: start + Int64(minutes) * 60_000, zoneMinutes: 60)
    }

    /// The moment at which the stores are asked.
    static let later = ZonedTime(wallMilliseconds: 1_717_243_200_000, zoneMinutes: 0)

    /// The same numbers for the same seed.
    static func configuration(_ seed: UInt64) -> StudyStore.Configuration {
        let generator = Mutex(SeededGenerator(seed: seed))
        return StudyStore.Configuration(randomness: { generator.withLock { $0.next() } })
    }

    private static let questions = """
        [{"question": "звонит", "options": ["звони́т", "зво́нит"], "answer": "звони́т"},
         {"question": "торты", "options": ["то́рты", "торты́"], "answer": "то́рты"},
         {"question": "der, die, das … Haus", "options": ["der", "die", "das"], "answer": "das"}]
        """

    /// Makes the store in the empty folder `folder`, and returns its path.
    ///
    /// - Parameter hasList: whether some cards are made from a list in one commit. Their texts bore no mark of being erasable before
    ///   version 0.2, so that their bytes differ from version to version.
    static func make(in folder: String, hasList: Bool = false) throws -> String {
        let path = folder + "/store"
        let store = try StudyStore.create(at: path, configuration: configuration(1))
        let cards = try study(store, hasList: hasList)
        try takeQuiz(store, folder, favourite: cards[1])
        try settle(store, cards)
        let other = try secondDevice(in: folder)
        _ = try store.merge(with: other, at: moment(20_000))
        try store.perform(.release(heldEvent(store)), at: moment(20_010))
        try store.rebuild()
        // What lies beyond the last checkpoint.
        try store.perform(.review(cards[0], .good, took: 2_000), at: moment(20_020))
        try store.perform(.void(store.perform(.review(cards[2], .again, took: nil), at: moment(20_030)).events[0]), at: moment(20_040))
        return path
    }

    /// What an app recorded after that, about a card and about things of its own, one of which was erased.
    static func continueWithAppEvents(_ store: StudyStore) throws {
        let card = try store.cards()[0].id
        let (walk, talk) = (UniqueID(high: 0xA99, low: 1), UniqueID(high: 0xA99, low: 2))
        for (index, (event, subject)) in [
            (AppEvent(name: "listened", revision: 2, text: "{\"minutes\": 12}"), card),
            (AppEvent(name: "walked", revision: 1, bytes: [0, 127, 255]), walk),
            (AppEvent(name: "said", revision: 1, text: "\"hush\""), talk), (AppEvent(name: "nothing", revision: 0), walk),
        ].enumerated() {
            try store.perform(.record(event, about: subject), at: moment(30_000 + index))
        }
        try store.erase(talk, at: moment(30_010))
        try store.rebuild()
    }

    private static func study(_ store: StudyStore, hasList: Bool) throws -> [UniqueID] {
        let spanish = try store.perform(.createDeck(title: "Spanish", colour: Colour("red")), at: moment(0)).subject
        let greek = try store.perform(.createDeck(title: "Ελληνικά 日本語 עברית", colour: nil), at: moment(1)).subject
        let gone = try store.perform(.createDeck(title: "Gone", colour: nil), at: moment(2)).subject
        var cards: [UniqueID] = []
        for index in 0..<9 {
            let deck = index == 7 ? gone : index == 6 ? greek : spanish
            let action = Action.createCard(deck: deck, front: "la casa \(index)", back: index == 6 ? "" : "the house \(index)")
            cards.append(try store.perform(action, at: moment(10 + index), key: "card \(index)").subject)
        }
        if hasList {
            _ = try store.addCards(fromList: Array("árbol\ttree\nflor\tflower\n".utf8), named: "-", to: spanish, at: moment(30))
        }
        try store.perform(.renameDeck(spanish, title: "Español"), at: moment(31))
        try store.perform(.recolourDeck(spanish, colour: nil), at: moment(32))
        try store.perform(.deleteDeck(gone), at: moment(33))
        var answers: [EventID] = []
        for round in 0..<4 {
            for (index, card) in cards.prefix(7).enumerated() {
                let grade = Grade.allCases[(round + index) % 4]
                let answer = Action.review(card, grade, took: Int64(900 * (index + 1)), turned: round == 3 ? Int64(400 + index) : nil)
                answers.append(contentsOf: try store.perform(answer, at: moment(100 + round * 3 * 1440 + index)).events)
            }
        }
        try store.perform(.void(answers[3]), at: moment(14_000))
        let void = try store.perform(.void(answers[4]), at: moment(14_001)).events[0]
        try store.perform(.void(void), at: moment(14_002))
        try store.perform(.correct(answers[5], .again), at: moment(14_003))
        try store.undo(at: moment(14_004))
        try store.perform(.correct(answers[9], .easy), at: moment(14_005))
        return cards
    }

    private static func takeQuiz(_ store: StudyStore, _ folder: String, favourite card: UniqueID) throws {
        let pack = folder + "/stress.json"
        try Data(questions.utf8).write(to: URL(fileURLWithPath: pack))
        _ = try store.installPack(at: pack, name: "stress", moment: moment(14_100))
        var quiz = try store.startQuiz(type: "all", seed: 7, at: moment(14_101))
        for (index, question) in quiz.questions.enumerated() {
            quiz = try store.answer(question: question.id, option: 1, took: 1_500, at: moment(14_102 + index))
        }
        _ = try store.finishQuiz(at: moment(14_110))
        if let mistake = try store.mistakes().first {
            try store.perform(.dismissMistake(mistake.id, kind: mistake.kind), at: moment(14_111))
        }
        try store.perform(.setFavourite(card, kind: .card, on: true), at: moment(14_112))
        let other = folder + "/other.json"
        try Data(questions.replacing("Haus", with: "Hund").utf8).write(to: URL(fileURLWithPath: other))
        let removed = try store.installPack(at: other, name: "removed", moment: moment(14_113)).pack.id
        try store.removePack(removed, at: moment(14_114))
    }

    private static func settle(_ store: StudyStore, _ cards: [UniqueID]) throws {
        try store.perform(.practise(cards[0], .hard, took: nil), at: moment(14_200))
        try store.perform(.editCard(cards[1], front: nil, back: "the little house"), at: moment(14_201))
        try store.perform(.moveCard(cards[2], deck: store.deck(named: "Ελληνικά 日本語 עברית")), at: moment(14_202))
        try store.perform(.deleteCard(cards[3]), at: moment(14_203))
        try store.perform(.restoreCard(cards[3]), at: moment(14_204))
        try store.perform(.deleteCard(cards[4]), at: moment(14_205))
        try store.erase(cards[8], at: moment(14_206))
        try store.perform(.resetCard(cards[5]), at: moment(14_207))
        let placed = CardPlaced(
            levelHalfSteps: 5, intervalDays: 7, dueDay: 19_800, passed: 4, failed: 1, lastReviewedMilliseconds: start, source: "elsewhere")
        try store.perform(.placeCard(cards[6], placed), at: moment(14_208))
        try store.perform(.configureDay(rolloverHour: 5), at: moment(14_209))
        try store.perform(.configureScheduler(ConfiguredScheduler(spec: "boxes:count=6,first=2,multiplier=5/2")), at: moment(14_210))
        for (mode, isWhole) in [(SessionMode.spaced, true), (.free, false)] {
            var session = try store.startSession(mode, seed: 3, at: moment(17_000))
            for index in 0..<3 where try session.next(at: moment(17_001 + index)) != nil {
                _ = try session.answer(.good, took: 1_200, turned: 700, at: moment(17_001 + index))
            }
            if isWhole { _ = try session.end(at: moment(17_010)) }
        }
    }

    /// A device with an import and a clock that was three days ahead at the end; the path of its store.
    private static func secondDevice(in folder: String) throws -> String {
        let path = folder + "/second"
        let store = try StudyStore.create(at: path, configuration: configuration(2))
        let list = folder + "/list.csv"
        let rows = (0..<12).map { "word \($0),meaning \($0)\n" }.joined()
        try Data("front,back\n\(rows)".utf8).write(to: URL(fileURLWithPath: list))
        _ = try store.importHistory(at: list, deckTitle: "Imported", moment: moment(500))
        let table = folder + "/reviews.csv"
        var lines = "card_id,review_time,review_rating,review_state,review_duration\n"
        for index in 0..<60 {
            lines += "\(index % 9),\(1_700_000_000_000 + Int64(index) * 28_800_000),\(1 + index % 4),2,\(1000 + index)\n"
        }
        try Data(lines.utf8).write(to: URL(fileURLWithPath: table))
        _ = try store.importHistory(at: table, zone: { _ in 60 }, moment: moment(501))
        let cards = try store.cards(in: store.deck(named: "Imported"))
        for (index, card) in cards.prefix(8).enumerated() {
            try store.perform(.review(card.id, .good, took: 3_000), at: moment(600 + index))
        }
        try store.perform(.review(cards[0].id, .easy, took: 1), at: moment(20_000 + 3 * 1440))
        return path
    }

    private static func heldEvent(_ store: StudyStore) throws -> EventID {
        var held: EventID?
        try store.events { event in
            if event.type == "event_held" { held = event.payload["target"]?.stringValue.flatMap { EventID($0) } }
            return true
        }
        guard let held else { throw CocoaError(.featureUnsupported) }
        return held
    }
}
