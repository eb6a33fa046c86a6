import EngramTesting
import EventCoding
import Foundation
import Scheduling
import StudyModel
import Testing

@testable import StudyProjections

struct NaiveModelTests {
    @Test("A small model written from the product's rules sees what the fold sees")
    func agreement() {
        let property = Property<HistoryEvent>(named: "the fold is what the rules say") { generator in
            HistoryGenerator().history(using: &generator)
        } violation: { history, generator in
            disagreement(MemoryLog(history), NaiveModel(history), daysLater: Int64(generator.below(5)))
        }
        let found = property.counterexample(runs: PropertyRuns(cases: 10_000, environment: ProcessInfo.processInfo.environment))
        if let found { Issue.record("\(found)") }
    }
}

/// The first figure in which log and model differ.
private func disagreement(_ log: MemoryLog, _ model: NaiveModel, daysLater: Int64) -> String? {
    let last = log.events.map(\.header.wallMilliseconds).max() ?? 0
    let now = ZonedTime(wallMilliseconds: last + daysLater * 86_400_000, zoneMinutes: 0)
    return cards(log, model) ?? decks(log, model) ?? items(log, model) ?? quizzes(log, model) ?? tallies(log, model)
        ?? statistics(log, model, now)
}

private func differ<Value: Equatable>(_ what: String, _ fold: Value, _ rules: Value) -> String? {
    fold == rules ? nil : "\(what): the fold says \(fold), the rules say \(rules)"
}

private func cards(_ log: MemoryLog, _ model: NaiveModel) -> String? {
    if let wrong = differ("cards", Set(log.state.knownCards.map(\.id)), Set(model.cards.keys)) { return wrong }
    for card in log.state.knownCards {
        var seen = NaiveModel.Card()
        let isCreated = card.flags.contains(.created)
        seen.deck = card.deck
        (seen.front, seen.back) = log.texts(of: card)
        seen.createdAt = isCreated ? card.createdAt : nil
        seen.isDeleted = card.flags.contains(.deleted)
        (seen.memory, seen.interval) = (Int64(card.memory.first), Int(card.intervalDays))
        seen.due = card.flags.contains(.scheduled) ? Int64(card.dueDay) : nil
        (seen.passed, seen.failed, seen.practised) = (card.passed, card.failed, card.practised)
        seen.lastReviewedAt = card.flags.contains(.reviewed) ? card.lastReviewedAt : nil
        if let wrong = differ("card \(card.id)", seen, model.cards[card.id] ?? NaiveModel.Card()) { return wrong }
        let box = log.state.currentSchedulers[card.deck].box(of: card.memory)
        if let wrong = differ("box of \(card.id)", box, model.cards[card.id].flatMap(model.box)) { return wrong }
    }
    return nil
}

private func decks(_ log: MemoryLog, _ model: NaiveModel) -> String? {
    let live = model.decks.filter { $0.value.createdAt != nil && !$0.value.isDeleted }
    if let wrong = differ("decks", Set(log.state.liveDecks.map(\.id)), Set(live.keys)) { return wrong }
    for deck in log.state.liveDecks {
        var seen = NaiveModel.Deck()
        (seen.title, seen.colour, seen.createdAt) = (deck.title, deck.colour.map { UInt64($0) }, deck.createdAt)
        if let wrong = differ("deck \(deck.id)", seen, live[deck.id] ?? NaiveModel.Deck()) { return wrong }
    }
    return nil
}

private func items(_ log: MemoryLog, _ model: NaiveModel) -> String? {
    let listed = model.items.filter { $0.value.favouriteSince != nil || $0.value.mistakeSince != nil }
    if let wrong = differ("items", Set(log.state.listedItems.map(\.id)), Set(listed.keys)) { return wrong }
    for item in log.state.listedItems {
        var seen = NaiveModel.Item()
        (seen.kind, seen.mistakes) = (item.kind, item.mistakes)
        seen.favouriteSince = item.isFavourite ? item.favouriteSince : nil
        seen.mistakeSince = item.isMistake ? item.mistakeSince : nil
        if let wrong = differ("item \(item.id)", seen, listed[item.id] ?? NaiveModel.Item()) { return wrong }
    }
    return nil
}

