import EngramTesting
import EventCoding
import Scheduling
import StudyModel

/// Everything that people see, worked out anew for every question: dictionaries and a sorted list, written from the product's
/// rules and not from the code that it is held against.
struct NaiveModel {
    struct Card: Equatable {
        var deck = UniqueID.none
        var front = ""
        var back = ""
        var createdAt: ZonedTime?
        var isDeleted = false
        /// Half steps of a level, or steps of a list.
        var memory: Int64 = 0
        var interval = 0
        var due: Int64?
        var passed: Int64 = 0
        var failed: Int64 = 0
        var practised: Int64 = 0
        var lastReviewedAt: ZonedTime?
        /// What a scheduler gets to know, in order.
        var story: [Turn] = []

        /// Equal for people, whatever led to it.
        static func == (left: Card, right: Card) -> Bool {
            left.deck == right.deck && left.front == right.front && left.back == right.back && left.createdAt == right.createdAt
                && left.isDeleted == right.isDeleted && left.memory == right.memory && left.interval == right.interval
                && left.due == right.due && left.passed == right.passed && left.failed == right.failed
                && left.practised == right.practised && left.lastReviewedAt == right.lastReviewedAt
        }
    }

    enum Turn {
        case new(day: Int64)
        case placed(halfSteps: Int64, interval: Int, due: Int64, wasReviewed: Bool)
        case answer(Grade, day: Int64, under: Rules)
    }

    /// How cards are scheduled; nobody knows what can be said under `unknown`.
    enum Rules: Equatable {
        case boxes(Box)
        case fixed([Int])
        case unknown

        /// What is remembered, and the interval of the last turn, when all of `story` happened under these rules.
        func fold(_ story: some Sequence<Turn>) -> (memory: Int64, interval: Int) {
            var memory: Int64 = 0
            for turn in story {
                switch (self, turn) {
                case (.unknown, _), (_, .new), (_, .answer(.again, _, _)): memory = 0
                case (.boxes, .placed(let halfSteps, _, _, _)): memory = halfSteps
                case (.boxes, .answer(let grade, _, _)): memory = max(0, memory + (grade == .hard ? -2 : grade == .good ? 2 : 3))
                case (.fixed(let days), .placed(_, let interval, _, _)): memory = Int64(days.filter { $0 <= interval }.count)
                case (.fixed(let days), .answer(let grade, _, _)):
                    memory = min(Int64(days.count), memory + (grade == .hard ? 0 : grade == .good ? 1 : 2))
                }
            }
            return switch self {
            case .boxes(let box): (memory, box.interval(halfSteps: memory))
            case .fixed(let days): (memory, memory == 0 ? 0 : days[Int(memory) - 1])
            case .unknown: (0, 0)
            }
        }
    }

    struct Deck: Equatable {
        var title = ""
        var colour: UInt64?
        var createdAt: ZonedTime?
        var isDeleted = false
    }

    struct Item: Equatable {
        var kind: ItemKind?
        var favouriteSince: ZonedTime?
        var mistakeSince: ZonedTime?
        var mistakes: Int64 = 0
    }

    struct Pack: Equatable {
        var name = ""
        var digest = SHA256Digest.zero
        var counts: [UInt64] = []
        var installedAt: ZonedTime?
    }

    struct Quiz: Equatable {
        var testType: String?
        var pack: UniqueID?
        var questions = 0
        var startedAt: ZonedTime?
        var end: [UInt64]?
        /// Question, chosen option and whether it was right, in the order in which they were answered.
        var answers: [Answer] = []
    }

    struct Answer: Equatable {
        var question: UniqueID
        var chosen: Int
        var isRight: Bool
        var took: Int64?
        var at: ZonedTime
    }

    struct Day: Equatable {
        var grades: [Grade: Int64] = [:]
        var milliseconds: Int64 = 0
    }

    struct Box: Equatable {
        var count = 8
        var first: UInt64 = 3
        var multiplier: (up: UInt64, down: UInt64) = (41, 20)

        static func == (left: Box, right: Box) -> Bool {
            left.count == right.count && left.first == right.first && left.multiplier == right.multiplier
        }

