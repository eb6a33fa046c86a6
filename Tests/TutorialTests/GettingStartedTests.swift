import Engram
import Foundation
import Testing

/// The articles of the library, as programs. Their code blocks are these lines, which the last test holds them to.
@Suite struct GettingStartedTests {
    @Test func theTutorialDoesWhatItSays() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-tutorial-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let store = try StudyStore.create(at: folder)
        guard let morning = Moment(iso: "2026-03-01T09:30:00+01:00") else { return }

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

        let whatIf = try store.replay(at: morning, scheduler: Scheduler(spec: "boxes:count=5,first=1,multiplier=2"))
        #expect(whatIf.statistics.boxes == [1, 0, 0, 0, 0] && whatIf.isEqual == nil)
    }

    @Test func theArticleOnChangesDoesWhatItSays() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-changes-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try StudyStore.create(at: folder)
        guard let morning = Moment(iso: "2026-03-01T09:30:00+01:00") else { return }
        let deck = try store.perform(.createDeck(title: "German", colour: nil), at: morning).subject
        try store.perform(.createCard(deck: deck, front: "der Hund", back: "dog"), at: morning)

        let feed = store.changes(since: try store.lastSequence())
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
        for try await change in store.changes(since: 0) {
            guard case .event(let event) = change else { continue }
            seen = event.sequence
            if try seen == store.lastSequence() { break }
        }
        #expect(seen == 5)
    }

    @Test(arguments: ["GettingStarted", "ObservingChanges"])
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
