import Engram
import EngramTesting
import Foundation
import Testing

/// The articles of the library, as programs. Their code blocks are these lines, which the last test holds them to.
@Suite struct GettingStartedTests {
    @Test func theTutorialDoesWhatItSays() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-tutorial-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let store = try StudyStore.create(at: folder)
        guard let morning = ZonedTime(iso: "2026-03-01T09:30:00+01:00") else { return }

        let deck = try store.perform(.createDeck(title: "German", colour: Colour("#c0392b")), at: morning).subject
        let card = try store.perform(.createCard(deck: deck, front: "der Hund", back: "dog"), at: morning).subject

        let due = try store.due(at: morning)
        let answer = try store.perform(.review(card, .good, took: 4_200), at: morning, key: "answer 1")
        let after = try store.card(card)
        #expect(due.cards == [card])
        #expect(after.box == 1 && after.intervalDays == 3 && after.due == StudyDay("2026-03-04"))

        let again = try store.perform(.review(card, .good, took: 4_200), at: morning, key: "answer 1")
        #expect(again.events == answer.events && !again.isNew)

        try store.undo(at: morning)
        let before = try store.card(card)
        let life = try store.timeline(of: card)
        #expect(before.box == 0 && before.lastReviewedAt == nil)
        #expect(life.map(\.type) == ["card_created", "card_reviewed", "action_voided"])
        #expect(life.map(\.isVoided) == [false, true, false])

        let replay = try store.replay(at: morning)
        let report = try StudyStore.verify(at: folder, level: .deep)
        #expect(replay.isEqual == true && report.isSound)

