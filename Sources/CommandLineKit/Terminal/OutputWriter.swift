/// A stream that a command writes its results to, in large pieces.
///
/// Writing never throws: what went wrong is remembered, what comes after it is dropped, and the frame asks at the end. So a command's
/// own answer isn't lost when a reader such as `head` leaves early, and a full disk is still reported. A command that writes
/// without end looks at ``isOpen`` now and then.
package final class OutputWriter {
    /// Why a stream takes nothing more.
    package enum WriteError: Equatable, Sendable {
        /// The reader has left. Nobody's mistake: the command ends quietly with its own exit code.
        case readerLeft
        /// The system refused a write; the number is its own.
        case refused(Int32)
    }

    package private(set) var fault: WriteError?
    /// What of a text this stream may be sent as it is. Where it takes no colours, nothing on it begins with an escape.
    package var kept: KeptControls = [.layout, .styles]
    private var buffer: [UInt8] = []
    private let capacity: Int
    private let sink: ([UInt8]) -> Int32

    /// A writer to one of the process's streams. A terminal should see each line at once: give it a `capacity` of 0.
    package convenience init(descriptor: Int32, capacity: Int = 1 << 16) {
        self.init(capacity: capacity) { System.write($0, to: descriptor) }
    }

    /// A writer to anything: `sink` takes all bytes and returns 0, or the number of the system's error.
    package init(capacity: Int = 1 << 16, sink: @escaping ([UInt8]) -> Int32) {
        self.capacity = capacity
        self.sink = sink
        buffer.reserveCapacity(capacity + 1024)
    }

    package var isOpen: Bool { fault == nil }

    /// Text, with whatever in it acts or hides spelt out, except for lines, tabs and styles.
    ///
    /// A net, for what was forgotten: the text of a user goes through ``shown(_:keeping:)`` before it is put beside other text,
    /// so that its lines and styles are spelt out too.
    package func write(_ text: String) {
        guard isOpen else { return }
        buffer.append(contentsOf: shown(text, keeping: kept).utf8)
        flushIfFull()
    }

    /// Bytes as they are: data, or what a terminal is told to do.
    package func write(bytes: some Sequence<UInt8>) {
        guard isOpen else { return }
        buffer.append(contentsOf: bytes)
        flushIfFull()
    }

    package func line(_ text: String = "") {
        guard isOpen else { return }
        buffer.append(contentsOf: shown(text, keeping: kept).utf8)
        buffer.append(0x0A)
        flushIfFull()
    }

    package func lines(_ lines: some Sequence<String>) {
        for text in lines { line(text) }
    }

    /// Hands on what was written so far.
    package func flush() {
        guard isOpen, !buffer.isEmpty else { return }
        let error = sink(buffer)
        buffer.removeAll(keepingCapacity: true)
        if error != 0 { fault = System.isBrokenPipe(error) ? .readerLeft : .refused(error) }
    }

    private func flushIfFull() {
        if buffer.count >= capacity { flush() }
    }
}
