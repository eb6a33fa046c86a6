import Engram
import EventLog
import Foundation
import StudyModel
import Testing

/// Stores that were written by earlier programs, one for each format that there ever was, are read and carried over for ever.
@Suite struct CompatibilityTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Stores")

    /// The formats before the present one.
    static let formats = Array(Int(CommitLog.oldestFormat)..<Int(CommitLog.format))

    /// A copy of the frozen store, in a folder that goes with the value.
    final class Copy {
        let path: String
        let frozen: URL

        init(_ format: Int) throws {
            frozen = CompatibilityTests.folder.appendingPathComponent("format-\(format)")
            path = FileManager.default.temporaryDirectory.appendingPathComponent("engram-frozen-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: frozen.appendingPathComponent("data.mdb").path, toPath: path + "/data.mdb")
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The events as the program of that format exported them.
        func frozenLines() throws -> [Substring] {
            try String(contentsOf: frozen.appendingPathComponent("events.ndjson"), encoding: .utf8).split(separator: "\n")
        }

        var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")) } }
    }

    private let later = ZonedTime(wallMilliseconds: 1_717_243_200_000, zoneMinutes: 0)

    private func lines(_ store: StudyStore) throws -> [String] {
        var found: [String] = []
        try store.exportLog { line in
            found.append(String(decoding: line, as: UTF8.self))
            return true
        }
        return found
    }

    /// What an event says, whatever the form of its commit and of its texts' protection.
    private func essence(_ store: StudyStore) throws -> [String] {
        var found: [String] = []
        try store.events { event in
            found.append(
                "\(event.event) \(event.type) \(event.version) \(event.logicalTime) \(event.at) \(event.subject) \(event.payload.text())")
            return true
        }
        return found
    }

    /// All formats, the present one among them.
    static let allFormats = formats + [Int(CommitLog.format)]

    @Test("Each format that there ever was has its frozen store: who raises the format leaves one behind")
    func everyFormatIsFrozen() throws {
        for format in Self.allFormats {
            let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent("format-\(format)").path)
            #expect(Set(names).isSuperset(of: ["data.mdb", "events.ndjson", "answers.json"]), "format \(format)")
        }
    }

    @Test("It is read as it is: the same events in the same words, verified deeply, and not a byte of it changes", arguments: allFormats)
    func reading(format: Int) throws {
        let copy = try Copy(format)
        let before = try copy.bytes
        let store = try StudyStore.open(at: copy.path, readOnly: true)
        #expect(try lines(store).map { Substring($0) } == copy.frozenLines())
        #expect(try store.replay(at: later).isEqual == true)
        let report = try StudyStore.verify(at: copy.path, level: .deep)
        #expect(report.isSound, "\(report.findings)")
        #expect(try copy.bytes == before)
    }

    @Test("A store of the present format that an earlier program wrote goes on: it is written to, proved, rebuilt and merged")
    func goingOn() throws {
        let (copy, peer) = (try Copy(Int(CommitLog.format)), try Copy(Int(CommitLog.format)))
        do {
            let store = try StudyStore.open(at: copy.path)
            let (before, events) = (try store.digest(), try lines(store))
            let card = try #require(try store.cards().first { $0.isLive && $0.passed + $0.failed > 0 })
            // With the earlier program's indexes and checkpoint, and then with those that this one makes.
            for isRebuilt in [false, true] {
                if isRebuilt { try store.rebuild() }
                try store.perform(.review(card.id, .again, took: 900), at: later)
                #expect(try store.card(card.id).failed == card.failed + 1)
                #expect(try store.timeline(of: card.id).count > card.passed + card.failed)
                try store.undo(at: later)
                #expect(try store.digest() == before)
                #expect(try Array(lines(store).prefix(events.count)) == events)
                #expect(try store.replay(at: later).isEqual == true)
                let report = try StudyStore.verify(at: copy.path, level: .deep)
                #expect(report.isSound, "\(report.findings)")
            }
        }
        let merged = try StudyStore.open(at: peer.path).merge(with: copy.path, at: later)
        #expect(merged.newEvents == 4)
        let report = try StudyStore.verify(at: peer.path, level: .deep)
        #expect(report.isSound, "\(report.findings)")
    }

    @Test("Nothing is written to it: every attempt says that it is older", arguments: formats)
    func writing(format: Int) throws {
        let copy = try Copy(format)
        let store = try StudyStore.open(at: copy.path)
        let before = try lines(store)
        let error = StoreError.olderFormat(path: copy.path, found: UInt32(format), known: CommitLog.format)
        #expect(throws: error) { try store.perform(.createDeck(title: "new", colour: nil), at: later) }
        #expect(throws: error) { try store.undo(at: later) }
        #expect(throws: error) { try store.checkpoint() }
        #expect(throws: error) { try store.rebuild() }
        #expect(throws: error) { try StudyStore.compact(at: copy.path) }
        #expect(throws: error) { try StudyStore.rewrite(at: copy.path) }
        #expect(try lines(store) == before)
    }

    @Test("A dry run proves that it can be carried over, and changes nothing", arguments: formats)
    func dryRun(format: Int) throws {
        let copy = try Copy(format)
        let before = try copy.bytes
        let report = try StudyStore.migrate(at: copy.path, dryRun: true)
        #expect(!report.isChanged && report.keptAt == nil && report.events == report.kinds.reduce(0) { $0 + $1.events })
        #expect(try report.events == copy.frozenLines().count)
        #expect(try copy.bytes == before)
        #expect(!FileManager.default.fileExists(atPath: copy.path + "/format-\(format)"))
    }

    @Test(
        "Carried over it holds every event as it was, shows the same state, can be written to, and the old one is kept", arguments: formats)
    func migrating(format: Int) throws {
        let copy = try Copy(format)
        let (events, digest, statistics, cards) = try { () throws in
            let old = try StudyStore.open(at: copy.path, readOnly: true)
            return try (essence(old), old.digest(), old.statistics(at: later), old.cards())
        }()
        let report = try StudyStore.migrate(at: copy.path)
        #expect(report.isChanged && report.from == format && report.to == Int(CommitLog.format))
        do {
            let store = try StudyStore.open(at: copy.path)
            #expect(try essence(store) == events && store.digest() == digest && store.statistics(at: later) == statistics)
            #expect(try store.cards() == cards)
            try store.perform(.createDeck(title: "new", colour: nil), at: later)
            try store.undo(at: later)
        }
        let verified = try StudyStore.verify(at: copy.path, level: .deep)
        #expect(verified.isSound && verified.projections > 0, "\(verified.findings)")
        // Again there is nothing to do; and the old one is a store of its own.
        #expect(try !StudyStore.migrate(at: copy.path).isChanged)
        let kept = try StudyStore.open(at: try #require(report.keptAt), readOnly: true)
        #expect(try lines(kept).map { Substring($0) } == copy.frozenLines())
    }

    @Test("Devices that carry the same history over, each by itself, and old files and stores, merge without a fork", arguments: formats)
    func merging(format: Int) throws {
        let (one, other, unchanged) = (try Copy(format), try Copy(format), try Copy(format))
        _ = try StudyStore.migrate(at: one.path)
        _ = try StudyStore.migrate(at: other.path)
        let store = try StudyStore.open(at: one.path)
        let before = try (store.digest(), lines(store))
        for source in [other.path, unchanged.path, one.frozen.appendingPathComponent("events.ndjson").path] {
            #expect(try store.merge(with: source, at: later).newEvents == 0, "\(source)")
        }
        #expect(try store.digest() == before.0 && lines(store) == before.1)
        // The old open form makes the same store anew.
        let path = one.path + "-anew"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let anew = try StudyStore.create(at: path)
        _ = try anew.merge(with: unchanged.path, at: later)
        #expect(try anew.digest() == before.0)
    }
}
