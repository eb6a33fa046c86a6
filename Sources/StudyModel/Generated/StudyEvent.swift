// Generated from Schemas/ by `swift run SchemaGenerator`: change the schema, not this file.

/// A fact about somebody's study: one case a kind of event.
public enum StudyEvent: Sendable, Equatable {
    /// An event no longer counts: an undo. Voiding a void makes its target count again.
    case actionVoided(ActionVoided)
    /// A review counts as if it had been graded otherwise. The last correction of a review counts.
    case answerCorrected(AnswerCorrected)
    /// An event is held back from every fold until it is released.
    case eventHeld(EventHeld)
    /// An event that was held back counts from now on.
    case eventReleased(EventReleased)
    /// Cards are scheduled by these rules from this event on.
    case schedulerConfigured(SchedulerConfigured)
    /// Study days begin at this hour from this event on.
    case dayConfigured(DayConfigured)
    /// An import of a foreign file came to its end.
    case historyImported(HistoryImported)
    /// A deck was made.
    case deckCreated(DeckCreated)
    /// A deck got another title.
    case deckRenamed(DeckRenamed)
    /// A deck got another colour, or none.
    case deckRecoloured(DeckRecoloured)
    /// A deck was deleted, with the cards that it then held.
    case deckDeleted(DeckDeleted)
    /// A card was made.
    case cardCreated(CardCreated)
    /// A card's front, back or both got another text.
    case cardEdited(CardEdited)
    /// A card went to another deck.
    case cardMoved(CardMoved)
    /// A card was deleted.
    case cardDeleted(CardDeleted)
    /// A deleted card is back.
    case cardRestored(CardRestored)
    /// A card came with a memory state from elsewhere, without the reviews that led to it.
    case cardPlaced(CardPlaced)
    /// A card starts over as a new one.
    case cardReset(CardReset)
    /// A card was deleted and its texts erased for good, everywhere.
    case cardErased(CardErased)
    /// A card was answered in spaced repetition.
    case cardReviewed(CardReviewed)
    /// A card was answered in free learning, which changes nothing that is scheduled.
    case cardPractised(CardPractised)
    /// A study session began.
    case sessionStarted(SessionStarted)
    /// A study session ended.
    case sessionEnded(SessionEnded)
    /// A card, word or question became a favourite, or ceased to be one.
    case favouriteSet(FavouriteSet)
    /// A card, word or question left the list of mistakes.
    case mistakeDismissed(MistakeDismissed)
    /// A test began, with these questions in this order.
    case quizStarted(QuizStarted)
    /// A question of a test was answered. Subject: the word or question that a wrong answer makes a mistake.
    case questionAnswered(QuestionAnswered)
    /// A test ended.
    case quizFinished(QuizFinished)
    /// A kind of test was chosen; the last choice of all holds.
    case testTypeSelected(TestTypeSelected)
    /// A pack of prefilled content was installed.
    case packInstalled(PackInstalled)
    /// A pack was removed.
    case packRemoved(PackRemoved)
    /// Something that an app records for itself: the engine keeps it, and the app's own projections fold it.
    case appEvent(AppEvent)
    /// What an app's events state about their subject was erased for good, everywhere.
    case subjectErased(SubjectErased)
}

extension StudyEvent {
    /// Which kind of event it is.
    public var kind: StudyEventKind {
        switch self {
        case .actionVoided: .actionVoided
        case .answerCorrected: .answerCorrected
        case .eventHeld: .eventHeld
        case .eventReleased: .eventReleased
        case .schedulerConfigured: .schedulerConfigured
        case .dayConfigured: .dayConfigured
        case .historyImported: .historyImported
        case .deckCreated: .deckCreated
        case .deckRenamed: .deckRenamed
        case .deckRecoloured: .deckRecoloured
        case .deckDeleted: .deckDeleted
        case .cardCreated: .cardCreated
        case .cardEdited: .cardEdited
        case .cardMoved: .cardMoved
        case .cardDeleted: .cardDeleted
        case .cardRestored: .cardRestored
        case .cardPlaced: .cardPlaced
        case .cardReset: .cardReset
        case .cardErased: .cardErased
        case .cardReviewed: .cardReviewed
        case .cardPractised: .cardPractised
        case .sessionStarted: .sessionStarted
        case .sessionEnded: .sessionEnded
        case .favouriteSet: .favouriteSet
        case .mistakeDismissed: .mistakeDismissed
        case .quizStarted: .quizStarted
        case .questionAnswered: .questionAnswered
        case .quizFinished: .quizFinished
        case .testTypeSelected: .testTypeSelected
        case .packInstalled: .packInstalled
        case .packRemoved: .packRemoved
        case .appEvent: .appEvent
        case .subjectErased: .subjectErased
        }
    }
}