private func quizzes(_ log: MemoryLog, _ model: NaiveModel) -> String? {
    let packs = log.state.installedPacks.map { pack in
        (
            pack.id,
            NaiveModel.Pack(
                name: pack.name, digest: pack.digest, counts: [pack.words, pack.questions, pack.types], installedAt: pack.installedAt)
        )
    }
    if let wrong = differ("packs", Dictionary(uniqueKeysWithValues: packs), model.packs) { return wrong }
    let selected = log.state.selectedTestType.map { [$0.pack.description, $0.type] } ?? []
    if let wrong = differ("selected", selected, model.selected) { return wrong }
    let quizzes = log.state.quizzes.rows.filter(\.isStarted).map { quiz in
        var seen = NaiveModel.Quiz(testType: quiz.testType, pack: quiz.pack, questions: quiz.questionCount, startedAt: quiz.startedAt)
        seen.end = quiz.end.map { [$0.right, $0.total, $0.isAbandoned ? 1 : 0] }
        seen.answers = log.state.answers.counted(of: quiz.id).map {
            NaiveModel.Answer(question: $0.question, chosen: $0.chosen, isRight: $0.isRight, took: $0.tookMilliseconds, at: $0.at)
        }
        return (quiz.id, seen)
    }
    if let wrong = differ("quizzes", Dictionary(uniqueKeysWithValues: quizzes), model.quizzes.filter { $0.value.startedAt != nil }) {
        return wrong
    }
    return differ("open quiz", log.state.openQuiz?.id, model.openQuizzes.last)
}

private func tallies(_ log: MemoryLog, _ model: NaiveModel) -> String? {
    let days = log.state.tallies.reviewedDays.map { day in
        [Int64(day.day.days), day.again, day.hard, day.good, day.easy, day.milliseconds]
    }
    let expected = model.days.sorted { $0.key < $1.key }.map { entry in
        [entry.key] + Grade.allCases.map { entry.value.grades[$0] ?? 0 } + [entry.value.milliseconds]
    }
    return differ("days", days, expected) ?? differ("hours", log.state.tallies.hours, model.hours)
        ?? differ("practice", log.state.tallies.practised, model.practised)
}

private func statistics(_ log: MemoryLog, _ model: NaiveModel, _ now: ZonedTime) -> String? {
    let today = model.day(of: now)
    if let wrong = differ("today", Int64(log.state.studyDay(of: now).days), today) { return wrong }
    let figures = log.statistics(today: StudyDay(days: Int32(clamping: today)))
    let live = model.cards.values.filter { model.isLive($0) }
    let learned = live.filter(model.isLearned)
    let streaks = model.streaks(today: today)
    let forecast = (0..<30).map { (ahead: Int64) in live.count { ($0.due ?? 0) == today + ahead } }
    let intervals = learned.reduce(0) { $0 + $1.interval }
    let average: Double? = learned.isEmpty ? nil : Double(intervals) / Double(learned.count)
    let boxes = (0..<model.boxCount).map { number in live.count { model.box($0) == number } }
    let seen = [
        figures.cards.total, figures.cards.new, figures.cards.learned, figures.cards.deleted, figures.due.total, figures.due.overdue,
        figures.streak.current, figures.streak.longest,
    ]
    let due = live.map { $0.due ?? 0 }
    let expected = [
        live.count, live.count { $0.lastReviewedAt == nil }, learned.count, model.cards.count - live.count,
        live.count { model.isWanted($0, today: today) }, due.count { $0 < today }, streaks.current, streaks.longest,
    ]
    if let wrong = differ("total, new, learned, other, due, overdue, streak, longest streak", seen, expected) { return wrong }
    if let wrong = differ("boxes", figures.boxes, boxes) { return wrong }
    if let wrong = differ("forecast", figures.due.forecast.map(\.cards), forecast) { return wrong }
    return differ("average interval", figures.averageIntervalDays, average)
}
