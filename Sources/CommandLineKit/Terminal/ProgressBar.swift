internal import Synchronization

/// Tells a person at a terminal how far something is.
///
/// Draws one line on standard error, only on a terminal, only once a second has passed, at most ten times a second, and takes it
/// away at the end. ``update(_:)`` may be called from any thread, as often as one likes.
package final class ProgressBar: Sendable {
    private struct State {
        var drawnAt: UInt64?
        var isVisible = false
        var isFinished = false
    }

    private static let delay: UInt64 = 1_000_000_000
    private static let pause: UInt64 = 100_000_000

    private let label: String
    private let total: Int?
    private let surface: Surface?
    private let clock: @Sendable () -> UInt64
    private let write: @Sendable (String) -> Void
    private let start: UInt64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - total: how much there is to do, if known.
    ///   - surface: what it draws on; nil draws nothing.
    ///   - clock: nanoseconds of a clock that doesn't jump.
    package init(
        _ label: String, total: Int?, on surface: Surface?, clock: @escaping @Sendable () -> UInt64 = System.steadyNanoseconds,
        write: @escaping @Sendable (String) -> Void = { _ = System.write(Array($0.utf8), to: System.standardError) }
    ) {
        self.label = shown(label)
        self.total = total
        self.surface = surface?.isTerminal == true ? surface : nil
        self.clock = clock
        self.write = write
        start = self.surface == nil ? 0 : clock()
    }

    /// Says that `done` of the total are done.
    package func update(_ done: Int) {
        guard let surface else { return }
        let now = clock()
        guard now >= start, now - start >= Self.delay else { return }
        state.withLock { state in
            if state.isFinished { return }
            if let drawnAt = state.drawnAt, now < drawnAt || now - drawnAt < Self.pause { return }
            state.drawnAt = now
            state.isVisible = true
            write("\r" + line(done: done, elapsed: now - start, surface: surface) + "\u{1B}[K")
        }
    }

    /// Takes the line away. Nothing is drawn after that.
    package func finish() {
        state.withLock { state in
            state.isFinished = true
            if state.isVisible { write("\r\u{1B}[K") }
            state.isVisible = false
        }
    }

    private func line(done: Int, elapsed: UInt64, surface: Surface) -> String {
        // The last column stays free: some terminals wrap when it is written to.
        let room = surface.width - 1
        guard let total, total > 0 else {
            let text = "\(label)  \(Numbers.grouped(done))  \(Numbers.clock(seconds: Int(elapsed / 1_000_000_000)))"
            return text.truncated(to: room, ellipsis: surface.ellipsis)
        }
        let done = min(max(0, done), total)
        let percent = String(Numbers.share(done, of: total, parts: 100)).padded(to: 3, .right) + "%"
        var tail = "\(percent)  \(Numbers.grouped(done))/\(Numbers.grouped(total))"
        if let left = secondsLeft(done: done, total: total, elapsed: elapsed) { tail += "  \(Numbers.clock(seconds: left)) left" }
        let barWidth = min(30, room - label.displayWidth - tail.displayWidth - 4)
        if barWidth >= 5 {
            let bar = Bar.text(done, of: total, width: barWidth, unicode: surface.unicode, background: true)
            return "\(label)  \(Style.colour(.cyan)(bar, on: surface))  \(tail)"
        }
        return "\(label) \(tail)".truncated(to: room, ellipsis: surface.ellipsis)
    }

    private func secondsLeft(done: Int, total: Int, elapsed: UInt64) -> Int? {
        guard done > 0 else { return nil }
        let left = Double(elapsed) / 1e9 / Double(done) * Double(total - done)
        return left < 360_000 ? Int(left.rounded(.up)) : nil
    }
}
