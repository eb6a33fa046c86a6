import Engram
import EngramTesting
import EventCoding
import Foundation
import StudyModel
import Testing

/// Something that is done to a store and its twin: things are named by number, so that a list of them can be shrunk.
private enum Step: CustomStringConvertible {
    case act(Int, handle: Int, Action)
    case undo(Int, handle: Int)
    /// The next step of a test: begins, answers or ends one, or selects a type.
    case quiz(Int, handle: Int, choice: Int)
    case merge(Int)
    case reopen(Int)
    case checkpoint(Int)
    case rebuild(Int)

    var description: String {
        switch self {
        case .act(let minutes, let handle, let action): "at \(minutes) by \(handle): \(action)"
        case .undo(let minutes, let handle): "at \(minutes) by \(handle): undo"
        case .quiz(let minutes, let handle, let choice): "at \(minutes) by \(handle): quiz \(choice)"
        case .merge(let minutes): "at \(minutes): merge both ways"
        case .reopen(let handle): "open \(handle) again"
        case .checkpoint(let handle): "checkpoint by \(handle)"
        case .rebuild(let handle): "rebuild by \(handle)"
        }
    }
}

struct RandomActionTests {
    @Test("No sequence of 200 actions, by two handles of one store and by another device, makes live and replayed state differ")
    func actions() throws {
        let folder = try TemporaryFolder()
        var rounds = 0
        let property = Property<Step>(named: "live state is replayed state, on the disk") { generator in
            (0..<200).map { _ in Self.step(&generator) }
        } violation: { steps, _ in
            rounds += 1
            do { return try Self.violation(steps, folder, rounds) } catch { return "\(error)" }
        }
        let found = property.counterexample(runs: PropertyRuns(cases: 100, environment: ProcessInfo.processInfo.environment))
        if let found { Issue.record("\(found)") }
    }

    private static func step(_ generator: inout SeededGenerator) -> Step {
        let minutes = generator.chance(1, in: 40) ? 3 * day + generator.below(9 * day) : generator.below(2 * day)
        let handle = generator.below(3)
        switch generator.below(70) {
        case 0..<6: return .undo(minutes, handle: handle)
        case 6..<9: return .merge(minutes)
        case 9..<11: return .reopen(handle)
        case 11: return .checkpoint(handle)
        case 12: return .rebuild(handle)
        case 60...: return .quiz(minutes, handle: handle, choice: generator.below(1000))
        default: return .act(minutes, handle: handle, action(&generator))
        }
    }

    /// An action about things whose identities are numbers: which they are is found when it is done.
    private static func action(_ generator: inout SeededGenerator) -> Action {
        let card = UniqueID(high: 1, low: UInt64(generator.below(1000)))
        let deck = UniqueID(high: 2, low: UInt64(generator.below(1000)))
        let event = EventID(origin: OriginID(rawValue: UInt64(generator.below(3))), number: UInt64(1 + generator.below(1000)))
        let grade = generator.element(of: Grade.allCases) ?? .good
        switch generator.below(100) {
        case 0..<5: return .createDeck(title: "deck \(generator.below(9))", colour: generator.chance(1, in: 2) ? Colour("red") : nil)
        case 5..<18: return .createCard(deck: deck, front: "card \(generator.below(99))", back: "back")
        case 18..<50: return .review(card, grade, took: Int64(generator.below(9000)))
        case 50..<53: return .practise(card, grade, took: nil)
        case 53..<56: return .editCard(card, front: "edited \(generator.below(99))", back: nil)
        case 56..<59: return .moveCard(card, deck: deck)
        case 59..<62: return .deleteCard(card)
        case 62..<65: return .restoreCard(card)
        case 65..<67: return .resetCard(card)
        case 67..<69:
            return .placeCard(
                card, CardPlaced(levelHalfSteps: 5, intervalDays: 9, dueDay: 19_790, passed: 2, failed: 1, source: "elsewhere"))
        case 69..<71: return .renameDeck(deck, title: "renamed \(generator.below(9))")
        case 71: return .deleteDeck(deck)
        case 72..<75: return .setFavourite(card, kind: .card, on: generator.chance(1, in: 2))
        case 75..<77: return .configureDay(rolloverHour: generator.below(24))
        case 77..<79:
            let spec = generator.element(of: ["boxes", "boxes:count=3,first=1,multiplier=2", "boxes:multiplier=1.5"]) ?? "boxes"
            return .configureScheduler((try? ConfiguredScheduler(spec: spec)) ?? .standard)
        case 79..<88: return .void(event)
        case 88..<96: return .correct(event, grade)
        default: return .release(event)
        }
    }

