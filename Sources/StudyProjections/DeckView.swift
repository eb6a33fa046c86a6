public import EventCoding
internal import Scheduling
public import StudyModel

/// A deck as a screen shows it.
public struct DeckView: Identifiable, Hashable, Sendable {
    /// Its identity.
    public let id: UniqueID
    /// Its title.
    public let title: String
    /// Its colour, if one was chosen.
    public let colour: Colour?
    /// Cards in it.
    public let cards: Int
    /// Of those, in box 1 or above.
    public let learned: Int
    /// Of those, due today or earlier.
    public let due: Int
    /// Cards by box.
    public let boxes: [Int]
}

extension StudyState {
    /// The decks that are there, by title and then identity. Complexity: O(cards + decks log decks).
    package func deckViews(on today: StudyDay) -> [DeckView] {
        let schedulers = currentSchedulers
        func nothing(in deck: UniqueID) -> (cards: Int, learned: Int, due: Int, boxes: [Int]) {
            (0, 0, 0, Array(repeating: 0, count: schedulers[deck].boxCount))
        }
        var figures: [UniqueID: (cards: Int, learned: Int, due: Int, boxes: [Int])] = [:]
        forEachLiveCard { card in
            var figure = figures[card.deck] ?? nothing(in: card.deck)
            figure.cards += 1
            figure.learned += schedulers[card.deck].isLearned(card) ? 1 : 0
            figure.due += isWanted(card, on: today) ? 1 : 0
            if let box = schedulers[card.deck].box(of: card.memory) { figure.boxes[box] += 1 }
            figures[card.deck] = figure
        }
        return liveDecks.sorted { ($0.title, $0.id) < ($1.title, $1.id) }.map { deck in
            let figure = figures[deck.id] ?? nothing(in: deck.id)
            return DeckView(
                id: deck.id, title: deck.title, colour: deck.colour.flatMap { Colour(rgb: $0) }, cards: figure.cards,
                learned: figure.learned, due: figure.due, boxes: figure.boxes)
        }
    }
}