        let whatIf = try store.replay(at: morning, scheduler: ConfiguredScheduler(spec: "boxes:count=5,first=1,multiplier=2"))
        #expect(whatIf.statistics.boxes == [1, 0, 0, 0, 0] && whatIf.isEqual == nil)
    }

    @Test func theArticleOnChangesDoesWhatItSays() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-changes-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try StudyStore.create(at: folder)
        guard let morning = ZonedTime(iso: "2026-03-01T09:30:00+01:00") else { return }
        let deck = try store.perform(.createDeck(title: "German", colour: nil), at: morning).subject
        try store.perform(.createCard(deck: deck, front: "der Hund", back: "dog"), at: morning)

        let feed = store.changes()
        let listener = Task {
            var told: [String] = []
            for try await change in feed {
                switch change {
                case .event(let event):
                    told.append(event.type)
                case .moment(.sessionEnded(let summary)):
                    told.append("\(summary.answers) answers: a good place for a break")
                    return told
                case .moment(.streakGrown(let days, _)):
                    told.append("streak of \(days)")
                case .moment(.quizFinished):
                    told.append("a quiz")
                }
            }
            return told
        }

        var session = try store.startSession(at: morning)
        while try session.next(at: morning) != nil {
            _ = try session.answer(.good, took: 2_000, at: morning)
        }
        _ = try session.end(at: morning)
        let told = try await listener.value
        #expect(
            told == [
                "session_started", "card_reviewed", "streak of 1", "session_ended", "1 answers: a good place for a break",
            ])

        var seen: UInt64 = 0
        for try await change in store.changes(from: .beginning) {
            guard case .event(let event) = change else { continue }
            seen = event.sequence
            if try seen == store.lastSequence() { break }
        }
        #expect(seen == 5)
    }

    @Test func theArticleOnSchedulersDoesWhatItSays() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-scheduler-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard let morning = ZonedTime(iso: "2026-03-01T09:30:00+01:00") else { return }

        struct Doubling: Scheduler {
            static let name = "doubling"
            var limit = 365
            var revision: Int { 1 }
            var parameters: [(name: String, value: String)] { [("limit", "\(limit)")] }
            init() {}
            init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {
                for (name, value) in parameters {
                    guard name == "limit", let days = Int(value), (1...36_500).contains(days) else {
                        throw SchedulerError(parameter: name, value: value, allowed: "limit, from 1 to 36500")
                    }
                    limit = days
                }
            }
            func newCard(on day: StudyDay) -> SchedulerMemory { SchedulerMemory(0) }
            func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory {
                let days = min(memory.first, 36_500)
                switch answer.grade {
                case .again: return SchedulerMemory(0)
                case .hard: return SchedulerMemory(max(1, days / 2))
                case .good: return SchedulerMemory(max(1, days * 2))
                case .easy: return SchedulerMemory(max(2, days * 3))
                }
            }
            func interval(of memory: SchedulerMemory) -> Int { min(limit, Int(memory.first)) }
            func memory(placed placement: Placement) -> SchedulerMemory { SchedulerMemory(UInt64(placement.intervalDays)) }
            func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] { [("days", Double(memory.first))] }
            func hasSameMemory(as other: Doubling) -> Bool { true }
        }

        var generator = SeededGenerator(seed: 1)
        let violation = Laws.violation(ofScheduler: Doubling(), using: &generator)
        #expect(violation?.description == nil)

        let store = try StudyStore.create(at: folder, configuration: .init(schedulers: [Doubling.self]))
        let deck = try store.perform(.createDeck(title: "German", colour: nil), at: morning).subject
        let card = try store.perform(.createCard(deck: deck, front: "der Hund", back: "dog"), at: morning).subject
        try store.perform(.review(card, .good, took: nil), at: morning)
        let whatIf = try store.replay(at: morning, scheduler: store.scheduler(spec: "doubling:limit=30"))
        try store.perform(.configureScheduler(ConfiguredScheduler(Doubling())), at: morning)
        let memory = try store.card(card).memory.figures
        #expect(whatIf.statistics.cards.learned == 1 && whatIf.isEqual == nil)
        #expect(memory.map(\.name) == ["days"] && memory.map(\.value) == [1])
        #expect(try store.card(card).intervalDays == 3)
    }

    @Test func theArticleOnProjectionsDoesWhatItSays() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-projection-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard let morning = ZonedTime(iso: "2026-03-01T09:30:00+01:00") else { return }

        struct WordCount: SubjectProjection {
            static let name = "org.example.word-count"
            static let version = 1
            var words: [UniqueID: Int] = [:]
            init() {}
            mutating func apply(_ event: ProjectedEvent) {
                switch event.content {
                case .cardCreated(let card): words[event.subject] = words[event.subject] ?? card.front.split(separator: " ").count
                case .cardEdited(let card): if let front = card.front { words[event.subject] = front.split(separator: " ").count }
                default: break
                }
            }
            mutating func retract(_ events: [ProjectedEvent]) {
                for event in events { words[event.subject] = nil }
            }
            mutating func join(_ other: WordCount) { words.merge(other.words) { mine, _ in mine } }
            func encoded() -> [UInt8] {
                Array(words.map { "\($0.key) \($0.value)" }.sorted().joined(separator: "\n").utf8)
            }
            init(decoding bytes: [UInt8]) throws {
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                    guard let card = UniqueID(String(line.prefix(36))), let count = Int(line.dropFirst(37)) else { throw WrongBytes() }
                    words[card] = count
                }
            }
            struct WrongBytes: Error {}
        }

        var generator = SeededGenerator(seed: 1)
        let history = HistoryGenerator().history(using: &generator)
        let violation = Laws.violation(by: history, projections: [WordCount.self], using: &generator)
        #expect(violation?.description == nil)

        let store = try StudyStore.create(at: folder, configuration: .init(projections: [WordCount.self]))
        let deck = try store.perform(.createDeck(title: "German", colour: nil), at: morning).subject
        let card = try store.perform(.createCard(deck: deck, front: "der große Hund", back: "the big dog"), at: morning).subject
        try store.perform(.editCard(card, front: "der Hund", back: nil), at: morning)
        try store.undo(at: morning)
        let counted = try store.projection(WordCount.self).words[card]
        #expect(counted == 3)

        let heard = AppEvent(name: "listened", revision: 1, text: "{\"minutes\": 12}")
        try store.perform(.record(heard, about: card), at: morning)
        try store.perform(.record(AppEvent(name: "walked", revision: 1), about: store.newID()), at: morning)
        #expect(try store.timeline(of: card).last?.type == "app_event")
        #expect(try StudyStore.verify(at: store.path, level: .deep, projections: [WordCount.self]).isSound)
    }

    @Test(arguments: ["GettingStarted", "ObservingChanges", "OwnScheduler", "OwnProjection"])
    func everyLineOfAnArticleIsInTheProgram(article: String) throws {
        let tests = URL(fileURLWithPath: #filePath)
        let program = try String(contentsOf: tests, encoding: .utf8)
        let page = tests.deletingLastPathComponent().appendingPathComponent("../../Sources/Engram/Engram.docc/\(article).md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var isCode = false
        var count = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode, !line.isEmpty {
                count += 1
                #expect(program.contains("        \(line)\n"), "the tutorial's line isn't in the program: \(line)")
            }
        }
        #expect(count >= 12)
    }
}