        /// `ceil(first * multiplier^(n-1))`, at most 36,500.
        func interval(halfSteps: Int64) -> Int {
            let level = halfSteps / 2
            guard level > 0 else { return 0 }
            var above = UInt128(first)
            var below: UInt128 = 1
            for _ in 1..<level {
                above *= UInt128(multiplier.up)
                below *= UInt128(multiplier.down)
                if above >= below * 36_500 { break }
            }
            return Int(min(36_500, (above + below - 1) / below))
        }
    }

    private(set) var cards: [UniqueID: Card] = [:]
    private(set) var decks: [UniqueID: Deck] = [:]
    private(set) var items: [UniqueID: Item] = [:]
    private(set) var packs: [UniqueID: Pack] = [:]
    private(set) var quizzes: [UniqueID: Quiz] = [:]
    private(set) var selected: [String] = []
    /// The test that goes on: of those that were begun and not ended the last one.
    private(set) var openQuizzes: [UniqueID] = []
    private(set) var days: [Int64: Day] = [:]
    private(set) var hours = [Int64](repeating: 0, count: 24)
    private(set) var practised: Int64 = 0
    private var storeRules = Rules.boxes(Box())
    private var deckRules: [UniqueID: Rules] = [:]
    private(set) var rolloverHour: Int64 = 4
    private var rowsTaken: Set<UniqueID> = []

    init(_ events: [HistoryEvent]) {
        let ordered = events.sorted { $0.header.foldOrder < $1.header.foldOrder }
        let verdicts = NaiveVerdicts(ordered)
        for event in ordered {
            guard let stated = event.event, let grade = verdicts.outcome(of: event.header) else { continue }
            if let key = event.header.key, !rowsTaken.insert(key).inserted { continue }
            take(stated, event.header, corrected: grade.corrected)
        }
        for id in cards.keys { schedule(&cards[id, default: Card()]) }
    }

    /// No one can say when it is due.
    static let never = Int64(Int32.max)

    /// The memory is that of the rules in force now over the whole story; the due day is what the rules at the last turn gave.
    private func schedule(_ card: inout Card) {
        let rules = rules(of: card)
        card.memory = rules.fold(card.story).memory
        switch card.story.last {
        case nil: break
        case .new(let day): (card.interval, card.due) = (0, day)
        case .placed(_, let interval, let due, _): (card.interval, card.due) = (interval, due)
        case .answer(_, let day, let then):
            let teller = then == .unknown ? rules : then
            let interval = teller.fold(card.story).interval
            (card.interval, card.due) = teller == .unknown ? (0, Self.never) : (interval, day + Int64(interval))
        }
    }

    private mutating func take(_ event: StudyEvent, _ header: EventHeader, corrected: Grade?) {
        let moment = ZonedTime(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes)
        let id = header.subject
        switch event {
        case .schedulerConfigured(let configured): configure(configured)
        case .dayConfigured(let configured): rolloverHour = Int64(configured.rolloverHour)
        case .deckCreated(let created):
            guard decks[id]?.createdAt == nil else { break }
            decks[id, default: Deck()].title = created.title
            decks[id]?.colour = created.colour
            decks[id]?.createdAt = moment
        case .deckRenamed(let renamed): decks[id, default: Deck()].title = renamed.title
        case .deckRecoloured(let recoloured): decks[id, default: Deck()].colour = recoloured.colour
        case .deckDeleted: decks[id, default: Deck()].isDeleted = true
        case .favouriteSet(let favourite):
            var item = items[id] ?? Item()
            item.kind = favourite.kind
            item.favouriteSince = favourite.on ? item.favouriteSince ?? moment : nil
            items[id] = item
        case .mistakeDismissed(let dismissed):
            items[id, default: Item()].kind = dismissed.kind
            items[id]?.mistakeSince = nil
            items[id]?.mistakes = 0
        case .packInstalled(let pack):
            packs[id] = Pack(name: pack.name, digest: pack.digest, counts: [pack.words, pack.questions, pack.types], installedAt: moment)
        case .packRemoved: packs[id] = nil
        case .testTypeSelected(let choice): selected = [id.description, choice.testType]
        case .quizStarted(let started):
            guard quizzes[id]?.startedAt == nil else { break }
            var quiz = quizzes[id] ?? Quiz()
            (quiz.testType, quiz.pack, quiz.questions, quiz.startedAt) = (started.testType, started.pack, started.questions.count, moment)
            quizzes[id] = quiz
            if quiz.end == nil { openQuizzes.append(id) }
        case .quizFinished(let finished):
            guard quizzes[id]?.end == nil else { break }
            quizzes[id, default: Quiz()].end = [finished.right, finished.total, finished.abandoned ? 1 : 0]
            openQuizzes.removeAll { $0 == id }
        case .questionAnswered(let answered):
            if !(quizzes[answered.quiz]?.answers.contains { $0.question == answered.question } ?? false) {
                quizzes[answered.quiz, default: Quiz()].answers.append(
                    Answer(
                        question: answered.question, chosen: Int(answered.chosen), isRight: answered.correct,
                        took: answered.tookMilliseconds.map { Int64($0) }, at: moment))
            }
            guard !answered.correct else { break }
            var item = items[id] ?? Item()
            item.kind = item.kind ?? (answered.question == id ? .question : .word)
            item.mistakeSince = item.mistakeSince ?? moment
            item.mistakes += 1
            items[id] = item
        default: takeCard(event, id, moment, corrected: corrected)
        }
    }

