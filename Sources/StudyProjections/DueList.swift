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
        var due: [(day: Int32, box: Int, id: UniqueID)] = []
        var counts: [UniqueID: Int] = [:]
        var undated = 0
        forEachLiveCard { card in
            if card.flags.contains(.undated) { undated += 1 }
            guard isWanted(card, on: today), wanted.isEmpty || wanted.contains(card.deck) else { return }
            due.append((card.dueDay, schedulers[card.deck].box(of: card.memory) ?? 0, card.id))
            counts[card.deck, default: 0] += 1
        }
        due.sort { $0 < $1 }
        let decks = liveDecks.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        return DueList(
            day: today, decks: decks.compactMap { deck in counts[deck.id].map { (deck.id, deck.title, $0) } }, cards: due.map(\.id),
            undated: undated, unknownSchedulers: rules.unknownSchedulers)
    }
}
