public import EventCoding
public import Scheduling
public import StudyModel

/// Something that a person does. One action is one commit: all of it or nothing.
public enum Action: Equatable, Sendable {
    /// Makes a deck.
    case createDeck(title: String, colour: Colour?)
    /// Gives a deck another title.
    case renameDeck(UniqueID, title: String)
    /// Gives a deck another colour, or none.
    case recolourDeck(UniqueID, colour: Colour?)
    /// Deletes a deck with its cards.
    case deleteDeck(UniqueID)
    /// Makes a card, new and due at once.
    case createCard(deck: UniqueID, front: String, back: String)
    /// Changes one or both sides of a card.
    case editCard(UniqueID, front: String?, back: String?)
    /// Puts a card in another deck.
    case moveCard(UniqueID, deck: UniqueID)
    /// Deletes a card.
    case deleteCard(UniqueID)
    /// Brings a deleted card back.
    case restoreCard(UniqueID)
    /// Deletes a card and erases its texts for good, in the log and in the file; what was answered stays. As ``StudyStore/erase(_:at:)``.
    case eraseCard(UniqueID)
    /// Puts a card where another program had it, without its history.
    case placeCard(UniqueID, CardPlaced)
    /// Sets a card to level 0, due today; its counters stay.
    case resetCard(UniqueID)
    /// Answers a card, as the scheduler asked for. `took` is the whole time in milliseconds, `turned` that until the card was
    /// turned.
    case review(UniqueID, Grade, took: Int64?, turned: Int64? = nil)
    /// Answers a card in free learn: recorded, and no figure of learning changes.
    case practise(UniqueID, Grade, took: Int64?)
    /// Makes something a favourite, or no favourite any more.
    case setFavourite(UniqueID, kind: ItemKind, on: Bool)
    /// Takes something off the list of mistakes.
    case dismissMistake(UniqueID, kind: ItemKind)
    /// Takes an action back, by any of its events; a void of a void restores.
    case void(EventID)
    /// Changes the grade of an answer.
    case correct(EventID, Grade)
    /// Lets an event count that was held back because its time lay ahead.
    case release(EventID)
    /// Schedules by other rules from now on.
    case configureScheduler(ConfiguredScheduler)
    /// Begins the study day at another hour, 0 to 23, from now on.
    case configureDay(rolloverHour: Int)
    /// Begins a study session.
    case startSession(id: UniqueID, SessionStarted)
    /// Ends a study session.
    case endSession(id: UniqueID, SessionEnded)
}

/// What an action did.
public struct ActionResult: Hashable, Sendable {
    /// The events that were written, in order; those of the first time where the key had been used before.
    public let events: [EventID]
    /// What the first of them is about.
    public let subject: UniqueID
    /// False where the caller's key had been used before: nothing was written.
    public let isNew: Bool
    /// False where the action erased texts and unused parts of the file may still hold them, since others have the store open.
    public internal(set) var isCleared = true

    /// A result of those parts.
    public init(events: [EventID], subject: UniqueID, isNew: Bool) {
        self.events = events
        self.subject = subject
        self.isNew = isNew
    }
}
