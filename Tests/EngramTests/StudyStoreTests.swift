import Engram
import EngramTesting
import Foundation
import Testing

/// The store as an app uses it: on a disk, with everything that lies between.
@Suite struct StudyStoreTests {
    static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("engram-store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    static func moment(_ minutes: Int) -> Moment { Moment(wallMilliseconds: 1_700_000_000_000 + Int64(minutes) * 60_000, zoneMinutes: 60) }

    @Test func undoGoesBackToTheBeginningAndAcrossARestart() throws {
        try Self.withFolder { folder in
            let path = folder + "/store"
            var digests: [SHA256Digest] = []
            var count = 0
            do {
                let store = try StudyStore.create(at: path)
                func step(_ action: Action) throws -> UniqueID {
                    digests.append(try store.digest())
                    count += 1
                    return try store.perform(action, at: Self.moment(count)).subject
                }
                let deck = try step(.createDeck(title: "A", colour: nil))
                let other = try step(.createDeck(title: "B", colour: Colour("#102030")))
                let card = try step(.createCard(deck: deck, front: "x", back: "y"))
                for action: Action in [
                    .review(card, .good, took: 10), .review(card, .easy, took: nil), .practise(card, .hard, took: 3),
                    .editCard(card, front: "z", back: nil), .moveCard(card, deck: other), .setFavourite(card, kind: .card, on: true),
                    .renameDeck(other, title: "C"), .recolourDeck(other, colour: nil), .deleteCard(card), .restoreCard(card),
                    .configureScheduler(try Scheduler(spec: "boxes:count=3,first=1,multiplier=2")), .review(card, .hard, took: 5),
                    .configureDay(rolloverHour: 0), .resetCard(card), .deleteDeck(other),
                ] { _ = try step(action) }
            }
            for (number, digest) in digests.enumerated().reversed() {
                // Every third undo is that of a program that has just started.
                let store = try StudyStore.open(at: path)
                try store.undo(at: Self.moment(count + digests.count - number))
                #expect(try store.digest() == digest, "back to before action \(number + 1)")
                #expect(try store.replay(at: Self.moment(0)).isEqual == true)
            }
            let store = try StudyStore.open(at: path)
            #expect(throws: StoreError.nothingToUndo) { try store.undo(at: Self.moment(500)) }
            #expect(try StudyStore.verify(at: path, level: .deep).findings.isEmpty)
        }
    }

    @Test func wrongActionsChangeNothing() throws {
        try Self.withFolder { folder in
            let store = try StudyStore.create(at: folder + "/store")
            let deck = try store.perform(.createDeck(title: "A", colour: nil), at: Self.moment(0)).subject
            let card = try store.perform(.createCard(deck: deck, front: "x", back: ""), at: Self.moment(1)).subject
            let gone = try store.perform(.createCard(deck: deck, front: "gone", back: ""), at: Self.moment(2)).subject
            try store.perform(.deleteCard(gone), at: Self.moment(3))
            let before = try store.replay(at: Self.moment(4))
            let nobody = UniqueID(high: 1, low: 2)
            let long = String(repeating: "ü", count: 40_000)
            let wrong: [(Action, String)] = [
                (.createDeck(title: "", colour: nil), "an empty title"), (.createDeck(title: long, colour: nil), "a title of 80,000 bytes"),
                (.createCard(deck: nobody, front: "a", back: "b"), "no such deck"),
                (.createCard(deck: deck, front: "", back: "b"), "no front"),
                (.editCard(card, front: nil, back: nil), "no change"), (.editCard(card, front: long, back: nil), "a long front"),
                (.review(nobody, .good, took: nil), "no such card"), (.review(gone, .good, took: nil), "a deleted card"),
                (.review(card, .good, took: -1), "a negative duration"), (.review(card, .good, took: 86_400_001), "more than a day"),
                (.restoreCard(card), "not deleted"), (.moveCard(card, deck: nobody), "no such deck"), (.deleteDeck(nobody), "no such deck"),
                (.configureDay(rolloverHour: 24), "no such hour"), (.dismissMistake(card, kind: .card), "no mistake"),
                (.void(EventID(origin: OriginID(rawValue: 1), number: 1)), "no such event"),
            ]
            for (action, why) in wrong { #expect(throws: StoreError.self, "\(why)") { try store.perform(action, at: Self.moment(5)) } }
            let after = try store.replay(at: Self.moment(4))
            #expect(before.events == after.events && before.digest == after.digest)
            #expect(throws: StoreError.storeExists(path: folder + "/store")) { try StudyStore.create(at: folder + "/store") }
        }
    }

    @Test func manyThreadsAndTwoHandlesWriteOneHistory() throws {
        try Self.withFolder { folder in
            let stores = [try StudyStore.create(at: folder + "/store"), try StudyStore.open(at: folder + "/store")]
            let deck = try stores[0].perform(.createDeck(title: "A", colour: nil), at: Self.moment(0)).subject
            DispatchQueue.concurrentPerform(iterations: 8) { worker in
                let store = stores[worker % 2]
                for number in 0..<12 {
                    do {
                        let card = try store.perform(
                            .createCard(deck: deck, front: "\(worker) \(number)", back: ""), at: Self.moment(number)
                        ).subject
                        try store.perform(.review(card, .good, took: 1), at: Self.moment(number), key: "\(worker) \(number)")
                        // The same key, on the other handle, writes nothing.
                        let again = try stores[(worker + 1) % 2].perform(
                            .review(card, .good, took: 1), at: Self.moment(number), key: "\(worker) \(number)")
                        #expect(!again.isNew)
                    } catch { Issue.record("\(error)") }
                }
            }
            for store in stores {
                let replay = try store.replay(at: Self.moment(100))
                #expect(replay.isEqual == true && replay.cards == 96 && replay.reviews == 96)
            }
            #expect(try StudyStore.verify(at: folder + "/store", level: .deep).findings.isEmpty)
        }
    }

    @Test("Two devices that did what they liked agree after a merge, whichever took in the other", arguments: [11, 12, 13, 14] as [UInt64])
    func mergesAgree(seed: UInt64) throws {
        try Self.withFolder { folder in
            var dice = SplitMix(state: seed)
            var stores: [StudyStore] = []
            for device in 0..<2 {
                let configuration = StudyStore.Configuration(checkpointInterval: device == 0 ? 16 : 4096)
                let store = try StudyStore.create(at: "\(folder)/\(device)", configuration: configuration)
                stores.append(store)
            }
            let deck = try stores[0].perform(.createDeck(title: "shared", colour: nil), at: Self.moment(0)).subject
            let cards = try (0..<6).map {
                try stores[0].perform(.createCard(deck: deck, front: "\($0)", back: ""), at: Self.moment($0)).subject
            }
            _ = try stores[1].merge(with: folder + "/0", at: Self.moment(10))
            for step in 0..<200 {
                let store = stores[Int(dice.next() % 2)]
                // Clocks that jump: up to an hour either way.
                let at = Self.moment(20 + step + Int(dice.next() % 120) - 60)
                try Self.act(store, cards, deck, at: at, &dice)
                if step % 40 == 39 {
                    let (to, from) = dice.next() % 2 == 0 ? (0, 1) : (1, 0)
                    _ = try stores[to].merge(with: "\(folder)/\(from)", at: at)
                }
                if step % 20 == 19 {
                    for store in stores { #expect(try store.replay(at: at).isEqual == true, "seed \(seed), step \(step)") }
                }
            }
            _ = try stores[0].merge(with: folder + "/1", at: Self.moment(400))
            _ = try stores[1].merge(with: folder + "/0", at: Self.moment(400))
            #expect(try stores[0].digest() == stores[1].digest(), "seed \(seed)")
            var lines: [[UInt8]] = []
            try stores[0].exportLog { line in
                lines.append(line)
                return true
            }
            let copy = try StudyStore.create(at: folder + "/copy")
            var rest = lines[...]
            let report = try copy.importLog(path: "lines", at: Self.moment(400)) { rest.popFirst() }
            #expect(report.newEvents == lines.count)
            #expect(try copy.digest() == stores[0].digest(), "seed \(seed)")
            for name in ["0", "1", "copy"] {
                let found = try StudyStore.verify(at: "\(folder)/\(name)", level: .deep)
                #expect(found.findings.isEmpty, "seed \(seed), \(name)")
            }
        }
    }

    private static func act(_ store: StudyStore, _ cards: [UniqueID], _ deck: UniqueID, at: Moment, _ dice: inout SplitMix) throws {
        let card = cards[Int(dice.next() % UInt64(cards.count))]
        let grades: [Grade] = [.again, .hard, .good, .easy]
        do throws(StoreError) {
            switch dice.next() % 12 {
            case 0: try store.undo(at: at)
            case 1: try store.perform(.practise(card, grades[Int(dice.next() % 4)], took: 5), at: at)
            case 2: try store.perform(.editCard(card, front: "edited \(dice.next() % 9)", back: nil), at: at)
            case 3: try store.perform(.setFavourite(card, kind: .card, on: dice.next() % 2 == 0), at: at)
            case 4: try store.perform(dice.next() % 2 == 0 ? .deleteCard(card) : .restoreCard(card), at: at)
            case 5: try store.perform(.configureDay(rolloverHour: Int(dice.next() % 24)), at: at)
            case 6:
                let events = try store.timeline(of: card)
                let target = events[Int(dice.next() % UInt64(events.count))].event
                try store.perform(dice.next() % 2 == 0 ? .void(target) : .correct(target, grades[Int(dice.next() % 4)]), at: at)
            default: try store.perform(.review(card, grades[Int(dice.next() % 4)], took: Int64(dice.next() % 9000)), at: at)
            }
        } catch {
            // What isn't allowed just now is refused, and that is as it should be; what the store can't do is not.
            #expect(error.exitCode < 3, "\(error)")
        }
    }
}

/// SplitMix64: the same dice from the same seed.
struct SplitMix: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
