import Engram
import EngramTesting
import Foundation
import Scheduling
import StudyModel
import Testing

/// An app's own scheduler: doubles what it gave, and halves it; keeps the half days that are lost by rounding.
private struct Doubling: Scheduler {
    static let name = "doubling"
    var limit = 100

    var revision: Int { 1 }
    var parameters: [(name: String, value: String)] { [("limit", "\(limit)")] }

    init(limit: Int = 100) { self.limit = limit }

    init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {
        for (name, value) in parameters {
            guard name == "limit", let number = Int(value), (1...36_500).contains(number) else {
                throw SchedulerError(parameter: name, value: value, allowed: "limit, from 1 to 36500")
            }
            limit = number
        }
    }

    private func days(_ memory: SchedulerMemory) -> Double { Double(bitPattern: memory.second) }
    private func memory(_ days: Double) -> SchedulerMemory { SchedulerMemory(1, days.bitPattern, 0) }

    func newCard(on day: StudyDay) -> SchedulerMemory { memory(0) }
    func memory(placed placement: Placement) -> SchedulerMemory { memory(Double(placement.intervalDays)) }
    func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
        let days = days(memory)
        return switch answer.grade {
        case .again: self.memory(0.25)
        case .hard: self.memory(max(0.5, days / 2))
        case .good: self.memory(max(1, days * 2))
        case .easy: self.memory(max(1.5, days * 2.5))
        }
    }
    func interval(of memory: SchedulerMemory) -> Int { min(limit, Int(days(memory).rounded(.up))) }
    func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] { [("days", days(memory))] }
    func hasSameMemory(as other: Doubling) -> Bool { true }
}

@Suite struct OwnSchedulerTests {
    private static var configuration: StudyStore.Configuration { .init(schedulers: [Doubling.self]) }

    private static func create(_ folder: TemporaryFolder, _ name: String = "store") throws -> StudyStore {
        try StudyStore.create(at: folder.path + "/" + name, configuration: configuration)
    }

    private static func open(_ store: String, knowing: Bool = true) throws -> StudyStore {
        try StudyStore.open(at: store, configuration: knowing ? configuration : .init())
    }

    private static func own(_ spec: String = "doubling") throws -> ConfiguredScheduler {
        try KnownSchedulers(adding: [Doubling.self]).scheduler(spec: spec)
    }

    private static func days(_ card: CardView) -> [Double] { card.memory.figures.map(\.value) }

    @Test("It keeps the laws of every scheduler, and those of every history")
    func laws() throws {
        var generator = SeededGenerator(seed: 11)
        #expect(Laws.violation(ofScheduler: Doubling(), using: &generator)?.description == nil)
        for number in 0..<60 {
            var generator = SeededGenerator(seed: 12).part(number)
            var history = HistoryGenerator(HistoryShape()).history(using: &generator)
            if history.count > 8 { history.insert(.beginning(with: try Self.own()), at: 0) }
            let violation = Laws.violation(
                by: history, under: try Self.own("doubling:limit=9"), schedulers: [Doubling.self], using: &generator)
            #expect(violation?.description == nil, "\(generator)")
        }
    }

    @Test("A store is scheduled by it, and the same after reopening, replay and verification")
    func store() throws {
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        let card = try store.card(in: store.deck())
        try store.perform(.configureScheduler(Self.own()), at: moment())
        for day in 0..<4 { try store.perform(.review(card, .good, took: nil), at: moment(1440 * day + 1)) }
        let seen = try store.card(card)
        #expect(Self.days(seen) == [8] && seen.intervalDays == 8 && seen.level == nil && seen.box == nil)
        #expect(try store.statistics(at: moment(1440 * 4)).cards.learned == 1)
        try store.checkpoint()
        let again = try Self.open(store.path)
        #expect(try again.card(card) == seen)
        #expect(try again.replay(at: moment(1440 * 9)).isEqual == true)
        let report = try StudyStore.verify(at: store.path, level: .deep, under: KnownSchedulers(adding: [Doubling.self]))
        #expect(report.isSound && report.remarks.isEmpty, "\(report.findings) \(report.remarks)")
        #expect(try again.timeline(of: card).map { $0.after.memory.figures.map(\.value) } == [[0, 0], [1], [2], [4], [8]])
    }

    @Test("Changing the scheduler folds memories again, changing back is exact, and due days stay until an answer")
    func thereAndBack() throws {
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        let deck = try store.deck()
        let (asked, rested) = (try store.card(in: deck), try store.card(in: deck))
        for card in [asked, rested] { for day in 0..<3 { try store.perform(.review(card, .good, took: nil), at: moment(1440 * day)) } }
        let before = try store.card(rested)
        #expect(before.level == 3 && before.intervalDays == 13)
        try store.perform(.configureScheduler(Self.own()), at: moment(1440 * 4))
        let changed = try store.card(rested)
        #expect(Self.days(changed) == [4] && changed.due == before.due && changed.intervalDays == 13)
        try store.perform(.review(asked, .good, took: nil), at: moment(1440 * 5))
        #expect(try store.card(asked).intervalDays == 8)
        #expect(try store.replay(at: moment(1440 * 9)).isEqual == true)
        #expect(try store.replay(at: moment(1440 * 9), scheduler: .standard).isEqual == nil)
        try store.perform(.configureScheduler(.standard), at: moment(1440 * 6))
        #expect(try store.card(rested) == before)
        #expect(try store.card(asked).level == 4 && store.card(asked).intervalDays == 8, "its last answer was the other scheduler's")
        #expect(try Self.open(store.path).replay(at: moment(1440 * 9)).isEqual == true)
        let lines = try store.timeline(of: asked)
        #expect(lines.map { $0.after.memory.figures.first?.name } == ["level", "level", "level", "level", "days"])
        #expect(lines.last?.after.intervalDays == 8)
    }

