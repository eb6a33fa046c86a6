import EventCoding
import Foundation
import LMDB
import StudyModel
import Testing

@testable import Engram
@testable import EventLog

/// Erasures of cards about which events say what their schemas don't allow, or don't count.
struct ErasingForgedTests {
    private static let card = PeerTests.card
    private static let secret = "a text that must go"

    /// An event about the card with texts where they don't belong.
    private static func forged(_ name: String) -> ForgedEvent {
        var event = PeerTests.made(secret, card)
        let texts = event.payload.count - 16
        switch name {
        case "erased, texts kept": event.mark = .done(.zero)
        case "erased, texts kept, ending in zeros":
            event.payload += [2]
            event.payload.remove(at: event.payload.count - 4)
            event.payload.remove(at: event.payload.count - 3)
            event.payload.remove(at: event.payload.count - 2)
            event.mark = .done(.zero)
        case "edited, erased, texts kept":
            event = ForgedEvent(.cardEdited(CardEdited(front: secret, back: nil)), about: card)
            event.mark = .done(.zero)
        case "of version 0": (event.version, event.mark) = (0, nil)
        case "of a newer version": (event.version, event.mark) = (2, nil)
        case "of a newer version, marked short": (event.version, event.mark) = (2, .possible(count: 3, salt: UniqueID(high: 5, low: 5)))
        case "of a newer version, erased, texts kept": (event.version, event.mark) = (2, .done(.zero))
        case "of a newer version, marked": (event.version, event.mark) = (2, .possible(count: texts, salt: UniqueID(high: 5, low: 5)))
        case "of no schema": event.payload += [1]
        case "unknown, erased, texts kept": (event.type, event.mark) = (EventType(rawValue: 9999), .done(.zero))
        case "unknown, marked for nothing":
            (event.type, event.mark) = (EventType(rawValue: 9999), .possible(count: 0, salt: UniqueID(high: 5, low: 5)))
        case "unknown": (event.type, event.mark) = (EventType(rawValue: 9999), nil)
        case "of a type without texts": (event.type, event.mark) = (CardMoved.type, nil)
        case "a review with texts": (event.type, event.mark) = (CardReviewed.type, nil)
        default: break
        }
        return event
    }

    private static let inCards = [
        "erased, texts kept", "erased, texts kept, ending in zeros", "edited, erased, texts kept", "of version 0", "of a newer version",
        "of a newer version, marked short", "of a newer version, erased, texts kept", "of no schema",
    ]
    private static let elsewhere = [
        "unknown, erased, texts kept", "unknown, marked for nothing", "unknown", "of a type without texts", "a review with texts",
    ]

    private func heldBytes(_ store: StudyStore) throws -> [[UInt8]] {
        try store.log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            var found: [[UInt8]] = []
            try store.log.forEachHeldAside(transaction) { (_, held) throws(LogError) in
                if let held { found.append(held.bytes) }
                return true
            }
            return found
        }
    }

    @Test("What is held aside about an erased card goes, but for what is known to hold no text", arguments: inCards + elsewhere)
    func heldAside(name: String) throws {
        let folder = try TemporaryFolder()
        var peer = try Forger(folder, "peer")
        try peer.write(ForgedCommit([Self.forged(name)]))
        let harmless = ForgedEvent(.cardDeleted(CardDeleted()), about: Self.card)
        try peer.write(ForgedCommit([harmless]))
        let store = try folder.create()
        var card: UniqueID?
        // Erased before or after the commits are held aside.
        for isBefore in [true, false] {
            let store = isBefore ? try folder.create("before") : store
            var own = try Forger(folder, isBefore ? "own before" : "own after", origin: 0xABC)
            try own.write(
                ForgedCommit([ForgedEvent(.deckCreated(DeckCreated(title: "L", colour: nil)), about: PeerTests.deck)]))
            try own.write(ForgedCommit([PeerTests.made("harmless", Self.card)]))
            _ = try store.merge(with: own.path, at: moment(9))
            card = Self.card
            if !isBefore {
                try store.log.write { (transaction: inout WriteTransaction) throws(LogError) in
                    var budget = HeldAsideBudget()
                    for commit in peer.commits {
                        _ = try store.log.hold(HeldCommit(claimedBy: commit, reason: "x", message: ""), &budget, &transaction)
                    }
                }
                #expect(try heldBytes(store).count == 2)
            }
            _ = try store.erase(try #require(card), at: moment(10))
            let kept = try heldBytes(store)
            #expect(kept == (isBefore ? [] : [peer.commits[1]]), "\(name)")
        }
    }

    @Test("Events of the log of which nothing says what is text are told as not erased", arguments: inCards)
    func inTheLog(name: String) throws {
        let folder = try TemporaryFolder()
        do {
            var peer = try Forger(folder, "peer")
            try peer.write(ForgedCommit([ForgedEvent(.deckCreated(DeckCreated(title: "L", colour: nil)), about: PeerTests.deck)]))
            try peer.write(ForgedCommit([PeerTests.made("harmless", Self.card)]))
            try peer.write(ForgedCommit([Self.forged(name)]))
        }
        let store = try folder.open("peer")
        let report = try store.erase(Self.card, at: moment(10))
        #expect(report.events == 1 && report.left == 1 && !report.isGone)
        #expect(try store.erase(Self.card, at: moment(11)).left == 1)
        guard name.hasPrefix("of a newer version") else { return }
        // It is a finding, and stops no backup.
        let findings = try StudyStore.verify(at: store.path, level: .deep).findings
        #expect(findings.map(\.kind) == ["erasure_incomplete"])
        _ = try store.backup(to: folder.path + "/copy")
    }

    @Test("What a mark clears whole is gone, be it of a newer version")
    func marked() throws {
        let folder = try TemporaryFolder()
        do {
            var peer = try Forger(folder, "peer")
            try peer.write(ForgedCommit([Self.forged("of a newer version, marked")]))
        }
        let store = try folder.open("peer")
        let report = try store.erase(Self.card, at: moment(10))
        #expect(report.events == 1 && report.isGone)
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/peer/data.mdb"))
        #expect(data.range(of: Data(Self.secret.utf8)) == nil)
    }

    @Test("A card whose making doesn't count is erased by its identity or a start of it", arguments: ["undone", "voided", "held aside"])
    func uncounted(how: String) throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        var card = Self.card
        if how == "held aside" {
            var peer = try Forger(folder, "peer")
            try peer.write(ForgedCommit([Self.forged("of no schema")]))
            _ = try store.merge(with: peer.path, at: moment(3))
            #expect(try heldBytes(store).count == 1)
        } else {
            let made = try store.perform(.createCard(deck: deck, front: Self.secret, back: ""), at: moment(1))
            card = made.subject
            if how == "undone" { try store.undo(at: moment(2)) } else { try store.perform(.void(made.events[0]), at: moment(2)) }
        }
        #expect(throws: StoreError.notFound(.card, name: card.description)) { try store.card(named: card.description) }
        #expect(try store.erasableCard(named: card.description) == card)
        #expect(try store.erasableCard(named: String(card.description.prefix(33))) == card)
        let report = try store.erase(try store.erasableCard(named: card.description), at: moment(4))
        #expect(try report.isGone && report.event != nil && heldBytes(store).isEmpty && store.disagreement() == nil)
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/store/data.mdb"))
        #expect(data.range(of: Data(Self.secret.utf8)) == nil)
        #expect(try store.erase(card, at: moment(5)).event == nil)
        #expect(throws: StoreError.self) { try store.erase(UniqueID(high: 1, low: 2), at: moment(6)) }
    }
}
