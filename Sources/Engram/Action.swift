public import EventCoding
public import Scheduling
public import StudyModel

/// Something that a person does. One action is one commit: all of it or nothing. Sessions and tests begin and end by functions of their
/// own: ``StudyStore/startSession(_:decks:seed:at:)``, ``StudyStore/startQuiz(type:count:seed:abandoning:at:)``.
public enum Action: Equatable, Sendable {
    /// Something with a deck.
    case deck(DeckAction)
    /// Something with a card.
    case card(CardAction)
    /// Something with an event of the log.
    case event(EventAction)
    /// Makes something a favourite, or no favourite any more.
    case setFavourite(UniqueID, kind: ItemKind, on: Bool)
    /// Records an event of the app's own about something: a card, a word, or whatever the app has, which may be new.
    case record(AppEvent, about: UniqueID)
    /// Takes something off the list of mistakes.
    case dismissMistake(UniqueID, kind: ItemKind)
    /// Schedules by other rules from now on: the cards of a deck, or where none is given, of all decks without rules of their own.
    case configureScheduler(ConfiguredScheduler, deck: UniqueID? = nil)
    /// Begins the study day at another hour, 0 to 23, from now on.
    case configureDay(rolloverHour: Int)
}

/// What can be done with a deck.
public enum DeckAction: Equatable, Sendable {
    /// Makes one.
    case create(title: String, colour: Colour?)
    /// Gives one another title.
    case rename(UniqueID, title: String)
    /// Gives one another colour, or none.
    case recolour(UniqueID, colour: Colour?)
    /// Deletes one with its cards.
    case delete(UniqueID)
}

/// What can be done with a card.
public enum CardAction: Equatable, Sendable {
    /// Makes one, new and due at once.
    case create(deck: UniqueID, front: String, back: String)
    /// Changes one or both sides.
    case edit(UniqueID, front: String?, back: String?)
    /// Puts one in another deck.
    case move(UniqueID, deck: UniqueID)
    /// Deletes one.
    case delete(UniqueID)
    /// Brings a deleted one back.
    case restore(UniqueID)
    /// Deletes one and erases its texts for good, in the log and in the file; what was answered stays. As `StudyStore.erase(_:at:)` does.
    case erase(UniqueID)
    /// Puts one where another program had it, without its history.
    case place(UniqueID, CardPlaced)
    /// Sets one to level 0, due today; its counters stay.
    case reset(UniqueID)
    /// Answers one, as the scheduler asked for. `took` is the whole time in milliseconds, `turned` that until the card was turned.
    case review(UniqueID, Grade, took: Int64?, turned: Int64? = nil)
    /// Answers one in free learn: recorded, and no figure of learning changes.
    case practise(UniqueID, Grade, took: Int64?)
}

/// What can be done with an event of the log.
public enum EventAction: Equatable, Sendable {
    /// Takes an action back, by any of its events; a void of a void restores.
    case void(EventID)
    /// Changes the grade of an answer.
    case correct(EventID, Grade)
    /// Lets an event count that was held back because its time lay ahead.
    case release(EventID)
}

// The same in one word.
extension Action {
    /// ``DeckAction/create(title:colour:)``
    public static func createDeck(title: String, colour: Colour?) -> Action { .deck(.create(title: title, colour: colour)) }
    /// ``DeckAction/rename(_:title:)``
    public static func renameDeck(_ deck: UniqueID, title: String) -> Action { .deck(.rename(deck, title: title)) }
    /// ``DeckAction/recolour(_:colour:)``
    public static func recolourDeck(_ deck: UniqueID, colour: Colour?) -> Action { .deck(.recolour(deck, colour: colour)) }
    /// ``DeckAction/delete(_:)``
    public static func deleteDeck(_ deck: UniqueID) -> Action { .deck(.delete(deck)) }
    /// ``CardAction/create(deck:front:back:)``
    public static func createCard(deck: UniqueID, front: String, back: String) -> Action {
        .card(.create(deck: deck, front: front, back: back))
    }
    /// ``CardAction/edit(_:front:back:)``
    public static func editCard(_ card: UniqueID, front: String?, back: String?) -> Action { .card(.edit(card, front: front, back: back)) }
    /// ``CardAction/move(_:deck:)``
    public static func moveCard(_ card: UniqueID, deck: UniqueID) -> Action { .card(.move(card, deck: deck)) }
    /// ``CardAction/delete(_:)``
    public static func deleteCard(_ card: UniqueID) -> Action { .card(.delete(card)) }
    /// ``CardAction/restore(_:)``
    public static func restoreCard(_ card: UniqueID) -> Action { .card(.restore(card)) }
    /// ``CardAction/erase(_:)``
    public static func eraseCard(_ card: UniqueID) -> Action { .card(.erase(card)) }
    /// ``CardAction/place(_:_:)``
    public static func placeCard(_ card: UniqueID, _ placed: CardPlaced) -> Action { .card(.place(card, placed)) }
    /// ``CardAction/reset(_:)``
    public static func resetCard(_ card: UniqueID) -> Action { .card(.reset(card)) }
    /// ``CardAction/review(_:_:took:turned:)``
    public static func review(_ card: UniqueID, _ grade: Grade, took: Int64?, turned: Int64? = nil) -> Action {
        .card(.review(card, grade, took: took, turned: turned))
    }
    /// The same with the time that it took, and the time until the card was turned.
    public static func review(_ card: UniqueID, _ grade: Grade, took: Duration, turned: Duration? = nil) -> Action {
        .card(.review(card, grade, took: took.milliseconds, turned: turned?.milliseconds))
    }
    /// ``CardAction/practise(_:_:took:)``
    public static func practise(_ card: UniqueID, _ grade: Grade, took: Int64?) -> Action { .card(.practise(card, grade, took: took)) }
    /// ``EventAction/void(_:)``
    public static func void(_ event: EventID) -> Action { .event(.void(event)) }
    /// ``EventAction/correct(_:_:)``
    public static func correct(_ event: EventID, _ grade: Grade) -> Action { .event(.correct(event, grade)) }
    /// ``EventAction/release(_:)``
    public static func release(_ event: EventID) -> Action { .event(.release(event)) }
}

extension Duration {
    /// Whole milliseconds; what is less is cut off.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (thousands, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : thousands.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue
    }
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
