/// What an event is about, as its schema says: it belongs to the fold of that.
public enum EventSubject: Hashable, Sendable {
    /// The whole store.
    case none
    /// Whatever the event is about that this one voids, corrects, holds or releases.
    case target
    /// A deck.
    case deck
    /// A card.
    case card
    /// A study session.
    case session
    /// A card, word or question, as a thing that can be a favourite or a mistake.
    case item
    /// A test.
    case quiz
    /// A pack of questions.
    case pack
    /// Whatever an app records something about.
    case app
}
