// Generated from Schemas/ by `swift run SchemaGenerator`: change the schema, not this file.

package import EventCoding
public import JSONText

extension StudyEvent {
    /// Throws unless every field keeps to its limits: what passes decodes again, and what doesn't must not be written.
    public func validate() throws(SchemaError) {
        switch self {
        case .actionVoided(let payload): try payload.validate()
        case .answerCorrected(let payload): try payload.validate()
        case .eventHeld(let payload): try payload.validate()
        case .eventReleased(let payload): try payload.validate()
        case .schedulerConfigured(let payload): try payload.validate()
        case .dayConfigured(let payload): try payload.validate()
        case .historyImported(let payload): try payload.validate()
        case .deckCreated(let payload): try payload.validate()
        case .deckRenamed(let payload): try payload.validate()
        case .deckRecoloured(let payload): try payload.validate()
        case .deckDeleted(let payload): try payload.validate()
        case .cardCreated(let payload): try payload.validate()
        case .cardEdited(let payload): try payload.validate()
        case .cardMoved(let payload): try payload.validate()
        case .cardDeleted(let payload): try payload.validate()
        case .cardRestored(let payload): try payload.validate()
        case .cardPlaced(let payload): try payload.validate()
        case .cardReset(let payload): try payload.validate()
        case .cardErased(let payload): try payload.validate()
        case .cardReviewed(let payload): try payload.validate()
        case .cardPractised(let payload): try payload.validate()
        case .sessionStarted(let payload): try payload.validate()
        case .sessionEnded(let payload): try payload.validate()
        case .favouriteSet(let payload): try payload.validate()
        case .mistakeDismissed(let payload): try payload.validate()
        case .quizStarted(let payload): try payload.validate()
        case .questionAnswered(let payload): try payload.validate()
        case .quizFinished(let payload): try payload.validate()
        case .testTypeSelected(let payload): try payload.validate()
        case .packInstalled(let payload): try payload.validate()
        case .packRemoved(let payload): try payload.validate()
        case .appEvent(let payload): try payload.validate()
        case .subjectErased(let payload): try payload.validate()
        }
    }

    /// Its JSON form as `version` of its schema had it: fields of later versions are left out.
    public func json(version: UInt8) -> JSONValue {
        switch self {
        case .actionVoided(let payload): payload.json(version: version)
        case .answerCorrected(let payload): payload.json(version: version)
        case .eventHeld(let payload): payload.json(version: version)
        case .eventReleased(let payload): payload.json(version: version)
        case .schedulerConfigured(let payload): payload.json(version: version)
        case .dayConfigured(let payload): payload.json(version: version)
        case .historyImported(let payload): payload.json(version: version)
        case .deckCreated(let payload): payload.json(version: version)
        case .deckRenamed(let payload): payload.json(version: version)
        case .deckRecoloured(let payload): payload.json(version: version)
        case .deckDeleted(let payload): payload.json(version: version)
        case .cardCreated(let payload): payload.json(version: version)
        case .cardEdited(let payload): payload.json(version: version)
        case .cardMoved(let payload): payload.json(version: version)
        case .cardDeleted(let payload): payload.json(version: version)
        case .cardRestored(let payload): payload.json(version: version)
        case .cardPlaced(let payload): payload.json(version: version)
        case .cardReset(let payload): payload.json(version: version)
        case .cardErased(let payload): payload.json(version: version)
        case .cardReviewed(let payload): payload.json(version: version)
        case .cardPractised(let payload): payload.json(version: version)
        case .sessionStarted(let payload): payload.json(version: version)
        case .sessionEnded(let payload): payload.json(version: version)
        case .favouriteSet(let payload): payload.json(version: version)
        case .mistakeDismissed(let payload): payload.json(version: version)
        case .quizStarted(let payload): payload.json(version: version)
        case .questionAnswered(let payload): payload.json(version: version)
        case .quizFinished(let payload): payload.json(version: version)
        case .testTypeSelected(let payload): payload.json(version: version)
        case .packInstalled(let payload): payload.json(version: version)
        case .packRemoved(let payload): payload.json(version: version)
        case .appEvent(let payload): payload.json(version: version)
        case .subjectErased(let payload): payload.json(version: version)
        }
    }

