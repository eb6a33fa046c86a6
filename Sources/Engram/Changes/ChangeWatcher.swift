internal import EventLog
internal import FileSystem
internal import LMDB
internal import Synchronization

/// Notices what other processes write to a store: one thread, which sleeps until the system says that something was written.
///
/// It watches the folder and not the data file, for three reasons. When erased texts are cleared another data file takes the name, and a
/// watch of the former one would hear nothing more. The note beside the data file is written after each commit, when readers see it; the
/// last write to the data file comes just before that. And LMDB's files must not be opened by anybody else.
final class ChangeWatcher: Sendable {
    private let watch: FolderWatch
    private let count = Atomic(0)

    /// How often the thread woke up.
    var wakeups: Int { count.load(ordering: .relaxed) }
    /// Whether the thread sleeps where nothing is done.
    var isExact: Bool { watch.isExact }

    /// Watches the folder of `log` from now on; `nil` where the system gives no thread for it.
    ///
    /// - Parameter report: called on that thread when there may be something new to be read.
    init?(_ log: CommitLog, report: @escaping @Sendable () -> Void) {
        watch = FolderWatch(log.path)
        let begun = Threads.begin { [self] in run(log, report) }
        guard begun else { return nil }
    }

    /// Ends the thread.
    func end() { watch.end() }

    /// So long after the last change it is asked whether its writer is done.
    private static let settlingMilliseconds: Int32 = 5

    private func run(_ log: CommitLog, _ report: () -> Void) {
        var isSettled = true
        while true {
            let outcome = watch.wait(milliseconds: isSettled ? nil : Self.settlingMilliseconds)
            guard outcome != .ended else { return }
            count.add(1, ordering: .relaxed)
            // A commit is on the disk a moment before readers see it, and its writer may stop in that moment for as long as the system
            // likes. So there is a last look once no writer is at work, and then none until something is written again.
            isSettled = outcome == .quiet && (try? log.environment.hasWriterAtWork) != true
            if outcome == .changed || isSettled { report() }
        }
    }
}