    /// Those of the deck that it is in, where that has some of its own.
    private func rules(of card: Card) -> Rules { deckRules[card.deck] ?? storeRules }

    private mutating func configure(_ configured: SchedulerConfigured) {
        let rules = Self.rules(configured)
        if let deck = configured.deck { deckRules[deck] = rules } else { storeRules = rules }
    }

    private static func rules(_ configured: SchedulerConfigured) -> Rules {
        switch configured.scheduler {
        case "boxes":
            var boxes = Box()
            for parameter in configured.parameters {
                let numbers = parameter.value.split(separator: "/").compactMap { UInt64($0) }
                switch parameter.name {
                case "count": boxes.count = Int(numbers[0])
                case "first": boxes.first = numbers[0]
                default: boxes.multiplier = (numbers[0], numbers[1])
                }
            }
            return .boxes(boxes)
        case "fixed": return .fixed(configured.parameters[0].value.split(separator: "/").compactMap { Int($0) })
        default: return .unknown
        }
    }

    /// The box that a card is shown in, where there are boxes.
    func box(_ card: Card) -> Int? {
        guard case .boxes(let boxes) = rules(of: card) else { return nil }
        return Int(min(card.memory / 2, Int64(boxes.count - 1)))
    }

    var boxCount: Int {
        ([storeRules] + deckRules.values).map { if case .boxes(let boxes) = $0 { boxes.count } else { 0 } }.max() ?? 0
    }

    /// Box 1 or above; without boxes: the last answer since the card came new wasn't Again.
    func isLearned(_ card: Card) -> Bool {
        if let box = box(card) { return box >= 1 }
        return switch card.story.last {
        case .answer(let grade, _, _): grade != .again
        case .placed(_, let interval, _, let wasReviewed): interval > 0 && wasReviewed
        case .new, nil: false
        }
    }

    /// Due, or answered with Again today.
    func isWanted(_ card: Card, today: Int64) -> Bool {
        if (card.due ?? 0) <= today { return true }
        guard case .answer(.again, _, _) = card.story.last else { return false }
        return card.lastReviewedAt.map { day(of: $0) == today } ?? false
    }

    private mutating func takeCard(_ event: StudyEvent, _ id: UniqueID, _ moment: ZonedTime, corrected: Grade?) {
        var card = cards[id] ?? Card()
        let today = day(of: moment)
        switch event {
        case .cardReviewed(let review):
            let grade = corrected ?? review.grade
            card.story.append(.answer(grade, day: today, under: rules(of: card)))
            if grade == .again { card.failed = plusOne(card.failed) } else { card.passed = plusOne(card.passed) }
            card.lastReviewedAt = moment
            days[today, default: Day()].grades[grade, default: 0] += 1
            days[today]?.milliseconds += Int64(review.tookMilliseconds ?? 0)
            let local = moment.wallMilliseconds + Int64(moment.zoneMinutes) * 60_000
            hours[Int(local - floor(local, 86_400_000) * 86_400_000) / 3_600_000] += 1
        case .cardPractised:
            card.practised += 1
            practised += 1
        case .cardCreated(let created):
            if card.createdAt == nil {
                (card.createdAt, card.deck, card.front, card.back) = (moment, created.deck, created.front, created.back)
                if card.story.isEmpty { card.story.append(.new(day: today)) }
            }
        case .cardEdited(let edited):
            card.front = edited.front ?? card.front
            card.back = edited.back ?? card.back
        case .cardMoved(let moved): card.deck = moved.deck
        case .cardDeleted: card.isDeleted = true
        case .cardRestored: card.isDeleted = false
        case .cardReset: card.story.append(.new(day: today))
        case .cardPlaced(let placed):
            card.story.append(
                .placed(
                    halfSteps: Int64(placed.levelHalfSteps), interval: Int(placed.intervalDays), due: placed.dueDay,
                    wasReviewed: placed.lastReviewedMilliseconds != nil))
            (card.passed, card.failed) = (Int64(placed.passed), Int64(placed.failed))
            if let last = placed.lastReviewedMilliseconds {
                card.lastReviewedAt = ZonedTime(wallMilliseconds: last, zoneMinutes: moment.zoneMinutes)
            }
        default: return
        }
        cards[id] = card
    }

