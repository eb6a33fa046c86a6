import FileSystem
import Foundation
import Testing

/// What waits for others. No test asks how long it took.
@Suite(.timeLimit(.minutes(1))) struct FolderWatchTests {
    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "engram-watch-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test("What is written to a file, or takes the name of one, is told; what is read, locked or written elsewhere isn't")
    func changes() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
        let file = try OwnedFile.open(folder + "/file", .createNew)
        let watch = FolderWatch(folder)
        guard watch.isExact else { return }
        #expect(watch.wait(milliseconds: 0) == .quiet)
        try file.write([1], at: 0)
        #expect(watch.wait(milliseconds: nil) == .changed)
        #expect(watch.wait(milliseconds: 0) == .quiet, "all that was told is told once")
        try file.lock(.exclusive, waiting: false)
        _ = try file.bytes(at: 0, count: 1)
        try file.sync()
        let inner = try OwnedFile.open(folder + "/inner/file", .createNew)
        try inner.write([1], at: 0)
        #expect(watch.wait(milliseconds: 0) == .quiet)
        try Files.rename(folder + "/inner/file", to: folder + "/file")
        #expect(watch.wait(milliseconds: nil) == .changed)
        try inner.write([2], at: 0)
        #expect(watch.wait(milliseconds: nil) == .changed, "the file that has the name now")
    }

    @Test("An end wakes who waits, and holds")
    func ending() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let watch = FolderWatch(folder)
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<FolderWatch.Outcome, Never>) in
            Thread { continuation.resume(returning: watch.wait(milliseconds: nil)) }.start()
            watch.end()
        }
        #expect(outcome == .ended)
        watch.end()
        #expect(watch.wait(milliseconds: nil) == .ended)
    }

    @Test("Where the system doesn't tell any more, or never did, it is looked for")
    func withoutSystem() throws {
        let folder = try Self.folder()
        let (watch, none) = (FolderWatch(folder), FolderWatch(folder + "/none"))
        try FileManager.default.removeItem(atPath: folder)
        #expect(!none.isExact && none.wait(milliseconds: nil) == .changed)
        // The first tells that the folder is gone.
        for _ in 0..<2 { #expect(watch.wait(milliseconds: nil) == .changed) }
        #expect(!watch.isExact)
        none.end()
        #expect(none.wait(milliseconds: nil) == .ended)
    }
}
