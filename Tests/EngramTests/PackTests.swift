import Engram
import EventCoding
import EventLog
import Foundation
import LMDB
import StudyModel
import Testing

struct PackTests {
    private func events(_ store: StudyStore) throws -> [String] {
        var types: [String] = []
        try store.events {
            types.append($0.type)
            return true
        }
        return types
    }

    @Test("A pack is installed once; what of it can't be used is told, and the same file again changes nothing")
    func installing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let path = try folder.pack()
        let bytes = try Data(contentsOf: URL(filePath: path))
        let report = try store.installPack(at: path, moment: moment())
        #expect(report.isChanged && report.pack.name == "Words" && report.pack.words == 6 && report.pack.questions == 6)
        #expect(report.pack.types == 3 && report.pack.content == .here && report.skippedCount == 0)
        #expect(report.refused.map(\.id) == ["bad"] && report.refused[0].reason.contains("random"))
        #expect(try store.packs() == [report.pack])
        let again = try store.installPack(at: path, moment: moment(1))
        #expect(!again.isChanged && again.pack == report.pack && again.refused == report.refused)
        #expect(try events(store) == ["pack_installed"] && Data(contentsOf: URL(filePath: path)) == bytes)
        for name in ["Words", report.pack.id.description, String(report.pack.id.description.prefix(4))] {
            #expect(try store.pack(named: name) == report.pack.id, "\(name)")
        }
        #expect(throws: StoreError.notFound(.pack, name: "Wor")) { try store.pack(named: "Wor") }
        #expect(throws: StoreError.self) { try store.installPack(at: folder.path + "/store", moment: moment()) }
        // Another map over the same bytes is another reading of them.
        let map = folder.path + "/map.json"
        try Data(
            #"{"name": "Words", "questions": {"table": "questions", "id": "id", "prompt": "prompt", "options": {"table": "options", "question": "question_id", "text": "text", "right": "is_right"}}}"#
                .utf8
        ).write(to: URL(filePath: map))
        let mapped = try store.installPack(at: path, map: map, moment: moment(2))
        #expect(mapped.isChanged && mapped.pack.id == report.pack.id && mapped.pack.words == 0 && mapped.pack.types == 0)
        #expect(try store.disagreement() == nil)
    }

    @Test("Progress only rises, within one total")
    func progress() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        var seen: [(done: Int, total: Int)] = []
        let path = try folder.pack((1...1500).map { ($0, "word \($0)", "entry") })
        _ = try store.installPack(at: path, moment: moment()) { seen.append(($0, $1)) }
        #expect(seen.count >= 8 && seen.map(\.done) == seen.map(\.done).sorted() && Set(seen.map(\.total)) == [15_000])
        #expect(seen.allSatisfy { (0...$0.total).contains($0.done) }, "\(seen)")
    }

    @Test("A newer version replaces the content, and favourites and mistakes stay, with the new texts")
    func versions() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let first = try store.installPack(at: folder.pack(), moment: moment())
        let word = try store.item(named: "word 2")
        try store.perform(.setFavourite(word.id, kind: word.kind, on: true), at: moment(1))
        let quiz = try store.startQuiz(type: "all", seed: 1, at: moment(2))
        let wrong = try #require(quiz.questions.first { $0.prompt == "What is word 2?" })
        try store.answer(question: wrong.id, option: (wrong.right + 1) % 3, at: moment(3))
        let second = try store.installPack(at: folder.pack([(2, "WORD 2", "other"), (9, "word 9", "new")]), moment: moment(4))
        #expect(second.isChanged && second.pack.id == first.pack.id && second.pack.digest != first.pack.digest)
        #expect(try store.packs().map(\.words) == [2])
        #expect(try store.favourites().map(\.text) == ["WORD 2"] && store.mistakes().map(\.text) == ["WORD 2"])
        #expect(try store.mistakes().map(\.kind) == [.word] && store.item(named: "word 9").kind == .word)
        #expect(throws: StoreError.notFound(.item, name: "word 1")) { try store.item(named: "word 1") }
        // The test goes on with what it showed.
        #expect(try store.currentQuiz()?.questions.map(\.prompt) == quiz.questions.map(\.prompt))
        #expect(try store.testTypes().first?.questions == 2 && store.disagreement() == nil)
    }

    @Test("A removed pack is offered no more, an undo brings it back whole, and the next installation lets go of what is gone")
    func removal() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create()
        let pack = try store.installPack(at: folder.pack(), moment: moment()).pack
        let word = try store.item(named: "word 1")
        try store.perform(.setFavourite(word.id, kind: word.kind, on: true), at: moment(1))
        try store.removePack(pack.id, at: moment(2))
        #expect(try store.packs().isEmpty && store.testTypes().allSatisfy { !$0.isEnabled })
        #expect(throws: StoreError.notFound(.pack, name: pack.id.description)) { try store.removePack(pack.id, at: moment(3)) }
        #expect(try store.favourites().map(\.text) == ["word 1"])
        try store.undo(at: moment(4))
        #expect(try store.packs() == [pack] && store.testTypes().first?.questions == 6)
        try store.removePack(pack.id, at: moment(5))
        _ = try store.installPack(at: folder.pack([(1, "other", "x")], name: "Others", file: "others.db"), moment: moment(6))
        try store.undo(at: moment(7))
        try store.undo(at: moment(8))
        #expect(try store.packs().map(\.content) == [.missing] && store.testTypes().first?.isEnabled == false)
        let back = try store.installPack(at: folder.pack(), moment: moment(9))
        #expect(back.isChanged && back.pack.content == .here)
        #expect(try events(store).filter { $0 == "pack_installed" }.count == 2 && store.disagreement() == nil)
    }

    @Test("Content is no history: a merge brings the pack without it, and the digests of both devices are the same")
    func devices() throws {
        let folder = try TemporaryFolder()
        let one = try folder.create("one")
        let other = try folder.create("other")
        let path = try folder.pack()
        _ = try one.installPack(at: path, moment: moment())
        _ = try other.merge(with: one.path, at: moment(1))
        #expect(try other.packs().map(\.content) == [.missing] && other.digest() == one.digest())
        #expect(try other.installPack(at: path, moment: moment(2)).isChanged)
        #expect(try other.packs().map(\.content) == [.here] && other.digest() == one.digest())
        // The other device has a newer version.
        _ = try other.installPack(at: folder.pack([(1, "new", "n")]), moment: moment(3))
        _ = try one.merge(with: other.path, at: moment(4))
        #expect(try one.packs().map(\.content) == [.other] && one.digest() == other.digest())
    }

    @Test("A store that was made before there were packs opens for reading and for writing")
    func olderStores() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/old"
        do {
            let names = ["commits", "checkpoints", "timelines", "actions", "records"]
            let environment = try Environment.open(path: path, options: .init(folder: CommitLog.storeFolder, databases: names))
            let records = try environment.database("records")
            try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try transaction.put(Array("format".utf8), [2, 0, 0, 0], in: records)
                try transaction.put(Array("origin".utf8), [7] + [UInt8](repeating: 0, count: 15), in: records)
            }
        }
        do {
            let store = try folder.open("old", readOnly: true)
            #expect(try store.packs().isEmpty && store.testTypes().map(\.isEnabled) == [false, false, false])
            #expect(throws: StoreError.self) { try store.item(named: "anything") }
        }
        let store = try folder.open("old")
        #expect(try store.installPack(at: folder.pack(), moment: moment()).pack.content == .here && store.disagreement() == nil)
    }
}
