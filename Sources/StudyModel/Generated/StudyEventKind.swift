// Generated from Schemas/ by `swift run SchemaGenerator`: change the schema, not this file.

public import EventCoding

/// Every kind of event that this program knows, by its number. A `switch` over it says where a new one must be handled.
public enum StudyEventKind: UInt16, CaseIterable, Hashable, Sendable {
    /// An event no longer counts: an undo. Voiding a void makes its target count again.
    case actionVoided = 1
    /// A review counts as if it had been graded otherwise. The last correction of a review counts.
    case answerCorrected = 2
    /// An event is held back from every fold until it is released.
    case eventHeld = 3
    /// An event that was held back counts from now on.
    case eventReleased = 4
    /// Cards are scheduled by these rules from this event on.
    case schedulerConfigured = 16
    /// Study days begin at this hour from this event on.
    case dayConfigured = 17
    /// An import of a foreign file came to its end.
    case historyImported = 32
    /// A deck was made.
    case deckCreated = 256
    /// A deck got another title.
    case deckRenamed = 257
    /// A deck got another colour, or none.
    case deckRecoloured = 258
    /// A deck was deleted, with the cards that it then held.
    case deckDeleted = 259
    /// A card was made.
    case cardCreated = 272
    /// A card's front, back or both got another text.
    case cardEdited = 273
    /// A card went to another deck.
    case cardMoved = 274
    /// A card was deleted.
    case cardDeleted = 275
    /// A deleted card is back.
    case cardRestored = 276
    /// A card came with a memory state from elsewhere, without the reviews that led to it.
    case cardPlaced = 277
    /// A card starts over as a new one.
    case cardReset = 278
    /// A card was deleted and its texts erased for good, everywhere.
    case cardErased = 279
    /// A card was answered in spaced repetition.
    case cardReviewed = 288
    /// A card was answered in free learning, which changes nothing that is scheduled.
    case cardPractised = 289
    /// A study session began.
    case sessionStarted = 304
    /// A study session ended.
    case sessionEnded = 305
    /// A card, word or question became a favourite, or ceased to be one.
    case favouriteSet = 320
    /// A card, word or question left the list of mistakes.
    case mistakeDismissed = 321
    /// A test began, with these questions in this order.
    case quizStarted = 336
    /// A question of a test was answered. Subject: the word or question that a wrong answer makes a mistake.
    case questionAnswered = 337
    /// A test ended.
    case quizFinished = 338
    /// A kind of test was chosen; the last choice of all holds.
    case testTypeSelected = 339
    /// A pack of prefilled content was installed.
    case packInstalled = 352
    /// A pack was removed.
    case packRemoved = 353
    /// Something that an app records for itself: the engine keeps it, and the app's own projections fold it.
    case appEvent = 512
    /// What an app's events state about their subject was erased for good, everywhere.
    case subjectErased = 513
}

extension StudyEventKind {
    /// Its number in stored events.
    public var type: EventType { EventType(rawValue: rawValue) }

    /// The kind that `name` names; `nil` where it names none.
    public init?(name: String) {
        switch name {
        case "action_voided": self = .actionVoided
        case "answer_corrected": self = .answerCorrected
        case "event_held": self = .eventHeld
        case "event_released": self = .eventReleased
        case "scheduler_configured": self = .schedulerConfigured
        case "day_configured": self = .dayConfigured
        case "history_imported": self = .historyImported
        case "deck_created": self = .deckCreated
        case "deck_renamed": self = .deckRenamed
        case "deck_recoloured": self = .deckRecoloured
        case "deck_deleted": self = .deckDeleted
        case "card_created": self = .cardCreated
        case "card_edited": self = .cardEdited
        case "card_moved": self = .cardMoved
        case "card_deleted": self = .cardDeleted
        case "card_restored": self = .cardRestored
        case "card_placed": self = .cardPlaced
        case "card_reset": self = .cardReset
        case "card_erased": self = .cardErased
        case "card_reviewed": self = .cardReviewed
        case "card_practised": self = .cardPractised
        case "session_started": self = .sessionStarted
        case "session_ended": self = .sessionEnded
        case "favourite_set": self = .favouriteSet
        case "mistake_dismissed": self = .mistakeDismissed
        case "quiz_started": self = .quizStarted
        case "question_answered": self = .questionAnswered
        case "quiz_finished": self = .quizFinished
        case "test_type_selected": self = .testTypeSelected
        case "pack_installed": self = .packInstalled
        case "pack_removed": self = .packRemoved
        case "app_event": self = .appEvent
        case "subject_erased": self = .subjectErased
        default: return nil
        }
    }

