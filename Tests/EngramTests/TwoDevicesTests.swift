import Engram
import EngramTesting
import Foundation
import Testing

/// Two devices with clocks that jump, and the open form between them.
@Suite struct TwoDevicesTests {
    static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("engram-store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    static func moment(_ minutes: Int) -> ZonedTime {
        ZonedTime(wallMilliseconds: 1_700_000_000_000 + Int64(minutes) * 60_000, zoneMinutes: 60)
    }

    @Test("Two devices that did what they liked agree after a merge, whichever took in the other", arguments: [11, 12, 13, 14] as [UInt64])
    func mergesAgree(seed: UInt64) throws {
        try Self.withFolder { folder in
            var dice = SeededGenerator(seed: seed)
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

    private static func act(_ store: StudyStore, _ cards: [UniqueID], _ deck: UniqueID, at: ZonedTime, _ dice: inout SeededGenerator) throws
    {
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
            #expect(error.isOfRequest, "\(error)")
        }
    }
}
