internal import CFiles
internal import Synchronization

/// Waits for what anybody, of this process or another, does to the files of a folder.
///
/// Linux tells, so that a waiting thread sleeps until something is done. Where the system doesn't tell (no inotify, no more of its
/// watches, the folder is gone), it is supposed four times a second that something was: this is the only place that looks again and
/// again, and it does so only while there is a watch.
package final class FolderWatch: Sendable {
    /// What came of waiting.
    package enum Outcome: Sendable {
        /// Something was written to a file of the folder, or took the name of one. Or it may have been.
        case changed
        /// Nothing was within the time.
        case quiet
        /// The watch was ended.
        case ended
    }

    private let watch: OwnedFile
    private let place: Int32
    private let isTold: Atomic<Bool>
    private let isEnded = Atomic(false)

    private static let pause: Int32 = 250

    /// Watches from now on: what is done before the first ``wait(milliseconds:)`` is told by it.
    package init(_ folder: String) {
        var place: Int32 = -1
        watch = OwnedFile(descriptor: unsafe files_watch(folder, &place))
        self.place = place
        isTold = Atomic(watch.isOpen)
    }

    /// Whether the system tells what is done; else it is looked for.
    package var isExact: Bool { isTold.load(ordering: .relaxed) }

    /// Waits until something is done, or so many milliseconds; without a number, for as long as it takes. One thread may wait.
    package func wait(milliseconds: Int32?) -> Outcome {
        guard !isEnded.load(ordering: .acquiring) else { return .ended }
        var result: Int32 = 1
        if isExact {
            result = files_watch_wait(watch.descriptor, milliseconds ?? -1)
            if result < 0 { isTold.store(false, ordering: .relaxed) }
        } else {
            files_pause(Self.pause)
        }
        guard !isEnded.load(ordering: .acquiring) else { return .ended }
        return result == 0 ? .quiet : .changed
    }

    /// Ends the watch: who waits is woken, at once or with its next look.
    package func end() {
        isEnded.store(true, ordering: .releasing)
        if isExact { files_watch_end(watch.descriptor, place) }
    }
}