    /// Its name, such as `card_reviewed`.
    public var name: String {
        switch self {
        case .actionVoided: "action_voided"
        case .answerCorrected: "answer_corrected"
        case .eventHeld: "event_held"
        case .eventReleased: "event_released"
        case .schedulerConfigured: "scheduler_configured"
        case .dayConfigured: "day_configured"
        case .historyImported: "history_imported"
        case .deckCreated: "deck_created"
        case .deckRenamed: "deck_renamed"
        case .deckRecoloured: "deck_recoloured"
        case .deckDeleted: "deck_deleted"
        case .cardCreated: "card_created"
        case .cardEdited: "card_edited"
        case .cardMoved: "card_moved"
        case .cardDeleted: "card_deleted"
        case .cardRestored: "card_restored"
        case .cardPlaced: "card_placed"
        case .cardReset: "card_reset"
        case .cardErased: "card_erased"
        case .cardReviewed: "card_reviewed"
        case .cardPractised: "card_practised"
        case .sessionStarted: "session_started"
        case .sessionEnded: "session_ended"
        case .favouriteSet: "favourite_set"
        case .mistakeDismissed: "mistake_dismissed"
        case .quizStarted: "quiz_started"
        case .questionAnswered: "question_answered"
        case .quizFinished: "quiz_finished"
        case .testTypeSelected: "test_type_selected"
        case .packInstalled: "pack_installed"
        case .packRemoved: "pack_removed"
        case .appEvent: "app_event"
        case .subjectErased: "subject_erased"
        }
    }

    /// What it is about, and so whose fold it belongs to.
    public var subject: EventSubject {
        switch self {
        case .actionVoided: .target
        case .answerCorrected: .target
        case .eventHeld: .target
        case .eventReleased: .target
        case .schedulerConfigured: .none
        case .dayConfigured: .none
        case .historyImported: .none
        case .deckCreated: .deck
        case .deckRenamed: .deck
        case .deckRecoloured: .deck
        case .deckDeleted: .deck
        case .cardCreated: .card
        case .cardEdited: .card
        case .cardMoved: .card
        case .cardDeleted: .card
        case .cardRestored: .card
        case .cardPlaced: .card
        case .cardReset: .card
        case .cardErased: .card
        case .cardReviewed: .card
        case .cardPractised: .card
        case .sessionStarted: .session
        case .sessionEnded: .session
        case .favouriteSet: .item
        case .mistakeDismissed: .item
        case .quizStarted: .quiz
        case .questionAnswered: .item
        case .quizFinished: .quiz
        case .testTypeSelected: .pack
        case .packInstalled: .pack
        case .packRemoved: .pack
        case .appEvent: .app
        case .subjectErased: .app
        }
    }

    /// The version of its schema that this program writes, and the newest that it reads.
    public var currentVersion: UInt8 {
        switch self {
        case .actionVoided: ActionVoided.currentVersion
        case .answerCorrected: AnswerCorrected.currentVersion
        case .eventHeld: EventHeld.currentVersion
        case .eventReleased: EventReleased.currentVersion
        case .schedulerConfigured: SchedulerConfigured.currentVersion
        case .dayConfigured: DayConfigured.currentVersion
        case .historyImported: HistoryImported.currentVersion
        case .deckCreated: DeckCreated.currentVersion
        case .deckRenamed: DeckRenamed.currentVersion
        case .deckRecoloured: DeckRecoloured.currentVersion
        case .deckDeleted: DeckDeleted.currentVersion
        case .cardCreated: CardCreated.currentVersion
        case .cardEdited: CardEdited.currentVersion
        case .cardMoved: CardMoved.currentVersion
        case .cardDeleted: CardDeleted.currentVersion
        case .cardRestored: CardRestored.currentVersion
        case .cardPlaced: CardPlaced.currentVersion
        case .cardReset: CardReset.currentVersion
        case .cardErased: CardErased.currentVersion
        case .cardReviewed: CardReviewed.currentVersion
        case .cardPractised: CardPractised.currentVersion
        case .sessionStarted: SessionStarted.currentVersion
        case .sessionEnded: SessionEnded.currentVersion
        case .favouriteSet: FavouriteSet.currentVersion
        case .mistakeDismissed: MistakeDismissed.currentVersion
        case .quizStarted: QuizStarted.currentVersion
        case .questionAnswered: QuestionAnswered.currentVersion
        case .quizFinished: QuizFinished.currentVersion
        case .testTypeSelected: TestTypeSelected.currentVersion
        case .packInstalled: PackInstalled.currentVersion
        case .packRemoved: PackRemoved.currentVersion
        case .appEvent: AppEvent.currentVersion
        case .subjectErased: SubjectErased.currentVersion
        }
    }

    /// How many texts at the end of its payload may be erased, in a version of its schema.
    package func erasableFields(version: UInt8) -> Int {
        switch self {
        case .cardCreated: CardCreated.erasableFields(version: version)
        case .cardEdited: CardEdited.erasableFields(version: version)
        case .appEvent: AppEvent.erasableFields(version: version)
        default: 0
        }
    }
}