    private func plusOne(_ count: Int64) -> Int64 { count == .max ? count : count + 1 }

    func day(of moment: ZonedTime) -> Int64 {
        floor(moment.wallMilliseconds + Int64(moment.zoneMinutes) * 60_000 - rolloverHour * 3_600_000, 86_400_000)
    }

    private func floor(_ value: Int64, _ size: Int64) -> Int64 { (value - ((value % size) + size) % size) / size }

    func isLive(_ card: Card) -> Bool {
        guard card.createdAt != nil, !card.isDeleted, let deck = decks[card.deck] else { return false }
        return deck.createdAt != nil && !deck.isDeleted
    }

    /// The run of days that ends on `today` or the day before, and the longest run.
    func streaks(today: Int64) -> (current: Int, longest: Int) {
        let reviewed = Set(days.keys)
        func run(to last: Int64) -> Int {
            var count = 0
            while reviewed.contains(last - Int64(count)) { count += 1 }
            return count
        }
        return (max(run(to: today), reviewed.contains(today) ? 0 : run(to: today - 1)), reviewed.map(run(to:)).max() ?? 0)
    }
}

/// Which events count. Goes through the controls from the last one back: what could touch a control comes after it, so it
/// has been decided when the control's turn comes.
private struct NaiveVerdicts {
    private struct Touch {
        let subject: UniqueID
        let order: FoldOrder
        let grade: Grade?
    }

    private var held: [EventID: (subject: UniqueID, isHeld: Bool)] = [:]
    private var heldFor: [EventID: Set<UniqueID>] = [:]
    private var touches: [EventID: [Touch]] = [:]
    private var rowTouches: [UniqueID: [Touch]] = [:]

    init(_ ordered: [HistoryEvent]) {
        for event in ordered {
            switch event.event {
            case .eventHeld(let hold): heldFor[hold.target, default: []].insert(event.header.subject)
            case .eventReleased(let release): heldFor[release.target]?.remove(event.header.subject)
            default: break
            }
        }
        for event in ordered.reversed() {
            let header = event.header
            switch event.event {
            case .actionVoided(let void) where outcome(of: header) != nil:
                note(Touch(subject: header.subject, order: header.foldOrder, grade: nil), void.target, void.targetKey)
            case .answerCorrected(let correction) where outcome(of: header) != nil:
                note(
                    Touch(subject: header.subject, order: header.foldOrder, grade: correction.grade), correction.target,
                    correction.targetKey)
            default: break
            }
        }
    }

    private mutating func note(_ touch: Touch, _ target: EventID, _ key: UniqueID?) {
        touches[target, default: []].append(touch)
        if let key { rowTouches[key, default: []].append(touch) }
    }

    /// `nil` where the event doesn't count; else the grade that a correction gave it, if one did.
    func outcome(of header: EventHeader) -> (corrected: Grade?, Void)? {
        if heldFor[header.id]?.contains(header.subject) ?? false { return nil }
        let about = ((touches[header.id] ?? []) + (header.key.flatMap { rowTouches[$0] } ?? []))
            .filter { $0.subject == header.subject && $0.order > header.foldOrder }
        if about.contains(where: { $0.grade == nil }) { return nil }
        return (about.max { $0.order < $1.order }?.grade, ())
    }
}
