import Engram
import EngramTesting
import Foundation
import StudyModel
import Testing

/// How often each subject was answered or noted, and how: what an app could want to know. Split by subject.
private struct Answers: SubjectProjection {
    static let name = "org.example.answers"
    static let version = 1
    /// Grades and notes by subject, in the order of time.
    private(set) var marks: [UniqueID: [String]] = [:]

    init() {}

    private static func mark(_ event: ProjectedEvent) -> String? {
        switch event.content {
        case .cardReviewed(let review): "\(review.grade)"
        case .appEvent(let event): "\(event.name):\(event.text ?? "")"
        default: nil
        }
    }

    mutating func apply(_ event: ProjectedEvent) {
        if let mark = Self.mark(event) { marks[event.subject, default: []].append(mark) }
    }

    mutating func retract(_ events: [ProjectedEvent]) {
        for event in events where Self.mark(event) != nil { marks[event.subject] = nil }
    }

    mutating func join(_ other: Answers) { marks.merge(other.marks) { $0 + $1 } }

    func encoded() -> [UInt8] {
        let lines = marks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.joined(separator: ","))" }
        return Array(lines.joined(separator: "\n").utf8)
    }

    init(decoding bytes: [UInt8]) throws {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let id = UniqueID(String(parts[0])) else { throw CocoaError(.coderReadCorrupt) }
            marks[id] = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

/// The names of all events in one order, which can't be split.
private struct Story: Projection {
    static let name = "org.example.story"
    static let version = 3
    private(set) var lines: [String] = []

    init() {}
    mutating func apply(_ event: ProjectedEvent) { lines.append("\(event.subject) \(event.content.name)") }
    func encoded() -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }
    init(decoding bytes: [UInt8]) throws { lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
}

@Suite struct OwnProjectionTests {
    private static var configuration: StudyStore.Configuration { .init(projections: [Answers.self, Story.self]) }

    private static func create(_ folder: TemporaryFolder, _ name: String = "store") throws -> StudyStore {
        try StudyStore.create(at: folder.path + "/" + name, configuration: configuration)
    }

    private static let projections: [any Projection.Type] = [Answers.self, Story.self]

    @Test("The laws of every history hold for it: live, replayed in parts, merged, voided, out of a checkpoint", arguments: [false, true])
    func laws(isWhole: Bool) throws {
        for number in 0..<150 {
            var generator = SeededGenerator(seed: 21).part(number)
            let history = HistoryGenerator().history(using: &generator)
            let violation = Laws.violation(by: history, projections: isWhole ? Self.projections : [Answers.self], using: &generator)
            #expect(violation?.description == nil, "\(generator)")
        }
    }

    @Test("It is the same live, after reopening, in a replay and for a verification, and sees what counts as it counts")
    func store() throws {
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        let card = try store.card(in: store.deck())
        let visit = store.newID()
        try store.perform(.review(card, .again, took: nil), at: moment(1))
        let second = try store.perform(.review(card, .good, took: nil), at: moment(2))
        try store.perform(.record(AppEvent(name: "saw", revision: 1, text: "[1]"), about: card), at: moment(3))
        let walk = try store.perform(.record(AppEvent(name: "walk", revision: 1, bytes: [0, 255]), about: visit), at: moment(4))
        #expect(try store.projection(Answers.self).marks == [card: ["again", "good", "saw:[1]"], visit: ["walk:"]])
        try store.perform(.correct(second.events[0], .easy), at: moment(5))
        try store.perform(.void(walk.events[0]), at: moment(6))
        #expect(try store.projection(Answers.self).marks == [card: ["again", "easy", "saw:[1]"]])
        try store.undo(at: moment(7))
        let seen = try store.projection(Answers.self).marks
        #expect(seen == [card: ["again", "easy", "saw:[1]"], visit: ["walk:"]] || seen[visit] == nil)
        try store.checkpoint()
        try store.perform(.review(card, .hard, took: nil), at: moment(8))
        #expect(try store.replay(at: moment(9)).isEqual == true)
        let again = try StudyStore.open(at: store.path, configuration: Self.configuration)
        #expect(try again.projection(Answers.self).marks == store.projection(Answers.self).marks)
        #expect(try again.projection(Story.self).lines == store.projection(Story.self).lines)
        let report = try store.verify()
        #expect(report.isSound && report.remarks.isEmpty, "\(report.findings) \(report.remarks)")
        let unaware = try StudyStore.verify(at: store.path, level: .deep)
        #expect(unaware.isSound && unaware.remarks.count == 2, "\(unaware.remarks)")
        #expect(throws: StoreError.self, "it was opened without it") { try StudyStore.open(at: store.path).projection(Story.self) }
    }

    @Test("Two devices come to one value, whichever merges first")
    func merging() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try Self.create(folder, "one"), try Self.create(folder, "two"))
        let card = try one.card(in: one.deck())
        _ = try two.merge(with: one.path, at: moment(1))
        for (minute, store) in [one, two, two, one].enumerated() {
            try store.perform(.review(card, [.again, .hard, .good, .easy][minute], took: nil), at: moment(10 + minute))
        }
        _ = try one.merge(with: two.path, at: moment(30))
        _ = try two.merge(with: one.path, at: moment(30))
        #expect(try one.projection(Answers.self).marks == [card: ["again", "hard", "good", "easy"]])
        #expect(try one.projection(Answers.self).encoded() == two.projection(Answers.self).encoded())
        #expect(try one.projection(Story.self).lines == two.projection(Story.self).lines)
        #expect(try one.digest() == two.digest())
    }

    @Test("What an app records is erased by its subject, everywhere, and the same subject takes no more", arguments: [false, true])
    func erasing(isCard: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        let subject = isCard ? try store.card(in: store.deck()) : store.newID()
        let event = Action.record(AppEvent(name: "secret", revision: 1, text: "\"hush\""), about: subject)
        try store.perform(event, at: moment(1))
        let report = try store.erase(subject, at: moment(2))
        #expect(report.isGone && report.events == (isCard ? 2 : 1))
        #expect(try store.projection(Answers.self).marks == [subject: ["secret:"]])
        #expect(throws: StoreError.self) { try store.perform(event, at: moment(3)) }
        #expect(try StudyStore.verify(at: store.path, level: .deep, projections: Self.projections).isSound)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path + "/data.mdb")).range(of: Data("hush".utf8)) == nil)
        let other = try Self.create(folder, "other")
        _ = try other.merge(with: store.path, at: moment(4))
        #expect(try other.digest() == store.digest())
    }

    @Test(
        "What isn't right is refused before anything is written",
        arguments: [
            (AppEvent(name: "", revision: 1), 1), (AppEvent(name: "a", revision: 1), 0),
            (AppEvent(name: "a", revision: 1, text: "{"), 1), (AppEvent(name: "a", revision: 1, text: "1", bytes: [1]), 1),
            (AppEvent(name: "a", revision: 1, text: String(repeating: "1", count: 65_537)), 1),
            (AppEvent(name: "a", revision: 1, bytes: Array(repeating: 1, count: 65_537)), 1),
            (AppEvent(name: "a", revision: .max), 1),
        ] as [(AppEvent, UInt64)])
    func refusing(event: AppEvent, subject: UInt64) throws {
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        #expect(throws: StoreError.self) { try store.perform(.record(event, about: UniqueID(high: 0, low: subject)), at: moment(1)) }
        #expect(try store.replay(at: moment(2)).events == 0)
    }

    @Test("A projection of another version, or one that can't read what is stored, is folded again")
    func versions() throws {
        struct Newer: Projection {
            static let name = "org.example.story"
            static let version = 4
            var count = 0
            init() {}
            mutating func apply(_ event: ProjectedEvent) { count += 1 }
            func encoded() -> [UInt8] { Array("\(count)".utf8) }
            init(decoding bytes: [UInt8]) throws { throw CocoaError(.coderReadCorrupt) }
        }
        let folder = try TemporaryFolder()
        let store = try Self.create(folder)
        let card = try store.card(in: store.deck())
        try store.perform(.review(card, .good, took: nil), at: moment(1))
        try store.checkpoint()
        for _ in 0..<2 {
            let newer = try StudyStore.open(at: store.path, configuration: .init(projections: [Newer.self]))
            #expect(try newer.projection(Newer.self).count == 3)
            try newer.checkpoint()
        }
    }
}