    private static func violation(_ steps: [Step], _ folder: TemporaryFolder, _ round: Int) throws -> String? {
        let names = ["\(round)", "\(round)", "\(round) other"]
        var stores = [try folder.create(names[0], checkpointInterval: 7)]
        stores.append(try folder.open(names[1]))
        stores.append(try folder.create(names[2], checkpointInterval: 64))
        // What each of the two devices was told is written.
        var acknowledged: [[EventID]] = [[], []]
        let pack = try folder.pack()
        for store in [stores[0], stores[2]] { _ = try store.installPack(at: pack, moment: moment()) }
        for (number, step) in steps.enumerated() {
            do throws(StoreError) {
                switch step {
                case .act(let minutes, let handle, let action):
                    let action = try resolved(action, stores[handle])
                    acknowledged[handle / 2] += try stores[handle].perform(action, at: moment(minutes, zone: Int16(minutes % 800))).events
                case .undo(let minutes, let handle): acknowledged[handle / 2] += try stores[handle].undo(at: moment(minutes)).result.events
                case .quiz(let minutes, let handle, let choice): try quiz(choice, stores[handle], at: moment(minutes))
                case .merge(let minutes):
                    _ = try stores[0].merge(with: stores[2].path, at: moment(minutes))
                    _ = try stores[2].merge(with: stores[1].path, at: moment(minutes))
                case .reopen(let handle): stores[handle] = try StudyStore.open(at: stores[handle].path)
                case .checkpoint(let handle): try stores[handle].checkpoint()
                case .rebuild(let handle): try stores[handle].rebuild()
                }
            } catch {
                // What isn't right changes nothing, which the comparison below sees too.
                guard error.isOfRequest else { return "step \(number + 1): \(error)" }
            }
            if number % 20 == 19 || number == steps.count - 1 {
                if try stores[0].digest() != stores[1].digest() { return "after step \(number + 1) the handles differ" }
                for store in [stores[number % 2], stores[2]] where try store.replay(at: moment()).isEqual != true {
                    return "after step \(number + 1) the live state isn't the replayed one"
                }
            }
            if number % 60 == 59 {
                for (device, store) in [stores[0], stores[2]].enumerated() {
                    if let wrong = try store.disagreement() ?? store.disagreementWithModel() { return "after step \(number + 1): \(wrong)" }
                    let there = Set(try store.history().map(\.header.id))
                    if let lost = acknowledged[device].first(where: { !there.contains($0) }) {
                        return "after step \(number + 1): lost \(lost)"
                    }
                }
            }
        }
        _ = try stores[0].merge(with: stores[2].path, at: moment(day))
        _ = try stores[2].merge(with: stores[0].path, at: moment(day))
        // What the last merge held back has to come back once more.
        _ = try stores[0].merge(with: stores[2].path, at: moment(day))
        if try stores[0].digest() != stores[2].digest() { return "both devices hold the same and differ" }
        return try stores[0].disagreement() ?? stores[2].disagreement() ?? stores[2].disagreementWithModel()
    }

    private static func quiz(_ choice: Int, _ store: StudyStore, at moment: ZonedTime) throws(StoreError) {
        let types = ["all", "easy", "mistakes", "favourites"]
        if choice % 10 == 9 {
            try store.selectTestType(types[choice % 4], at: moment)
        } else if let question = try store.currentQuiz()?.next, choice % 10 < 8 {
            try store.answer(question: question.id, option: choice % question.options.count, took: Int64(choice), at: moment)
        } else if try store.currentQuiz() != nil {
            try store.finishQuiz(at: moment)
        } else {
            try store.startQuiz(type: types[choice % 4], count: 1 + choice % 5, seed: UInt64(choice), at: moment)
        }
    }

    /// The same action about cards, decks and events that are there, where there are any.
    private static func resolved(_ action: Action, _ store: StudyStore) throws(StoreError) -> Action {
        let cards = try store.cards().map(\.id)
        let decks = try store.decks(at: moment()).map(\.id)
        var events: [EventID] = []
        func card(_ id: UniqueID) -> UniqueID { cards.isEmpty ? id : cards[Int(id.low) % cards.count] }
        func deck(_ id: UniqueID) -> UniqueID { decks.isEmpty ? id : decks[Int(id.low) % decks.count] }
        func event(_ id: EventID) throws(StoreError) -> EventID {
            try store.events {
                events.append($0.event)
                return true
            }
            return events.isEmpty ? id : events[Int(id.number) % events.count]
        }
        switch action {
        case .card(.create(let id, let front, let back)): return .createCard(deck: deck(id), front: front, back: back)
        case .card(.review(let id, let grade, let took, let turned)): return .review(card(id), grade, took: took, turned: turned)
        case .card(.practise(let id, let grade, let took)): return .practise(card(id), grade, took: took)
        case .card(.edit(let id, let front, let back)): return .editCard(card(id), front: front, back: back)
        case .card(.move(let id, let other)): return .moveCard(card(id), deck: deck(other))
        case .card(.delete(let id)): return .deleteCard(card(id))
        case .card(.restore(let id)):
            var deleted: [UniqueID] = []
            try store.events(types: ["card_deleted"]) {
                deleted.append($0.subject)
                return true
            }
            return .restoreCard(deleted.isEmpty ? id : deleted[Int(id.low) % deleted.count])
        case .card(.reset(let id)): return .resetCard(card(id))
        case .card(.place(let id, let placed)): return .placeCard(card(id), placed)
        case .deck(.rename(let id, let title)): return .renameDeck(deck(id), title: title)
        case .deck(.delete(let id)): return .deleteDeck(deck(id))
        case .setFavourite(let id, let kind, let on): return .setFavourite(card(id), kind: kind, on: on)
        case .event(.void(let id)): return .void(try event(id))
        case .event(.correct(let id, let grade)): return .correct(try event(id), grade)
        case .event(.release(let id)): return .release(try event(id))
        default: return action
        }
    }
}