    @Test("A card answered with Again is asked again on that study day, whatever the scheduler gives")
    func againIsAskedAgain() throws {
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        let card = try store.card(in: store.deck())
        try store.perform(.configureScheduler(Self.own()), at: moment())
        var session = try store.startSession(at: moment(1))
        #expect(try session.next(at: moment(1))?.card.id == card)
        _ = try session.answer(.again, at: moment(1))
        #expect(try store.card(card).intervalDays == 1, "tomorrow, by the scheduler")
        #expect(try store.due(at: moment(2)).cards == [card] && store.statistics(at: moment(2)).due.total == 1)
        #expect(try store.decks(at: moment(2)).map(\.due) == [1])
        #expect(try session.next(at: moment(2))?.isRepeated == true)
        _ = try session.answer(.good, at: moment(2))
        #expect(try session.next(at: moment(3)) == nil && store.due(at: moment(3)).cards.isEmpty)
        #expect(try store.due(at: moment(1441)).cards == [card])
    }

    @Test("Two devices come to one state, whichever merges first")
    func devices() throws {
        let folder = try TemporaryFolder()
        let (left, right) = (try Self.create(folder, "left"), try Self.create(folder, "right"))
        let card = try left.card(in: left.deck())
        _ = try right.merge(with: left.path, at: moment(1))
        try left.perform(.configureScheduler(Self.own()), at: moment(2))
        try right.perform(.review(card, .easy, took: nil), at: moment(3))
        try left.perform(.review(card, .good, took: nil), at: moment(4))
        _ = try left.merge(with: right.path, at: moment(5))
        _ = try right.merge(with: left.path, at: moment(5))
        #expect(try left.digest() == right.digest())
        #expect(try Self.days(left.card(card)) == [3] && left.card(card) == right.card(card))
    }

    @Test("A scheduler that the program doesn't know is never folded under another one")
    func unknown() throws {
        let folder = try TemporaryFolder()
        let knowing = try Self.create(folder)
        let deck = try knowing.deck()
        let (asked, rested, fresh) = (try knowing.card(in: deck), try knowing.card(in: deck), try knowing.card(in: deck))
        for card in [asked, rested] { try knowing.perform(.review(card, .good, took: nil), at: moment(1)) }
        let before = try knowing.card(rested)
        try knowing.perform(.configureScheduler(Self.own()), at: moment(2))
        try knowing.perform(.review(asked, .good, took: nil), at: moment(1440))
        let path = knowing.path
        let store = try Self.open(path, knowing: false)
        #expect(try store.unknownSchedulers() == ["doubling:limit=100"])
        // What boxes gave stays, what the other one gave nobody knows, what is new is due.
        #expect(try store.card(rested).due == before.due && store.card(rested).level == nil)
        #expect(try store.card(asked).due == nil && store.card(asked).box == nil && store.card(asked).passed == 2)
        #expect(try store.due(at: moment(1440)).cards == [fresh])
        #expect(try store.due(at: moment(1440 * 400)).undated == 1)
        // Answers are taken and recorded all the same.
        try store.perform(.review(rested, .good, took: nil), at: moment(1441))
        #expect(try store.card(rested).due == nil && store.replay(at: moment(1442)).isEqual == true)
        #expect(throws: StoreError.self) { try store.perform(.configureScheduler(store.settings().scheduler), at: moment(1443)) }
        let report = try StudyStore.verify(at: path, level: .deep)
        #expect(report.isSound && report.remarks.contains { $0.contains("doubling:limit=100") }, "\(report)")
        // A program that knows it finds all as it should be, by the checkpoint of the other too.
        try store.checkpoint()
        let again = try Self.open(path)
        #expect(try Self.days(again.card(rested)) == [2] && again.card(rested).intervalDays == 2)
        #expect(try again.unknownSchedulers().isEmpty && again.replay(at: moment(1442)).isEqual == true)
    }

    @Test("After a change back, answers under the unknown one count by the scheduler in force")
    func unknownBetween() throws {
        let folder = try TemporaryFolder()
        let knowing = try Self.create(folder)
        let card = try knowing.card(in: knowing.deck())
        try knowing.perform(.configureScheduler(Self.own()), at: moment())
        try knowing.perform(.review(card, .good, took: nil), at: moment(1))
        try knowing.perform(.configureScheduler(.standard), at: moment(2))
        let store = try Self.open(knowing.path, knowing: false)
        #expect(try store.card(card).level == 1 && store.card(card).intervalDays == 3)
        #expect(try knowing.card(card).level == 1 && knowing.card(card).intervalDays == 1)
    }
}
