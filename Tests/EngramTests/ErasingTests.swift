import Engram
import EventCoding
import Foundation
import StudyModel
import Testing

struct ErasingTests {
    private let secret = "a text that must go \u{1F5DD}"

    private func holds(_ folder: TemporaryFolder, _ name: String, _ text: String) throws -> Bool {
        let path = "\(folder.path)/\(name)/data.mdb"
        return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
    }

    /// A store with a card of that text among others, edited and reviewed.
    private func filled(_ folder: TemporaryFolder, _ name: String = "store") throws -> (store: StudyStore, card: UniqueID) {
        let store = try folder.create(name)
        let deck = try store.deck()
        for number in 0..<30 { _ = try store.card("card \(number)", in: deck) }
        let card = try store.card(secret, in: deck)
        try store.perform(.editCard(card, front: nil, back: secret + " of the back"), at: moment(1))
        try store.perform(.review(card, .good, took: 900), at: moment(2))
        try store.checkpoint()
        return (store, card)
    }

    @Test("Its texts go from the log, the state and the file; what was answered stays, and stays proved")
    func erasing() throws {
        let folder = try TemporaryFolder()
        let before: Statistics
        do {
            let (store, card) = try filled(folder)
            before = try store.statistics(at: moment())
            let others = try store.cards().filter { $0.id != card }
            let other = try folder.open()
            let report = try store.erase(card, at: moment(3))
            #expect(report.event != nil && report.events == 2)
            let erased = try store.card(card)
            #expect(!erased.isLive && erased.front.isEmpty && erased.back.isEmpty && erased.passed == 1)
            #expect(try store.cards() == others && other.cards() == others)
            #expect(try store.statistics(at: moment()).reviews == before.reviews)
            #expect(try store.timeline(of: card).map(\.type) == ["card_created", "card_edited", "card_reviewed", "card_erased"])
            #expect(try store.disagreement() == nil)
            // Again there is nothing to do, and there is no way back.
            let again = try store.erase(card, at: moment(4))
            #expect(again.event == nil && again.events == 0)
            let event = try #require(report.event)
            #expect(throws: StoreError.self) { try store.perform(.void(event), at: moment(5)) }
            #expect(throws: StoreError.self) { try store.perform(.restoreCard(card), at: moment(5)) }
            // Undo passes over it to what was before.
            #expect(try store.undo(at: moment(6)).targets.count == 1 && store.card(card).passed == 0)
            #expect(throws: StoreError.self) { try StudyStore.rewrite(at: folder.path + "/store") }
        }
        try StudyStore.rewrite(at: folder.path + "/store")
        #expect(try !holds(folder, "store", secret) && holds(folder, "store", "card 7"))
        #expect(try folder.open().disagreement() == nil)
        #expect(throws: StoreError.notFound(.card, name: UniqueID(high: 1, low: 2).description)) {
            try folder.open().erase(UniqueID(high: 1, low: 2), at: moment())
        }
    }

    @Test("Devices agree whichever way they merge, and none brings the texts back")
    func merging() throws {
        let folder = try TemporaryFolder()
        let (one, card) = try filled(folder, "one")
        let other = try folder.create("other")
        _ = try other.merge(with: one.path, at: moment(3))
        #expect(try other.card(card).front == secret)
        // The other edits it, and the first erases it, apart.
        try other.perform(.editCard(card, front: secret + ", edited late", back: nil), at: moment(4))
        try one.erase(card, at: moment(5))
        _ = try one.merge(with: other.path, at: moment(6))
        _ = try other.merge(with: one.path, at: moment(7))
        #expect(try one.digest() == other.digest())
        for (store, name) in [(one, "one"), (other, "other")] {
            #expect(try store.card(card).front.isEmpty && !store.card(card).isLive, "\(name)")
            #expect(try store.disagreement() == nil, "\(name)")
            var lines: [String] = []
            try store.exportLog { line in
                lines.append(String(decoding: line, as: UTF8.self))
                return true
            }
            #expect(!lines.contains { $0.contains("must go") } && lines.contains { $0.contains("\"erased\":") }, "\(name)")
        }
        // A third device that gets the texts from an old copy, and the erasure from the first.
        let third = try folder.create("third")
        let (old, _) = (one.path, other.path)
        _ = try third.merge(with: old, at: moment(8))
        #expect(try third.digest() == one.digest() && third.disagreement() == nil)
    }

    @Test("The open form carries an erased text as its digest, and makes the same store of it again")
    func openForm() throws {
        let folder = try TemporaryFolder()
        let (store, card) = try filled(folder)
        try store.erase(card, at: moment(3))
        let file = folder.path + "/log.ndjson"
        var bytes: [UInt8] = []
        try store.exportLog { line in
            bytes += line + [10]
            return true
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let copy = try folder.create("copy")
        #expect(try copy.merge(with: file, at: moment(4)).newEvents > 30)
        #expect(try copy.digest() == store.digest() && copy.disagreement() == nil)
        // A digit of the digest, or of a salt, and it isn't taken.
        for mark in ["\"erased\":\"", "\"salt\":\""] {
            let text = String(decoding: bytes, as: UTF8.self)
            let place = try #require(text.range(of: mark)).upperBound
            let digit = text[place] == "0" ? "1" : "0"
            let changed = text.replacingCharacters(in: place..<text.index(after: place), with: digit)
            try Data(changed.utf8).write(to: URL(fileURLWithPath: file))
            let other = try folder.create("other \(mark.count)")
            #expect(throws: StoreError.self) { try other.merge(with: file, at: moment(4)) }
            #expect(try other.lastSequence() == 0)
        }
    }

    @Test("A file that is imported again doesn't bring an erased text back")
    func importing() throws {
        let folder = try TemporaryFolder()
        let list = folder.path + "/list.csv"
        try Data("front,back\n\(secret),x\nanother,y\n".utf8).write(to: URL(fileURLWithPath: list))
        do {
            let store = try folder.create()
            _ = try store.importHistory(at: list, moment: moment())
            let card = try #require(try store.cards().first { $0.front == secret }).id
            try store.erase(card, at: moment(1))
            _ = try store.importHistory(at: list, moment: moment(2))
            #expect(try store.cards().map(\.front) == ["another"] && store.disagreement() == nil)
        }
        try StudyStore.rewrite(at: folder.path + "/store")
        #expect(try !holds(folder, "store", secret))
    }
}
