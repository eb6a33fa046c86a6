import Engram
import EventCoding
internal import EventCoding
import EventLog
import Foundation
import LMDB
import StudyModel

/// The data that everything is measured on: seeded, so the same in every run.
///
/// Ten years of one person: 50,000 cards in 20 decks; half of all events came by an import, in commits of a thousand, and
/// half were made one by one. Two in a thousand of the latter take an earlier answer back or correct it.
struct BenchmarkStore {
    static let cardCount = 50_000
    static let deckCount = 20
    /// 1 January 2016, in milliseconds since 1970.
    static let firstMillisecond: Int64 = 1_451_606_400_000
    static let now = ZonedTime(wallMilliseconds: firstMillisecond + 3_653 * 86_400_000, zoneMinutes: 60)

    let path: String
    let eventCount: Int
    private(set) var reviewCount = 0
    private(set) var cards: [UniqueID] = []
    /// The reviews as plain rows, for SQLite.
    private(set) var rows: [(card: UniqueID, at: Int64, grade: UInt8, took: Int64)] = []

    init(path: String, eventCount: Int, keepsRows: Bool) throws {
        self.path = path
        self.eventCount = eventCount
        _ = try StudyStore.create(at: path)
        let log = try CommitLog.open(path: path, companions: StudyStore.companionDatabases)
        var dice = SplitMix64(seed: 2016)
        var heads = LogHeads()
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in heads = LogHeads() }
        try appendImport(log, &heads, &dice, keepsRows: keepsRows)
        try appendActions(log, &heads, &dice, keepsRows: keepsRows)
        let store = try StudyStore.open(at: path)
        try store.rebuild()
    }

    private mutating func appendImport(_ log: CommitLog, _ heads: inout LogHeads, _ dice: inout SplitMix64, keepsRows: Bool) throws {
        let origin = OriginID(rawValue: 0x1111_1111_1111_1111)
        let decks = (0..<Self.deckCount).map { _ in UniqueID.random(using: &dice) }
        var events: [NewEvent] = []
        for (number, deck) in decks.enumerated() {
            events.append(
                event(
                    .deckCreated(DeckCreated(title: "Deck \(number)", colour: nil)), deck, at: Self.firstMillisecond, &dice,
                    isImported: true))
        }
        for number in 0..<Self.cardCount {
            let card = UniqueID.random(using: &dice)
            cards.append(card)
            let created = CardCreated(deck: decks[number % decks.count], front: "word \(number)", back: "meaning of it \(number)")
            events.append(event(.cardCreated(created), card, at: Self.firstMillisecond, &dice, isImported: true))
        }
        let reviews = eventCount / 2 - events.count
        for number in 0..<reviews {
            let at = Self.firstMillisecond + 1000 + Int64(number) * (5 * 365 * 86_400_000) / Int64(reviews)
            events.append(review(at: at, &dice, isImported: true, keepsRows: keepsRows))
            guard events.count >= 100_000 else { continue }
            try append(log, &heads, events, origin)
            events.removeAll(keepingCapacity: true)
        }
        try append(log, &heads, events, origin)
    }

    private func append(_ log: CommitLog, _ heads: inout LogHeads, _ events: [NewEvent], _ origin: OriginID) throws {
        var copy = heads
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try log.appendBatches(events, origin: origin, heads: &copy, marking: { _ in nil }, &transaction)
        }
        heads = copy
    }

    /// Single actions, many of them in one transaction: on the disk they are what a person would have made, at a speed that
    /// a benchmark can wait for.
    private mutating func appendActions(_ log: CommitLog, _ heads: inout LogHeads, _ dice: inout SplitMix64, keepsRows: Bool) throws {
        let origin = OriginID(rawValue: 0x2222_2222_2222_2222)
        let count = eventCount - eventCount / 2
        var last: NewEvent?
        var done = 0
        while done < count {
            var events: [NewEvent] = []
            for number in done..<min(done + 20_000, count) {
                let at = Self.firstMillisecond + (5 * 365 * 86_400_000) + Int64(number) * (5 * 365 * 86_400_000) / Int64(count)
                if number % 1000 == 999, let target = last {
                    let id = EventID(origin: origin, number: UInt64(number))
                    let taken = StudyEvent.actionVoided(ActionVoided(target: id))
                    events.append(event(taken, target.subject, at: at, &dice, isImported: false))
                } else if number % 1000 == 499, let target = last {
                    let id = EventID(origin: origin, number: UInt64(number))
                    let corrected = StudyEvent.answerCorrected(AnswerCorrected(target: id, grade: .again))
                    events.append(event(corrected, target.subject, at: at, &dice, isImported: false))
                } else {
                    events.append(review(at: at, &dice, isImported: false, keepsRows: keepsRows))
                }
                last = events.last
            }
            var copy = heads
            try log.write { (transaction: inout WriteTransaction) throws(LogError) in
                for event in events { _ = try log.append([event], origin: origin, heads: &copy, marking: { _ in nil }, &transaction) }
            }
            heads = copy
            done += events.count
        }
    }

    private mutating func review(at: Int64, _ dice: inout SplitMix64, isImported: Bool, keepsRows: Bool) -> NewEvent {
        let card = cards[Int(dice.next() % UInt64(cards.count))]
        let roll = dice.next() % 100
        let grade: Grade = roll < 12 ? .again : roll < 20 ? .hard : roll < 92 ? .good : .easy
        let took = Int64(1500 + dice.next() % 12_000)
        reviewCount += 1
        if keepsRows { rows.append((card, at, grade.rawValue, took)) }
        return event(.cardReviewed(CardReviewed(grade: grade, tookMilliseconds: UInt64(took))), card, at: at, &dice, isImported: isImported)
    }

    private func event(_ event: StudyEvent, _ subject: UniqueID, at: Int64, _ dice: inout SplitMix64, isImported: Bool) -> NewEvent {
        NewEvent(
            type: event.type, version: event.version, subject: subject, wallMilliseconds: at, zoneMinutes: 60,
            key: isImported ? UniqueID.random(using: &dice) : nil,
            logicalTime: isImported ? LogicalTime(milliseconds: at, counter: 0) : nil,
            payload: event.encodedPayload())
    }
}
