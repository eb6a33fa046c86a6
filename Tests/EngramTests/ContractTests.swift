import EngramTesting
import Foundation
import StudyModel
import Testing

@testable import Engram

/// What every store does, on a disk or in memory: one suite for both.
@Suite struct ContractTests {
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case disk, memory

        var testDescription: String { rawValue }

        func store(_ folder: TemporaryFolder, _ name: String, _ configuration: StudyStore.Configuration = .init()) throws -> StudyStore {
            switch self {
            case .disk: try StudyStore.create(at: folder.path + "/" + name, configuration: configuration)
            case .memory: try StudyStore.inMemory(configuration: configuration)
            }
        }
    }

    @Test("What is done is seen at once, taken back, corrected, and the same for whoever opens it", arguments: Place.allCases)
    func acting(place: Place) throws {
        let folder = try TemporaryFolder()
        let store = try place.store(folder, "store")
        let card = try store.card(in: store.deck())
        let review = try store.perform(.review(card, .good, took: 900), at: moment(1), key: "once")
        #expect(try store.perform(.review(card, .good, took: 900), at: moment(2), key: "once").events == review.events)
        try store.perform(.correct(review.events[0], .easy), at: moment(3))
        #expect(try store.card(card).level == 1.5)
        try store.perform(.editCard(card, front: "other", back: nil), at: moment(4))
        try store.undo(at: moment(5))
        #expect(try store.card(card).front != "other")
        #expect(throws: StoreError.self) { try store.perform(.review(store.newID(), .good, took: nil), at: moment(6)) }
        for step in 0..<3 {
            if step == 1 { try store.checkpoint() }
            if step == 2 { try store.rebuild() }
            #expect(try store.disagreement() == nil)
            #expect(try StudyStore.open(at: store.path).digest() == store.digest())
        }
    }

    @Test("Its log goes out and comes in, and merges either way", arguments: Place.allCases, Place.allCases)
    func carrying(from: Place, to: Place) throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try from.store(folder, "one"), try to.store(folder, "two"))
        let card = try one.card(in: one.deck())
        for minute in 0..<5 { try one.perform(.review(card, .hard, took: nil), at: moment(minute)) }
        _ = try two.deck()
        #expect(try two.merge(with: one.path, at: moment(9)).newEvents == 7)
        #expect(try one.merge(from: two, named: "two", at: moment(9)).newEvents == 1)
        #expect(try one.digest() == two.digest())
        var lines: [[UInt8]] = []
        try one.exportLog { line in
            lines.append(line)
            return true
        }
        var rest = lines[...]
        let third = try to.store(folder, "three")
        _ = try third.importLog(path: "lines", at: moment(9)) { rest.popFirst() }
        #expect(try third.digest() == one.digest() && third.disagreement() == nil)
    }

    @Test("A log of events in memory folds to what the store shows", arguments: Place.allCases)
    func folding(place: Place) throws {
        let folder = try TemporaryFolder()
        let store = try place.store(folder, "store")
        let cards = try (0..<4).map { _ in try store.card(in: store.deck()) }
        for minute in 0..<40 {
            try store.perform(.review(cards[minute * 7 % 4], Grade.allCases[minute % 4], took: nil), at: moment(minute * 300))
            if minute % 9 == 8 { try store.undo(at: moment(minute * 300 + 1)) }
        }
        var log = MemoryLog()
        log.take(try store.history())
        let today = try store.studyDay(of: moment(13_000))
        #expect(try log.statistics(today: today) == store.statistics(at: moment(13_000)))
        for card in cards { #expect(try log.timeline(of: card).map(\.after) == store.timeline(of: card).map(\.after)) }
    }

    @Test("Erased texts are gone, and an answer in a callback doesn't wait", arguments: Place.allCases)
    func erasing(place: Place) throws {
        let folder = try TemporaryFolder()
        let store = try place.store(folder, "store")
        let deck = try store.deck()
        let card = try store.perform(.createCard(deck: deck, front: "hush, a secret", back: ""), at: moment(1)).subject
        var seen = 0
        try store.events { _ in
            seen += (try? store.cards().count) ?? 0
            return true
        }
        #expect(seen == 2)
        #expect(try store.erase(card, at: moment(2)).isGone)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path + "/data.mdb"))
        #expect(bytes.range(of: Data("a secret".utf8)) == nil)
    }

    @Test("A store in memory is gone with its object, or once it is closed", arguments: [false, true])
    func leaving(isClosed: Bool) throws {
        var store: StudyStore? = try StudyStore.inMemory()
        let path = try #require(store?.path)
        _ = try store?.deck()
        #expect(FileManager.default.fileExists(atPath: path))
        if isClosed { store?.close() } else { store = nil }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: StoreError.self) { try StudyStore.open(at: path) }
        if isClosed { #expect(throws: StoreError.self) { try store?.digest() } }
    }
}
