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
    func ndjson() throws {
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
        #expect(try !holds(folder, "store", secret))
    }

    @Test("An open store clears its file by itself, by either action, and everybody in the process goes on in the new one")
    func clearing() throws {
        let folder = try TemporaryFolder()
        let (store, card) = try filled(folder)
        let others = try store.cards().filter { $0.id != card }
        let other = try folder.open()
        #expect(try holds(folder, "store", secret))
        let result = try store.perform(.eraseCard(card), at: moment(3))
        #expect(try result.isCleared && !store.hasTextsToClear() && !holds(folder, "store", secret))
        #expect(try other.cards() == others && store.cards() == others)
        try other.perform(.review(others[0].id, .good, took: nil), at: moment(4))
        #expect(try store.card(others[0].id).passed == 1)
        #expect(try store.disagreement() == nil && other.disagreement() == nil)
        // Again nothing is left to do.
        #expect(try store.perform(.eraseCard(card), at: moment(5)).events.isEmpty)
        // A third that opens it now gets the same file.
        #expect(try folder.open().cards().count == others.count)
        let second = others[1]
        let report = try other.erase(second.id, at: moment(6))
        #expect(try report.isGone && report.events == 1 && !holds(folder, "store", second.front + "\u{4}"))
        #expect(try store.cards().count == others.count - 1)
    }

    @Test("Whoever reads and writes while the file is written anew never notices")
    func clearingAmongOthers() async throws {
        let folder = try TemporaryFolder()
        let (store, card) = try filled(folder)
        let other = try folder.open()
        let reviewed = try #require(try store.cards().first { $0.id != card }).id
        let cards = try store.cards().count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for handle in [store, other] {
                group.addTask {
                    for _ in 0..<40 {
                        #expect(try [cards, cards - 1].contains(handle.cards().count))
                        try handle.events { _ in true }
                        _ = try handle.replay(at: moment(9))
                    }
                }
            }
            group.addTask { for minute in 0..<20 { try other.perform(.review(reviewed, .good, took: nil), at: moment(10 + minute)) } }
            group.addTask { try store.perform(.eraseCard(card), at: moment(3)) }
            try await group.waitForAll()
        }
        // Where a read went on for too long meanwhile, the next write did it.
        try store.perform(.review(reviewed, .good, took: nil), at: moment(50))
        #expect(try !store.hasTextsToClear() && !holds(folder, "store", secret))
        #expect(try store.card(reviewed).passed == 21 && store.disagreement() == nil && other.cards() == store.cards())
    }

    @Test("Every way of writing a text marks it")
    func marks() throws {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
            return folder.path + "/" + name
        }
        let store = try folder.create()
        let deck = try store.deck()
        let card = try store.card("by hand", in: deck)
        try store.perform(.editCard(card, front: "edited", back: nil), at: moment(1))
        for (minute, list) in ["one,two\nthree,four\n", "one,other\n"].enumerated() {
            _ = try store.addCards(fromList: Array(list.utf8), named: "list", to: deck, at: moment(2 + minute))
        }
        _ = try store.importHistory(at: file("list.csv", "front,back\nfive,six\n"), moment: moment(4))
        _ = try store.importHistory(at: file("list.tsv", "five\tseven\neight\tnine\n"), deckTitle: "list", moment: moment(5))
        var texts = 0
        try store.events(types: ["card_created", "card_edited"]) { event in
            if case .possible = event.erasure { texts += 1 } else { Issue.record("\(event.type) \(event.event) bears no mark") }
            return true
        }
        #expect(texts >= 8)
        let report = try StudyStore.verify(at: store.path, level: .deep)
        #expect(report.isSound && !report.remarks.contains { $0.contains("recorded digest") })
    }

    /// A store that an earlier program wrote, whose typed-in lists bear no marks.
    private func unmarked(_ folder: TemporaryFolder, _ name: String) throws -> (store: StudyStore, card: UniqueID) {
        let frozen = URL(filePath: #filePath).appending(path: "../../Acceptance/Stores/unmarked/data.mdb").standardizedFileURL
        try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: frozen.path, toPath: folder.path + "/\(name)/data.mdb")
        let store = try folder.open(name)
        return (store, try #require(try store.cards().first { $0.front == "Zephyrine quagmire edited" }).id)
    }

    @Test("Texts of an earlier program that bear no mark are erased too; devices agree, and the chain goes on")
    func withoutMarks() throws {
        let folder = try TemporaryFolder()
        // After the store was made.
        let later = 800 * day
        let (one, card) = try unmarked(folder, "one")
        let (two, _) = try unmarked(folder, "two")
        let before = try one.digest()
        #expect(try before == two.digest())
        let report = try one.erase(card, at: moment(later + 1))
        #expect(report.isGone && report.events == 3)
        #expect(try !holds(folder, "one", "Zephyrine") && holds(folder, "one", "el perro") && one.disagreement() == nil)
        let remarks = try StudyStore.verify(at: one.path, level: .log).remarks
        #expect(remarks.contains { $0.hasPrefix("2 commits stand by the recorded digest alone") })
        // The other erases another card of the same list by itself; each takes in what the other did.
        let second = try #require(try two.cards().first { $0.front == "la casa" }).id
        #expect(try two.erase(second, at: moment(later + 2)).isGone)
        let merged = try two.merge(with: one.path, at: moment(later + 3))
        #expect(merged.erasedCards == 1 && merged.erasedEvents == 3 && merged.isCleared)
        #expect(try one.merge(with: two.path, at: moment(later + 4)).isCleared)
        for (store, name) in [(one, "one"), (two, "two")] {
            #expect(try store.cards().map(\.front) == ["el perro"] && store.disagreement() == nil)
            #expect(try !holds(folder, name, "Zephyrine") && !holds(folder, name, "la casa"))
        }
        func chain(_ store: StudyStore) throws -> [String] {
            var lines: [String] = []
            try store.exportLog { line in
                let text = String(decoding: line, as: UTF8.self)
                if text.contains("\"event\":\"ad612127690badd0/") { lines.append(text.drop { $0 != "," }.description) }
                return true
            }
            return lines
        }
        #expect(try chain(one) == chain(two))
        // The open form carries them, and a copy of before brings nothing back.
        let third = try folder.create("third")
        var lines: [[UInt8]] = []
        try one.exportLog { line in
            lines.append(line)
            return true
        }
        var rest = lines[...]
        _ = try third.importLog(path: "lines", at: moment(later + 5)) { rest.popFirst() }
        #expect(try third.digest() == one.digest() && third.disagreement() == nil)
        let (whole, _) = try unmarked(folder, "whole")
        #expect(try third.merge(with: whole.path, at: moment(later + 6)).newEvents == 0)
        let fourth = try folder.create("fourth")
        _ = try fourth.merge(with: whole.path, at: moment(later + 7))
        #expect(try fourth.merge(with: third.path, at: moment(later + 8)).erasedCards == 2)
        #expect(try chain(fourth) == chain(one) && !holds(folder, "fourth", "Zephyrine"))
    }

    @Test("An erasure that was held back, since its clock was ahead, erases once it is released")
    func heldErasure() throws {
        let folder = try TemporaryFolder()
        let (store, card) = try filled(folder)
        let ahead = try folder.create("ahead")
        _ = try ahead.merge(with: store.path, at: moment(3))
        let third = try folder.create("third")
        _ = try third.merge(with: store.path, at: moment(3))
        let event = try #require(try ahead.erase(card, at: moment(5 * day)).event)
        for target in [store, third] {
            let report = try target.merge(with: ahead.path, at: moment(5))
            #expect(try report.erasedCards == 0 && report.quarantined == 1 && target.card(card).front == secret)
        }
        try store.perform(.release(event), at: moment(6))
        let report = try third.merge(with: store.path, at: moment(7))
        #expect(report.erasedCards == 1 && report.erasedEvents == 2)
        for (target, name) in [(store, "store"), (third, "third")] {
            #expect(try target.card(card).front.isEmpty && !holds(folder, name, secret) && target.disagreement() == nil)
        }
    }

    @Test("A merge erases in the file too, and tells; an erased card's texts are left out as they come")
    func mergingClears() throws {
        let folder = try TemporaryFolder()
        let (one, card) = try filled(folder, "one")
        let other = try folder.create("other")
        _ = try other.merge(with: one.path, at: moment(3))
        let apart = try folder.create("apart")
        _ = try apart.merge(with: one.path, at: moment(3))
        try apart.perform(.editCard(card, front: secret + ", edited apart", back: nil), at: moment(4))
        try one.erase(card, at: moment(5))
        let report = try other.merge(with: one.path, at: moment(6))
        #expect(try report.erasedCards == 1 && report.erasedEvents == 2 && report.isCleared && !holds(folder, "other", secret))
        let late = try other.merge(with: apart.path, at: moment(7))
        #expect(try late.erasedCards == 0 && late.erasedEvents == 1 && late.isCleared && !holds(folder, "other", secret))
        #expect(try other.disagreement() == nil)
    }

    @Test("A salvage leaves out what was erased, in whichever of its files that stands")
    func salvaging() throws {
        let folder = try TemporaryFolder()
        let (store, card) = try filled(folder)
        let before = folder.path + "/before"
        _ = try store.backup(to: before)
        try store.erase(card, at: moment(3))
        for (name, source, helper) in [("a", store.path, before), ("b", before, store.path)] {
            let report = try StudyStore.salvage(from: source, to: folder.path + "/" + name, with: [helper])
            #expect(report.lost == 0 && report.findings.isEmpty)
            #expect(try !holds(folder, name, secret) && folder.open(name).card(card).front.isEmpty)
            #expect(try folder.open(name).digest() == store.digest())
        }
    }

    @Test("A store that an erasure or a compaction wrote from scratch is written to as before, however many commits it had")
    func writingAfterwards() throws {
        for count in 1...16 {
            for isErased in [true, false] {
                let folder = try TemporaryFolder()
                do {
                    let store = try folder.create()
                    let deck = try store.deck()
                    let cards = try (0..<count).map { try store.card("front \($0)", in: deck) }
                    if isErased { try store.erase(cards[0], at: moment(1)) }
                }
                if !isErased { _ = try StudyStore.compact(at: folder.path + "/store") }
                let store = try folder.open()
                try store.perform(.createDeck(title: "after", colour: nil), at: moment(2))
                #expect(try store.decks(at: moment(2)).count == 2, "\(count) cards")
            }
        }
    }
}