    /// Appends its payload as `version` of its schema had it.
    package func encode(into writer: inout ByteWriter, version: UInt8) {
        switch self {
        case .actionVoided(let payload): payload.encode(into: &writer, version: version)
        case .answerCorrected(let payload): payload.encode(into: &writer, version: version)
        case .eventHeld(let payload): payload.encode(into: &writer, version: version)
        case .eventReleased(let payload): payload.encode(into: &writer, version: version)
        case .schedulerConfigured(let payload): payload.encode(into: &writer, version: version)
        case .dayConfigured(let payload): payload.encode(into: &writer, version: version)
        case .historyImported(let payload): payload.encode(into: &writer, version: version)
        case .deckCreated(let payload): payload.encode(into: &writer, version: version)
        case .deckRenamed(let payload): payload.encode(into: &writer, version: version)
        case .deckRecoloured(let payload): payload.encode(into: &writer, version: version)
        case .deckDeleted(let payload): payload.encode(into: &writer, version: version)
        case .cardCreated(let payload): payload.encode(into: &writer, version: version)
        case .cardEdited(let payload): payload.encode(into: &writer, version: version)
        case .cardMoved(let payload): payload.encode(into: &writer, version: version)
        case .cardDeleted(let payload): payload.encode(into: &writer, version: version)
        case .cardRestored(let payload): payload.encode(into: &writer, version: version)
        case .cardPlaced(let payload): payload.encode(into: &writer, version: version)
        case .cardReset(let payload): payload.encode(into: &writer, version: version)
        case .cardErased(let payload): payload.encode(into: &writer, version: version)
        case .cardReviewed(let payload): payload.encode(into: &writer, version: version)
        case .cardPractised(let payload): payload.encode(into: &writer, version: version)
        case .sessionStarted(let payload): payload.encode(into: &writer, version: version)
        case .sessionEnded(let payload): payload.encode(into: &writer, version: version)
        case .favouriteSet(let payload): payload.encode(into: &writer, version: version)
        case .mistakeDismissed(let payload): payload.encode(into: &writer, version: version)
        case .quizStarted(let payload): payload.encode(into: &writer, version: version)
        case .questionAnswered(let payload): payload.encode(into: &writer, version: version)
        case .quizFinished(let payload): payload.encode(into: &writer, version: version)
        case .testTypeSelected(let payload): payload.encode(into: &writer, version: version)
        case .packInstalled(let payload): payload.encode(into: &writer, version: version)
        case .packRemoved(let payload): payload.encode(into: &writer, version: version)
        case .appEvent(let payload): payload.encode(into: &writer, version: version)
        case .subjectErased(let payload): payload.encode(into: &writer, version: version)
        }
    }

    /// How many bytes at the end of its payload are texts that may be erased.
    package func erasableByteCount(version: UInt8) -> Int {
        switch self {
        case .cardCreated(let payload): payload.erasableByteCount(version: version)
        case .cardEdited(let payload): payload.erasableByteCount(version: version)
        case .appEvent(let payload): payload.erasableByteCount(version: version)
        default: 0
        }
    }

    /// Reads the payload of an event of `kind` up to its last field.
    package static func decode(_ kind: StudyEventKind, from reader: inout ByteReader, version: UInt8) throws(ByteError) -> StudyEvent {
        switch kind {
        case .actionVoided: .actionVoided(try ActionVoided(decoding: &reader, version: version))
        case .answerCorrected: .answerCorrected(try AnswerCorrected(decoding: &reader, version: version))
        case .eventHeld: .eventHeld(try EventHeld(decoding: &reader, version: version))
        case .eventReleased: .eventReleased(try EventReleased(decoding: &reader, version: version))
        case .schedulerConfigured: .schedulerConfigured(try SchedulerConfigured(decoding: &reader, version: version))
        case .dayConfigured: .dayConfigured(try DayConfigured(decoding: &reader, version: version))
        case .historyImported: .historyImported(try HistoryImported(decoding: &reader, version: version))
        case .deckCreated: .deckCreated(try DeckCreated(decoding: &reader, version: version))
        case .deckRenamed: .deckRenamed(try DeckRenamed(decoding: &reader, version: version))
        case .deckRecoloured: .deckRecoloured(try DeckRecoloured(decoding: &reader, version: version))
        case .deckDeleted: .deckDeleted(try DeckDeleted(decoding: &reader, version: version))
        case .cardCreated: .cardCreated(try CardCreated(decoding: &reader, version: version))
        case .cardEdited: .cardEdited(try CardEdited(decoding: &reader, version: version))
        case .cardMoved: .cardMoved(try CardMoved(decoding: &reader, version: version))
        case .cardDeleted: .cardDeleted(try CardDeleted(decoding: &reader, version: version))
        case .cardRestored: .cardRestored(try CardRestored(decoding: &reader, version: version))
        case .cardPlaced: .cardPlaced(try CardPlaced(decoding: &reader, version: version))
        case .cardReset: .cardReset(try CardReset(decoding: &reader, version: version))
        case .cardErased: .cardErased(try CardErased(decoding: &reader, version: version))
        case .cardReviewed: .cardReviewed(try CardReviewed(decoding: &reader, version: version))
        case .cardPractised: .cardPractised(try CardPractised(decoding: &reader, version: version))
        case .sessionStarted: .sessionStarted(try SessionStarted(decoding: &reader, version: version))
        case .sessionEnded: .sessionEnded(try SessionEnded(decoding: &reader, version: version))
        case .favouriteSet: .favouriteSet(try FavouriteSet(decoding: &reader, version: version))
        case .mistakeDismissed: .mistakeDismissed(try MistakeDismissed(decoding: &reader, version: version))
        case .quizStarted: .quizStarted(try QuizStarted(decoding: &reader, version: version))
        case .questionAnswered: .questionAnswered(try QuestionAnswered(decoding: &reader, version: version))
        case .quizFinished: .quizFinished(try QuizFinished(decoding: &reader, version: version))
        case .testTypeSelected: .testTypeSelected(try TestTypeSelected(decoding: &reader, version: version))
        case .packInstalled: .packInstalled(try PackInstalled(decoding: &reader, version: version))
        case .packRemoved: .packRemoved(try PackRemoved(decoding: &reader, version: version))
        case .appEvent: .appEvent(try AppEvent(decoding: &reader, version: version))
        case .subjectErased: .subjectErased(try SubjectErased(decoding: &reader, version: version))
        }
    }

