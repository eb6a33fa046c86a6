import Engram
import EventCoding
import EventLog
import Foundation
import Hashing
import LMDB
import StudyModel
import StudyProjections
import Testing

/// What a fixed history comes to, byte for byte: its commits, its checkpoint, its state's digest.
///
/// `golden.txt` has a line a version of each form. A change of the bytes fails until the version is raised that they belong to, and
/// then until the line of the new version is added; lines of older versions stay.
@Suite struct GoldenTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("engram-golden-\(UUID().uuidString)").path
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("golden.txt")

    private static func golden() throws -> [String: String] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            lines.compactMap { line in
                let parts = line.components(separatedBy: ": ")
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The digest of all commits and that of all blocks of the checkpoint, as they lie in the store at `path`.
    private static func digests(at path: String) throws -> (commits: SHA256Digest, checkpoint: SHA256Digest) {
        let log = try CommitLog.open(path: path, companions: StudyStore.companionDatabases, readOnly: true)
        var commits = SHA256Hasher()
        var blocks = SHA256Hasher()
        try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try log.forEachCommit(transaction) { _, commit in
                commits.update(commit)
                return true
            }
            for block in try log.checkpoint(transaction)?.blocks ?? [] { blocks.update(block) }
        }
        return (commits.finish(), blocks.finish())
    }

    @Test("The bytes of a fixed history are those of their versions")
    func bytes() throws {
        let folder = try Folder()
        let path = try FixedHistory.make(in: folder.path)
        try expectGolden(at: path, "")
        try FixedHistory.continueWithAppEvents(StudyStore.open(at: path, configuration: FixedHistory.configuration(3)))
        try expectGolden(at: path, ", with app events")
    }

    private func expectGolden(at path: String, _ what: String) throws {
        let found = try Self.digests(at: path)
        let state = try StudyStore.open(at: path).digest()
        let golden = try Self.golden()
        for (name, digest) in [
            ("commits of format \(Commit.format)", found.commits), ("checkpoint \(StudyState.checkpointVersion)", found.checkpoint),
            ("state digest \(StudyState.digestVersion)", state),
        ] {
            #expect(golden[name + what] == "\(digest)", "\(name)\(what): \(digest)")
        }
    }

    @Test("The fixed history has every type of event that there is")
    func everyType() throws {
        let folder = try Folder()
        let store = try StudyStore.open(at: try FixedHistory.make(in: folder.path))
        try FixedHistory.continueWithAppEvents(store)
        var types: Set<String> = []
        try store.events { event in
            types.insert(event.type)
            return true
        }
        #expect(types == Set(StudyEventKind.allCases.map(\.name)))
        let report = try StudyStore.verify(at: store.path, level: .deep)
        #expect(report.isSound, "\(report.findings)")
        #expect(try store.replay(at: FixedHistory.later).isEqual == true)
    }

    /// Leaves a store for later versions behind, where `ENGRAM_FREEZE` names a folder; see `Stores/make.py`.
    @Test("A store is frozen where that is asked for", .enabled(if: ProcessInfo.processInfo.environment["ENGRAM_FREEZE"] != nil))
    func freeze() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["ENGRAM_FREEZE"])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try FixedHistory.make(in: folder, hasList: true)
    }
}
