public import EventCoding
internal import Scheduling
public import StudyModel

/// What is due on a day.
public struct DueList: Hashable, Sendable {
    /// The study day.
    public let day: StudyDay
    /// Decks that hold due cards, by title and then identity.
    public let decks: [(id: UniqueID, title: String, due: Int)]
    /// The due cards in the order of study: by due day, then box, then identity.
    public let cards: [UniqueID]
    /// Cards of which nobody can say when they are due: they were answered under a scheduler that this program doesn't know.
    public let undated: Int
    /// SPECs of the schedulers that this program doesn't know.
    public let unknownSchedulers: [String]

    /// Equal where all parts are.
    public static func == (left: DueList, right: DueList) -> Bool {
        left.day == right.day && left.cards == right.cards && left.undated == right.undated && left.decks.elementsEqual(right.decks, by: ==)
    }

    /// Feeds the day and the cards.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(day)
        hasher.combine(cards)
    }
}

extension StudyState {
    /// What is due on a day, in the order of study: due day, then box, then identity.
    ///
    /// - Parameter wanted: only these decks; all where there are none.
    /// - Complexity: O(cards + due log due).
    package func dueList(on today: StudyDay, decks wanted: Set<UniqueID> = []) -> DueList {
        let schedulers = currentSchedulers
        var due = DueOrder(today: today, boxes: schedulers.boxCount)
        var counts = Array(repeating: 0, count: decks.count)
        var undated = 0
        forEachLiveCard { card, deck in
            if card.flags.contains(.undated) { undated += 1 }
            guard isWanted(card, on: today), wanted.isEmpty || wanted.contains(card.deck) else { return }
            due.insert(card.id, day: card.dueDay, box: schedulers[card.deck].box(of: card.memory) ?? 0)
            counts[deck] += 1
        }
        let held = counts.indices.filter { counts[$0] > 0 }.map { (deck: decks[$0], due: counts[$0]) }
            .sorted { ($0.deck.title, $0.deck.id) < ($1.deck.title, $1.deck.id) }
        return DueList(
            day: today, decks: held.map { ($0.deck.id, $0.deck.title, $0.due) }, cards: due.cards, undated: undated,
            unknownSchedulers: rules.unknownSchedulers)
    }
}
