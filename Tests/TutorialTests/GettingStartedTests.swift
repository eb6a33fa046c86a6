import Engram
import Foundation
import Testing

/// The tutorial of the library, as a program. Its code blocks are these lines, which the second test holds them to.
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

    @Test func everyLineOfTheTutorialIsInTheProgram() throws {
        let tests = URL(fileURLWithPath: #filePath)
        let program = try String(contentsOf: tests, encoding: .utf8)
        let page = tests.deletingLastPathComponent().appendingPathComponent("../../Sources/Engram/Engram.docc/GettingStarted.md")
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
