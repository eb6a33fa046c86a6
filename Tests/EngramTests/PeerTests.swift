import EventCoding
import Foundation
import LMDB
import StudyModel
import Testing

@testable import Engram
@testable import EventLog

/// Devices that lie, in every field of a commit and of an event.
@Suite struct PeerTests {
    enum Outcome: Equatable {
        case merged
        /// Held aside, for that reason, with what follows.
        case aside(String)
        /// The whole source is refused.
        case refused
    }

    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let outcome: Outcome
        let forge: @Sendable (inout ForgedCommit) -> Void
    }

    static let card = UniqueID(high: 0xCA, low: 1)
    static let deck = UniqueID(high: 0xDE, low: 1)

    private static func onEvent(_ what: String, _ outcome: Outcome, _ forge: @escaping @Sendable (inout ForgedEvent) -> Void) -> Lie {
        Lie(testDescription: what, outcome: outcome) { forge(&$0.events[1]) }
    }

    private static func onCommit(_ what: String, _ outcome: Outcome, _ forge: @escaping @Sendable (inout ForgedCommit) -> Void) -> Lie {
        Lie(testDescription: what, outcome: outcome, forge: forge)
    }

    static let lies: [Lie] = [
        onEvent("nothing", .merged) { _ in },
        onEvent("checksum", .aside("checksum_mismatch")) { $0.checksum = 7 },
        onEvent("magic", .aside("malformed_event")) { $0.magic = 0x1234 },
        onEvent("a type that nobody knows", .merged) { $0 = unknown($0, type: 600) },
        onEvent("another type", .aside("payload_invalid")) { $0.type = EventType(rawValue: 256) },
        onEvent("a control type", .aside("payload_invalid")) { $0.type = EventType(rawValue: 1) },
        onEvent("version 0", .aside("payload_invalid")) { $0.version = 0 },
        onEvent("a newer version", .merged) { $0.version = 9 },
        onEvent("a flag that nobody knows", .aside("malformed_event")) { $0.flags = 8 },
        onEvent("the flag of erased texts alone", .aside("malformed_event")) { $0.flags = 4 },
        onEvent("a key that isn't there", .aside("payload_invalid")) { $0.flags = 3 },
        onEvent("a key", .merged) { $0.key = UniqueID(high: 1, low: 2) },
        onEvent("a zone of 24 hours", .merged) { $0.zone = 1440 },
        onEvent("a zone of 24 hours west", .merged) { $0.zone = -1440 },
        onEvent("a zone beyond", .aside("zone_out_of_range")) { $0.zone = 1441 },
        onEvent("a zone of a month", .aside("zone_out_of_range")) { $0.zone = .max },
        onEvent("a zone of a month west", .aside("zone_out_of_range")) { $0.zone = .min },
        onEvent("a length that is too small", .aside("malformed_event")) { $0.length = 20 },
        onEvent("a length that is too large", .aside("malformed_event")) { $0.length = 4000 },
        onEvent("another origin", .aside("origin_mismatch")) { $0.origin = OriginID(rawValue: 77) },
        onEvent("a time that falls", .aside("logical_time_falls")) { $0.logicalTime = 0 },
        onEvent("a wall time after the logical one", .aside("wall_time_out_of_range")) { $0.wallLag = 1 },
        onEvent("a wall time before the year 1", .aside("wall_time_out_of_range")) { $0.wallLag = -(1 << 60) },
        onEvent("a wall time beyond numbers", .aside("malformed_event")) { $0.wallLag = .max },
        onEvent("another subject", .merged) { $0.subject = UniqueID(high: 3, low: 3) },
        onEvent("a subject where there is none", .aside("subject_wrong")) {
            $0 = ForgedEvent(.dayConfigured(DayConfigured(rolloverHour: 4)), about: card)
        },
        onEvent("a number left out", .aside("number_gap")) { $0.skip = 1 },
        onEvent("a number twice", .aside("number_gap")) { $0.skip = .max },
        onEvent("fewer texts than there are", .aside("erasure_wrong")) { $0.mark = .possible(count: 2, salt: UniqueID(high: 1, low: 1)) },
        onEvent("more texts than there are", .aside("erasure_wrong")) { $0.mark = .possible(count: 12, salt: UniqueID(high: 1, low: 1)) },
        onEvent("more texts than bytes", .aside("malformed_event")) { $0.mark = .possible(count: 4000, salt: UniqueID(high: 1, low: 1)) },
        onEvent("no mark on a text", .aside("erasure_wrong")) { $0.mark = nil },
        onEvent("a mark where no text is", .aside("erasure_wrong")) {
            $0 = ForgedEvent(.cardDeleted(CardDeleted()), about: card)
            $0.mark = .possible(count: 0, salt: UniqueID(high: 1, low: 1))
        },
        onEvent("erased texts", .merged) {
            $0.payload.removeLast(8)
            $0.mark = .done(.zero)
        },
        onEvent("erased where no text was", .aside("erasure_wrong")) {
            $0 = ForgedEvent(.cardDeleted(CardDeleted()), about: card)
            $0.mark = .done(.zero)
        },
        onEvent("a payload that ends early", .aside("payload_invalid")) { $0.payload.removeLast() },
        onEvent("a payload with more", .aside("payload_invalid")) { $0.payload.append(0) },
        onEvent("no payload", .aside("malformed_event")) { $0.payload = [] },
        onEvent("a text that is none", .aside("payload_invalid")) { $0.payload[18] = 0xFF },
        onCommit("its magic", .refused) { $0.magic = 0x1234 },
        onCommit("a newer format", .aside("unknown_format")) { $0.format = 3 },
        onCommit("format 0", .aside("unknown_format")) { $0.format = 0 },
        onCommit("a flag that nobody knows", .aside("unknown_flags")) { $0.flags = 16 },
        onCommit("a flag that nobody knows, beside one that is known", .aside("unknown_flags")) { $0.flags = 0x84 },
        onCommit("the flag of control events", .aside("flags_wrong")) { $0.flags = 5 },
        onCommit("no flag of texts", .aside("flags_wrong")) { $0.flags = 0 },
        onCommit("the flag of texts where none is", .aside("flags_wrong")) {
            $0.events = [ForgedEvent(.cardDeleted(CardDeleted()), about: card)]
            $0.flags = 4
        },
        onCommit("texts without any mark", .merged) { for index in $0.events.indices { $0.events[index].mark = nil } },
        onCommit("no flag of control events", .aside("flags_wrong")) {
            $0.events = [ForgedEvent(.dayConfigured(DayConfigured(rolloverHour: 4)), about: .none)]
            $0.flags = 0
        },
        onCommit("a key", .merged) { $0.key = UniqueID(high: 8, low: 8) },
        onCommit("a key that isn't there", .refused) { $0.flags = 6 },
        onCommit("a number left out", .aside("number_gap")) { $0.skip = 1 },
        onCommit("the largest number", .aside("number_gap")) { $0.skip = .max - 2 },
        onCommit("number 0", .aside("number_gap")) { $0.skip = .max - 1 },
        onCommit("fewer events", .aside("malformed_commit")) { $0.eventCount = 1 },
        onCommit("more events", .aside("malformed_event")) { $0.eventCount = 3 },
        onCommit("no events", .aside("malformed_commit")) { $0.eventCount = 0 },
        onCommit("more events than are kept", .aside("malformed_commit")) { $0.eventCount = 100_001 },
        onCommit("bytes that are left over", .aside("malformed_commit")) { $0.trailing = [0] },
        onCommit("another digest", .refused) { $0.digest = .zero },
    ]

    private static func unknown(_ event: ForgedEvent, type: UInt16) -> ForgedEvent {
        var event = event
        event.type = EventType(rawValue: type)
        return event
    }

    static func made(_ front: String, _ card: UniqueID) -> ForgedEvent {
        ForgedEvent(.cardCreated(CardCreated(deck: deck, front: front, back: "to")), about: card)
    }

    /// Three commits, of which the second one lies.
    private static func forger(_ folder: TemporaryFolder, _ lie: Lie, after earlier: [[UInt8]] = []) throws -> Forger {
        var forger = try Forger(folder, "liar", after: earlier)
        try forger.write(ForgedCommit([ForgedEvent(.deckCreated(DeckCreated(title: "L", colour: nil)), about: deck), made("first", card)]))
        var commit = ForgedCommit([made("more", UniqueID(high: 0xCA, low: 2)), made("text", UniqueID(high: 0xCA, low: 3))])
        lie.forge(&commit)
        try forger.write(commit)
        try forger.write(ForgedCommit([made("last", UniqueID(high: 0xCA, low: 4))]))
        return forger
    }

    @Test("A lie in any field is merged, held aside or refused; all else comes in, is proved, and goes on", arguments: lies)
    func everyField(lie: Lie) throws {
        let folder = try TemporaryFolder()
        let honest = try folder.create("honest")
        let deck = try honest.deck("honest")
        let card = try honest.card("honest", in: deck, at: 1)
        // The liar passes on what the honest device wrote: before its own and after.
        var earlier = try honest.log.allCommits()
        let late = earlier.removeLast()
        var liar = try Self.forger(folder, lie, after: earlier)
        try liar.put(late)
        let store = try folder.create()
        try store.perform(.createDeck(title: "own", colour: nil), at: moment(3))
        let before = try store.digest()
        guard lie.outcome != .refused else {
            do throws(StoreError) {
                _ = try store.merge(with: liar.path, at: moment(9))
                Issue.record("it was taken")
            } catch {
                guard case .badInput(liar.path, let place, _) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(place.hasPrefix("commit 3"))
            }
            #expect(try store.digest() == before && store.disagreement() == nil)
            return
        }
        let report = try store.merge(with: liar.path, at: moment(9))
        #expect(report.refused.isEmpty)
        #expect(try store.card(card).front == "honest" && store.card(Self.card).front == "first")
        try Self.check(store, report, lie)
        try Self.passesOn(folder, store, report, lie)
    }

    private static func check(_ store: StudyStore, _ report: MergeReport, _ lie: Lie) throws {
        #expect(try store.disagreement() == nil)
        let verified = try StudyStore.verify(at: store.path, level: .deep)
        #expect(Set(verified.heldAside) == Set(report.heldAside))
        guard case .aside(let reason) = lie.outcome else {
            #expect(report.heldAside.isEmpty)
            return
        }
        #expect(report.newEvents == 4)
        #expect(report.heldAside.count == 2 && report.heldAside.contains { $0.reason == reason }, "\(report.heldAside)")
        #expect(report.heldAside.allSatisfy { $0.origin == OriginID(rawValue: 0xF0F0) })
        let again = try store.merge(with: store.path + "/../liar", at: moment(9))
        #expect(again.newEvents == 0 && Set(again.heldAside) == Set(report.heldAside) && again.knownEvents == 4)
    }

    /// Other devices get it by a merge and by lines; erasing, replaying, compacting, backing up and salvaging work, and keep it.
    private static func passesOn(_ folder: TemporaryFolder, _ store: StudyStore, _ report: MergeReport, _ lie: Lie) throws {
        let third = try folder.create("third")
        #expect(try Set(third.merge(with: store.path, at: moment(10)).heldAside) == Set(report.heldAside))
        #expect(try third.digest() == store.digest() && third.disagreement() == nil)
        var lines: [[UInt8]] = []
        try third.exportLog { line in
            lines.append(line)
            return true
        }
        let fourth = try folder.create("fourth")
        var rest = lines[...]
        #expect(try Set(fourth.importLog(path: "lines", at: moment(11)) { rest.popFirst() }.heldAside) == Set(report.heldAside))
        #expect(try fourth.digest() == store.digest() && fourth.disagreement() == nil)
        let backup = folder.path + "/backup"
        _ = try fourth.backup(to: backup, ndjson: true, drill: true)
        #expect(try Set(StudyStore.verify(at: backup, level: .log).heldAside) == Set(report.heldAside))
        let salvaged = folder.path + "/salvaged"
        _ = try StudyStore.salvage(from: backup, to: salvaged)
        #expect(try Set(StudyStore.verify(at: salvaged, level: .log).heldAside) == Set(report.heldAside))
        _ = try StudyStore.compact(at: backup)
        try StudyStore.rewrite(at: backup)
        #expect(try Set(StudyStore.verify(at: backup, level: .deep).heldAside) == Set(report.heldAside))
        try fourth.erase(Self.card, at: moment(12))
        #expect(try fourth.card(Self.card).front.isEmpty && fourth.disagreement() == nil)
        _ = try store.merge(with: fourth.path, at: moment(13))
        #expect(try store.card(Self.card).front.isEmpty && store.digest() == fourth.digest() && store.disagreement() == nil)
    }

    @Test("Where both sides numbered different commits of one origin alike, all others come in, and the report names that one")
    func forks() throws {
        let folder = try TemporaryFolder()
        var one = try Forger(folder, "one")
        try one.write(ForgedCommit([Self.made("first", Self.card)]))
        try one.write(ForgedCommit([Self.made("second", UniqueID(high: 0xCA, low: 2))]))
        let honest = try folder.create("honest")
        let title = try honest.deck("honest")
        var other = try Forger(folder, "other", after: try honest.log.allCommits())
        try other.write(ForgedCommit([Self.made("first", Self.card)]))
        try other.write(ForgedCommit([Self.made("another", UniqueID(high: 0xCA, low: 9))]))
        try other.write(ForgedCommit([Self.made("and more", UniqueID(high: 0xCA, low: 8))]))
        let store = try folder.create()
        _ = try store.merge(with: one.path, at: moment(9))
        let report = try store.merge(with: other.path, at: moment(9))
        #expect(report.refused.map(\.origin) == [one.origin] && report.refused.map(\.commit) == [2] && report.newEvents == 1)
        #expect(try store.decks(at: moment()).contains { $0.id == title } && store.disagreement() == nil)
        // The same the other way, where this one has more of it; and again.
        let back = try folder.create("back")
        _ = try back.merge(with: other.path, at: moment(9))
        for _ in 0..<2 {
            let report = try back.merge(with: one.path, at: moment(9))
            #expect(report.refused.map(\.commit) == [2] && report.newEvents == 0)
        }
        #expect(try back.disagreement() == nil)
    }

    @Test("What is held aside comes in once a program runs that can read it")
    func comingIn() throws {
        let folder = try TemporaryFolder()
        var peer = try Forger(folder, "peer")
        for number in 1...3 { try peer.write(ForgedCommit([Self.made("\(number)", UniqueID(high: 0xCA, low: UInt64(number)))])) }
        let store = try folder.create()
        // As an older program left it, which knew nothing of cards.
        try store.log.write { (transaction: inout WriteTransaction) throws(LogError) in
            var budget = HeldAsideBudget()
            for commit in peer.commits {
                _ = try store.log.hold(HeldCommit(claimedBy: commit, reason: "payload_invalid", message: ""), &budget, &transaction)
            }
        }
        #expect(try StudyStore.verify(at: store.path, level: .log).heldAside.count == 3)
        let deck = try store.deck()
        #expect(try store.card(UniqueID(high: 0xCA, low: 3)).front == "3")
        #expect(try StudyStore.verify(at: store.path, level: .deep).heldAside.isEmpty && store.disagreement() == nil)
        #expect(try store.decks(at: moment()).contains { $0.id == deck })
    }

    @Test("What is held aside and then comes in another way is held aside no more")
    func comingOtherwise() throws {
        let folder = try TemporaryFolder()
        var peer = try Forger(folder, "peer")
        for number in 1...4 { try peer.write(ForgedCommit([Self.made("\(number)", UniqueID(high: 0xCA, low: UInt64(number)))])) }
        let store = try folder.create()
        try store.log.write { (transaction: inout WriteTransaction) throws(LogError) in
            var budget = HeldAsideBudget()
            for commit in peer.commits[1...2] {
                _ = try store.log.hold(HeldCommit(claimedBy: commit, reason: "payload_invalid", message: ""), &budget, &transaction)
            }
        }
        _ = try store.deck()
        #expect(try StudyStore.verify(at: store.path, level: .log).heldAside.count == 2)
        #expect(try store.merge(with: peer.path, at: moment(9)).newEvents == 4)
        #expect(try StudyStore.verify(at: store.path, level: .deep).heldAside.isEmpty && store.disagreement() == nil)
    }

    @Test("A source that is damaged is named with its place, and nothing changes", arguments: [0, 1, 2])
    func damagedSource(way: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.deck()
        let before = try store.digest()
        do {
            let source = try folder.create("source")
            let deck = try source.deck()
            for number in 0..<300 { _ = try source.card("a card of number \(number)", in: deck) }
        }
        let path = folder.path + "/source/data.mdb"
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        switch way {
        // A text, a page, the end.
        case 0: data[try #require(data.range(of: Data("a card of number 77".utf8))).lowerBound] ^= 1
        case 1:
            let page = try #require(data.range(of: Data("a card of number 77".utf8))).lowerBound / 4096
            data.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0x5A, count: 4096))
        default: data.removeLast(6 * 4096)
        }
        try data.write(to: URL(fileURLWithPath: path))
        do throws(StoreError) {
            _ = try store.merge(with: folder.path + "/source", at: moment(9))
            Issue.record("it was taken")
        } catch {
            switch error {
            case .badInput(let named, let place, _), .damagedInput(let named, let place, _):
                #expect(named == folder.path + "/source" && !place.isEmpty)
            default: Issue.record("\(error)")
            }
        }
        #expect(try store.digest() == before && store.disagreement() == nil)
    }

    @Test(
        "A store that was made from scratch away from its place gets an origin of its own, and the one that such stores shared is left at the next action"
    )
    func originsOfStoresMadeFromScratch() throws {
        let folder = try TemporaryFolder()
        var origins: Set<OriginID> = []
        for name in ["one", "two"] {
            do {
                let store = try folder.create(name)
                let deck = try store.deck()
                let card = try store.card("to be erased", in: deck)
                try store.erase(card, at: moment(2))
                origins.insert(try store.origin)
            }
            // As a copy has it: another file.
            try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: folder.path + "/copy of " + name)
            try StudyStore.rewrite(at: folder.path + "/copy of " + name)
            let copy = try folder.open("copy of " + name)
            _ = try copy.deck("after", at: 3)
            #expect(try !copy.origin.isPlaceholder)
            origins.insert(try copy.origin)
        }
        #expect(origins.count == 4)
        let (one, two) = (try folder.open("copy of one"), try folder.open("copy of two"))
        #expect(try one.merge(with: two.path, at: moment(4)).refused.isEmpty)
        #expect(try one.merge(with: folder.path + "/two", at: moment(4)).refused.isEmpty && one.disagreement() == nil)
        try one.log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try one.log.setLocalOrigin(OriginID(rawValue: 1), &transaction)
        }
        _ = try one.deck("later", at: 5)
        #expect(try !one.origin.isPlaceholder && !origins.contains(one.origin))
    }

    @Test("So much is held aside of an origin, and the report says when that is reached")
    func limit() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        var peer = try Forger(folder, "peer")
        for _ in 0..<70 {
            var event = Self.made("text", Self.card)
            event.type = EventType(rawValue: 900)
            event.mark = nil
            event.zone = 5000
            event.payload = Array(repeating: 1, count: 1 << 20)
            try peer.write(ForgedCommit([event]))
        }
        let report = try store.merge(with: peer.path, at: moment(200))
        #expect(report.heldAside.count == 63 && report.refused.map(\.origin) == [peer.origin] && report.refused.map(\.commit) == [64])
        #expect(try store.disagreement() == nil)
    }

    @Test("An erased card's texts go from what is held aside too")
    func erasing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let deck = try store.deck()
        let card = try store.card("front", in: deck)
        var peer = try Forger(folder, "peer")
        var lie = ForgedEvent(.cardEdited(CardEdited(front: "a secret in a lie", back: nil)), about: card)
        lie.zone = 5000
        try peer.write(ForgedCommit([lie]))
        lie.mark = nil
        try peer.write(ForgedCommit([lie]))
        try peer.write(ForgedCommit([ForgedEvent(.cardDeleted(CardDeleted()), about: card)]))
        #expect(try store.merge(with: peer.path, at: moment(9)).heldAside.count == 3)
        try store.erase(card, at: moment(10))
        var lines = ""
        try store.exportLog { line in
            lines += String(decoding: line, as: UTF8.self)
            return true
        }
        #expect(!lines.contains(hexadecimal(Array("a secret in a lie".utf8))))
        #expect(try StudyStore.verify(at: store.path, level: .deep).heldAside.count == 2)
        // Nor do they come back.
        #expect(try store.merge(with: peer.path, at: moment(11)).heldAside.count == 2)
    }

    @Test("A line has its limit, and a lie in a line is told with its number")
    func lines() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        _ = try store.deck()
        let file = folder.path + "/lines"
        let long = Data(repeating: UInt8(ascii: "x"), count: 17 << 20)
        let many = Data(("[" + String(repeating: "0,", count: 2 << 20) + "0]").utf8)
        for (bytes, place) in [(long, "line 1"), (Data("\n\n".utf8) + long + Data("\n".utf8), "line 3"), (many, "line 1")] {
            try bytes.write(to: URL(fileURLWithPath: file))
            do throws(StoreError) {
                _ = try store.merge(with: file, at: moment(9))
                Issue.record("it was taken")
            } catch {
                guard case .badInput(file, place, _) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
        #expect(try store.lastSequence() == 1)
    }

    @Test("An action's key leads to this device's action, whatever another one says of it")
    func keys() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let own = try store.perform(.createDeck(title: "own", colour: nil), at: moment(), key: "the key")
        var peer = try Forger(folder, "peer")
        var lie = ForgedCommit([ForgedEvent(.deckCreated(DeckCreated(title: "L", colour: nil)), about: Self.deck)])
        let first = try store.log.allCommits()[0]
        lie.key = try Commit.header(of: first.rawSpan).actionKey
        try peer.write(lie)
        #expect(try store.merge(with: peer.path, at: moment(9)).newEvents == 1)
        let again = try store.perform(.createDeck(title: "own", colour: nil), at: moment(10), key: "the key")
        #expect(again.subject == own.subject && !again.isNew)
        #expect(try store.disagreement() == nil)
    }
}
