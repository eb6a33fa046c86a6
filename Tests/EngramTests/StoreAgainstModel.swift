import EngramTesting
import EventCoding
import EventLog
import LMDB
import StudyModel
import StudyProjections

@testable import Engram

extension StudyStore {
    /// Every event of the store, as it is stored.
    func history() throws -> [HistoryEvent] {
        var events: [HistoryEvent] = []
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try log.forEachEvent(inCommits: 1...UInt64.max, transaction) { header, payload, _ in
                events.append(HistoryEvent(header: copy header, payload: payload.copied()))
            }
        }
        return events
    }

    /// The first figure that the store shows otherwise than a small model that was written from the product's rules and is
    /// given the same events; `nil` where there is none.
    func disagreementWithModel() throws -> String? {
        let model = NaiveModel(try history())
        let (decks, cards) = (try decks(at: moment()), try cards().filter(\.isLive))
        let liveDecks = model.decks.filter { $0.value.createdAt != nil && !$0.value.isDeleted }
        guard Set(decks.map(\.id)) == Set(liveDecks.keys) else { return "decks \(decks), by the rules \(liveDecks)" }
        for deck in decks where deck.title != liveDecks[deck.id]?.title { return "deck \(deck), by the rules \(liveDecks[deck.id] as Any)" }
        let liveCards = model.cards.filter { model.isLive($0.value) }
        guard Set(cards.map(\.id)) == Set(liveCards.keys) else { return "cards \(cards), by the rules \(liveCards)" }
        for card in cards {
            guard let rules = liveCards[card.id] else { continue }
            let isRight =
                card.deck == rules.deck && card.front == rules.front && card.back == rules.back && card.passed == Int(rules.passed)
                && card.failed == Int(rules.failed) && (card.level ?? 0) * 2 == Double(rules.memory) && card.intervalDays == rules.interval
                && card.lastReviewedAt == rules.lastReviewedAt && rules.due.map { $0 == card.due.map { Int64($0.days) } } ?? true
            if !isRight { return "card \(card), by the rules \(rules)" }
        }
        return nil
    }
}