    /// Reads the JSON form of an event of `kind`.
    static func decode(_ kind: StudyEventKind, from json: JSONValue, version: UInt8) throws(SchemaError) -> StudyEvent {
        let path = FieldPath(event: kind.name)
        return switch kind {
        case .actionVoided: .actionVoided(try ActionVoided(json: json, at: path, version: version))
        case .answerCorrected: .answerCorrected(try AnswerCorrected(json: json, at: path, version: version))
        case .eventHeld: .eventHeld(try EventHeld(json: json, at: path, version: version))
        case .eventReleased: .eventReleased(try EventReleased(json: json, at: path, version: version))
        case .schedulerConfigured: .schedulerConfigured(try SchedulerConfigured(json: json, at: path, version: version))
        case .dayConfigured: .dayConfigured(try DayConfigured(json: json, at: path, version: version))
        case .historyImported: .historyImported(try HistoryImported(json: json, at: path, version: version))
        case .deckCreated: .deckCreated(try DeckCreated(json: json, at: path, version: version))
        case .deckRenamed: .deckRenamed(try DeckRenamed(json: json, at: path, version: version))
        case .deckRecoloured: .deckRecoloured(try DeckRecoloured(json: json, at: path, version: version))
        case .deckDeleted: .deckDeleted(try DeckDeleted(json: json, at: path, version: version))
        case .cardCreated: .cardCreated(try CardCreated(json: json, at: path, version: version))
        case .cardEdited: .cardEdited(try CardEdited(json: json, at: path, version: version))
        case .cardMoved: .cardMoved(try CardMoved(json: json, at: path, version: version))
        case .cardDeleted: .cardDeleted(try CardDeleted(json: json, at: path, version: version))
        case .cardRestored: .cardRestored(try CardRestored(json: json, at: path, version: version))
        case .cardPlaced: .cardPlaced(try CardPlaced(json: json, at: path, version: version))
        case .cardReset: .cardReset(try CardReset(json: json, at: path, version: version))
        case .cardErased: .cardErased(try CardErased(json: json, at: path, version: version))
        case .cardReviewed: .cardReviewed(try CardReviewed(json: json, at: path, version: version))
        case .cardPractised: .cardPractised(try CardPractised(json: json, at: path, version: version))
        case .sessionStarted: .sessionStarted(try SessionStarted(json: json, at: path, version: version))
        case .sessionEnded: .sessionEnded(try SessionEnded(json: json, at: path, version: version))
        case .favouriteSet: .favouriteSet(try FavouriteSet(json: json, at: path, version: version))
        case .mistakeDismissed: .mistakeDismissed(try MistakeDismissed(json: json, at: path, version: version))
        case .quizStarted: .quizStarted(try QuizStarted(json: json, at: path, version: version))
        case .questionAnswered: .questionAnswered(try QuestionAnswered(json: json, at: path, version: version))
        case .quizFinished: .quizFinished(try QuizFinished(json: json, at: path, version: version))
        case .testTypeSelected: .testTypeSelected(try TestTypeSelected(json: json, at: path, version: version))
        case .packInstalled: .packInstalled(try PackInstalled(json: json, at: path, version: version))
        case .packRemoved: .packRemoved(try PackRemoved(json: json, at: path, version: version))
        case .appEvent: .appEvent(try AppEvent(json: json, at: path, version: version))
        case .subjectErased: .subjectErased(try SubjectErased(json: json, at: path, version: version))
        }
    }
}
