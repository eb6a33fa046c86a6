import EventCoding
import EventLog
import Foundation
import LMDB
import StudyModel
import Testing

@testable import Engram

/// What verify and salvage say is what they have proved.
@Suite struct ProofTests {
    private static func data(_ path: String) -> URL { URL(filePath: path + "/data.mdb") }

    private static func made(_ folder: TemporaryFolder, reviews: Int = 6) throws -> String {
        let store = try folder.create()
        let card = try store.card(in: store.deck())
        for number in 0..<reviews { try store.perform(.review(card, .good, took: nil), at: moment(number)) }
        return store.path
    }

    @Test("A pack that the log names and whose content isn't here is a finding, which installing its file cures")
    func missingContent() throws {
        let folder = try TemporaryFolder()
        let file = try folder.pack()
        let other = try folder.create("other")
        do {
            let store = try folder.create()
            _ = try store.installPack(at: file, moment: moment(1))
            #expect(try StudyStore.verify(at: store.path, level: .log).isSound)
            _ = try other.merge(with: store.path, at: moment(2))
        }
        let report = try StudyStore.verify(at: other.path, level: .log)
        #expect(report.findings.map(\.kind) == ["content_missing"] && report.findings[0].place.contains("Words"))
        // A backup of it is a backup all the same: content is no history.
        _ = try other.backup(to: folder.path + "/backup")
        #expect(try other.installPack(at: file, moment: moment(3)).isChanged)
        #expect(try StudyStore.verify(at: other.path, level: .deep).isSound)
        #expect(try !other.installPack(at: file, moment: moment(4)).isChanged)
        // Another edition here than the one that the log names last.
        let newer = try folder.pack([(1, "word 1", "another entry")], file: "newer.db")
        do {
            let store = try folder.open()
            _ = try store.installPack(at: newer, moment: moment(5))
            _ = try other.merge(with: store.path, at: moment(6))
        }
        #expect(try StudyStore.verify(at: other.path, level: .log).findings.map(\.kind) == ["content_differs"])
        _ = try other.installPack(at: newer, moment: moment(7))
        #expect(try StudyStore.verify(at: other.path, level: .log).isSound)
    }

    @Test("A changed number of a meta page hides no commit: verify says so, and nothing is opened as it was before")
    func numbers() throws {
        let folder = try TemporaryFolder()
        let path = try Self.made(folder)
        let before = try folder.open(readOnly: true).digest()
        let right = try Data(contentsOf: Self.data(path))
        for page in [0, 1] {
            for byte in 0..<8 {
                for mask in [1, 2, 3, 4, 6, 0x80] as [UInt8] {
                    var data = right
                    data[page * 4096 + 144 + byte] ^= mask
                    try data.write(to: Self.data(path))
                    let report = try? StudyStore.verify(at: path, level: .deep)
                    #expect(report?.isSound != true, "page \(page), byte \(byte), mask \(mask)")
                    if let digest = try? folder.open(readOnly: true).digest() { #expect(digest == before) }
                }
            }
        }
    }

    @Test("Nothing is lost, says a salvage, only of a file whose newest commits are proved to be all there")
    func cut() throws {
        let folder = try TemporaryFolder()
        let path = try Self.made(folder)
        do {
            let store = try folder.open()
            let deck = try store.deck("large", at: 20)
            _ = try store.card(String(repeating: "x", count: 60_000), in: deck, at: 21)
        }
        let right = try Data(contentsOf: Self.data(path))
        let whole = try StudyStore.salvage(from: path, to: folder.path + "/whole")
        #expect(whole.isProved && whole.doubt == nil && whole.events == 10)
        for pages in 1...12 {
            let file = folder.path + "/cut-\(pages).mdb"
            try right.dropLast(pages * 4096).write(to: URL(filePath: file))
            guard let report = try? StudyStore.salvage(from: file, to: folder.path + "/cut-\(pages)") else { continue }
            #expect(report.isProved == (report.events == whole.events && report.doubt == nil), "\(pages) pages: \(report)")
            #expect(report.events == whole.events || !report.isProved, "\(pages) pages: \(report)")
        }
        for meta in [0, 1] {
            var data = right
            data.replaceSubrange(meta * 4096..<(meta + 1) * 4096, with: Data(count: 4096))
            let file = folder.path + "/meta-\(meta).mdb"
            try data.write(to: URL(filePath: file))
            let report = try StudyStore.salvage(from: file, to: folder.path + "/meta-\(meta)")
            #expect(!report.isProved && report.doubt != nil)
        }
    }

    @Test("Events since a number beyond the end are none, however large it is")
    func since() throws {
        let folder = try TemporaryFolder()
        _ = try Self.made(folder)
        let store = try folder.open()
        for sequence in [8, 9, 1 << 40, .max - 1, .max] as [UInt64] {
            var count = 0
            try store.events(since: sequence) { _ in
                count += 1
                return true
            }
            #expect(count == 0, "since \(sequence)")
        }
    }

    @Test("Another program's file is no store, at any level", arguments: [VerifyLevel.quick, .pages, .log, .deep])
    func anotherProgramsFile(_ level: VerifyLevel) throws {
        let folder = try TemporaryFolder()
        do {
            let environment = try Environment.open(path: folder.path, options: .init(folder: CommitLog.storeFolder, databases: ["letters"]))
            let letters = try environment.database("letters")
            try environment.write { transaction throws(LMDBError) in try transaction.put(1, [2], in: letters) }
        }
        #expect(try StudyStore.verify(at: folder.path, level: level).isSound == false)
    }

    @Test("What only a damaged file makes LMDB say is called damage, with its cure; a lack of room isn't")
    func damageIsNamed() {
        let damage: [LMDBCode] = [
            .corrupted, .pageNotFound, .invalid, .incompatible, .badTransaction, .badValueSize, LMDBCode(rawValue: -30787),
            LMDBCode(rawValue: -30786), LMDBCode(rawValue: -30780), LMDBCode(rawValue: -30779),
        ]
        let others: [LMDBCode] = [.mapFull, .readersFull, .transactionFull, .noSpace, .noMemory, .accessDenied]
        for code in damage + others {
            let error = StoreError(LMDBError(.failed(code), operation: "read", path: "store"), path: "store")
            var isDamage = false
            if case .damaged = error { isDamage = true }
            #expect(isDamage == damage.contains(code), "\(code)")
        }
    }

    @Test("A noted head counts only where the commits up to it are what they were, at every level")
    func notedHead() throws {
        let folder = try TemporaryFolder()
        let path = try Self.made(folder)
        let head = try #require(try StudyStore.verify(at: path, level: .log).heads.first)
        #expect(try StudyStore.verify(at: path, level: .quick, expecting: [head]).isSound)
        let log = try CommitLog.open(path: path, companions: StudyStore.companionDatabases)
        let commit = try log.read { transaction throws(LogError) in try log.commit(3, transaction) }
        var changed = try #require(commit)
        changed[changed.count - 1] ^= 1
        let bytes = changed
        let commits = try log.environment.database("commits")
        try log.environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try transaction.put(UInt64(3), bytes, in: commits)
        }
        #expect(try StudyStore.verify(at: path, level: .quick, expecting: [head]).isSound == false)
    }
}
